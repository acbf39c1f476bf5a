import { AppError } from '../errors.ts'

export interface FairQueueLimits {
  total: number
  perKey: number
  waiting: number
  waitingInAll?: number | undefined
}

export interface FairQueue {
  /**
   * Resolves when it is the key's turn, with a function that releases the slot. Rejects with RATE_LIMITED if the key's
   * queue is full, with BUSY if the total queue is. `share` makes a large job use more of its key's limit; of the total
   * it uses one slot.
   */
  enter(key: string, share?: number): Promise<() => void>
  run<T>(key: string, work: () => Promise<T>): Promise<T>
}

interface Lane {
  running: number
  waiting: { share: number; enter: (leave: () => void) => void }[]
}

/** Fair queue in this process: round-robin between keys. `what` is a plural for the message, for example "requests". */
export function createFairQueue(limits: FairQueueLimits, what: string): FairQueue {
  const { total, perKey, waiting, waitingInAll = Number.POSITIVE_INFINITY } = limits
  const lanes = new Map<string, Lane>()
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
    // If a slot is free, the jobs still queued wait for their own key's limit.
    if (free > 0 && lane.waiting.length === 0 && lane.running + share <= perKey) {
      lanes.set(key, lane)
      return begin(key, lane, share)
    }
    if (lane.waiting.length >= waiting)
      throw new AppError('RATE_LIMITED', `Too many ${what} at once. Wait for some to finish.`, { retryAfterSeconds: 1 })
    if (waitingNow >= waitingInAll)
      throw new AppError('BUSY', 'The server is busy. Try again in a moment.', {
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
