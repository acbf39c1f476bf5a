interface Run {
  running: Promise<void>
  next: Promise<void> | undefined
}

/**
 * Work that brings something to its newest state: a call while the same work runs shares the run after it, since the running one may
 * have read too early. However many call, at most one runs and one waits, per owner and key. In this process alone: the work itself
 * takes a lock of the store where two processes may not both do it.
 */
export function createSharedRuns() {
  const runsByOwner = new WeakMap<object, Map<string, Run>>()
  return (owner: object, key: string, work: () => Promise<void>): Promise<void> => {
    const mine = runsByOwner.get(owner) ?? new Map<string, Run>()
    runsByOwner.set(owner, mine)
    const start = (): Promise<void> => {
      const run: Run = { running: work(), next: undefined }
      mine.set(key, run)
      const finish = () => {
        if (run.next === undefined) mine.delete(key)
      }
      run.running.then(finish, finish)
      return run.running
    }
    const run = mine.get(key)
    if (!run) return start()
    return (run.next ??= run.running.catch(() => {}).then(start)) // The callers of the running one have its failure.
  }
}
