import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from './signal.ts'

export interface SupervisorOptions<Process> {
  /** Between two looks. Default 1 s. */
  intervalMs?: number
  /** After a start that failed; doubles up to thirty times this. Default 1 s. */
  backOffMs?: number
  /** Unanswered looks at a living process after which it counts as hung and is replaced. Default 3. */
  maxUnanswered?: number
  /** Each time the program is back. */
  onRestart?: (process: Process) => void
  /** Each time it could not be brought back. */
  onFailure?: (error: unknown) => void
}

export interface Supervised<Process> {
  /** Whether it serves, as far as a look can tell. Bounded in time. */
  isAnswering(): Promise<boolean>
  /** Ends what is left of a hung one, too. */
  start(): Promise<Process>
}

export interface Supervisor {
  /** The last known process; undefined before the first start has succeeded. */
  pid(): number | undefined
  /** Ends the watch, not the program; resolves when nothing is under way any more. */
  stop(): Promise<void>
}

/** Watches a program and starts it again whenever it is gone or hangs; at once where it has not been `started` yet. */
export function supervise<Process extends { pid: number }>(
  started: Process | undefined,
  program: Supervised<Process>,
  options: SupervisorOptions<Process> = {}
): Supervisor {
  const { intervalMs = 1_000, backOffMs = 1_000, maxUnanswered = 3 } = options
  const stopping = new AbortController()
  const pause = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => {}) // Woken to stop.
  let pid = started?.pid

  const isServing = async () => {
    for (let unanswered = 0; unanswered < maxUnanswered && !stopping.signal.aborted; unanswered++) {
      if (unanswered > 0) await pause(intervalMs)
      if (pid === undefined || !isAlive(pid)) return false
      if (await program.isAnswering()) return true
    }
    return false
  }
  const bringBack = async () => {
    for (let waitMs = backOffMs; !stopping.signal.aborted; waitMs = Math.min(waitMs * 2, backOffMs * 30)) {
      try {
        const restarted = await program.start()
        pid = restarted.pid
        options.onRestart?.(restarted)
        return
      } catch (error) {
        options.onFailure?.(error)
        await pause(waitMs)
      }
    }
  }
  const watch = async () => {
    while (!stopping.signal.aborted) {
      if (!(await isServing()) && !stopping.signal.aborted) await bringBack()
      await pause(intervalMs)
    }
  }
  const finished = watch()
  // A defect of ours, as bringBack takes every failure of the program; it must not pass in silence.
  finished.catch((error: unknown) => options.onFailure?.(error))
  return {
    pid: () => pid,
    async stop() {
      stopping.abort()
      await finished
    }
  }
}
