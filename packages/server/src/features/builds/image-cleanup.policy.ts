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

type CacheImageSize = Pick<CacheImage, 'id' | 'parentId' | 'sizeBytes'>
type OtherImage = Pick<CacheImage, 'id' | 'parentId'> & {
  tags: readonly string[]
  labels: Readonly<Record<string, string>>
  isInUse: boolean
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

/** What the image's own step added. The first of a chain counts whole only where its parent is not in the list. */
export function ownBytesOf(images: readonly CacheImageSize[]): (image: CacheImageSize) => number {
  const byId = new Map(images.map((image) => [image.id, image]))
  return ({ parentId, sizeBytes }) =>
    parentId === undefined ? sizeBytes : Math.max(0, sizeBytes - (byId.get(parentId)?.sizeBytes ?? sizeBytes))
}

/** Repeatedly drops the oldest image without children, while it is from before `before` or the rest exceeds the budget. */
export function cacheToDrop(
  images: readonly CacheImage[],
  { budgetBytes, before }: { budgetBytes: number; before: Date }
): string[] {
  const childCount = new Map<string, number>()
  for (const { parentId } of images) if (parentId !== undefined) add(childCount, parentId, 1)
  const ownBytes = ownBytesOf(images)
  const cache = images.filter((image) => !image.isPinned)
  let total = cache.reduce((sum, image) => sum + ownBytes(image), 0)
  const oldestFirst = new Set([...cache].sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime()))
  const dropped: string[] = []
  for (;;) {
    const next = [...oldestFirst].find(({ id }) => !childCount.get(id))
    if (!next || (total <= budgetBytes && next.createdAt >= before)) return dropped
    oldestFirst.delete(next)
    dropped.push(next.id)
    total -= ownBytes(next)
    if (next.parentId !== undefined) add(childCount, next.parentId, -1)
  }
}

/** Images of neither this nor another panel, children first, unless they are needed by name or as the base of another. */
export function otherImages<T extends OtherImage>(
  images: readonly T[],
  needed: ReadonlySet<string>,
  panelLabel: string
): T[] {
  const isNeeded = ({ tags, labels, isInUse }: T) =>
    isInUse || labels[panelLabel] !== undefined || tags.some((tag) => needed.has(tag) || needed.has(withoutLatest(tag)))
  const kept = withBases(images, isNeeded)
  return childrenFirst(images.filter(({ id }) => !kept.has(id)))
}

/** Ids of the images that are kept, and of those that they are built on. */
export function withBases<T extends Pick<CacheImage, 'id' | 'parentId'>>(
  images: readonly T[],
  isKept: (image: T) => boolean
): ReadonlySet<string> {
  const byId = new Map(images.map((image) => [image.id, image]))
  const kept = new Set<string>()
  for (const image of images.filter(isKept))
    for (let each: T | undefined = image; each && !kept.has(each.id); each = byId.get(each.parentId ?? ''))
      kept.add(each.id)
  return kept
}

const withoutLatest = (tag: string): string => tag.replace(/:latest$/, '')

const add = (counts: Map<string, number>, key: string, count: number) => counts.set(key, (counts.get(key) ?? 0) + count)
