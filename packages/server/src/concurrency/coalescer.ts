interface Run {
  running: Promise<void>
  next: Promise<void> | undefined
}

/** One run in progress and one queued per owner and key: the current run may have read old state. Per process only. */
export function createCoalescer() {
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
    return (run.next ??= run.running.catch(() => {}).then(start)) // Its own callers get the error.
  }
}
