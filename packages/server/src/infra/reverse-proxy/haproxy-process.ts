import { readFile, rename, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, messageOf } from '../../errors.ts'
import { writeFileAtomically } from '../disk/atomic-file.ts'
import { readIfExists } from '../disk/read-if-exists.ts'
import { startDaemon } from '../process/daemon.ts'
import { ProcessError, type Run } from '../process/process.ts'
import { programPath } from '../process/program-path.ts'
import { isAlive, signal } from '../process/signal.ts'
import { type CertificateSource, writeCertificates } from './certificate-source.ts'
import { certificateFiles, withUsableCertificates } from './haproxy-certificate-files.ts'
import { type HaproxyConfigOptions, haproxyFingerprint, renderHaproxyConfig } from './haproxy-config.render.ts'
import { prepareFiles } from './haproxy-files.ts'
import { type HaproxyPaths, haproxyPaths } from './haproxy-paths.ts'
import { findHaproxy, maxConnectionsFor, parseOpenFilesLimit } from './haproxy-pids.ts'
import { type HaproxyInfo, readInfo, sendCommand } from './haproxy-socket.ts'

export interface HaproxyProcessOptions extends Omit<HaproxyConfigOptions, 'maxConnections'> {
  run: Run
  /** Default: what the limit of open files allows, 8000 at most. */
  maxConnections?: number
  /** Until a started or reloaded proxy serves. Default 2 min: 10,000 certificates took 7 s of a processor that nobody else used. */
  startTimeoutMs?: number
  /** What a proxy that has to be started serves from its first moment. Without it, or when it fails: what has files. */
  certificates?: CertificateSource
  /** Told of certificates that are not served after a start, and why. */
  onCertificateProblem?: (error: unknown) => void
}

export interface HaproxyProcess {
  /** The master process. */
  pid: number
  outcome: 'started' | 'adopted' | 'reloaded'
  /** Ends the proxy. It does not end with this process by itself: a panel that restarts finds it serving. */
  stop(): Promise<void>
}

interface Serving {
  master: number
  worker: number
  fingerprint: string
}

const checkTimeoutMs = 120_000
const stopTimeoutMs = 5_000
const pollMs = 20

/**
 * Makes the proxy run with exactly this configuration: leaves one alone that does, reloads one of ours that runs with another,
 * starts it otherwise. HAProxy's own checker sees a configuration before it takes effect; one that is refused, there or
 * by the reload, leaves the old one serving and rejects. Certificates that it refuses are left out instead. Sync routes and
 * certificates afterwards: a change that came while it (re)loaded may be in a file only. A second call while one runs is the
 * caller's mistake.
 */
export async function startHaproxy(options: HaproxyProcessOptions): Promise<HaproxyProcess> {
  const paths = haproxyPaths(options.directory, options.runtimeDirectory, options.certificateDirectory)
  const configOptions = { ...options, maxConnections: options.maxConnections ?? (await allowedConnections()) }
  const fingerprint = haproxyFingerprint(configOptions)
  await prepareFiles(options.directory, options.runtimeDirectory, paths, options.run)
  const running = await findServing(paths)
  if (running?.fingerprint === fingerprint) return serving(running.master, 'adopted', options)

  const previous = await readIfExists(paths.config)
  const config = renderHaproxyConfig(configOptions)
  const timeoutMs = options.startTimeoutMs ?? 120_000
  const onProblem = (error: unknown) => options.onCertificateProblem?.(error)
  if (!running) {
    await killLeftovers(paths)
    if (options.certificates) await writeCertificates(certificateFiles(paths), options.certificates, onProblem)
    const pid = await withUsableCertificates(
      paths,
      async () => {
        // A check reads all certificates, as the start does again: not twice for a configuration that has passed it.
        if (previous !== config) await checkAndSwap(paths, config, options.run)
        return launch(paths, fingerprint, timeoutMs)
      },
      onProblem
    )
    return serving(pid, 'started', options)
  }
  await withUsableCertificates(paths, () => checkAndSwap(paths, config, options.run), onProblem)
  const isMasterAlive = () => isAlive(running.master)
  await reload(paths)
  if (await waitUntilServing(paths, (info) => info.description === fingerprint, timeoutMs, isMasterAlive))
    return serving(running.master, 'reloaded', options)
  if (previous !== undefined) await writeFileAtomically(paths.config, previous)
  // The old worker has gone on all the time; a new one with the old configuration lets the master reload again later.
  await reload(paths)
  await waitUntilServing(paths, (info) => info.pid !== running.worker, timeoutMs, isMasterAlive)
  throw refused('could not be loaded; the one before it is back', await tailOf(paths.log))
}

/** Ends the proxy of this directory and waits until nothing of it is left. Resolves also when none runs. */
export async function stopHaproxy(
  options: Pick<HaproxyConfigOptions, 'directory' | 'runtimeDirectory'>
): Promise<void> {
  const paths = haproxyPaths(options.directory, options.runtimeDirectory)
  const { master } = await findHaproxy(paths.config, paths.pid)
  if (master !== undefined) signal(master, 'SIGTERM')
  const deadline = Date.now() + stopTimeoutMs
  while ((await findHaproxy(paths.config, paths.pid)).all.length > 0 && Date.now() < deadline) await sleep(pollMs)
  await killLeftovers(paths)
  await rm(paths.pid, { force: true })
}

const serving = (pid: number, outcome: HaproxyProcess['outcome'], options: HaproxyProcessOptions): HaproxyProcess => ({
  pid,
  outcome,
  stop: () => stopHaproxy(options)
})

const allowedConnections = async (): Promise<number> =>
  maxConnectionsFor(parseOpenFilesLimit(await readFile('/proc/self/limits', 'utf8')))

/** A proxy of ours that answers. It gets a second chance, as it may be busy; the alternative is to kill it. */
async function findServing(paths: HaproxyPaths): Promise<Serving | undefined> {
  const { master } = await findHaproxy(paths.config, paths.pid)
  if (master === undefined) return undefined
  const info = await readInfo(paths.adminSocket)
    .catch(() => readInfo(paths.adminSocket))
    .catch(() => undefined) // It does not serve, which is the answer here.
  return info && { master, worker: info.pid, fingerprint: info.description }
}

async function checkAndSwap(paths: HaproxyPaths, config: string, run: Run): Promise<void> {
  const candidate = `${paths.config}.candidate`
  await writeFileAtomically(candidate, config)
  try {
    await run(['haproxy', '-c', '-f', candidate], { timeoutMs: checkTimeoutMs })
  } catch (error) {
    await rm(candidate, { force: true })
    if (error instanceof ProcessError && error.reason === 'failed')
      throw refused('was refused by haproxy -c', error.stderr)
    throw error
  }
  await rename(candidate, paths.config)
}

async function launch(paths: HaproxyPaths, fingerprint: string, timeoutMs: number): Promise<number> {
  const argv = ['haproxy', '-W', '-f', paths.config, '-S', `${paths.masterSocket},mode,600`, '-p', paths.pid] as const
  const daemon = await startDaemon(argv, { logPath: paths.log, env: { PATH: programPath } })
  const isServing = await waitUntilServing(
    paths,
    ({ description }) => description === fingerprint,
    timeoutMs,
    () => daemon.failure() === undefined
  )
  if (isServing) return daemon.pid
  await killLeftovers(paths)
  throw refused(`did not start: ${messageOf(daemon.failure() ?? 'no answer in time')}`, await tailOf(paths.log))
}

/** HAProxy 2.6 answers `reload` by replacing itself, which ends the connection in one way or another: only a probe tells. */
async function reload(paths: HaproxyPaths): Promise<void> {
  await sendCommand(paths.masterSocket, 'reload').catch(() => '')
}

async function waitUntilServing(
  paths: HaproxyPaths,
  isWanted: (info: HaproxyInfo) => boolean,
  timeoutMs: number,
  isWorthWaiting: () => boolean
): Promise<boolean> {
  const deadline = Date.now() + timeoutMs
  while (isWorthWaiting() && Date.now() < deadline) {
    const info = await readInfo(paths.adminSocket, { timeoutMs: 1_000 }).catch(() => undefined) // Not yet.
    if (info && isWanted(info)) return true
    await sleep(pollMs)
  }
  return false
}

/** Ends at once whatever of our proxy no longer serves: a hung worker, or one whose master died, would still hold the ports. */
async function killLeftovers(paths: HaproxyPaths): Promise<void> {
  const { all } = await findHaproxy(paths.config, paths.pid)
  for (const pid of all) signal(pid, 'SIGKILL')
  const deadline = Date.now() + stopTimeoutMs
  while ((await findHaproxy(paths.config, paths.pid)).all.length > 0) {
    if (Date.now() > deadline) throw new Error('A process of the reverse proxy cannot be ended')
    await sleep(pollMs)
  }
}

const tailOf = async (path: string): Promise<string> => (await readIfExists(path))?.slice(-2_000) ?? ''

const refused = (what: string, output: string): AppError =>
  new AppError('REVERSE_PROXY_UNAVAILABLE', `The configuration of the reverse proxy ${what}`, {
    cause: new Error(output)
  })
