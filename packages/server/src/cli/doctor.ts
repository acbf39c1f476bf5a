import { access, constants, statfs } from 'node:fs/promises'
import type { Config } from '../config.ts'
import { hasEmbeddedPostgres } from '../db/embedded-postgres.ts'
import { messageOf } from '../errors.ts'
import { createDockerEngine } from '../infra/container-engine/docker.ts'
import { createKnot } from '../infra/dns-server/knot.ts'
import { createOpenSsh } from '../infra/sftp-server/openssh.ts'
import { run } from '../infra/process/run.ts'
import { haproxyPaths } from '../infra/reverse-proxy/haproxy-paths.ts'
import { readInfo } from '../infra/reverse-proxy/haproxy-socket.ts'
import { databaseAdminAccount } from '../program-secrets.ts'
import { dnsServerPaths, engineDirectory, proxyDirectories } from '../places.ts'
import type { CommandContext } from './command.ts'
import { type Engine, engines } from './database-servers.ts'
import { bridgeFilterProblem, firewallProblem } from './firewall.ts'
import { loadConfig } from './settings.ts'

interface Finding {
  part: string
  found: boolean
  version?: string
  running?: boolean
  reachable?: boolean
  remedy?: string
}

/** `./panel doctor`: a table of every real part. Ends with 1 where something is to be done. */
export async function doctor({ env }: CommandContext): Promise<void> {
  const config = await loadConfig(env, { SESSION_SECRET: 'only for looking around, never stored' })
  const findings = await Promise.all([
    program('Node.js', [process.execPath, '--version']),
    program('git', ['git', '--version'], 'apt-get install git'),
    program('OpenSSH client', ['ssh', '-V'], 'apt-get install openssh-client'),
    program('openssl', ['openssl', 'version'], 'apt-get install openssl'),
    program(
      'mmdebstrap',
      ['mmdebstrap', '--version'],
      'apt-get install mmdebstrap (only needed where no image registry can be reached)'
    ),
    store(config),
    sessionStore(config),
    containerEngine(config),
    ...baseImages(config),
    reverseProxy(config),
    nameServer(config),
    ...engines.map((engine) => databaseServer(config, engine)),
    sftpServer(config),
    firewall(config),
    bridgeFilter(),
    panelItself(config),
    disk(config)
  ])
  process.stdout.write(renderTable(findings))
  if (findings.some((finding) => finding.remedy !== undefined)) process.exitCode = 1
}

async function program(part: string, argv: [string, ...string[]], remedy?: string): Promise<Finding> {
  try {
    const { stdout, stderr } = await run(argv, { timeoutMs: 5_000 })
    return { part, found: true, version: versionIn(stdout + stderr) }
  } catch {
    return { part, found: false, ...(remedy === undefined ? {} : { remedy }) }
  }
}

async function store(config: Config): Promise<Finding> {
  if (config.DATABASE_URL === undefined) {
    const found = hasEmbeddedPostgres()
    return { part: 'Store (embedded)', found, ...(found ? {} : { remedy: 'npm ci, or set DATABASE_URL' }) }
  }
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: config.DATABASE_URL, connectionTimeoutMillis: 3_000 })
  try {
    await client.connect()
    const { rows } = await client.query<{ server_version: string }>('show server_version')
    return {
      part: 'Store (DATABASE_URL)',
      found: true,
      version: rows[0]!.server_version,
      running: true,
      reachable: true
    }
  } catch (error) {
    return { part: 'Store (DATABASE_URL)', found: true, reachable: false, remedy: `DATABASE_URL: ${messageOf(error)}` }
  } finally {
    await client.end().catch(() => {}) // It may never have connected.
  }
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

async function containerEngine(config: Config): Promise<Finding> {
  const installed = await program('Container engine', ['dockerd', '--version'])
  try {
    const version = await createDockerEngine({ socketPath: config.DOCKER_SOCKET }).ping()
    return { part: 'Container engine', found: true, version, running: true, reachable: true }
  } catch {
    const remedy = installed.found
      ? `start it (systemctl start docker, or ./panel up); socket ${config.DOCKER_SOCKET}`
      : 'apt-get install docker.io, or ./panel up'
    return { ...installed, part: 'Container engine', running: false, reachable: false, remedy }
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

async function reverseProxy(config: Config): Promise<Finding> {
  const installed = await program('Reverse proxy', ['haproxy', '-v'], 'apt-get install haproxy, or ./panel up')
  if (!installed.found) return installed
  try {
    const { directory, runtimeDirectory } = await proxyDirectories(config)
    const { version } = await readInfo(haproxyPaths(directory, runtimeDirectory).adminSocket)
    return { ...installed, version, running: true, reachable: true }
  } catch {
    return { ...installed, running: false, reachable: false, remedy: './panel up starts it' }
  }
}

async function nameServer(config: Config): Promise<Finding> {
  const remedy = 'apt-get install knot knot-dnssecutils, or ./panel up'
  const checker = await program('Name server', ['kzonecheck', '--version'], remedy)
  const installed = await program('Name server', ['knotd', '--version'], remedy)
  if (!checker.found || !installed.found) return { ...installed, found: false, remedy }
  const paths = await dnsServerPaths(config)
  try {
    const version = await createKnot({ ...paths, run, commandTimeoutMs: 5_000 }).ping()
    return { ...installed, version, running: true, reachable: true }
  } catch {
    const hint = `./panel up starts it; why it may not start is in ${paths.directory}/knot.log (port ${config.DNS_PORT} taken?)`
    return { ...installed, running: false, reachable: false, remedy: hint }
  }
}

async function sftpServer(config: Config): Promise<Finding> {
  const part = `SFTP (port ${config.SFTP_PORT})`
  try {
    const version = await createOpenSsh({ run, host: '127.0.0.1', port: config.SFTP_PORT }).ping()
    return { part, found: true, version: versionIn(version), running: true, reachable: true }
  } catch (error) {
    return { part, found: true, running: false, reachable: false, remedy: `${messageOf(error)}: ./panel up starts it` }
  }
}

async function databaseServer(config: Config, engine: Engine): Promise<Finding> {
  const given = config[engine.adminUrl]
  if (given !== undefined) {
    const part = `${engine.name} (${engine.adminUrl})`
    return engine.pingGiven(given).then(
      (version) => ({ part, found: true, version: versionIn(version), running: true, reachable: true }),
      (error: unknown) => ({ part, found: true, reachable: false, remedy: `${engine.adminUrl}: ${messageOf(error)}` })
    )
  }
  const directory = engineDirectory(config, engine)
  try {
    const installed = await program(engine.name, [await engine.program(directory), '--version'])
    if (!installed.found) throw new Error(`apt-get install ${engine.packages.join(' ')}, or ./panel up`)
    const port = config[engine.port]
    return await engine.ping({ directory, port, admin: { name: databaseAdminAccount } }).then(
      (version) => ({ ...installed, version: versionIn(version), running: true, reachable: true }),
      () => ({
        ...installed,
        running: false,
        reachable: false,
        remedy: `./panel up starts it; why it may not start is in ${directory}/${engine.name.toLowerCase()}.log (port ${port} taken?)`
      })
    )
  } catch (error) {
    return { part: engine.name, found: false, remedy: messageOf(error) }
  }
}

async function firewall(config: Config): Promise<Finding> {
  const installed = await program('Firewall', ['nft', '--version'], 'apt-get install nftables, or ./panel up')
  if (!installed.found) return installed
  const remedy = await firewallProblem(config, run)
  return { ...installed, running: remedy === undefined, ...(remedy === undefined ? {} : { remedy }) }
}

async function bridgeFilter(): Promise<Finding> {
  const remedy = await bridgeFilterProblem()
  const found = remedy === undefined
  return { part: 'Bridge filter', found, running: found, ...(remedy === undefined ? {} : { remedy }) }
}

async function panelItself(config: Config): Promise<Finding> {
  const host = config.HOST === '0.0.0.0' || config.HOST === '::' ? '127.0.0.1' : config.HOST
  try {
    const response = await fetch(`http://${host}:${config.PORT}/api/health`, { signal: AbortSignal.timeout(3_000) })
    const { version } = (await response.json()) as { version?: string }
    return { part: 'Panel', found: true, ...(version === undefined ? {} : { version }), running: true, reachable: true }
  } catch {
    return { part: 'Panel', found: true, running: false, reachable: false, remedy: './panel up' }
  }
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

const versionIn = (text: string): string => /\d+(\.\d+)+[\w.-]*/.exec(text)?.[0] ?? ''

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
      f.remedy ?? ''
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
