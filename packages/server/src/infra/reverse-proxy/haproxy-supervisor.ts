import { setTimeout as sleep } from 'node:timers/promises'
import { haproxyPaths } from './haproxy-paths.ts'
import { isAlive } from './haproxy-pids.ts'
import { type HaproxyProcess, type HaproxyProcessOptions, startHaproxy } from './haproxy-process.ts'
import { readInfo } from './haproxy-socket.ts'

export interface SupervisorOptions {
  /** Between two looks. Default 1 s. */
  intervalMs?: number
  /** After a start that failed; doubles up to thirty times this. Default 1 s. */
  backOffMs?: number
  /** Unanswered looks at a living process after which it counts as hung and is replaced. Default 3. */
  maxUnanswered?: number
  /** Each time the proxy is back: the caller syncs the routes. */
  onRestart?: (process: HaproxyProcess) => void
  /** Each time it could not be brought back. */
  onFailure?: (error: unknown) => void
}

export interface Supervisor {
  /** The last known master. */
  pid(): number
  /** Ends the watch, not the proxy; resolves when nothing is under way any more. */
  stop(): Promise<void>
}

/** Watches a proxy that startHaproxy returned and starts it again whenever it is gone or hangs. */
export function superviseHaproxy(
  started: HaproxyProcess,
  process: HaproxyProcessOptions,
  options: SupervisorOptions = {}
): Supervisor {
  const { intervalMs = 1_000, backOffMs = 1_000, maxUnanswered = 3 } = options
  const { adminSocket } = haproxyPaths(process.directory, process.runtimeDirectory)
  const stopping = new AbortController()
  const pause = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => {}) // Woken to stop.
  let pid = started.pid

  const isAnswering = async () => {
    for (let unanswered = 0; unanswered < maxUnanswered && isAlive(pid) && !stopping.signal.aborted; unanswered++) {
      if (unanswered > 0) await pause(intervalMs)
      const isThere = await readInfo(adminSocket).then(
        () => true,
        () => false
      )
      if (isThere) return true
    }
    return false
  }
  const bringBack = async () => {
    for (let waitMs = backOffMs; !stopping.signal.aborted; waitMs = Math.min(waitMs * 2, backOffMs * 30)) {
      try {
        const restarted = await startHaproxy(process)
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
      if (!(await isAnswering()) && !stopping.signal.aborted) await bringBack()
      await pause(intervalMs)
    }
  }
  const finished = watch()
  // A defect of ours, as bringBack takes every failure of the proxy; it must not pass in silence.
  finished.catch((error: unknown) => options.onFailure?.(error))
  return {
    pid: () => pid,
    async stop() {
      stopping.abort()
      await finished
    }
  }
}
