import { lookup } from 'node:dns/promises'
import { unlessAborted } from '../../bounded-wait.ts'
import { messageOf } from '../../message-of.ts'
import { isPublicAddress } from '../../public-address.ts'
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
      throw new BuildError(
        `The image ${reference} is one that this server built for a project; name one of a registry.`
      )
    const present = await options.engine.findImage(reference)
    const image = present ?? (await pull(options, reference, task))
    const problem = problemOf(image, reference, baseImages)
    if (problem === undefined) continue
    // One that says to be ours must not lie where later builds look for layers.
    if (!present) await removeRefused(options.engine, reference)
    throw new BuildError(problem)
  }
}

type FoundImage = NonNullable<Awaited<ReturnType<ContainerEngine['findImage']>>>

function problemOf(image: FoundImage, reference: string, baseImages: readonly string[]): string | undefined {
  if (image.onBuild)
    return `The image ${reference} has ONBUILD instructions, which are not allowed here; use another one.`
  const isOfMachine = image.isLocal || Object.keys(image.labels).some((name) => name.startsWith('panel.'))
  return isOfMachine && !baseImages.includes(reference)
    ? `The image ${reference} was made on this server and is in no registry; name one of a registry.`
    : undefined
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
    throw new BuildError(
      `The image ${reference} cannot be pulled: ${messageOf(cause)}. Check its name, and that it is public.`,
      { cause }
    )
  }
  const image = await engine.findImage(reference)
  if (!image) throw new BuildError(`The image ${reference} is gone again after it was pulled; deploy again.`)
  return image
}

/** The engine asks the registry from the server's own network. A host that cannot be looked up is the engine's to refuse. */
async function refusePrivateHost(
  host: string,
  addressesOf: NonNullable<ExternalImageOptions['addressesOf']>
): Promise<void> {
  if (host === 'docker.io') return
  const addresses = await addressesOf(host).catch(() => [])
  if (!addresses.every(isPublicAddress))
    throw new BuildError(`The registry ${host} is at a private address; images come from public registries only.`)
}

const systemAddresses = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address)

const canonical = (reference: string): string => {
  const parsed = canonicalReference(reference)
  return 'problem' in parsed ? reference : parsed.reference
}

/** What the canonical name of every built image begins with. */
const canonicalPrefix = (prefix: string): string => canonical(`${prefix}-x`).replace(/x:latest$/, '')
