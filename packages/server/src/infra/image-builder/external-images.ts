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
  baseImages: readonly string[]
  imagePrefix: string
  addressesOf?: (host: string) => Promise<readonly string[]>
}

/** Pulls the images that a user's Dockerfile names and refuses those that do not come from a public registry. */
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
    const code = imageProblem(image, reference, baseImages)
    if (code === undefined) continue
    // A pulled image with our labels must not stay where later builds look for layers.
    if (!present) await removeRefused(options.engine, reference)
    throw new BuildError({ code, values: { reference } })
  }
}

type FoundImage = NonNullable<Awaited<ReturnType<ContainerEngine['findImage']>>>

/** Why projects may not use it, if so. */
export function imageProblem(
  image: FoundImage,
  reference: string,
  baseImages: readonly string[] = []
): FailureCode | undefined {
  if (image.onBuild) return 'IMAGE_HAS_ONBUILD'
  const isOfMachine = image.isLocal || Object.keys(image.labels).some((name) => name.startsWith('panel.'))
  return isOfMachine && !baseImages.includes(reference) ? 'IMAGE_OF_SERVER' : undefined
}

async function removeRefused(engine: Pick<ContainerEngine, 'removeImage'>, reference: string): Promise<void> {
  try {
    await engine.removeImage(reference)
  } catch (error) {
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
    const isPrivate = /unauthorized|authentication required|denied/i.test(cause.message)
    throw isPrivate
      ? new BuildError(
          { code: 'IMAGE_NOT_PUBLIC', values: { host: reference.slice(0, reference.indexOf('/')), reference } },
          { cause }
        )
      : new BuildError({ code: 'IMAGE_NOT_PULLED', values: { reference, problem: messageOf(cause) } }, { cause })
  }
  const image = await engine.findImage(reference)
  if (!image) throw new BuildError({ code: 'IMAGE_GONE_AGAIN', values: { reference } })
  return image
}

// The engine connects to the registry from the server's own network (SSRF). If the lookup fails, the engine reports it.
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

const canonicalPrefix = (prefix: string): string => canonical(`${prefix}-x`).replace(/x:latest$/, '')
