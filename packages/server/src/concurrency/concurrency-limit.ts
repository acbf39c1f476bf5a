import { AppError } from '../errors.ts'

/** Refuses excess work instead of queueing it. Protects memory and connections of this process; not a lock. */
export interface ConcurrencyLimit {
  /** Rejects with CONFLICT if the key's limit is reached, with BUSY if the total is. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>
}

export function createConcurrencyLimit(limits: { total: number; perKey: number; what: string }): ConcurrencyLimit {
  const running = new Map<string, number>()
  let total = 0
  return {
    async run(key, work) {
      const mine = running.get(key) ?? 0
      if (mine >= limits.perKey)
        throw new AppError('CONFLICT', `Too many concurrent ${limits.what}. Wait for one to finish.`)
      if (total >= limits.total) throw new AppError('BUSY', 'The server is busy. Try again in a moment.')
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
