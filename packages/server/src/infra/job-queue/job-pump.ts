/** Fetches up to `count` jobs, marked as taken. */
export type Fetch<Job> = (count: number) => Promise<Job[]>

/**
 * Starts what waits, as long as there is room: the pump of a queue. It is called whenever there may be something, also while it
 * fetches: then it looks again.
 */
export function createPump<Job>(
  concurrency: number,
  fetch: Fetch<Job>,
  start: (job: Job) => Promise<void>,
  signal: AbortSignal
): { pump(): Promise<void>; running: ReadonlySet<Promise<void>> } {
  const running = new Set<Promise<void>>()
  let isFetching = false
  let again = false
  const begin = (job: Job) => {
    const done = start(job).finally(() => {
      running.delete(done)
      void pump()
    })
    running.add(done)
  }
  const pump = async (): Promise<void> => {
    again = true
    if (isFetching) return
    isFetching = true
    while (again && running.size < concurrency && !signal.aborted) {
      again = false
      for (const job of await fetch(concurrency - running.size)) begin(job)
    }
    isFetching = false
  }
  return { pump, running }
}
