const downForSeconds = 60
const firstPauseSeconds = 120
const maxPauseSeconds = 1800
/** After this long without a restart, the pauses are reset. */
const forgetAfterSeconds = 2 * maxPauseSeconds

export interface InstanceFacts {
  containerId: string
  /** Docker's value. */
  status: string
  startedAt: string
  /** How long the proxy has had no answer from it. */
  downSeconds: number
}

export interface PastRestarts {
  count: number
  atMs: number
}

const pauseSeconds = (count: number): number => Math.min(firstPauseSeconds * 2 ** (count - 1), maxPauseSeconds)

/**
 * The instance of a project to restart: it runs, had time to start, and has not answered for a minute. One at a time with a
 * growing pause, so that an application that is overloaded, or waits for its database, is not restarted in a loop.
 */
export function findHung<Instance extends InstanceFacts>(
  instances: readonly Instance[],
  { past, graceSeconds, nowMs }: { past: PastRestarts | undefined; graceSeconds: number; nowMs: number }
): Instance | undefined {
  if (past && nowMs - past.atMs < pauseSeconds(past.count) * 1000) return undefined
  // The engine itself starts what has exited.
  return instances
    .filter(({ status, downSeconds }) => status === 'running' && downSeconds >= downForSeconds)
    .filter(({ startedAt }) => nowMs - Date.parse(startedAt) >= Math.max(downForSeconds, graceSeconds) * 1000)
    .toSorted((a, b) => b.downSeconds - a.downSeconds)[0]
}

export const afterRestart = (past: PastRestarts | undefined, nowMs: number): PastRestarts => ({
  count: (past && nowMs - past.atMs < forgetAfterSeconds * 1000 ? past.count : 0) + 1,
  atMs: nowMs
})
