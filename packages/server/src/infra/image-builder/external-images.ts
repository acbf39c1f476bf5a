import type { FailureCode } from '@panel/contract/failure-texts'
import { lookup } from 'node:dns/promises'
import { unlessAborted } from '../../concurrency/time-limit.ts'
import { messageOf } from '../../text/message-of.ts'
import { isPublicAddress } from '../../net/public-address.ts'
import { type ContainerEngine, EngineError } from '../container-engine/container-engine.ts'
import { BuildError, type BuildTask } from './image-builder.ts'
import { canonicalReference, registryHost } from './image-reference.ts'

interface ExternalImageOptions {
  engine: Pick<ContainerEngine, 'findImage' | 'pullImage' | 'removeImage'>
  /** Images of the server's own, which may be made here. */
  baseImages: readonly string[]
  /** Names of built images begin with it and a dash (BUILD_IMAGE_PREFIX). */
  imagePrefix: string
  /** Default: the system's. */
  addressesOf?: (host: string) => Promise<readonly string[]>
}

/** Sees to it that the images of somebody's own Dockerfile are there, and that they are a registry's and nothing else. */
export async function ensureExternalImages(
  options: ExternalImageOptions,
  references: readonly string[],
  task: Pick<BuildTask, 'signal' | 'onLog'>
): Promise<void> {
  const baseImages = options.baseImages.map(canonical)
  for (const reference of references) {
    task.signal.throwIfAborted()
    if (reference.startsWith(canonicalPrefix(options.imagePrefix)))
      throw new BuildError({ code: 'IMAGE_OF_PROJECT', values: { reference } })
    const present = await options.engine.findImage(reference)
    const image = present ?? (await pull(options, reference, task))
    const code = problemOf(image, reference, baseImages)
    if (code === undefined) continue
    // One that says to be ours must not lie where later builds look for layers.
    if (!present) await removeRefused(options.engine, reference)
    throw new BuildError({ code, values: { reference } })
  }
}

type FoundImage = NonNullable<Awaited<ReturnType<ContainerEngine['findImage']>>>

function problemOf(image: FoundImage, reference: string, baseImages: readonly string[]): FailureCode | undefined {
  if (image.onBuild) return 'IMAGE_HAS_ONBUILD'
  const isOfMachine = image.isLocal || Object.keys(image.labels).some((name) => name.startsWith('panel.'))
  return isOfMachine && !baseImages.includes(reference) ? 'IMAGE_OF_SERVER' : undefined
}

async function removeRefused(engine: Pick<ContainerEngine, 'removeImage'>, reference: string): Promise<void> {
  try {
    await engine.removeImage(reference)
  } catch (error) {
    // Somebody's container has it, or another build removes it: the owner is told what is wrong with it.
    if (!(error instanceof EngineError)) throw error
  }
}

async function pull(
  { engine, addressesOf = systemAddresses }: ExternalImageOptions,
  reference: string,
  task: Pick<BuildTask, 'signal' | 'onLog'>
): Promise<FoundImage> {
  await refusePrivateHost(registryHost(reference), addressesOf)
  task.onLog(`Pulling ${reference}\n`)
  try {
    await unlessAborted(
      engine.pullImage(reference, (text) => task.signal.aborted || task.onLog(text)),
      task.signal
    )
  } catch (cause) {
    if (!(cause instanceof EngineError)) throw cause
    throw new BuildError({ code: 'IMAGE_NOT_PULLED', values: { reference, problem: messageOf(cause) } }, { cause })
  }
  const image = await engine.findImage(reference)
  if (!image) throw new BuildError({ code: 'IMAGE_GONE_AGAIN', values: { reference } })
  return image
}

/** The engine asks the registry from the server's own network. A host that cannot be looked up is the engine's to refuse. */
async function refusePrivateHost(
  host: string,
  addressesOf: NonNullable<ExternalImageOptions['addressesOf']>
): Promise<void> {
  if (host === 'docker.io') return
  const addresses = await addressesOf(host).catch(() => [])
  if (!addresses.every(isPublicAddress)) throw new BuildError({ code: 'REGISTRY_PRIVATE', values: { host } })
}

const systemAddresses = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address)

const canonical = (reference: string): string => {
  const parsed = canonicalReference(reference)
  return 'problem' in parsed ? reference : parsed.reference
}

/** What the canonical name of every built image begins with. */
const canonicalPrefix = (prefix: string): string => canonical(`${prefix}-x`).replace(/x:latest$/, '')
