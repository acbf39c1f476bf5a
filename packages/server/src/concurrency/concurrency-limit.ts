import { AppError } from '../errors.ts'

/**
 * Lets only so much work of a kind run at once in this process; what is too much is refused, not queued. Each process has limits of its
 * own, as each has its own memory, connections and requests in hand: with two of them twice as much runs. It is no lock: what must not
 * be done twice at once is under one in the store besides (db/lock.ts).
 */
export interface ConcurrencyLimit {
  /** Rejects with CONFLICT when the key has its share already, with BUSY when all is used. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>
}

/** `what` is a plural that stands in the message: "uploads". */
export function createConcurrencyLimit(limits: { total: number; perKey: number; what: string }): ConcurrencyLimit {
  const running = new Map<string, number>()
  let total = 0
  return {
    async run(key, work) {
      const mine = running.get(key) ?? 0
      if (mine >= limits.perKey)
        throw new AppError('CONFLICT', `Too many concurrent ${limits.what}: wait for one to finish`)
      if (total >= limits.total)
        throw new AppError('BUSY', 'The server is busy with others just now; try again in a moment')
      running.set(key, mine + 1)
      total++
      try {
        return await work()
      } finally {
        total--
        const left = (running.get(key) ?? 1) - 1
        if (left === 0) running.delete(key)
        else running.set(key, left)
      }
    }
  }
}
