interface SemaphoreWait<T> {
  ms: number
  ifFull: () => T | Promise<T>
}

/** Runs at most `limit` functions at once in this process. The others wait in FIFO order, without `wait` indefinitely. */
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
      // Hand the slot over directly, so that a new caller cannot overtake the longest waiter.
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
