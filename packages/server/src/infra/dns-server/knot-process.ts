import { rename, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, messageOf } from '../../errors.ts'
import { writeFileAtomically } from '../disk/atomic-file.ts'
import { readIfExists } from '../disk/read-if-exists.ts'
import { boundLog } from '../process/bounded-log.ts'
import { startDaemon } from '../process/daemon.ts'
import { findProcesses } from '../process/find-processes.ts'
import { ProcessError, type Run } from '../process/process.ts'
import { programPath } from '../process/program-path.ts'
import { signal } from '../process/signal.ts'
import { renderCatalog } from './catalog-zone.render.ts'
import { answersQuestions } from './dns-question.ts'
import { type KnotConfigOptions, knotFingerprint, renderKnotConfig } from './knot-config.render.ts'
import { collect, createKnotControl } from './knot-control.ts'
import { prepareDirectories, readableByServer } from './knot-directories.ts'
import { type KnotDirectories, type KnotPaths, knotPaths } from './knot-paths.ts'
import type { SocketAddress } from './knot-values.ts'
import { removeCandidates } from './knot-zone-file.ts'

export interface KnotProcessOptions extends Omit<KnotConfigOptions, 'user'> {
  run: Run
  /** Until a started server answers. Default 30 s: it answers before its zones are loaded. */
  startTimeoutMs?: number
}

export interface KnotProcess {
  pid: number
  outcome: 'started' | 'adopted' | 'restarted'
  /** Ends the server. It does not end with this process by itself: a panel that restarts finds it serving. */
  stop(): Promise<void>
}

const checkTimeoutMs = 30_000
const answerTimeoutMs = 5_000
const stopTimeoutMs = 10_000
const pollMs = 20

/**
 * Makes the name server run with exactly this configuration: leaves one alone that does, starts one of ours anew that runs with
 * another (a reload would not take new addresses over), starts it otherwise. Knot's own checker sees a configuration before it takes
 * effect; one that is refused leaves the old one serving, one that does not come up is replaced by the old one, and both reject. A
 * second call while one runs is the caller's mistake.
 */
export async function startKnot(options: KnotProcessOptions): Promise<KnotProcess> {
  const paths = knotPaths(options)
  const user = await prepareDirectories(paths, options.run)
  const configOptions = { ...options, ...(user === undefined ? {} : { user }) }
  const fingerprint = knotFingerprint(configOptions)
  await removeCandidates(paths)
  await boundLog(paths.log)
  const running = await findServing(paths, options.run)
  if (running?.fingerprint === fingerprint) return serving(running.pid, 'adopted', options)

  const previous = await readIfExists(paths.config)
  await checkAndSwap(paths, renderKnotConfig(configOptions), options.run)
  // Without a catalog the server would know no zone for want of a file; an empty one says that there is none.
  if ((await readIfExists(paths.catalog)) === undefined)
    await writeFileAtomically(paths.catalog, renderCatalog([]), readableByServer)
  await endAll(paths, running ? 'SIGTERM' : 'SIGKILL')
  try {
    return serving(await launch(paths, fingerprint, options), running ? 'restarted' : 'started', options)
  } catch (error) {
    if (!running || previous === undefined) throw error
    await writeFileAtomically(paths.config, previous, readableByServer)
    // Where the former one listened we do not know: its own word is enough.
    await launch(paths, running.fingerprint, { ...options, listen: [] })
    throw error
  }
}

/** Ends the server of this directory and waits until nothing of it is left. Resolves also when none runs. */
export async function stopKnot(directories: KnotDirectories): Promise<void> {
  await endAll(knotPaths(directories), 'SIGTERM')
}

/** Whether the server answers questions, and commands: for these it has a minute, as it may be busy with a large zone. */
export async function isKnotAnswering(options: KnotProcessOptions): Promise<boolean> {
  const paths = knotPaths(options)
  await boundLog(paths.log)
  return (await areAnswering(options.listen)) && (await readFingerprint(paths, options.run, 60_000)) !== undefined
}

const serving = (pid: number, outcome: KnotProcess['outcome'], options: KnotDirectories): KnotProcess => ({
  pid,
  outcome,
  stop: () => stopKnot(options)
})

const areAnswering = async ([first]: readonly SocketAddress[]): Promise<boolean> =>
  first === undefined || answersQuestions(first, 1_000)

/** A server of ours that answers. It gets a second chance, as it may be busy; the alternative is to kill it. */
async function findServing(paths: KnotPaths, run: Run): Promise<{ pid: number; fingerprint: string } | undefined> {
  const [pid] = (await findProcesses('knotd', paths.config)).keys()
  if (pid === undefined) return undefined
  const read = () => readFingerprint(paths, run, answerTimeoutMs)
  const fingerprint = (await read()) ?? (await read())
  return fingerprint === undefined ? undefined : { pid, fingerprint }
}

/** What the running server says it runs; undefined when it does not answer. */
async function readFingerprint(paths: KnotPaths, run: Run, timeoutMs: number): Promise<string | undefined> {
  const control = createKnotControl({ socket: paths.socket, run, timeoutMs })
  const answer = await control('conf-read', 'policy[panel].comment').catch((error: unknown) => {
    if (error instanceof AppError) return '' // It does not serve, which is the answer here.
    throw error
  })
  return /= "?([\w-]+)"?$/m.exec(answer)?.[1]
}

async function checkAndSwap(paths: KnotPaths, config: string, run: Run): Promise<void> {
  const candidate = `${paths.config}.candidate`
  await writeFileAtomically(candidate, config, readableByServer)
  const output = collect()
  try {
    await run(['knotc', '-c', candidate, 'conf-check'], { timeoutMs: checkTimeoutMs, stdout: output.stream })
  } catch (error) {
    await rm(candidate, { force: true })
    if (error instanceof ProcessError && error.reason === 'failed')
      throw unavailable('was refused by its checker', `${output.text()}${error.stderr}`)
    throw error
  }
  await rename(candidate, paths.config)
}

async function launch(
  paths: KnotPaths,
  fingerprint: string,
  options: Pick<KnotProcessOptions, 'run' | 'listen' | 'startTimeoutMs'>
): Promise<number> {
  // A number in it may be another program's by now, which would keep the server from starting.
  await rm(paths.pid, { force: true })
  const daemon = await startDaemon(['knotd', '-c', paths.config], { logPath: paths.log, env: { PATH: programPath } })
  const deadline = Date.now() + (options.startTimeoutMs ?? 30_000)
  while (daemon.failure() === undefined && Date.now() < deadline) {
    const runs = await readFingerprint(paths, options.run, 1_000)
    if (runs === fingerprint && (await areAnswering(options.listen))) return daemon.pid
    await sleep(pollMs)
  }
  await endAll(paths, 'SIGKILL')
  const log = (await readIfExists(paths.log)) ?? ''
  throw unavailable(`did not start: ${messageOf(daemon.failure() ?? 'no answer in time')}`, log.slice(-2_000))
}

/** Ends every server of this directory; one that hangs, or is asked in vain, at once: it would still hold the ports. */
async function endAll(paths: KnotPaths, how: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  const find = async () => [...(await findProcesses('knotd', paths.config)).keys()]
  for (const name of how === 'SIGTERM' ? (['SIGTERM', 'SIGKILL'] as const) : (['SIGKILL'] as const)) {
    for (const pid of await find()) signal(pid, name)
    const deadline = Date.now() + stopTimeoutMs
    while (Date.now() < deadline) {
      if ((await find()).length === 0) return
      await sleep(pollMs)
    }
  }
  throw new Error('A process of the name server cannot be ended')
}

const unavailable = (what: string, output: string): AppError =>
  new AppError('DNS_SERVER_UNAVAILABLE', `The configuration of the name server ${what}`, { cause: new Error(output) })
