import { isAlive } from '../infra/process/signal.ts'
import { boundLog } from '../infra/process/bounded-log.ts'
import { readProcessState } from '../infra/process/process-state.ts'
import { startProgram, type RunningProgram } from './lifecycle.ts'
import { type ManagedProgram, NothingToStart } from './managed-program.ts'
import { createPause } from './pause.ts'

export interface WatchOptions {
  /** Between two looks at one that runs, each with a probe unless the program has an interval of its own for these. Default 5 s. */
  probeEveryMs?: number
  /** After a probe without an answer. Default 1 s. */
  retryMs?: number
  /** Unanswered probes of a living process after which it counts as hung and is replaced. Default 3. */
  maxUnanswered?: number
  /** After a start that failed; doubles up to thirty times this. Default 1 s. */
  backOffMs?: number
  /** Each time it runs, the first time too. */
  onStart?: (running: RunningProgram) => void
  /** Each time it could not be started; it is tried again. */
  onFailure?: (error: unknown) => void
}

export interface Watch {
  /** Of the last known first process. */
  pid(): number | undefined
  /** As it was started last; undefined before that. */
  program(): ManagedProgram | undefined
  /** Ends the watch, not the program; resolves when nothing is under way any more. */
  stop(): Promise<void>
}

/** How soon the end of a process is seen that this one has not started. */
const aliveEveryMs = 1_000

/**
 * Starts or adopts the program and starts it again whenever it is gone or hangs. The end of a process that was started here is an event; of
 * an adopted one the kernel is asked. `open` makes the program before each start; where it resolves with undefined, there is nothing to run.
 */
export function watchProgram(open: () => Promise<ManagedProgram | undefined>, options: WatchOptions = {}): Watch {
  const { probeEveryMs = 5_000, retryMs = 1_000, maxUnanswered = 3, backOffMs = 1_000 } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const pause = createPause()
  let program: ManagedProgram | undefined
  let running: RunningProgram | undefined
  /** A number may go to another process; with the time of its start it does not. */
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
      // A stopped process says nothing, though another of the program's may still answer.
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
  // A defect of ours, as bringUp takes every failure of the program; it must not pass in silence.
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
