/** Makes many calls one: the work begins at once where it has not for so long, else when it has been that long. It tells of its own failures. */
export function createTrailingCall(everyMs: number, work: () => Promise<unknown>): () => void {
  let timer: NodeJS.Timeout | undefined
  let lastAt = -Infinity
  return () => {
    if (timer) return
    const start = () => {
      timer = undefined
      lastAt = performance.now()
      void work()
    }
    const leftMs = lastAt + everyMs - performance.now()
    if (leftMs <= 0) start()
    else timer = setTimeout(start, leftMs).unref()
  }
}
