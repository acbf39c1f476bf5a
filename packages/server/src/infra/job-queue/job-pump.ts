type Fetch<Job> = (count: number) => Promise<Job[]>

export interface Pump<Job> {
  /** Call after any change that may make a job runnable. */
  pump(): Promise<void>
  isFetching(): boolean
  running: ReadonlyMap<Promise<void>, Job>
}

/** Re-reads `concurrency` each time. A call during a fetch triggers another one. */
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
