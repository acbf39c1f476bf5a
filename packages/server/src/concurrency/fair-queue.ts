import { AppError } from '../errors.ts'

export interface FairQueueLimits {
  /** Pieces of work at once, of all keys together. */
  total: number
  /** At once, of one key. */
  perKey: number
  /** Of one key that may wait. */
  waiting: number
  /** Of all keys together that may wait; without it, as many as there are keys for. */
  waitingInAll?: number | undefined
}

export interface FairQueue {
  /**
   * Resolves when it is the key's turn, with what gives the place back. Rejects with RATE_LIMITED when as many as may wait of the key,
   * with BUSY when as many as may wait of all. What is large takes a larger share of what its key may have; of all it is one.
   */
  enter(key: string, share?: number): Promise<() => void>
  run<T>(key: string, work: () => Promise<T>): Promise<T>
}

interface Lane {
  /** Shares. */
  running: number
  waiting: { share: number; enter: (leave: () => void) => void }[]
}

/**
 * Lets so much work run at once in this process; the rest waits, and the keys take turns, so that one with thirty pieces of work keeps one
 * with a single piece waiting for one of them, not for thirty. `what` is a plural that stands in the message: "requests".
 */
export function createFairQueue(limits: FairQueueLimits, what: string): FairQueue {
  const { total, perKey, waiting, waitingInAll = Number.POSITIVE_INFINITY } = limits
  const lanes = new Map<string, Lane>()
  /** Those with work that waits, whose turn is next first. */
  const turns = new Map<string, Lane>()
  let free = total
  let waitingNow = 0

  const begin = (key: string, lane: Lane, share: number) => {
    lane.running += share
    free--
    let isIn = true
    return () => {
      if (!isIn) return
      isIn = false
      lane.running -= share
      free++
      if (lane.running + lane.waiting.length === 0) lanes.delete(key)
      next()
    }
  }
  const next = () => {
    for (const [key, lane] of turns) {
      if (free === 0) return
      const [{ share, enter }] = lane.waiting as [Lane['waiting'][number]]
      if (lane.running + share > perKey) continue
      lane.waiting.shift()
      waitingNow--
      turns.delete(key)
      if (lane.waiting.length > 0) turns.set(key, lane)
      enter(begin(key, lane, share))
    }
  }
  const enter = async (key: string, requested = 1): Promise<() => void> => {
    const share = Math.min(requested, perKey)
    const lane = lanes.get(key) ?? { running: 0, waiting: [] }
    // Where a place is free, whoever waits is kept by its own key.
    if (free > 0 && lane.waiting.length === 0 && lane.running + share <= perKey) {
      lanes.set(key, lane)
      return begin(key, lane, share)
    }
    if (lane.waiting.length >= waiting)
      throw new AppError('RATE_LIMITED', `Too many ${what} at once: wait for some to finish`, { retryAfterSeconds: 1 })
    if (waitingNow >= waitingInAll)
      throw new AppError('BUSY', 'The server is busy with others just now; try again in a moment', {
        retryAfterSeconds: 5
      })
    lanes.set(key, lane)
    turns.set(key, lane)
    waitingNow++
    return new Promise((resolve) => lane.waiting.push({ share, enter: resolve }))
  }
  return {
    enter,
    async run(key, work) {
      const leave = await enter(key)
      try {
        return await work()
      } finally {
        leave()
      }
    }
  }
}
