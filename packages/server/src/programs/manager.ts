import type { Logger } from 'pino'
import { stopProgram } from './lifecycle.ts'
import type { MachineContext, Need, Program, ProgramName } from './program.ts'
import { createProgramStates, type ProgramStates } from './program-states.ts'
import { portRanges } from '../net/port-ranges.ts'
import { portProblem, startProblem } from './start-problem.ts'
import { type Watch, watchProgram } from './watch.ts'

export interface Manager {
  /**
   * Starts and supervises these programs, in parallel except that each waits for those it needs. Resolves when each is
   * running, idle or optional and failing; rejects if a required one does not start. List a program after those it
   * needs.
   */
  start<Context extends MachineContext>(programs: readonly Program<Context>[], context: Context): Promise<void>
  /** Provides a dependency that is not a program. */
  provide(name: Exclude<Need, ProgramName>, ready: Promise<unknown>): void
  /** Whether it is ours to stop. */
  runs(name: ProgramName): boolean
  /** Takes a changed configuration over: by a reload where the program can, else by a restart. Ignored where it does not run. */
  reopen(name: ProgramName): Promise<void>
  /** Ends these, or all but one: none before those that need it. */
  stop(options?: { but?: ProgramName; only?: readonly ProgramName[] }): Promise<void>
}

interface Entry {
  needs: readonly Need[]
  started: Promise<void>
  stop: () => Promise<void>
  reopen: () => Promise<void>
  isRunning: () => boolean
}

// Enough for a first start on a slow disk; recovery after a power failure continues in the background.
const startupTimeoutMs = 60_000

interface ManagerOptions {
  logger: Logger
  step: (text: string) => void
  signal: AbortSignal
  states?: ProgramStates
}

export function createManager({ states = createProgramStates(), ...rest }: ManagerOptions): Manager {
  const options = { ...rest, states }
  const entries = new Map<ProgramName, Entry>()
  const provided = new Map<Need, Promise<unknown>>()
  return {
    async start(programs, context) {
      const ours = programs.filter((program) => program.isOurs(context.config))
      await Promise.all(
        ours.map((program) => {
          const needs = program.needs.map((name) => provided.get(name))
          const entry = startOne(program, context, Promise.all(needs), options)
          entries.set(program.name, entry)
          provided.set(program.name, entry.started)
          return entry.started
        })
      )
    },
    provide: (name, ready) => void provided.set(name, ready),
    runs: (name) => entries.get(name)?.isRunning() ?? false,
    reopen: async (name) => entries.get(name)?.reopen(),
    async stop({ but, only } = {}) {
      const stopping = new Map<ProgramName, Promise<void>>()
      const stopOne = (name: ProgramName): Promise<void> => {
        const known = stopping.get(name)
        if (known) return known
        const users = [...entries].filter(([, { needs }]) => needs.includes(name)).map(([user]) => stopOne(user))
        const work = Promise.all(users).then(() => entries.get(name)!.stop())
        stopping.set(name, work)
        return work
      }
      const names = [...entries.keys()].filter((name) => only?.includes(name) ?? name !== but)
      const results = await Promise.allSettled(names.map(stopOne))
      for (const name of names) {
        entries.delete(name)
        if (only) states.forget(name)
      }
      const failed = results.find((result) => result.status === 'rejected')
      if (failed) throw failed.reason
    }
  }
}

function startOne<Context extends MachineContext>(
  program: Program<Context>,
  context: Context,
  needs: Promise<unknown>,
  { logger, step, signal, states }: Required<ManagerOptions>
): Entry {
  const { name, title, portHint, onDemand } = program
  let watch: Watch | undefined
  let isWaiting = true
  let isStopping = false
  let fail: (error: unknown) => void = () => {}
  let goOn: (sentence?: string) => void = () => {}
  const started = new Promise<void>((resolve, reject) => {
    fail = (error) => {
      isWaiting = false
      reject(error)
    }
    goOn = (sentence) => {
      if (isWaiting && sentence !== undefined) step(sentence)
      isWaiting = false
      resolve()
    }
  })
  const timer = setTimeout(() => {
    if (!program.isRequired) goOn(`${capitalised(title)} is still starting. The panel continues without it.`)
  }, startupTimeoutMs)
  void started.finally(() => clearTimeout(timer)).catch(() => {}) // The caller gets the error.
  signal.addEventListener('abort', () => goOn(), { once: true })

  const open = async () => {
    // A failed program stays failed until it runs; otherwise it would seem to be starting forever.
    if (states.of(name) !== 'failed') states.set(name, 'starting')
    const opened = await program.open(context)
    if (opened === undefined) {
      states.set(name, 'running')
      goOn()
    } else if (isWaiting) step(`Starting ${title}${onPorts(program.ports(context.config).map(({ port }) => port))}`)
    return opened
  }
  // The start is retried until it succeeds; the same reason is reported once.
  let reported: string | undefined
  const onFailure = (error: unknown) => {
    if (isStopping || signal.aborted) return
    states.set(name, 'failed', portProblem(error, program.ports(context.config)))
    const reason = startProblem(error, portHint)
    const isReported = reason === reported
    reported = reason
    if (isReported) return
    if (!isWaiting) logger.error({ error: reason }, title)
    else if (program.isRequired) fail(new Error(reason, { cause: error }))
    else goOn(`The panel continues without ${title}. ${reason}`)
  }
  const onStart = () =>
    void Promise.resolve(program.onStart?.(context)).then(() => {
      reported = undefined
      states.set(name, 'running')
      goOn()
    }, fail)
  const begin = () => {
    if (!isStopping && !signal.aborted) watch = watchProgram(open, { onStart, onFailure })
  }
  needs
    .then(async () => {
      if (onDemand === undefined || (await onDemand.isNeeded(context)) || (await mayRun(program, context)))
        return begin()
      states.setIdle(name, () => {
        isWaiting = true // Show its start messages.
        begin()
      })
      goOn(`${capitalised(title)} is idle. It starts ${onDemand.until}.`)
    })
    .catch(fail)
  return {
    needs: program.needs,
    started,
    isRunning: () => watch?.program() !== undefined,
    async reopen() {
      if (watch === undefined || isStopping) return
      await watch.stop()
      begin()
    },
    async stop() {
      isStopping = true
      goOn()
      await watch?.stop()
      const last = watch?.program()
      if (last) await stopProgram(last)
    }
  }
}

/** Adopts an idle program that is still running. Also starts one that cannot be opened, so that its error is shown. */
async function mayRun<Context extends MachineContext>(program: Program<Context>, context: Context): Promise<boolean> {
  try {
    const opened = await program.open(context)
    if (opened === undefined) return true
    const { all } = await opened.find()
    opened.close?.()
    return all.length > 0
  } catch {
    return true
  }
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const onPorts = (ports: readonly number[]): string =>
  ports.length === 0 ? '' : ` on port${ports.length === 1 ? '' : 's'} ${portRanges(ports).join(' and ')}`
