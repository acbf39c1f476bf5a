import { access, constants, readFile, statfs } from 'node:fs/promises'
import type { Health } from '@panel/contract/system'
import type { Config } from '../config.ts'
import { messageOf } from '../text/message-of.ts'
import { createDockerEngine } from '../infra/container-engine/docker.ts'
import { machineCgroups } from '../infra/cgroup/machine-cgroups.ts'
import { exists } from '../infra/disk/exists.ts'
import { freeDiskBytes } from '../infra/disk/free-disk-bytes.ts'
import { missingOptions } from '../infra/disk/mount.policy.ts'
import { findMount } from '../infra/disk/mounts.ts'
import { AdapterError } from '../infra/adapter-error.ts'
import { inspectServerFirewall } from '../infra/server-firewall/inspect.ts'
import { serverFirewallDirectory, storeReservePath } from '../process/paths.ts'
import { run } from '../infra/process/run.ts'
import { usualBaseImages } from '../wiring/base-images.ts'
import { cagesProblem } from '../wiring/cages.ts'
import { type Finding, findInstalled } from '../programs/finding.ts'
import type { Program } from '../programs/program.ts'
import { programsOf } from '../programs/list.ts'
import { columns } from './columns.ts'
import type { CommandContext } from './command.ts'
import { systemFinding } from './debian-release.policy.ts'
import { bridgeFilterProblem, firewallProblem } from './firewall.ts'
import { machineFindings } from './machine-findings.ts'
import { nodeAdvice } from './node-version.policy.ts'
import { loadConfig } from './settings.ts'
import { sharedDomainOf } from './shared-domain.policy.ts'

/**
 * `./panel doctor`: a table of all components. Exits with 1 if something needs to be done. `--fix` first carries out the
 * remedies that are safe, each after a question or with `--yes`.
 */
export async function doctor({ args, env }: CommandContext): Promise<void> {
  const isFixing = args.includes('--fix')
  if (args.some((arg) => arg !== '--fix' && (arg !== '--yes' || !isFixing)))
    throw new Error('Usage: ./panel doctor [--fix [--yes]]')
  const config = await loadConfig(env, { SESSION_SECRET: 'only for looking around, never stored' })
  if (isFixing) {
    const { applyFixes, confirmAll, confirmOnTerminal } = await import('./doctor-fix.ts')
    const confirm = args.includes('--yes') ? confirmAll : confirmOnTerminal
    if (!(await applyFixes({ config, env, run }, confirm))) process.exitCode = 1
  }
  const findings = await findingsOf(config)
  process.stdout.write(renderTable(findings))
  if (findings.some((finding) => finding.remedy !== undefined)) process.exitCode = 1
}

/** One row per component. */
export async function findingsOf(config: Config): Promise<Finding[]> {
  const health = fetchHealth(config)
  const ofThisMachine = await Promise.all([
    system(),
    nodeItself(),
    findInstalled('git', ['git', '--version'], 'Run apt-get install git'),
    findInstalled('OpenSSH client', ['ssh', '-V'], 'Run apt-get install openssh-client'),
    findInstalled('openssl', ['openssl', 'version'], 'Run apt-get install openssl'),
    findInstalled(
      'mmdebstrap',
      ['mmdebstrap', '--version'],
      'Run apt-get install mmdebstrap (only needed if no image registry is reachable)'
    ),
    sessionStore(config),
    imageBuilder(config),
    ...baseImages(config),
    ...programsOf(config).map((program) => inspectProgram(program, config, health)),
    firewall(config),
    serverRules(config),
    bridgeFilter(),
    jobUsers(),
    resourceLimits(),
    panelItself(health),
    registration(config),
    ...(config.PANEL_DOMAIN === undefined ? [] : [siteDomain(config)]),
    disk(config),
    storeReserve(config),
    projectsMount(config)
  ])
  return [...ofThisMachine, ...(await machineFindings(config))]
}

const system = async (): Promise<Finding> => systemFinding(await readFile('/etc/os-release', 'utf8').catch(() => ''))

function nodeItself(): Finding {
  const advice = nodeAdvice(process.versions.node, new Date())
  return { part: 'Node.js', found: true, version: process.versions.node, ...(advice === undefined ? {} : { advice }) }
}

async function sessionStore(config: Config): Promise<Finding> {
  if (config.REDIS_URL === undefined) return { part: 'Sessions (in process)', found: true }
  const { Redis } = await import('ioredis')
  const redis = new Redis(config.REDIS_URL, { lazyConnect: true, connectTimeout: 3_000, retryStrategy: () => null })
  redis.on('error', () => {}) // Reported below.
  try {
    await redis.connect()
    await redis.ping()
    return { part: 'Sessions (REDIS_URL)', found: true, running: true, reachable: true }
  } catch (error) {
    return { part: 'Sessions (REDIS_URL)', found: true, reachable: false, remedy: `REDIS_URL: ${messageOf(error)}` }
  } finally {
    redis.disconnect()
  }
}

const classicAdvice = {
  OLD_ENGINE: 'Dockerfiles that need BuildKit are refused. Debian 13 has a container engine for them',
  NO_PLUGIN: 'Dockerfiles that need BuildKit are refused. Run apt-get install docker-buildx, then restart the panel',
  OLD_PLUGIN:
    'Dockerfiles that need BuildKit are refused. Upgrade docker-buildx to 0.13 or newer, then restart the panel'
}

async function imageBuilder(config: Config): Promise<Finding> {
  const part = 'Image builder'
  try {
    const builder = await createDockerEngine({ socketPath: config.DOCKER_SOCKET }).findBuilder()
    return builder.kind === 'buildkit'
      ? { part, found: true, version: `BuildKit, docker-buildx ${builder.version}` }
      : { part, found: true, version: 'classic', advice: classicAdvice[builder.reason] }
  } catch {
    return { part, found: false } // An unavailable engine has its own row.
  }
}

function baseImages(config: Config): Promise<Finding>[] {
  const engine = createDockerEngine({ socketPath: config.DOCKER_SOCKET })
  return usualBaseImages(config, ['node', 'static', 'python', 'php']).map(async ({ reference }) => {
    const part = `Base image ${reference}`
    const image = await engine.findImage(reference).catch(() => undefined) // An unavailable engine has its own row.
    return image ? { part, found: true } : { part, found: false, remedy: 'Run ./panel up to build it' }
  })
}

async function firewall(config: Config): Promise<Finding> {
  const installed = await findInstalled('Firewall', ['nft', '--version'], 'Run apt-get install nftables, or ./panel up')
  if (!installed.found) return installed
  const remedy = await firewallProblem(config, run)
  return { ...installed, running: remedy === undefined, ...(remedy === undefined ? {} : { remedy }) }
}

/** The administrator's rules. The row above is about containers. */
async function serverRules(config: Config): Promise<Finding> {
  const part = 'Firewall rules'
  try {
    const { state, others } = await inspectServerFirewall({ directory: serverFirewallDirectory(config), run })
    const finding = { part, found: state !== 'off', ...(state === 'off' ? {} : { running: state !== 'missing' }) }
    if (state === 'missing')
      return { ...finding, remedy: 'The rules are not loaded. Run ./panel up to load them, or see its log' }
    if (state === 'trial')
      return { ...finding, advice: 'A change is on trial. Run ./panel firewall confirm to keep it' }
    if (others.length === 0) return finding
    return { ...finding, advice: `Another tool drops connections too (${others.join(', ')}): open ports there as well` }
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error
    return { part, found: false, advice: error.message }
  }
}

async function bridgeFilter(): Promise<Finding> {
  const remedy = await bridgeFilterProblem()
  const found = remedy === undefined
  return { part: 'Bridge filter', found, running: found, ...(remedy === undefined ? {} : { remedy }) }
}

async function jobUsers(): Promise<Finding> {
  const part = 'Job users'
  if (process.getuid?.() !== 0)
    return { part, found: false, advice: 'Run the panel as root to run Git and the MariaDB clients as separate users' }
  try {
    await run(['unshare', '--mount', '--propagation=slave', '--', 'true'], { timeoutMs: 5_000 })
    return { part, found: true }
  } catch {
    const remedy = 'Grant CAP_SYS_ADMIN: without mounts, repositories cannot be fetched and dumps cannot be loaded'
    return { part, found: false, remedy }
  }
}

async function resourceLimits(): Promise<Finding> {
  const remedy = await cagesProblem(machineCgroups(run))
  const found = remedy === undefined
  return { part: 'Resource limits (cgroups)', found, ...(remedy === undefined ? {} : { remedy }) }
}

export async function fetchHealth(config: Config): Promise<Partial<Health> | undefined> {
  const host = config.HOST === '0.0.0.0' || config.HOST === '::' ? '127.0.0.1' : config.HOST
  try {
    const response = await fetch(`http://${host}:${config.PORT}/api/health`, { signal: AbortSignal.timeout(3_000) })
    return (await response.json()) as Partial<Health>
  } catch {
    return undefined
  }
}

async function panelItself(health: ReturnType<typeof fetchHealth>): Promise<Finding> {
  const answer = await health
  if (!answer) return { part: 'Panel', found: true, running: false, reachable: false, remedy: 'Run ./panel up' }
  const { version } = answer
  return { part: 'Panel', found: true, ...(version === undefined ? {} : { version }), running: true, reachable: true }
}

/** An idle or starting program does not respond, which is not a problem. */
async function inspectProgram(
  program: Program,
  config: Config,
  health: ReturnType<typeof fetchHealth>
): Promise<Finding> {
  const finding = await program.inspect(config)
  const status = (await health)?.parts?.[program.name]?.status
  if (!finding.found || (status !== 'idle' && status !== 'starting')) return finding
  const { remedy: _, reachable: _unknown, ...installed } = finding
  const advice = status === 'idle' ? `Idle. Starts ${program.onDemand?.until ?? 'with its first use'}` : 'Starting'
  return { ...installed, running: false, advice }
}

const registration = ({ ALLOW_REGISTRATION }: Config): Finding => ({
  part: 'Registration',
  found: true,
  version: ALLOW_REGISTRATION ? 'open' : 'closed',
  ...(ALLOW_REGISTRATION
    ? {
        advice:
          'Anyone who can reach the panel can create an account. Set ALLOW_REGISTRATION=false to close registration'
      }
    : {})
})
function siteDomain(config: Config): Finding {
  const shared = sharedDomainOf(config)
  const part = 'Site domain'
  if (shared === undefined) return { part, found: true, version: config.BASE_DOMAIN }
  const remedy = `BASE_DOMAIN and PANEL_DOMAIN are both below ${shared}, so sites can set cookies for the panel. Use different domains`
  return { part, found: true, version: config.BASE_DOMAIN, remedy }
}

async function disk(config: Config): Promise<Finding> {
  const lowBytes = 5 * 2 ** 30
  const directory = await access(config.DATA_DIR, constants.W_OK).then(
    () => config.DATA_DIR,
    () => '.'
  )
  const { bavail, bsize } = await statfs(directory)
  const free = bavail * bsize
  const version = `${Math.floor(free / 2 ** 30)} GiB free`
  return {
    part: 'Disk',
    found: true,
    version,
    ...(free < lowBytes ? { remedy: 'Free up disk space: images and builds need a few GiB' } : {})
  }
}

async function storeReserve(config: Config): Promise<Finding> {
  const part = 'Database disk reserve'
  if (config.DATABASE_URL !== undefined) return { part, found: false, version: 'external (DATABASE_URL)' }
  if (await exists(storeReservePath(config))) return { part, found: true }
  const free = await freeDiskBytes(config.DATA_DIR)
  if (free === undefined || free >= 2.5 * config.STORE_RESERVE)
    return { part, found: false, advice: 'Run ./panel up to create it, if the file system supports it' }
  return {
    part,
    found: false,
    remedy: 'The disk is full, and the reserve was released or never created. Free up disk space'
  }
}

async function projectsMount(config: Config): Promise<Finding> {
  const part = 'Project files'
  const mount = await findMount(config.PROJECTS_DIR)
  if (!mount) return { part, found: true }
  const missing = missingOptions(mount).join(', ')
  const version = `on ${mount.point} (${mount.type})`
  if (missing === '') return { part, found: true, version }
  const isOwn = mount.point === config.PROJECTS_DIR
  const advice = isOwn
    ? `Mounted without ${missing}. Run ./panel up to remount it, and add the options to /etc/fstab`
    : `On a shared file system without ${missing}. Use a separate mount for PROJECTS_DIR`
  return { part, found: true, version, advice }
}

export function renderTable(findings: readonly Finding[]): string {
  const word = (value: boolean | undefined) => (value === undefined ? '-' : value ? 'yes' : 'no')
  const rows = [
    ['PART', 'FOUND', 'VERSION', 'RUNNING', 'REACHABLE', 'WHAT TO DO'],
    ...findings.map((f) => [
      f.part,
      word(f.found),
      f.version ?? '-',
      word(f.running),
      word(f.reachable),
      f.remedy ?? f.advice ?? ''
    ])
  ]
  return columns(rows)
}
