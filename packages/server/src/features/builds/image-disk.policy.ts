import type { ImageLayer, ImageSummary } from '../../infra/container-engine/container-engine.ts'

export type SizedImage = Pick<ImageSummary, 'id' | 'parentId' | 'sizeBytes'> & { project: string }

/** Shared layers count once, base images do not count. `sizeOfOthers` has the images that are not in `images`. */
export function bytesByProject(
  images: readonly SizedImage[],
  sizeOfOthers: ReadonlyMap<string, number>
): Map<string, number> {
  const own = new Map(images.map(({ id, sizeBytes }) => [id, sizeBytes]))
  const bytes = new Map<string, number>()
  for (const { parentId, project, sizeBytes } of images) {
    const below = parentId === undefined ? 0 : (own.get(parentId) ?? sizeOfOthers.get(parentId) ?? 0)
    bytes.set(project, (bytes.get(project) ?? 0) + Math.max(0, sizeBytes - below))
  }
  return bytes
}

// The history entry that the engine writes for `COPY --chown` in our Dockerfiles (image-builder/dockerfile.render.ts).
const owningStep = /^\/bin\/sh -c #\(nop\) COPY --chown=(\d+):\1 ?(?:dir|file|multi):[^\n]*$/

/** Shared layers count once. */
export function ownedBytes(images: readonly (readonly ImageLayer[])[], uid: number): number {
  const layers = new Map<string, number>()
  for (const { id, createdBy, sizeBytes } of images.flat())
    if (id !== undefined && owningStep.exec(createdBy)?.[1] === String(uid)) layers.set(id, sizeBytes)
  return [...layers.values()].reduce((sum, bytes) => sum + bytes, 0)
}
