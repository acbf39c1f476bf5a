import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../text/message-of.ts'
import { readIfExists } from '../infra/disk/read-if-exists.ts'
import { boundLog } from '../infra/process/bounded-log.ts'
import { type Daemon, startDaemon } from '../infra/process/daemon.ts'
import { oomScore, setOomScore } from '../infra/process/oom-score.ts'
import { readProcessState } from '../infra/process/process-state.ts'
import { hasUnits, inOwnScope, startUnit } from '../infra/process/own-unit.ts'
import { ProcessError } from '../infra/process/process.ts'
import { programPath } from '../infra/process/program-path.ts'
import { run } from '../infra/process/run.ts'
import { signal as send } from '../infra/process/signal.ts'
import { checkAddresses } from './listen-check.ts'
import { type FoundProcesses, type ManagedProgram, ProgramError } from './managed-program.ts'
import { findChanged, type RenderedFile, swapCandidates, writeCandidates } from './rendered-files.ts'

export interface RunningProgram {
  pid: number
  outcome: 'started' | 'adopted' | 'reloaded' | 'restarted'
  daemon?: Daemon
}

const killLimitMs = 10_000
const pollMs = 25

/**
 * Makes the program run with exactly its configuration: leaves it alone if it does, reloads or replaces it if it runs
 * with another, otherwise starts it. The program's own checker validates a configuration first; if that refuses, the
 * old one keeps running, and if the new one does not come up, the previous one is restored. Both reject with
 * ProgramError. The program outlives this process. Do not call concurrently for one program.
 *
 * @param options.signal aborts the wait and stops the program.
 */
export async function startProgram(
  program: ManagedProgram,
  options: { signal?: AbortSignal } = {}
): Promise<RunningProgram> {
  await program.prepare()
  await boundLog(program.log)
  const found = await program.find()
  const running = await evaluateRunning(program, found)
  // Children inherit the score. Programs without a score of ours may have set their own.
  if (program.oomScore !== undefined) for (const pid of found.all) setOomScore(pid, program.oomScore)
  if (running) await containAll(program, running.pid)
  if (running?.isConfigured) {
    await secure(program)
    return { pid: running.pid, outcome: 'adopted' }
  }
  const result = !running
    ? await startFresh(program, found, options.signal)
    : program.reload
      ? await reload(program, running.pid)
      : await replace(program, options.signal)
  await secure(program)
  return result
}

/** Idempotent. Right after a start a busy machine may need longer than the time limit of a query. */
async function secure(program: ManagedProgram): Promise<void> {
  for (let attempts = 3; attempts > 0; attempts--)
    try {
      return await program.secure?.()
    } catch (error) {
      if (attempts === 1) throw error
    }
}

/** Stops the program gracefully with its sessions and waits for all processes. Resolves if it is not running. */
export async function stopProgram(program: ManagedProgram): Promise<void> {
  program.close?.()
  const { main } = await program.find()
  const sessions = main === undefined ? [] : ((await program.findSessions?.(main)) ?? [])
  await stopAll(program, 'gently')
  for (const pid of sessions) send(pid, 'SIGTERM')
  const { pidFile } = program.command()
  if (pidFile !== undefined) await rm(pidFile, { force: true })
}

/** A program that serves or is starting. Probed twice, because the alternative to a busy program is killing it. */
async function evaluateRunning(
  program: ManagedProgram,
  { main: pid }: FoundProcesses
): Promise<{ pid: number; isConfigured: boolean } | undefined> {
  if (pid !== undefined && program.isLeftWhenSilent) return waitUntilServing(program, pid)
  // A stopped main process does not serve, even if other processes of the program respond.
  if (pid === undefined || !(await readProcessState(pid))?.isRunning) return undefined
  if (program.fingerprint) {
    const { wanted, running } = program.fingerprint
    const answer = (await running()) ?? (await running())
    return answer === undefined ? undefined : { pid, isConfigured: answer === wanted }
  }
  const answer = await program
    .probe()
    .catch(() => program.probe())
    .catch(() => undefined) // Not serving.
  return answer && { pid, isConfigured: (await findChanged(program.render())).length === 0 }
}

/** A program that recovers its data or starts its containers is silent for minutes; killing it would restart that. */
async function waitUntilServing(
  program: ManagedProgram,
  pid: number
): Promise<{ pid: number; isConfigured: boolean } | undefined> {
  const isStillRunning = async () => (await program.find()).main === pid
  for (const deadline = Date.now() + program.limits.startMs; await isStillRunning(); await sleep(pollMs)) {
    if ((await program.probe().catch(() => undefined)) === 'serving')
      return { pid, isConfigured: (await findChanged(program.render())).length === 0 }
    if (Date.now() > deadline)
      throw new ProgramError(`${program.name} is running but not responding`, await tailOf(program.log))
  }
  return undefined
}

async function startFresh(
  program: ManagedProgram,
  found: FoundProcesses,
  signal: AbortSignal | undefined
): Promise<RunningProgram> {
  if (found.all.length > 0) await stopAll(program, 'at once')
  await checkAddresses(program)
  const daemon = await attempt(program, false, async () => {
    await swapCandidates(await stage(program))
    return launch(program, signal)
  })
  return { pid: daemon.pid, outcome: 'started', daemon }
}

async function reload(program: ManagedProgram, pid: number): Promise<RunningProgram> {
  const changed = await attempt(program, true, () => stage(program))
  const rollBack = await swapCandidates(changed)
  try {
    await program.reload!()
  } catch (error) {
    await rollBack?.()
    await program.reload!().catch(() => {}) // The previous configuration stayed active.
    throw new ProgramError(
      `${program.name} could not load its configuration; the previous one was restored`,
      await tailOf(program.log, error)
    )
  }
  return { pid, outcome: 'reloaded' }
}

async function replace(program: ManagedProgram, signal: AbortSignal | undefined): Promise<RunningProgram> {
  const changed = await attempt(program, true, () => stage(program))
  await stopAll(program, 'gently')
  const rollBack = await swapCandidates(changed)
  try {
    await checkAddresses(program)
    const daemon = await launch(program, signal)
    return { pid: daemon.pid, outcome: 'restarted', daemon }
  } catch (error) {
    if (rollBack && !signal?.aborted) {
      await rollBack()
      await launch(program, signal, { isPrevious: true }).catch(() => {}) // Report the first error.
    }
    throw error
  }
}

const attempt = <T>(program: ManagedProgram, isRunning: boolean, work: () => Promise<T>): Promise<T> =>
  program.attempt ? program.attempt(work, { isRunning }) : work()

async function stage(program: ManagedProgram): Promise<RenderedFile[]> {
  const files = program.render()
  const changed = await findChanged(files)
  await writeCandidates(changed, async (candidate) => {
    await program.check?.(candidate, files).catch((error: unknown) => {
      if (!(error instanceof ProcessError) || error.reason !== 'failed') throw error
      throw new ProgramError(`The configuration of ${program.name} was rejected by its own checker`, error.stderr)
    })
  })
  return changed
}

async function launch(
  program: ManagedProgram,
  signal: AbortSignal | undefined,
  { isPrevious = false } = {}
): Promise<Daemon> {
  const { pidFile } = program.command()
  if (pidFile !== undefined) await rm(pidFile, { force: true })
  const daemon = await execute(program)
  setOomScore(daemon.pid, program.oomScore ?? oomScore.neutral)
  try {
    await program.contain?.([daemon.pid])
  } catch (error) {
    send(daemon.pid, 'SIGKILL') // Must not run without its limits.
    throw error
  }
  const deadline = Date.now() + program.limits.startMs
  while (daemon.failure() === undefined && Date.now() < deadline && !signal?.aborted) {
    if (await isServing(program, daemon.pid, isPrevious)) {
      await containAll(program, daemon.pid)
      return daemon
    }
    await sleep(pollMs)
  }
  const reason = daemon.failure() ?? (signal?.aborted ? 'stopped during start' : 'timed out')
  await stopAll(program, signal?.aborted ? 'gently' : 'at once')
  // Before exec() it is not found as the program.
  if (daemon.failure() === undefined) send(daemon.pid, 'SIGKILL')
  throw new ProgramError(`${program.name} did not start: ${messageOf(reason)}`, await tailOf(program.log))
}

/** Outside of the unit of the panel, so that stopping or restarting that leaves it alone. */
function execute(program: ManagedProgram): Promise<Daemon> {
  const command = program.command()
  const env = { PATH: programPath, ...command.env }
  if (program.unit && hasUnits()) return startUnit(program.unit(), { env, run })
  const argv = program.hasOwnScope ? command.argv : inOwnScope(program.name, command.argv)
  return startDaemon(argv, { logPath: program.log, env })
}

/** Contain the main process first: later children inherit it, earlier ones are in the list by then. */
async function containAll(program: ManagedProgram, main: number): Promise<void> {
  if (!program.contain) return
  await program.contain([main])
  const { all } = await program.find()
  await program.contain([main, ...all.filter((pid) => pid !== main)])
}

/** After a rollback the listen address is unknown, so a running process is enough. */
async function isServing(program: ManagedProgram, pid: number, isPrevious: boolean): Promise<boolean> {
  if (!isPrevious && (await program.probe().catch(() => undefined)) !== 'serving') return false
  if ((await program.find()).main !== pid) return false
  if (isPrevious || !program.fingerprint) return true
  return (await program.fingerprint.running()) === program.fingerprint.wanted
}

/** At once if it hangs or the main process is gone: the rest would block a new start. */
async function stopAll(program: ManagedProgram, how: 'gently' | 'at once'): Promise<void> {
  const { main, all } = await program.find()
  if (how === 'gently' && main !== undefined) {
    send(main, program.stopSignal)
    if (await hasExited(program, main, program.limits.stopMs)) return
  }
  if (all.length === 0) return
  for (const pid of (await program.find()).all) send(pid, 'SIGKILL')
  if (!(await hasExited(program, main, killLimitMs))) throw new Error(`Could not stop a process of ${program.name}`)
}

/** Scans all processes only after the main one has ended. */
async function hasExited(program: ManagedProgram, main: number | undefined, limitMs: number): Promise<boolean> {
  for (const deadline = Date.now() + limitMs; Date.now() < deadline; await sleep(pollMs))
    if (!(main && (await readProcessState(main))) && (await program.find()).all.length === 0) return true
  return false
}

const tailOf = async (log: string, error?: unknown): Promise<string> =>
  [error === undefined ? '' : messageOf(error), ((await readIfExists(log)) ?? '').slice(-2_000)].join('\n').trim()
