import type { ContainerEngine } from '../container-engine/container-engine.ts'
import type { BuildTask } from './image-builder.ts'
import type { PulledImage } from './pulled-image.ts'

/** The images that an account may read in registries. */
export interface AccountImages {
  /** Registries that the account has credentials for. Their addresses are checked with each request. */
  hosts: readonly string[]
  /** By its digest; undefined for an image that the engine pulls without credentials. Rejects with RegistryError. */
  find(reference: string): Promise<PulledImage | undefined>
}

/**
 * The images of a Dockerfile that are pulled by their digest for this build only, by the name that the Dockerfile has.
 * Tags that are on the engine are public. A digest there can be a private image that another account builds on.
 */
export async function findPrivateImages(
  engine: Pick<ContainerEngine, 'findImage'>,
  references: readonly string[],
  { source, signal, onLog }: Pick<BuildTask, 'source' | 'signal' | 'onLog'>
): Promise<ReadonlyMap<string, PulledImage>> {
  const found = new Map<string, PulledImage>()
  const { accountImages } = source
  if (accountImages === undefined) return found
  for (const reference of references) {
    signal.throwIfAborted()
    if (!reference.includes('@') && (await engine.findImage(reference))) continue
    const image = await accountImages.find(reference)
    if (image === undefined) continue
    onLog(`${reference} is ${image.reference.slice(image.reference.indexOf('@') + 1)}\n`)
    found.set(reference, image)
  }
  return found
}
