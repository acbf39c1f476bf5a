interface Lane {
  running: Promise<void>
  next: Promise<void> | undefined
}

/**
 * Work that brings something to its newest state: a call while the same work runs shares the run after it, since the running one may
 * have read too early. However many call, at most one runs and one waits, per owner and key. In this process alone: the work itself
 * takes a lock of the store where two processes may not both do it.
 */
export function createSharedRuns() {
  const lanes = new WeakMap<object, Map<string, Lane>>()
  return (owner: object, key: string, work: () => Promise<void>): Promise<void> => {
    const mine = lanes.get(owner) ?? new Map<string, Lane>()
    lanes.set(owner, mine)
    const start = (): Promise<void> => {
      const lane: Lane = { running: work(), next: undefined }
      mine.set(key, lane)
      const finish = () => {
        if (lane.next === undefined) mine.delete(key)
      }
      lane.running.then(finish, finish)
      return lane.running
    }
    const lane = mine.get(key)
    if (!lane) return start()
    return (lane.next ??= lane.running.catch(() => {}).then(start)) // The callers of the running one have its failure.
  }
}
