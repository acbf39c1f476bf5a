import { isAlive } from '../infra/process/signal.ts'
import { boundLog } from '../infra/process/bounded-log.ts'
import { readProcessState } from '../infra/process/process-state.ts'
import { startProgram, type RunningProgram } from './lifecycle.ts'
import { type ManagedProgram, NothingToStart } from './managed-program.ts'
import { createPause } from './pause.ts'

export interface WatchOptions {
  /** Interval of health checks, each with a probe unless the program has its own probe interval. Default 5 s. */
  probeEveryMs?: number
  retryMs?: number
  /** Failed probes after which a running process counts as hung and is replaced. Default 3. */
  maxUnanswered?: number
  backOffMs?: number
  onStart?: (running: RunningProgram) => void
  onFailure?: (error: unknown) => void
}

export interface Watch {
  pid(): number | undefined
  program(): ManagedProgram | undefined
  stop(): Promise<void>
}

const aliveEveryMs = 1_000

/** Restarts the program whenever it exits or hangs. `open` creates it before each start; undefined ends the watch. */
export function watchProgram(open: () => Promise<ManagedProgram | undefined>, options: WatchOptions = {}): Watch {
  const { probeEveryMs = 5_000, retryMs = 1_000, maxUnanswered = 3, backOffMs = 1_000 } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const pause = createPause()
  let program: ManagedProgram | undefined
  let running: RunningProgram | undefined
  /** Start time of the process, because pids are reused. */
  let startedAt: string | undefined
  let probedAt = 0

  const bringUp = async (): Promise<RunningProgram | undefined> => {
    for (let waitMs = backOffMs; !signal.aborted; waitMs = Math.min(waitMs * 2, backOffMs * 30)) {
      try {
        program?.close?.()
        program = await open()
        if (program === undefined) return undefined
        running = await startProgram(program, { signal })
        running.daemon?.onExit(pause.wake)
        startedAt = (await readProcessState(running.pid))?.startedAt
        probedAt = performance.now()
        options.onStart?.(running)
        return running
      } catch (error) {
        if (!signal.aborted) options.onFailure?.(error)
        if (error instanceof NothingToStart) return undefined
        await pause.for(signal.aborted ? 0 : waitMs)
      }
    }
    return undefined
  }
  const waitForProbe = async ({ pid, daemon }: RunningProgram) => {
    const until = performance.now() + probeEveryMs
    for (let leftMs = probeEveryMs; leftMs > 0 && !signal.aborted && isAlive(pid); leftMs = until - performance.now())
      await pause.for(daemon ? leftMs : Math.min(leftMs, aliveEveryMs))
  }
  const isServing = async (current: ManagedProgram, { pid }: RunningProgram) => {
    for (let unanswered = 0; unanswered < maxUnanswered && !signal.aborted; unanswered++) {
      if (unanswered > 0) await pause.for(retryMs)
      const state = await readProcessState(pid)
      if (state === undefined || state.startedAt !== startedAt) return false
      if (current.isLeftWhenSilent) return true
      // A stopped main process does not serve, even if other processes of the program respond.
      if (!state.isRunning) continue
      if (unanswered === 0 && performance.now() - probedAt < (current.probeEveryMs ?? 0)) return true
      if (await probeSucceeds(current)) {
        probedAt = performance.now()
        return true
      }
    }
    return signal.aborted
  }
  const watch = async () => {
    for (let current = await bringUp(); current && program && !signal.aborted;) {
      await waitForProbe(current)
      if (signal.aborted) return
      await boundLog(program.log)
      await program.boundLogs?.().catch((error: unknown) => options.onFailure?.(error))
      if (!(await isServing(program, current))) current = await bringUp()
    }
  }
  const finished = watch()
  // A bug, because bringUp handles every failure of the program; report it.
  finished.catch((error: unknown) => options.onFailure?.(error))
  return {
    pid: () => running?.pid,
    program: () => program,
    async stop() {
      stopping.abort()
      pause.wake()
      await finished
      program?.close?.()
    }
  }
}

const probeSucceeds = (program: ManagedProgram): Promise<boolean> =>
  program.probe().then(
    () => true,
    () => false
  )
