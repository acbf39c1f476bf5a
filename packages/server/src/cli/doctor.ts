import { access, constants, statfs } from 'node:fs/promises'
import type { Health } from '@panel/contract/system'
import type { Config } from '../config.ts'
import { messageOf } from '../text/message-of.ts'
import { createDockerEngine } from '../infra/container-engine/docker.ts'
import { machineCgroups } from '../infra/cgroup/machine-cgroups.ts'
import { exists } from '../infra/disk/exists.ts'
import { freeDiskBytes } from '../infra/disk/free-disk-bytes.ts'
import { missingOptions } from '../infra/disk/mount.policy.ts'
import { findMount } from '../infra/disk/mounts.ts'
import { storeReservePath } from '../process/paths.ts'
import { run } from '../infra/process/run.ts'
import { cagesProblem } from '../wiring/cages.ts'
import { type Finding, findInstalled } from '../programs/finding.ts'
import type { Program } from '../programs/program.ts'
import { programsOf } from '../programs/list.ts'
import type { CommandContext } from './command.ts'
import { bridgeFilterProblem, firewallProblem } from './firewall.ts'
import { nodeAdvice } from './node-version.policy.ts'
import { loadConfig } from './settings.ts'
import { sharedDomainOf } from './shared-domain.policy.ts'

/** `./panel doctor`: a table of every real part. Ends with 1 where something is to be done. */
export async function doctor({ env }: CommandContext): Promise<void> {
  const config = await loadConfig(env, { SESSION_SECRET: 'only for looking around, never stored' })
  const health = askPanel(config)
  const findings = await Promise.all([
    nodeItself(),
    findInstalled('git', ['git', '--version'], 'apt-get install git'),
    findInstalled('OpenSSH client', ['ssh', '-V'], 'apt-get install openssh-client'),
    findInstalled('openssl', ['openssl', 'version'], 'apt-get install openssl'),
    findInstalled(
      'mmdebstrap',
      ['mmdebstrap', '--version'],
      'apt-get install mmdebstrap (only needed where no image registry can be reached)'
    ),
    sessionStore(config),
    ...baseImages(config),
    ...programsOf(config).map((program) => inspectProgram(program, config, health)),
    firewall(config),
    bridgeFilter(),
    jobUsers(),
    cages(),
    panelItself(health),
    registration(config),
    ...(config.PANEL_DOMAIN === undefined ? [] : [siteDomain(config)]),
    disk(config),
    storeReserve(config),
    projectsMount(config)
  ])
  process.stdout.write(renderTable(findings))
  if (findings.some((finding) => finding.remedy !== undefined)) process.exitCode = 1
}

function nodeItself(): Finding {
  const advice = nodeAdvice(process.versions.node, new Date())
  return { part: 'Node.js', found: true, version: process.versions.node, ...(advice === undefined ? {} : { advice }) }
}

async function sessionStore(config: Config): Promise<Finding> {
  if (config.REDIS_URL === undefined) return { part: 'Sessions (in process)', found: true }
  const { Redis } = await import('ioredis')
  const redis = new Redis(config.REDIS_URL, { lazyConnect: true, connectTimeout: 3_000, retryStrategy: () => null })
  redis.on('error', () => {}) // Said below.
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

function baseImages(config: Config): Promise<Finding>[] {
  const engine = createDockerEngine({ socketPath: config.DOCKER_SOCKET })
  return [config.BUILD_IMAGE_NODE, config.BUILD_IMAGE_STATIC, config.BUILD_IMAGE_PYTHON, config.BUILD_IMAGE_PHP].map(
    async (reference) => {
      const part = `Base image ${reference}`
      const image = await engine.findImage(reference).catch(() => undefined) // The engine's own line says that it is away.
      return image ? { part, found: true } : { part, found: false, remedy: './panel up prepares it' }
    }
  )
}

async function firewall(config: Config): Promise<Finding> {
  const installed = await findInstalled('Firewall', ['nft', '--version'], 'apt-get install nftables, or ./panel up')
  if (!installed.found) return installed
  const remedy = await firewallProblem(config, run)
  return { ...installed, running: remedy === undefined, ...(remedy === undefined ? {} : { remedy }) }
}

async function bridgeFilter(): Promise<Finding> {
  const remedy = await bridgeFilterProblem()
  const found = remedy === undefined
  return { part: 'Bridge filter', found, running: found, ...(remedy === undefined ? {} : { remedy }) }
}

/** Whether git and the database clients can run as job users (ADR 8). */
async function jobUsers(): Promise<Finding> {
  const part = 'Job users'
  if (process.getuid?.() !== 0)
    return { part, found: false, advice: 'only root can give git and the MariaDB clients users of their own' }
  try {
    await run(['unshare', '--mount', '--propagation=slave', '--', 'true'], { timeoutMs: 5_000 })
    return { part, found: true }
  } catch {
    const remedy = 'root may mount nothing here (CAP_SYS_ADMIN): repositories cannot be fetched, dumps not be read'
    return { part, found: false, remedy }
  }
}

async function cages(): Promise<Finding> {
  const remedy = await cagesProblem(machineCgroups(run))
  const found = remedy === undefined
  return { part: 'Cages (cgroups)', found, ...(remedy === undefined ? {} : { remedy }) }
}

/** What a running panel says of its parts; undefined where none answers. */
async function askPanel(config: Config): Promise<Partial<Health> | undefined> {
  const host = config.HOST === '0.0.0.0' || config.HOST === '::' ? '127.0.0.1' : config.HOST
  try {
    const response = await fetch(`http://${host}:${config.PORT}/api/health`, { signal: AbortSignal.timeout(3_000) })
    return (await response.json()) as Partial<Health>
  } catch {
    return undefined
  }
}

async function panelItself(health: ReturnType<typeof askPanel>): Promise<Finding> {
  const answer = await health
  if (!answer) return { part: 'Panel', found: true, running: false, reachable: false, remedy: './panel up' }
  const { version } = answer
  return { part: 'Panel', found: true, ...(version === undefined ? {} : { version }), running: true, reachable: true }
}

/** One that is idle or starting does not answer, and there is nothing to do about it. */
async function inspectProgram(program: Program, config: Config, health: ReturnType<typeof askPanel>): Promise<Finding> {
  const finding = await program.inspect(config)
  const status = (await health)?.parts?.[program.name]?.status
  if (!finding.found || (status !== 'idle' && status !== 'starting')) return finding
  const { remedy: _, reachable: _unknown, ...installed } = finding
  const advice = status === 'idle' ? `idle: starts ${program.onDemand?.until ?? 'with its first use'}` : 'is starting'
  return { ...installed, running: false, advice }
}

const registration = ({ ALLOW_REGISTRATION }: Config): Finding => ({
  part: 'Registration',
  found: true,
  version: ALLOW_REGISTRATION ? 'open' : 'closed',
  ...(ALLOW_REGISTRATION
    ? { advice: 'registration is open: anyone can create an account (setting ALLOW_REGISTRATION)' }
    : {})
})
function siteDomain(config: Config): Finding {
  const shared = sharedDomainOf(config)
  const part = 'Domain of the sites'
  if (shared === undefined) return { part, found: true, version: config.BASE_DOMAIN }
  const remedy = `sites could set cookies for the panel: BASE_DOMAIN and PANEL_DOMAIN are both below ${shared}; use another domain for one`
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
    ...(free < lowBytes ? { remedy: 'free some space: images and builds need a few GiB' } : {})
  }
}

/** Only there where the store is the panel's own. */
async function storeReserve(config: Config): Promise<Finding> {
  const part = 'Reserve of the store'
  if (config.DATABASE_URL !== undefined) return { part, found: false, version: 'not ours (DATABASE_URL)' }
  if (await exists(storeReservePath(config))) return { part, found: true }
  const free = await freeDiskBytes(config.DATA_DIR)
  if (free === undefined || free >= 2.5 * config.STORE_RESERVE)
    return { part, found: false, advice: './panel up makes it, where the file system can' }
  return { part, found: false, remedy: 'the disk is full, and the reserve was released or never made: make room on it' }
}

async function projectsMount(config: Config): Promise<Finding> {
  const part = 'Files of projects'
  const mount = await findMount(config.PROJECTS_DIR)
  if (!mount) return { part, found: true }
  const missing = missingOptions(mount).join(', ')
  const version = `on ${mount.point} (${mount.type})`
  if (missing === '') return { part, found: true, version }
  const isOwn = mount.point === config.PROJECTS_DIR
  const advice = isOwn
    ? `mounted without ${missing}: ./panel up remounts it; put the options into /etc/fstab`
    : `on a file system of others, without ${missing}: a mount of its own for PROJECTS_DIR has them`
  return { part, found: true, version, advice }
}

/** Columns as wide as their widest cell. */
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
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column]!))
          .join('  ')
          .trimEnd()}\n`
    )
    .join('')
}
