/** An image that a deployment made. */
export interface Release {
  deploymentId: string
  projectId: string
  image: string
  /** Larger is newer. */
  seq: number
}

/** An image of a build's intermediate stages: cache. */
export interface CacheImage {
  id: string
  sizeBytes: number
  createdAt: Date
}

/** The images that are kept no longer: per project all but the newest `keep`, and never one that serves or is on its way. */
export function releasesToDrop(releases: readonly Release[], keep: number, inUse: ReadonlySet<string>): string[] {
  const newestOf = new Map<string, { image: string; projectId: string; seq: number }>()
  for (const { image, projectId, seq } of releases) {
    if (seq > (newestOf.get(image)?.seq ?? -1)) newestOf.set(image, { image, projectId, seq })
  }
  const kept = new Map<string, number>()
  return [...newestOf.values()]
    .sort((a, b) => b.seq - a.seq)
    .filter(({ image, projectId }) => {
      const count = (kept.get(projectId) ?? 0) + 1
      kept.set(projectId, count)
      return count > keep && !inUse.has(image)
    })
    .map(({ image }) => image)
}

/** The oldest cache images, until what stays fits the budget. */
export function cacheToDrop(images: readonly CacheImage[], budgetBytes: number): string[] {
  const newestFirst = [...images].sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
  let total = 0
  return newestFirst.filter(({ sizeBytes }) => (total += sizeBytes) > budgetBytes).map(({ id }) => id)
}
