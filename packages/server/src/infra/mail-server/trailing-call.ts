/**
 * Throttle: runs the work at once and awaits it if the last run was longer than `everyMs` ago; otherwise schedules one
 * run for that time without waiting. Errors of scheduled runs are ignored.
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
