/** What decides whether a domain goes with its project. */
interface DetachableDomain {
  id: string
  parentId: string | null
  projectId: string | null
  zoneId: string | null
}

/**
 * Which domains of a deleted project are removed and which only lose it. `tree` has the project's domains and all below them. One stays
 * when something hangs on it that is not the project's: a zone of its own, with the records and the mail of its name, or a domain below
 * it that stays.
 */
export function planDetachment<T extends DetachableDomain>(
  tree: readonly T[],
  projectId: string
): { remove: T[]; detach: T[] } {
  const children = new Map<string, T[]>()
  for (const domain of tree)
    if (domain.parentId !== null) children.set(domain.parentId, [...(children.get(domain.parentId) ?? []), domain])
  const stays = (domain: T): boolean =>
    domain.projectId !== projectId || domain.zoneId === domain.id || (children.get(domain.id) ?? []).some(stays)
  const own = tree.filter((domain) => domain.projectId === projectId)
  return { remove: own.filter((domain) => !stays(domain)), detach: own.filter(stays) }
}
