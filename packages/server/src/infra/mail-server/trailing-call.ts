/** Throttle: awaits a run if the last one is `everyMs` ago; else schedules one and ignores its errors. */
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
