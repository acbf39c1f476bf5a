import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, open, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import type { ContainerEngine } from '../infra/container-engine/container-engine.ts'
import type { Run } from '../infra/process/process.ts'
import { step } from './command.ts'

export interface EngineProcess {
  /** Whether we started it, so that it is ours to stop. */
  isOurs: boolean
  stop(): Promise<void>
}

const startTimeoutMs = 60_000
const watchEveryMs = 1_000

/**
 * Finds the container engine, or starts it: through systemd where that runs the machine, else as a process of its own that is
 * watched and started again. Containers outlive the engine (live-restore), so its crash takes no site down.
 */
export async function ensureContainerEngine(
  config: Pick<Config, 'DOCKER_SOCKET' | 'DATA_DIR'>,
  engine: ContainerEngine,
  run: Run
): Promise<EngineProcess> {
  if (await answers(engine)) return { isOurs: false, stop: async () => {} }
  if (existsSync('/run/systemd/system')) {
    step('Starting the container engine (systemd)')
    await run(['systemctl', 'start', 'docker'], { timeoutMs: startTimeoutMs })
    await waitUntilAnswering(engine, () => true)
    return { isOurs: false, stop: async () => {} }
  }
  step('Starting the container engine')
  return superviseDockerd(config, engine)
}

async function superviseDockerd(
  config: Pick<Config, 'DOCKER_SOCKET' | 'DATA_DIR'>,
  engine: ContainerEngine
): Promise<EngineProcess> {
  await mkdir(config.DATA_DIR, { recursive: true, mode: 0o700 })
  const stopping = new AbortController()
  let pid = await launch(config)
  await waitUntilAnswering(engine, () => isAlive(pid)).catch(async (error: unknown) => {
    throw new Error(`The container engine did not start: ${await tailOf(join(config.DATA_DIR, 'dockerd.log'))}`, {
      cause: error
    })
  })
  const watch = (async () => {
    while (!stopping.signal.aborted) {
      if (!isAlive(pid)) {
        step('The container engine is gone; starting it again')
        pid = await launch(config)
        await waitUntilAnswering(engine, () => isAlive(pid)).catch(() => {}) // Looked at again below.
      }
      await sleep(watchEveryMs, undefined, { signal: stopping.signal }).catch(() => {}) // Woken to stop.
    }
  })()
  return {
    isOurs: true,
    async stop() {
      stopping.abort()
      await watch
      signal(pid, 'SIGTERM')
      for (const deadline = Date.now() + 20_000; isAlive(pid) && Date.now() < deadline;) await sleep(100)
    }
  }
}

async function launch({ DOCKER_SOCKET, DATA_DIR }: Pick<Config, 'DOCKER_SOCKET' | 'DATA_DIR'>): Promise<number> {
  await mkdir(dirname(DOCKER_SOCKET), { recursive: true })
  const log = await open(join(DATA_DIR, 'dockerd.log'), 'a', 0o600)
  try {
    const child = spawn('dockerd', ['--live-restore', '--host', `unix://${DOCKER_SOCKET}`], {
      detached: true,
      stdio: ['ignore', log.fd, log.fd]
    })
    child.on('error', () => {}) // Without a pid; said below.
    child.unref()
    if (child.pid === undefined) throw new Error('dockerd is not installed: apt-get install docker.io')
    return child.pid
  } finally {
    await log.close()
  }
}

const answers = (engine: ContainerEngine): Promise<boolean> =>
  engine.ping().then(
    () => true,
    () => false
  )

async function waitUntilAnswering(engine: ContainerEngine, isWorthWaiting: () => boolean): Promise<void> {
  for (const deadline = Date.now() + startTimeoutMs; Date.now() < deadline && isWorthWaiting();) {
    if (await answers(engine)) return
    await sleep(200)
  }
  throw new Error('The container engine does not answer')
}

/** A zombie of ours is reaped by Node, so a pid that can be signalled lives. */
function isAlive(pid: number): boolean {
  return signal(pid, 0)
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name)
    return true
  } catch {
    return false
  }
}

const tailOf = async (path: string): Promise<string> => (await readFile(path, 'utf8').catch(() => '')).slice(-1_500)
