/**
 * Round-robin scheduler for stream chunks. Runs at most `perTick` chunks per event-loop tick so that HTTP requests are not starved; FIFO
 * within a key, round-robin between keys.
 */
export function createFairScheduler(perTick: number): (key: string) => Promise<void> {
  /** Waiting chunks by key; the first key is next. */
  const waiting = new Map<string, (() => void)[]>()
  let taken = 0
  let isScheduled = false
  const next = () => {
    const [[key, chunks]] = waiting as unknown as [[string, (() => void)[]]]
    waiting.delete(key)
    const [chunk] = chunks.splice(0, 1)
    if (chunks.length > 0) waiting.set(key, chunks)
    chunk!()
  }
  const tick = () => {
    taken = 0
    for (; taken < perTick && waiting.size > 0; taken++) next()
    isScheduled = taken > 0
    if (isScheduled) setImmediate(tick)
  }
  return async (key) => {
    if (!isScheduled) {
      isScheduled = true
      setImmediate(tick)
    }
    if (taken < perTick && waiting.size === 0) {
      taken++
      return
    }
    await new Promise<void>((resolve) => {
      const chunks = waiting.get(key)
      if (chunks) chunks.push(resolve)
      else waiting.set(key, [resolve])
    })
  }
}
