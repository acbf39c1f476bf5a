export interface Release {
  deploymentId: string
  projectId: string
  image: string
  seq: number
}

export interface CacheImage {
  id: string
  parentId: string | undefined
  /** Tagged or in use. The others are intermediate images, which are cache. */
  isPinned: boolean
  /** Including its parents. */
  sizeBytes: number
  createdAt: Date
}

/** Images to drop: per project all but the latest `keep`, never one that is live or being deployed. */
export function releasesToDrop(releases: readonly Release[], keep: number, inUse: ReadonlySet<string>): string[] {
  const latestOf = new Map<string, { image: string; projectId: string; seq: number }>()
  for (const { image, projectId, seq } of releases) {
    if (seq > (latestOf.get(image)?.seq ?? -1)) latestOf.set(image, { image, projectId, seq })
  }
  const kept = new Map<string, number>()
  return [...latestOf.values()]
    .sort((a, b) => b.seq - a.seq)
    .filter(({ image, projectId }) => {
      const count = (kept.get(projectId) ?? 0) + 1
      kept.set(projectId, count)
      return count > keep && !inUse.has(image)
    })
    .map(({ image }) => image)
}

/** The engine refuses to remove an image that still has children. */
export function childrenFirst<T extends Pick<CacheImage, 'id' | 'parentId'>>(images: readonly T[]): T[] {
  const byId = new Map(images.map((image) => [image.id, image]))
  const depthOf = (image: T): number => {
    let depth = 0
    for (let parent = byId.get(image.parentId ?? ''); parent; parent = byId.get(parent.parentId ?? '')) depth++
    return depth
  }
  return images
    .map((image) => ({ image, depth: depthOf(image) }))
    .sort((a, b) => b.depth - a.depth)
    .map(({ image }) => image)
}

/** Repeatedly drops the oldest image without children until the rest fits the budget. */
export function cacheToDrop(images: readonly CacheImage[], budgetBytes: number): string[] {
  const byId = new Map(images.map((image) => [image.id, image]))
  const childCount = new Map<string, number>()
  for (const { parentId } of images) if (parentId !== undefined) add(childCount, parentId, 1)
  // Each counts with what its own step added. The first of a chain adds only labels.
  const ownBytes = ({ parentId, sizeBytes }: CacheImage) =>
    parentId === undefined ? sizeBytes : sizeBytes - (byId.get(parentId)?.sizeBytes ?? sizeBytes)
  const cache = images.filter((image) => !image.isPinned)
  let total = cache.reduce((sum, image) => sum + ownBytes(image), 0)
  const oldestFirst = new Set([...cache].sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime()))
  const dropped: string[] = []
  while (total > budgetBytes) {
    const next = [...oldestFirst].find(({ id }) => !childCount.get(id))
    if (!next) break
    oldestFirst.delete(next)
    dropped.push(next.id)
    total -= ownBytes(next)
    if (next.parentId !== undefined) add(childCount, next.parentId, -1)
  }
  return dropped
}

const add = (counts: Map<string, number>, key: string, count: number) => counts.set(key, (counts.get(key) ?? 0) + count)
