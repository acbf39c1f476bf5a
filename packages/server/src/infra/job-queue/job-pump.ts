/** Fetches up to `count` jobs, marked as taken. */
type Fetch<Job> = (count: number) => Promise<Job[]>

export interface Pump<Job> {
  /** To be called whenever there may be something to start. */
  pump(): Promise<void>
  isFetching(): boolean
  /** The jobs in hand, by what resolves when they are done. */
  running: ReadonlyMap<Promise<void>, Job>
}

/** Starts what waits, as long as there is room, which may be more or less the next time: the pump of a queue. Called while it fetches, it looks again. */
export function createPump<Job>(
  concurrency: () => number,
  fetch: Fetch<Job>,
  start: (job: Job) => Promise<void>,
  signal: AbortSignal
): Pump<Job> {
  const running = new Map<Promise<void>, Job>()
  let isFetching = false
  let again = false
  const begin = (job: Job) => {
    const done = start(job).finally(() => {
      running.delete(done)
      void pump()
    })
    running.set(done, job)
  }
  const pump = async (): Promise<void> => {
    again = true
    if (isFetching) return
    isFetching = true
    while (again && running.size < concurrency() && !signal.aborted) {
      again = false
      for (const job of await fetch(concurrency() - running.size)) begin(job)
    }
    isFetching = false
  }
  return { pump, isFetching: () => isFetching, running }
}
