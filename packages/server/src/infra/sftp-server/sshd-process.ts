import { chmod, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, messageOf } from '../../errors.ts'
import { writeFileAtomically } from '../disk/atomic-file.ts'
import { readIfExists } from '../disk/read-if-exists.ts'
import { boundLog } from '../process/bounded-log.ts'
import { startDaemon } from '../process/daemon.ts'
import { isContained } from '../process/is-contained.ts'
import { ifAlive, listPids } from '../process/proc.ts'
import { ProcessError, type Run } from '../process/process.ts'
import { programPath } from '../process/program-path.ts'
import { signal } from '../process/signal.ts'
import { readGreeting } from './banner.ts'
import { type Confinement, renderSshdConfig } from './sshd-config.render.ts'
import { makeSshdDirectory, sshd } from './sshd-program.ts'

export interface SshdProcessOptions extends Confinement {
  run: Run
  /** Root's own; made when it is missing. */
  directory: string
  listen: readonly string[]
  port: number
}

export interface SshdProcess {
  pid: number
  outcome: 'started' | 'adopted' | 'restarted'
}

const timeoutMs = 10_000
const keyTypes = ['ed25519', 'rsa'] as const

const pathsOf = (directory: string) => ({
  config: join(directory, 'sshd_config'),
  log: join(directory, 'sshd.log'),
  pid: join(directory, 'sshd.pid'),
  hostKeys: keyTypes.map((type) => join(directory, `ssh_host_${type}_key`))
})

/**
 * Makes an SSH server of our own run with exactly this configuration: leaves one alone that does, starts it otherwise. Sessions of a former
 * one go on. sshd sees the configuration before it takes effect; one that is refused leaves the old one serving, and rejects.
 */
export async function startSshd(options: SshdProcessOptions): Promise<SshdProcess> {
  const { directory, run, port } = options
  const paths = pathsOf(directory)
  await prepare(directory, run)
  await boundLog(paths.log)
  const config = renderSshdConfig({ ...options, hostKeys: paths.hostKeys, pidFile: paths.pid })
  const running = await findListener(directory)
  const isSame = (await readIfExists(paths.config)) === config
  if (running !== undefined && isSame && (await isSshdAnswering(options))) return { pid: running, outcome: 'adopted' }
  if (!isSame) await checkAndSwap(paths.config, config, run)
  await endListener(directory)

  const daemon = await startDaemon([sshd, '-D', '-e', '-f', paths.config], {
    logPath: paths.log,
    env: { PATH: programPath }
  })
  for (const deadline = Date.now() + timeoutMs; daemon.failure() === undefined && Date.now() < deadline;) {
    const isServing =
      (await findListener(directory)) === daemon.pid && (await readGreeting(local(port), 1_000)).kind === 'ssh'
    if (isServing) return { pid: daemon.pid, outcome: running === undefined ? 'started' : 'restarted' }
    await sleep(20)
  }
  await endListener(directory)
  const log = (await readIfExists(paths.log)) ?? ''
  throw unavailable(`does not start: ${messageOf(daemon.failure() ?? 'no answer in time')}`, log.slice(-2_000))
}

/** Ends the server of this directory and the sessions that it has begun. */
export async function stopSshd({ directory }: Pick<SshdProcessOptions, 'directory'>): Promise<void> {
  const listener = await findListener(directory)
  if (listener === undefined) return
  const sessions = await childrenOf(listener)
  await endListener(directory)
  for (const pid of sessions) signal(pid, 'SIGTERM')
}

/** Under a flood of strangers it closes connections without a greeting, as it should: only silence means that it hangs. */
export async function isSshdAnswering({ directory, port }: SshdProcessOptions): Promise<boolean> {
  await boundLog(pathsOf(directory).log)
  return ['ssh', 'other'].includes((await readGreeting(local(port), 3_000)).kind)
}

/** The server that runs by the configuration in this directory. */
export async function findListener(directory: string): Promise<number | undefined> {
  const argument = `-f ${pathsOf(directory).config} [listener]`
  for (const pid of await listPids()) {
    // sshd writes its own command line over: "sshd: /usr/sbin/sshd -D -e -f … [listener] 0 of 30-100 startups".
    const title = (await readProc(pid, 'cmdline')).replaceAll('\0', ' ')
    if (!title.startsWith('sshd: ') || !title.includes(argument)) continue
    // Anybody may call a process of theirs so.
    const status = await readProc(pid, 'status')
    if (/^Uid:\t0\t/m.test(status) && !isContained(status)) return pid
  }
  return undefined
}

const local = (port: number) => ({ host: '127.0.0.1', port })

async function prepare(directory: string, run: Run): Promise<void> {
  await makeSshdDirectory()
  // The account's keys lie below the parent too, and sshd reads them as the account.
  if ((await mkdir(dirname(directory), { recursive: true })) !== undefined) await chmod(dirname(directory), 0o711)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  for (const type of keyTypes) await makeHostKey(directory, type, run)
}

/** Once and for all: whoever connects again compares it. In place when it is whole. */
async function makeHostKey(directory: string, type: (typeof keyTypes)[number], run: Run): Promise<void> {
  const path = join(directory, `ssh_host_${type}_key`)
  if ((await readIfExists(path)) !== undefined) return
  const draft = `${path}.new`
  await rm(draft, { force: true })
  const size = type === 'rsa' ? ['-b', '3072'] : []
  await run(['ssh-keygen', '-q', '-t', type, ...size, '-N', '', '-C', 'panel', '-f', draft], { timeoutMs: 60_000 })
  await rename(`${draft}.pub`, `${path}.pub`)
  await rename(draft, path)
}

async function checkAndSwap(path: string, config: string, run: Run): Promise<void> {
  const candidate = `${path}.candidate`
  await writeFileAtomically(candidate, config)
  try {
    await run([sshd, '-t', '-f', candidate], { timeoutMs })
  } catch (error) {
    await rm(candidate, { force: true })
    if (!(error instanceof ProcessError)) throw error
    throw unavailable(error.reason === 'missing' ? 'is not installed: apt-get install openssh-server' : 'refuses its configuration', error.stderr) // prettier-ignore
  }
  await rename(candidate, path)
}

async function endListener(directory: string): Promise<void> {
  for (const name of ['SIGTERM', 'SIGKILL'] as const) {
    for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await sleep(20)) {
      const pid = await findListener(directory)
      if (pid === undefined) return
      signal(pid, name)
    }
  }
  throw new Error('A process of the SSH server cannot be ended')
}

async function childrenOf(parent: number): Promise<number[]> {
  const isParent = new RegExp(`^PPid:\t${parent}$`, 'm')
  const pids = await listPids()
  const states = await Promise.all(pids.map((pid) => readProc(pid, 'status')))
  return pids.filter((_, index) => isParent.test(states[index]!))
}

/** '' of a process that ended meanwhile. */
const readProc = async (pid: number, name: 'cmdline' | 'status'): Promise<string> =>
  (await ifAlive(readFile(`/proc/${pid}/${name}`, 'utf8'))) ?? ''

const unavailable = (what: string, output: string): AppError =>
  new AppError('SFTP_UNAVAILABLE', `The SSH server for SFTP ${what}`, { cause: new Error(output) })
