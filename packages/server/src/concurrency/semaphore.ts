interface SemaphoreWait<T> {
  ms: number
  /** What is done in place of the work when none has become free by then. */
  ifFull: () => T | Promise<T>
}

/** Runs what it is given, at most `limit` at once in this process; the rest waits in order, without `wait` as long as it takes. */
export function createSemaphore(limit: number): <T>(work: () => Promise<T>, wait?: SemaphoreWait<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let free = limit
  const waitForOne = (ms: number | undefined) =>
    new Promise<boolean>((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(giveUp, ms)
      const enter = () => {
        clearTimeout(timer)
        resolve(true)
      }
      function giveUp() {
        waiting.splice(waiting.indexOf(enter), 1)
        resolve(false)
      }
      waiting.push(enter)
    })
  return async (work, wait) => {
    if (free > 0) free--
    else if (!(await waitForOne(wait?.ms))) return wait!.ifFull()
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
