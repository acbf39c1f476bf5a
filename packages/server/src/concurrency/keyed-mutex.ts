/**
 * Work on one key one at a time, in the order of the calls; on different keys at once. In this process alone: what two processes may not
 * both do at once is locked in the store (db/lock.ts).
 */
export function createKeyedMutex<Key>(): <T>(key: Key, work: () => Promise<T>) => Promise<T> {
  const last = new Map<Key, Promise<unknown>>()
  return (key, work) => {
    const result = (last.get(key) ?? Promise.resolve()).then(work)
    const ended = result
      .catch(() => {}) // Its caller is told.
      .then(() => {
        if (last.get(key) === ended) last.delete(key)
      })
    last.set(key, ended)
    return result
  }
}
