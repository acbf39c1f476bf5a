import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { messageOf } from '../errors.ts'
import type { ContainerEngine } from '../infra/container-engine/container-engine.ts'
import { startDaemon } from '../infra/process/daemon.ts'
import { isRunning } from '../infra/process/is-running.ts'
import type { Run } from '../infra/process/process.ts'
import { type CommandContext, step } from './command.ts'

export interface EngineProcess {
  /** Whether we started it, so that it is ours to stop. */
  isOurs: boolean
  stop(): Promise<void>
}

type Settings = Pick<Config, 'DOCKER_SOCKET' | 'DATA_DIR'> & Pick<CommandContext, 'env'>

const startTimeoutMs = 60_000
const stopTimeoutMs = 20_000
const watchEveryMs = 1_000

/**
 * Finds the container engine, or starts it: through systemd where that runs the machine, else as a process of its own that is
 * watched and started again. Containers outlive the engine (live-restore), so its crash takes no site down.
 */
export async function ensureContainerEngine(
  config: Pick<Config, 'DOCKER_SOCKET' | 'DATA_DIR'>,
  engine: ContainerEngine,
  run: Run,
  env: CommandContext['env']
): Promise<EngineProcess> {
  const { DOCKER_SOCKET, DATA_DIR } = config
  const settings = { DOCKER_SOCKET, DATA_DIR, env }
  if (await answers(engine)) {
    const left = await findLeftDockerd(config)
    return left === undefined ? { isOurs: false, stop: async () => {} } : superviseDockerd(settings, engine, left)
  }
  if (existsSync('/run/systemd/system')) {
    step('Starting the container engine (systemd)')
    await run(['systemctl', 'start', 'docker'], { timeoutMs: startTimeoutMs })
    await waitUntilAnswering(engine, async () => true)
    return { isOurs: false, stop: async () => {} }
  }
  step('Starting the container engine')
  return superviseDockerd(settings, engine, await launch(settings))
}

const pidFile = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>) => join(DATA_DIR, 'dockerd.pid')

/** The one that a killed panel had started: it is ours to watch and to stop again. */
async function findLeftDockerd(config: Pick<Config, 'DATA_DIR'>): Promise<number | undefined> {
  const pid = Number(await readFile(pidFile(config), 'utf8').catch(() => ''))
  return pid > 0 && (await isRunning(pid, 'dockerd')) ? pid : undefined
}

async function superviseDockerd(
  settings: Settings,
  engine: ContainerEngine,
  startedPid: number
): Promise<EngineProcess> {
  const stopping = new AbortController()
  let pid = startedPid
  const isThere = () => isRunning(pid, 'dockerd')
  await waitUntilAnswering(engine, isThere).catch(async (error: unknown) => {
    throw new Error(`The container engine did not start: ${await tailOf(join(settings.DATA_DIR, 'dockerd.log'))}`, {
      cause: error
    })
  })
  const bringBack = async () => {
    step('The container engine is gone; starting it again')
    pid = await launch(settings)
    await waitUntilAnswering(engine, isThere)
  }
  const watch = async () => {
    while (!stopping.signal.aborted) {
      if (!(await isThere()))
        await bringBack().catch((error: unknown) => step(`It could not be started: ${messageOf(error)}`)) // Tried again.
      await sleep(watchEveryMs, undefined, { signal: stopping.signal }).catch(() => {}) // Woken to stop.
    }
  }
  const watched = watch()
  return {
    isOurs: true,
    async stop() {
      stopping.abort()
      await watched
      if (await isThere()) process.kill(pid, 'SIGTERM')
      for (const deadline = Date.now() + stopTimeoutMs; (await isThere()) && Date.now() < deadline;) await sleep(100)
      await rm(pidFile(settings), { force: true })
    }
  }
}

async function launch({ DOCKER_SOCKET, DATA_DIR, env }: Settings): Promise<number> {
  await mkdir(DATA_DIR, { recursive: true, mode: 0o700 })
  await mkdir(dirname(DOCKER_SOCKET), { recursive: true })
  await forgetDeadContainerd()
  const argv = ['dockerd', '--live-restore', '--host', `unix://${DOCKER_SOCKET}`] as const
  const { pid } = await startDaemon(argv, {
    logPath: join(DATA_DIR, 'dockerd.log'),
    env: engineEnvironment(env)
  }).catch((cause: unknown) => {
    throw new Error('dockerd cannot be started: apt-get install docker.io', { cause })
  })
  await writeFile(pidFile({ DATA_DIR }), String(pid), { mode: 0o600 })
  return pid
}

/** Nothing else of ours: an environment can be read in /proc, and the engine hands its own down to its helpers. */
export function engineEnvironment(env: CommandContext['env']): Record<string, string> {
  const wanted = ['PATH', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY']
  const pairs = wanted.map((name) => [name, env[name] || env[name.toLowerCase()]])
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => Boolean(pair[1])))
}

/**
 * The engine's containerd dies with it. Where that is not reaped at once, the next engine takes it for alive, waits for it for 15 s
 * and gives up.
 */
async function forgetDeadContainerd(): Promise<void> {
  const path = '/var/run/docker/containerd/containerd.pid'
  const pid = Number(await readFile(path, 'utf8').catch(() => ''))
  if (!(pid > 0)) return
  for (const deadline = Date.now() + 2_000; await isRunning(pid, 'containerd'); await sleep(50)) {
    if (Date.now() > deadline) return // It lives on, so the next engine uses it.
  }
  await rm(path, { force: true })
}

const answers = (engine: ContainerEngine): Promise<boolean> =>
  engine.ping().then(
    () => true,
    () => false
  )

async function waitUntilAnswering(engine: ContainerEngine, isWorthWaiting: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + startTimeoutMs; Date.now() < deadline && (await isWorthWaiting());) {
    if (await answers(engine)) return
    await sleep(200)
  }
  throw new Error('The container engine does not answer')
}

const tailOf = async (path: string): Promise<string> => (await readFile(path, 'utf8').catch(() => '')).slice(-1_500)
