/**
 * Makes many calls one: the work is done at once, and waited for, where it was not for so long; else it is done when it has been that long, and
 * nobody waits. What fails then is left.
 */
export function createTrailingCall(everyMs: number, work: () => Promise<unknown>): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let lastAt = -Infinity
  const start = () => {
    timer = undefined
    lastAt = performance.now()
    return work()
  }
  return async () => {
    if (timer) return
    const leftMs = lastAt + everyMs - performance.now()
    if (leftMs <= 0) await start()
    else timer = setTimeout(() => void start().catch(() => {}), leftMs).unref()
  }
}
