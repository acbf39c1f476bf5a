import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { get, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Client as Api, createClient, createCookieJar, type Schema, unwrap } from '@panel/client'
import pg from 'pg'
import { dnsServerPaths } from '../../packages/server/src/process/paths.ts'
import { restoreEngineRules } from '../../packages/server/src/infra/host-firewall/engine-rules.ts'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { bridgePrefix } from '../../packages/server/src/net/network-names.ts'
import { makeMemoryDirectory } from '../../packages/server/src/process/memory-directory.ts'
import { makeRuntimeDirectory } from '../../packages/server/src/process/runtime-directory.ts'
import { removeObjects } from './engine.ts'
import { findProcesses } from '../../packages/server/src/infra/process/find-processes.ts'
import { kill, killProcesses } from './processes.ts'
import { sharedDatabases } from './shared-databases.ts'
import { removeSftpAccounts } from './sftp.ts'
import type { Files } from './git-repositories.ts'
import type { GitHttpServer } from './git-server.ts'
import type { Machine } from './machine.ts'
import { containerPorts, freePort } from '../../packages/server/test/support/ports.ts'

const execute = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))

export interface RunningPanel {
  url: string
  proxyPort: number
  proxyHttpsPort: number
  dnsPort: number
  sftpPort: number
  dataDir: string
  /** Value of the label `panel.instance` on everything it creates on the engine. */
  instanceId: string
  pid(): number
  /** Pids of the web process, if it is a separate one. */
  webPids(): Promise<number[]>
  output(): string
  signUp(name?: string): Promise<Client>
  /** kill -9 of the panel, including the web process. */
  kill(): Promise<void>
  /** kill -9 of the worker only; the web process continues. */
  killWorker(): Promise<void>
  /** Starts again on the same state with `./panel up` of the given or previous folder. */
  start(from?: string): Promise<void>
  /** Sends SIGTERM or another signal and waits for the exit. */
  stop(signal?: 'SIGTERM' | 'SIGINT'): Promise<void>
  visit(hostname: string, path?: string, headers?: Record<string, string>): Promise<Visit>
  query<T extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<T[]>
  /** Stops everything and removes the state and all objects on the engine. */
  dispose(): Promise<void>
}

interface Visit {
  status: number
  body: string
  headers: IncomingHttpHeaders
}

export interface ApiAnswer<T> {
  status: number
  body: T
  headers: Headers
}

type Project = Schema<'Project'>
type Deployment = Schema<'Deployment'>
export type NewProject = Omit<Schema<'CreateProject'>, 'name'> & { name?: string }

export interface Client {
  cookie: string
  /** The typed client: `unwrap(ann.api.GET('/api/projects'))`. */
  api: Api
  /** Untyped, for invalid requests and responses that are not JSON. `path` is below /api. */
  request<T = unknown>(method: string, path: string, body?: unknown): Promise<ApiAnswer<T>>
  /** Like request, but rejects unless the status is 2xx. */
  call<T = unknown>(method: string, path: string, body?: unknown): Promise<T>
  createProject(values: NewProject): Promise<Project>
  /** Starts a build and waits for its end; `waitMs` allows longer ones. */
  build(projectId: string, waitMs?: number): Promise<Deployment>
  /** Like build, but rejects with the build log unless the project runs. */
  mustRun(projectId: string): Promise<Deployment>
  waitFor(
    projectId: string,
    deploymentId: string,
    isDone?: (deployment: Deployment) => boolean,
    waitMs?: number
  ): Promise<Deployment>
  /** A project with its own connected repository; nothing is built yet. */
  createSite(git: GitHttpServer, files: Files, values?: Partial<NewProject>): Promise<Site>
}

export interface Site {
  id: string
  name: string
  hostname: string
  repository: string
  commitHash: string
}

/**
 * Runs `./panel up` as a process on free ports in its own folder, or on a `machine`. `from` is the folder of the
 * program.
 */
export async function startPanel(
  env: Record<string, string> = {},
  machine?: Machine,
  from = root
): Promise<RunningPanel> {
  const dataDir = await mkdtemp(join(tmpdir(), 'panel-e2e-'))
  const [port, proxyPort, httpsPort, freeDnsPort] = await Promise.all([freePort(), freePort(), freePort(), freePort()])
  const [postgresPort, mysqlPort, freeSftpPort] = await Promise.all([freePort(), freePort(), freePort()])
  const sftpPort = Number(env.SFTP_PORT ?? freeSftpPort)
  const dnsPort = Number(env.DNS_PORT ?? freeDnsPort)
  const address = machine?.address ?? '127.0.0.1'
  const url = `http://${address}:${port}`
  const deployPorts = await containerPorts()
  let child: ChildProcess | undefined
  let output = ''

  const start = async (folder = from) => {
    from = folder
    const [file, ...args] = machine ? machine.enter(join(from, 'panel'), 'up') : [join(from, 'panel'), 'up']
    const started = spawn(file!, args, {
      cwd: from,
      env: {
        PATH: process.env.PATH,
        PANEL_NODE: process.execPath,
        HOME: process.env.HOME,
        DATA_DIR: dataDir,
        HOST: machine ? '0.0.0.0' : '127.0.0.1',
        PORT: String(port),
        PROXY_HTTP_PORT: String(proxyPort),
        PROXY_HTTPS_PORT: String(httpsPort),
        DNS_PORT: String(dnsPort),
        POSTGRES_PORT: String(postgresPort),
        MYSQL_PORT: String(mysqlPort),
        SFTP_PORT: String(sftpPort),
        ...(machine ? {} : { DNS_LISTEN: '127.0.0.1', ...sharedDatabases() }),
        AUTH_RATE_LIMIT_MAX: '10000',
        DEFAULT_MAX_PROJECTS: 'unlimited',
        DEFAULT_MAX_DOMAINS: 'unlimited',
        DEFAULT_MAX_DATABASES: 'unlimited',
        DEPLOY_DRAIN_SECONDS: '5',
        // Mail tests set it, with their own ports.
        MAIL: 'off',
        MAIL_SPAM_FILTER: 'off',
        WEBMAIL: 'off',
        RECONCILE_SECONDS: '1',
        JOB_POLL_SECONDS: '1',
        DEPLOY_PORT_RANGE_START: String(deployPorts.first),
        DEPLOY_PORT_RANGE_END: String(deployPorts.last),
        LOG_LEVEL: 'info',
        // Short, because tests also break things without any event.
        RECONCILE_FULL_SECONDS: '3',
        ...env
      },
      stdio: ['ignore', 'pipe', 'pipe']
    })
    child = started
    output = ''
    const collect = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-200_000))
    started.stdout.on('data', collect)
    started.stderr.on('data', collect)
    for (const deadline = Date.now() + 600_000; !output.includes('Panel ready'); await sleep(50)) {
      if (started.exitCode !== null || Date.now() > deadline) throw new Error(`the panel did not start:\n${output}`)
    }
  }
  const end = async (signal: NodeJS.Signals) => {
    const running = child
    if (!running || running.exitCode !== null || running.signalCode !== null) return
    const ended = new Promise((resolve) => running.once('exit', resolve))
    running.kill(signal)
    await ended
  }
  await start()

  const webPids = async () => [...(await findProcesses(basename(process.execPath), join(dataDir, 'web'))).keys()]
  const query = <T extends pg.QueryResultRow>(sql: string, values: unknown[] = []) =>
    queryStore<T>(dataDir, sql, values, machine)
  const [setting] = await query<{ value: string }>(`select value from settings where key = 'instance_id'`)
  const instanceId = setting!.value

  const panel: RunningPanel = {
    url,
    proxyPort,
    proxyHttpsPort: httpsPort,
    dnsPort,
    sftpPort,
    dataDir,
    instanceId,
    query,
    pid: () => child!.pid!,
    webPids,
    output: () => output + readOutput(join(dataDir, 'web.log')),
    signUp: (name = `user${randomBytes(4).toString('hex')}`) => signUp(url, name, /\/setup#(\S+)/.exec(output)?.[1]),
    async kill() {
      await end('SIGKILL')
      for (const pid of await webPids()) kill(pid, 'SIGKILL')
    },
    killWorker: () => end('SIGKILL'),
    start,
    stop: (signal = 'SIGTERM') => end(signal),
    visit: (hostname, path = '/', headers = {}) => visit(address, proxyPort, hostname, path, headers),
    async dispose() {
      await end('SIGTERM')
      await removePanel({ dataDir, instanceId }, machine)
    }
  }
  return panel
}

/** Removes everything that a stopped or crashed panel left on the machine and the engine. */
export async function removePanel(
  { dataDir, instanceId }: Pick<RunningPanel, 'dataDir' | 'instanceId'>,
  machine?: Machine
): Promise<void> {
  await removeSftpAccounts(dataDir)
  if (!machine) {
    await removeObjects(`panel.instance=${instanceId}`)
    // A stopping panel keeps its nftables table while sites run.
    await execute('nft', ['delete', 'table', 'inet', `panel_${instanceId}`]).catch(() => {})
    await restoreEngineRules(run, bridgePrefix(instanceId))
  }
  // A crashed panel leaves its database, proxy, name server and database servers running. State is beside DATA_DIR as
  // root, else in it.
  const stateDirectory = dirname((await dnsServerPaths({ DATA_DIR: dataDir })).directory)
  for (const directory of [dataDir, stateDirectory]) await killProcesses(directory)
  await rm(stateDirectory, { recursive: true, force: true })
  await rm((await makeMemoryDirectory(dataDir)).path, { recursive: true, force: true })
  for (const directory of [dataDir, join(dataDir, 'postgres')])
    await rm(await makeRuntimeDirectory(directory), { recursive: true, force: true })
  await rm(dataDir, { recursive: true, force: true })
}

function readOutput(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

export async function queryStore<T extends pg.QueryResultRow>(
  dataDir: string,
  sql: string,
  values: unknown[] = [],
  machine?: Machine
): Promise<T[]> {
  const directory = join(dataDir, 'postgres')
  const socketDirectory = await makeRuntimeDirectory(directory)
  const client = new pg.Client({
    host: machine ? machine.runtimePath(socketDirectory) : socketDirectory,
    user: 'panel',
    database: 'postgres',
    password: await readFile(join(directory, 'password'), 'utf8')
  })
  await client.connect()
  try {
    return (await client.query<T>(sql, values)).rows
  } finally {
    await client.end()
  }
}

/** Registers at this panel; a remote first account needs the token of its setup link. */
export async function signUp(url: string, name: string, setupToken?: string): Promise<Client> {
  const password = 'correct horse battery'
  const cookies = createCookieJar()
  const api = createClient({ baseUrl: url, cookies })
  const account = { name, email: `${name}@example.com`, password, confirmPassword: password, setupToken }
  await unwrap(api.POST('/api/auth/register', { body: account }))

  let connecting: Promise<unknown> = Promise.resolve()
  const client: Client = {
    cookie: cookies.header()!,
    api,
    async request<T>(method: string, path: string, body?: unknown) {
      const call = api.request as unknown as UntypedRequest
      const { error, response } = await call(method.toLowerCase(), `/api${path}`, { body, parseAs: 'stream' })
      const answer = error === undefined ? await textOrJson(response) : error || null
      return { status: response.status, body: answer as T, headers: response.headers }
    },
    async call<T>(method: string, path: string, body?: unknown) {
      const answer = await client.request<T>(method, path, body)
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
      return answer.body
    },
    createProject: (values) =>
      unwrap(api.POST('/api/projects', { body: { name: `site-${randomBytes(4).toString('hex')}`, ...values } })),
    async createSite(git, files, values = {}) {
      const { id, name } = await client.createProject({ type: 'NODEJS', ...values })
      const repository = `acme/${name}-${id.slice(-6)}`
      const commitHash = await git.createRepository(repository, files)
      const connection = { gitUrl: git.url(repository), branch: 'main', isPrivate: false }
      // An account connects one repository at a time.
      const mine = connecting.then(() =>
        unwrap(api.POST('/api/projects/{id}/git/connect', { params: { path: { id } }, body: connection }))
      )
      connecting = mine.catch(() => {})
      await mine
      return { id, name, hostname: `${name}.apps.localhost`, repository, commitHash }
    },
    async build(projectId, waitMs) {
      const { id } = await unwrap(api.POST('/api/projects/{id}/build', { params: { path: { id: projectId } } }))
      return client.waitFor(projectId, id, undefined, waitMs)
    },
    async mustRun(projectId) {
      const deployment = await client.build(projectId)
      if (deployment.status !== 'RUNNING') throw new Error(`deployment ${deployment.status}:\n${deployment.buildLogs}`)
      return deployment
    },
    async waitFor(
      projectId,
      id,
      isDone = (deployment) => ['RUNNING', 'FAILED', 'CANCELLED'].includes(deployment.status),
      waitMs = 280_000
    ) {
      // Each poll costs about 3 ms.
      for (const deadline = Date.now() + waitMs; ; await sleep(250)) {
        const path = { id: projectId, deploymentId: id }
        const deployment = await unwrap(api.GET('/api/projects/{id}/deployments/{deploymentId}', { params: { path } }))
        if (isDone(deployment)) return deployment
        if (Date.now() > deadline) throw new Error(`deployment stays ${deployment.status}:\n${deployment.buildLogs}`)
      }
    }
  }
  return client
}

/** Path parameters of one resource: `ann.api.GET('/api/projects/{id}', at(project.id))`. */
export const at = (id: string) => ({ params: { path: { id } } })

type UntypedRequest = (
  method: string,
  path: string,
  init: { body: unknown; parseAs: 'stream' }
) => Promise<{ error?: unknown; response: Response }>

async function textOrJson(response: Response): Promise<unknown> {
  const text = await response.text()
  return response.headers.get('content-type')?.includes('json') === true ? JSON.parse(text) : text || null
}

export function visit(
  host: string,
  port: number,
  hostname: string,
  path: string,
  headers: Record<string, string>
): Promise<Visit> {
  return new Promise((resolve, reject) => {
    const request = get(
      { host, port, path, headers: { host: hostname, ...headers }, agent: false, timeout: 30_000 },
      (response) => {
        let body = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => (body += chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body, headers: response.headers }))
        response.on('error', reject)
      }
    )
    request.on('timeout', () => request.destroy(new Error('no answer')))
    request.on('error', reject)
  })
}
