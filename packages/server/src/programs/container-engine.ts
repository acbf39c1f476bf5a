import { existsSync } from 'node:fs'
import { mkdir, readFile, readlink, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import type { ContainerEngine } from '../infra/container-engine/container-engine.ts'
import type { EngineInfo } from '../infra/container-engine/docker-answers.ts'
import { createEngineCall } from '../infra/container-engine/docker-call.ts'
import { createDockerEngine } from '../infra/container-engine/docker.ts'
import { runTrialContainer } from '../infra/container-engine/trial-container.ts'
import { hasPoisonableCache } from '../infra/container-engine/poisonable-cache.ts'
import { writeFileAtomically } from '../infra/disk/atomic-file.ts'
import { readIfExists } from '../infra/disk/read-if-exists.ts'
import { isRunning } from '../infra/process/is-running.ts'
import { oomScore } from '../infra/process/oom-score.ts'
import { ProcessError } from '../infra/process/process.ts'
import { signal as send } from '../infra/process/signal.ts'
import { messageOf } from '../text/message-of.ts'
import { usualBaseImages } from '../wiring/base-images.ts'
import { findInstalled, withVersion } from './finding.ts'
import { type ManagedProgram, ProgramError } from './managed-program.ts'
import type { MachineContext, Program } from './program.ts'

const startTimeoutMs = 60_000
const reloadLimitMs = 20_000
// dockerd's default pid file, which prevents a second dockerd.
const pidFile = '/var/run/docker.pid'

const settingsFile = '/etc/docker/daemon.json'

type EngineSettings = Record<string, unknown> & { 'live-restore': boolean }

/**
 * Settings of a dockerd that we start: those of the administrator's `daemon.json` (its text, '' if there is none), our socket, and live-restore
 * unless they say otherwise. In a file they can be reloaded, unlike options.
 */
export function engineSettings(text: string, socket: string): EngineSettings {
  const given: unknown = text.trim() === '' ? {} : parse(text)
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw invalidSettings('not a JSON object')
  const { hosts, ...rest } = given as Record<string, unknown>
  const others = Array.isArray(hosts) ? hosts : []
  return {
    ...rest,
    'live-restore': rest['live-restore'] !== false,
    hosts: [...new Set([`unix://${socket}`, ...others])]
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw invalidSettings(messageOf(error))
  }
}

const invalidSettings = (reason: string) => new ProgramError(`Correct ${settingsFile}: it is not valid`, reason)

/** Containers survive it (live-restore). A dockerd that we started is recognised by its stdout, our log file. */
function dockerProgram({
  config,
  engine,
  env,
  run
}: Pick<MachineContext, 'config' | 'engine' | 'env' | 'run'>): ManagedProgram {
  const { DOCKER_SOCKET, DATA_DIR } = config
  const log = join(DATA_DIR, 'dockerd.log')
  const ownFile = join(DATA_DIR, 'dockerd.json')
  const find = async () => {
    const pid = Number((await readIfExists(pidFile)) ?? '')
    const isOurs =
      pid > 0 && (await isRunning(pid, 'dockerd')) && (await readlink(`/proc/${pid}/fd/1`).catch(() => '')) === log
    return { main: isOurs ? pid : undefined, all: isOurs ? [pid] : [] }
  }
  let settings: EngineSettings
  return {
    name: 'the container engine',
    log,
    stopSignal: 'SIGTERM',
    limits: { startMs: startTimeoutMs, stopMs: 20_000 },
    oomScore: oomScore.panel,
    // Killing it would lose running builds, while containers keep serving either way.
    isLeftWhenSilent: true,
    async prepare() {
      await mkdir(DATA_DIR, { recursive: true, mode: 0o700 })
      await mkdir(dirname(DOCKER_SOCKET), { recursive: true })
      settings = engineSettings((await readIfExists(settingsFile)) ?? '', DOCKER_SOCKET)
    },
    render: () => [{ path: ownFile, content: `${JSON.stringify(settings, null, 2)}\n`, mode: 0o600 }],
    check: (candidate) => validate(candidate, run),
    command: () => ({ argv: ['dockerd', '--config-file', ownFile], env: engineEnvironment(env) }),
    async reload() {
      const { main } = await find()
      if (main === undefined) throw new Error('the container engine ended')
      send(main, 'SIGHUP')
      const wanted = settings['live-restore']
      for (
        const deadline = Date.now() + reloadLimitMs;
        (await keepsContainers(DOCKER_SOCKET)) !== wanted;
        await sleep(50)
      )
        if (Date.now() > deadline) throw new Error(`live-restore did not become ${wanted}`)
    },
    find,
    probe: () => engine.ping().then(() => 'serving'),
    async attempt(work, { isRunning: runs }) {
      if (!runs) await removeDeadContainerd()
      return work()
    }
  }
}

/** dockerd of Debian 12 (20.10) cannot validate. */
async function validate(file: string, run: MachineContext['run']): Promise<void> {
  try {
    await run(['dockerd', '--validate', '--config-file', file], { timeoutMs: reloadLimitMs })
  } catch (error) {
    if (!(error instanceof ProcessError) || !error.stderr.includes('unknown flag: --validate')) throw error
  }
}

const keepsContainers = (socketPath: string): Promise<boolean | undefined> =>
  createEngineCall(socketPath)(reloadLimitMs, (engine) => engine.ask<EngineInfo>('GET', '/info')).then(
    ({ LiveRestoreEnabled }) => LiveRestoreEnabled
  )

/** Passes on only what dockerd needs: an environment is readable in /proc, and dockerd passes its own on to helpers. */
export function engineEnvironment(env: MachineContext['env']): Record<string, string> {
  const wanted = ['PATH', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY']
  const pairs = wanted.map((name) => [name, env[name] || env[name.toLowerCase()]])
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => Boolean(pair[1])))
}

/** Whether a container of a base image starts; an engine that responds may still fail at that. */
export async function trialProblem(
  config: TrialConfig,
  engine: Pick<ContainerEngine, 'findImage'>
): Promise<{ remedy: string } | { advice: string } | undefined> {
  for (const { reference: image } of usualBaseImages(config, ['static', 'node', 'python', 'php'])) {
    if (!(await engine.findImage(image).catch(() => undefined))) continue
    return runTrialContainer({ socketPath: config.DOCKER_SOCKET, image }).then(
      () => undefined,
      (error: unknown) => ({ remedy: trialRemedy(messageOf(error)) })
    )
  }
  return { advice: 'No base image to test a container with. Run ./panel up to build the base images.' }
}

type TrialConfig = Parameters<typeof usualBaseImages>[0] & Pick<Config, 'DOCKER_SOCKET'>

function trialRemedy(message: string): string {
  const line = message.replace(/\s+/g, ' ').trim().slice(0, 300)
  return /apparmor/i.test(line)
    ? `Containers do not start. Run apt-get install apparmor, or ./panel up (${line})`
    : `Containers do not start: ${line}`
}

/** Uses a running engine, or starts one: through systemd where available, otherwise as our own supervised process. */
export const containerEngine: Program<MachineContext> = {
  name: 'containerEngine',
  title: 'the container engine',
  // docker.io only recommends apparmor, but on a kernel with AppArmor no container starts without its tools.
  packages: ['docker.io', 'iptables', 'apparmor'],
  // Builds without it have no BuildKit. Debian 12 has no such package.
  optionalPackages: ['docker-buildx'],
  needs: [],
  isRequired: true,
  isOurs: () => true,
  ports: () => [],
  portHint: '',
  async open(context) {
    const { engine, run, step } = context
    const program = dockerProgram(context)
    const { main } = await program.find()
    if (main !== undefined) return program
    if (await pingSucceeds(engine)) {
      await keepContainersRunning(context)
      return undefined
    }
    if (!existsSync(systemdDirectory)) return program
    step('Starting the container engine (systemd)')
    await run(['systemctl', 'start', 'docker'], { timeoutMs: startTimeoutMs })
    for (const deadline = Date.now() + startTimeoutMs; !(await pingSucceeds(engine)); await sleep(200))
      if (Date.now() > deadline) throw new ProgramError('The container engine is not responding', '')
    await keepContainersRunning(context)
    return undefined
  },
  ping: ({ engine }) => engine.ping(),
  remedy: { code: 'START_ENGINE' },
  async inspect(config: Config) {
    const installed = await findInstalled(
      'Container engine',
      ['dockerd', '--version'],
      'Run apt-get install docker.io, or ./panel up'
    )
    const engine = createDockerEngine({ socketPath: config.DOCKER_SOCKET })
    const remedy = `Start it (systemctl start docker, or ./panel up). Socket: ${config.DOCKER_SOCKET}`
    const { remedy: _, ...found } = await withVersion({ ...installed, found: true }, () => engine.ping(), remedy)
    if (!found.running) return { ...found, found: installed.found, remedy: installed.remedy ?? remedy }
    const problem = await trialProblem(config, engine)
    if (problem !== undefined) return { ...found, ...problem }
    return hasPoisonableCache(found.version ?? '')
      ? {
          ...found,
          advice: 'Upgrade to 25.0.2 or newer: on this version, builds FROM scratch reuse no layers (CVE-2024-24557)'
        }
      : found
  }
}

const systemdDirectory = '/run/systemd/system'
// With it, dockerd would refuse to start with live-restore.
const swarmState = '/var/lib/docker/swarm/docker-state.json'

/**
 * Lets containers run on while Debian's docker.service restarts, for example when its package is upgraded. Settings that the administrator
 * wrote stay as they are.
 */
async function keepContainersRunning({ run, step }: Pick<MachineContext, 'run' | 'step'>): Promise<void> {
  if (!existsSync(systemdDirectory) || existsSync(settingsFile) || existsSync(swarmState)) return
  step(`Keeping containers running while the container engine restarts (live-restore in ${settingsFile})`)
  await mkdir(dirname(settingsFile), { recursive: true })
  await writeFileAtomically(settingsFile, `${JSON.stringify({ 'live-restore': true }, null, 2)}\n`, 0o644)
  await run(['systemctl', 'reload', 'docker'], { timeoutMs: startTimeoutMs }).catch((error: unknown) =>
    step(`It applies after the next restart of the engine: ${messageOf(error)}`)
  )
}

/** dockerd's containerd dies with it. If it is not reaped at once, the next dockerd waits 15 s and gives up. */
async function removeDeadContainerd(): Promise<void> {
  const path = '/var/run/docker/containerd/containerd.pid'
  const pid = Number(await readFile(path, 'utf8').catch(() => ''))
  if (!(pid > 0)) return
  for (const deadline = Date.now() + 2_000; await isRunning(pid, 'containerd'); await sleep(50)) {
    if (Date.now() > deadline) return // Still alive: the next dockerd uses it.
  }
  await rm(path, { force: true })
}

const pingSucceeds = (engine: ContainerEngine): Promise<boolean> =>
  engine.ping().then(
    () => true,
    () => false
  )
