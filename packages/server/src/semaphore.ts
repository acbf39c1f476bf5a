/** Runs what it is given, at most `limit` at once in this process; the rest waits in order. */
export function createSemaphore(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let free = limit
  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // Who waits longest takes the place over, so that nobody comes in between.
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
