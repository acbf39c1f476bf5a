import type { ImageLayer, ImageSummary } from '../../infra/container-engine/container-engine.ts'

export type SizedImage = Pick<ImageSummary, 'id' | 'parentId' | 'sizeBytes'> & {
  project: string
  /** Digest of the registry's image that it is made of, which is the account's own, unlike base images. */
  pulled?: string | undefined
}

/**
 * Shared layers and the same image of a registry count once, base images do not count. `sizeOfOthers` has the images that
 * are not in `images`.
 */
export function bytesByProject(
  images: readonly SizedImage[],
  sizeOfOthers: ReadonlyMap<string, number>
): Map<string, number> {
  const own = new Map(images.map(({ id, sizeBytes }) => [id, sizeBytes]))
  const bytes = new Map<string, number>()
  const pulledBefore = new Set<string>()
  for (const { parentId, project, pulled, sizeBytes } of images) {
    if (pulled !== undefined) {
      const key = `${project} ${pulled}`
      if (!pulledBefore.has(key)) bytes.set(project, (bytes.get(project) ?? 0) + sizeBytes)
      pulledBefore.add(key)
      continue
    }
    const below = parentId === undefined ? 0 : (own.get(parentId) ?? sizeOfOthers.get(parentId) ?? 0)
    bytes.set(project, (bytes.get(project) ?? 0) + Math.max(0, sizeBytes - below))
  }
  return bytes
}

// The history entry of `COPY --chown` in our Dockerfiles (image-builder/dockerfile.render.ts), which no RUN can look like:
// the classic builder writes RUN with the shell that the Dockerfile chooses, BuildKit with the word RUN before it.
const owningStep = {
  classic: /^\/bin\/sh -c #\(nop\) COPY --chown=(\d+):\1 ?(?:dir|file|multi):[^\n]*$/,
  buildkit: /^COPY --chown=(\d+):\1 [^\n]*$/
}

/** Shared layers count once. */
export function ownedBytes(images: readonly (readonly ImageLayer[])[], uid: number): number {
  const layers = new Map<string, number>()
  for (const { id, createdBy, sizeBytes, builder } of images.flat())
    if (id !== undefined && owningStep[builder].exec(createdBy)?.[1] === String(uid)) layers.set(id, sizeBytes)
  return [...layers.values()].reduce((sum, bytes) => sum + bytes, 0)
}
