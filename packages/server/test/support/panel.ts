import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { and, eq } from 'drizzle-orm'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { pino } from 'pino'
import { inject } from 'vitest'
import type { User } from '@panel/contract/users'
import type { Project } from '@panel/contract/projects'
import { type App, type AppOptions, buildApp } from '../../src/app.ts'
import { type Config, parseConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/db/database.ts'
import { closeLocks } from '../../src/db/lock.ts'
import type { Dependencies } from '../../src/dependencies.ts'
import { ensureNode } from '../../src/db/nodes.ts'
import { auditLog } from '../../src/db/schema/audit-log.ts'
import { chainPending } from '../../src/features/audit/chaining.service.ts'
import { createDetectingBuilder } from '../fakes/detecting-builder.ts'
import { createMemoryNodes } from '../fakes/memory-nodes.ts'
import { createMemoryPanelUpgrades } from '../fakes/memory-panel-upgrades.ts'
import { createMemoryAccountDisk } from '../fakes/memory-account-disk.ts'
import { createMemoryAcme } from '../fakes/memory-acme.ts'
import { createMemoryDnsServer } from '../fakes/memory-dns-server.ts'
import { createMemoryNameServers } from '../fakes/memory-name-servers.ts'
import { createMemoryPublicDns } from '../fakes/memory-public-dns.ts'
import { createMemoryWebmail } from '../fakes/memory-webmail.ts'
import { createMemoryBackupRepository } from '../fakes/memory-backup-repository.ts'
import { createMemoryDatabaseDump } from '../fakes/memory-database-dump.ts'
import { createMemoryDatabaseAdmin } from '../fakes/memory-database-admin.ts'
import { createMemoryDatabaseServer } from '../fakes/memory-database-server.ts'
import { createHttpImageRegistry } from '../../src/infra/image-registry/http-image-registry.ts'
import { createPublicHttp } from '../../src/infra/outbound-http/public-http.ts'
import { run } from '../../src/infra/process/run.ts'
import { createMariadbSiteDatabase } from '../../src/infra/site-database/mariadb-site-database.ts'
import { createDiskFileStore } from '../../src/infra/file-store/disk-file-store.ts'
import { createLocalHostsFiles } from '../../src/infra/hosts-files/local-hosts-files.ts'
import { createMemoryHostFirewall } from '../fakes/memory-host-firewall.ts'
import { createMemoryHostMetrics } from '../fakes/memory-host-metrics.ts'
import { createMemoryHostHelper } from '../fakes/memory-host-helper.ts'
import { createMemoryFailedLogIns } from '../fakes/memory-failed-log-ins.ts'
import { createMemoryServerBans } from '../fakes/memory-server-bans.ts'
import { createMemoryServerFirewall } from '../fakes/memory-server-firewall.ts'
import { createMemoryServerDisk } from '../fakes/memory-server-disk.ts'
import { createMemorySftpServer } from '../fakes/memory-sftp-server.ts'
import { createMemoryMailCertificates } from '../fakes/memory-mail-certificates.ts'
import { createPostfixDeliveryLog } from '../../src/infra/mail-server/postfix-delivery-log.ts'
import { createMemoryMailQueue } from '../fakes/memory-mail-queue.ts'
import { createMemoryMailFilter } from '../fakes/memory-mail-filter.ts'
import { createMemoryMailboxCopier } from '../fakes/memory-mailbox-copier.ts'
import { createMemoryMailSigner } from '../fakes/memory-mail-signer.ts'
import { createMemoryMailServer } from '../fakes/memory-mail-server.ts'
import { createMemoryEngine } from '../fakes/memory-container-engine.ts'
import { createPostgresEventBus } from '../../src/infra/event-bus/postgres-event-bus.ts'
import { createJobQueue } from '../../src/infra/job-queue/pg-boss-queue.ts'
import { createFailureCounter, createRateLimiter } from '../../src/infra/rate-limiter/rate-limiter.ts'
import { createMemoryReverseProxy } from '../fakes/memory-reverse-proxy.ts'
import { createSecretBox } from '../../src/infra/secret-box/secret-box.ts'
import { createMemorySessionStore } from '../../src/infra/session-store/memory-session-store.ts'
import { features, queueNames } from '../../src/features/index.ts'
import { serveVerbs } from '../../src/infra/verb-socket/serve-verbs.ts'
import { openVerbClient, withoutRights } from '../../src/wiring/web.ts'
import { workerErrors } from '../../src/worker/worker-errors.ts'
import { workerVerbs } from '../../src/worker/worker-verb.ts'
import { createSmtpMailer } from '../../src/infra/mailer/smtp-mailer.ts'
import { createGzipLineArchive } from '../../src/infra/line-archive/gzip-line-archive.ts'
import { auditArchiveDirectory, fileStoreStaging, hostsDirectory } from '../../src/process/paths.ts'
import { openLiveSettings } from '../../src/config/live-settings.ts'
import { programsOf } from '../../src/programs/list.ts'
import { createProgramStates } from '../../src/programs/program-states.ts'
import { execute, withDatabase } from './test-database.ts'
import { createMemoryWakeGate } from '../fakes/memory-wake-gate.ts'
import { createMemoryGit } from '../fakes/memory-git.ts'
import { recordAnswers } from './documented.ts'
import { emptyStore } from './empty-store.ts'
import { secretsWrittenDown } from './secret-names.ts'
import { alternating, openSharedSessions, startSecondProcess } from './second-process.ts'
import { createTransactionGuard } from './transaction-guard.ts'

export interface TestPanel {
  app: App
  deps: Dependencies
  databaseUrl: string
  /** Registers (the first account is an administrator) and signs in. */
  signUp(name?: string): Promise<Client>
  createUser(by: Client, values?: Record<string, unknown>): Promise<Client>
  signIn(email: string): Promise<Client>
  audited(of?: { action?: string; actorId?: string; targetId?: string }): Promise<AuditRow[]>
  /** Removes all accounts and everything of theirs in the store, so that tests share a panel, not its contents. */
  empty(): Promise<void>
  close(): Promise<void>
}

const unlimitedQuotas = Object.fromEntries(
  ['PROJECTS', 'DOMAINS', 'DATABASES', 'MAILBOXES', 'SUB_ACCOUNTS', 'DISK_MB', 'TCP_PORTS'].map((noun) => [
    `DEFAULT_MAX_${noun}`,
    'unlimited'
  ])
)
type AuditRow = typeof auditLog.$inferSelect

export const password = 'correct horse battery'

export interface Client {
  user: User
  cookie: string
  request(
    method: InjectOptions['method'],
    url: string,
    payload?: InjectOptions['payload'],
    headers?: Record<string, string>
  ): Promise<LightMyRequestResponse>
  createProject(values?: Record<string, unknown>): Promise<Project>
}

/**
 * The real application with its own database; everything outside the process and database is a fake. With
 * TEST_PROCESSES=2, two applications share the database and Redis, and requests alternate.
 */
export async function createTestPanel(
  env: Record<string, string> = {},
  overrides: Partial<Dependencies> = {},
  /** No delay of rejected logins, except in tests about it. */
  { refusalMs = 0, live = {}, ...options }: AppOptions = {}
): Promise<TestPanel> {
  const adminUrl = inject('adminDatabaseUrl')
  const database = `panel_test_${randomBytes(6).toString('hex')}`
  await execute(adminUrl, `create database ${database} template ${inject('templateDatabase')} strategy file_copy`)
  const databaseUrl = withDatabase(adminUrl, database)
  const dataDir = await mkdtemp(join(tmpdir(), 'panel-api-'))
  const given = parseConfig(
    {
      SESSION_SECRET: randomBytes(32).toString('hex'),
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      DATA_DIR: dataDir,
      AUTH_RATE_LIMIT_MAX: '10000',
      MAIL: 'on',
      MAIL_SPAM_FILTER: 'on',
      ...unlimitedQuotas,
      ...env
    },
    Object.fromEntries(Object.keys(env).map((name) => [name, 'environment' as const]))
  )
  // Cheap password hashes, except in tests about them.
  const base: Config = env.PASSWORD_HASH === undefined ? { ...given, PASSWORD_HASH: { m: 64, t: 1 } } : given
  const logger = pino({ level: 'silent' })
  const db = openDatabase(databaseUrl, () => {})
  const secretBox = createSecretBox(base.ENCRYPTION_KEY)
  const settings = await openLiveSettings(base, db, logger, secretBox)
  const { config } = settings
  const redisUrl = inject('redisUrl')
  const inRedis =
    redisUrl === undefined ? undefined : openSharedSessions(redisUrl, database, config.AUTH_RATE_LIMIT_MAX)
  const jobs = await createJobQueue({ connectionString: databaseUrl, db, queues: queueNames, logger })
  const events = createPostgresEventBus({ connectionString: databaseUrl, logger })
  const guard = createTransactionGuard()
  const dnsServer = createMemoryDnsServer()
  const git = overrides.git ?? createMemoryGit()
  const engine = overrides.engine ?? createMemoryEngine()
  const hostHelper = createMemoryHostHelper(config.PROJECTS_DIR)
  const fileStore = createDiskFileStore({ stagingDirectory: fileStoreStaging(config) })
  const hostFirewall = createMemoryHostFirewall()
  const hostsFiles = createLocalHostsFiles(hostsDirectory(config))
  const deps = guard.cover<Dependencies>({
    features,
    config,
    settings,
    logger,
    now: () => new Date(),
    db,
    jobs,
    events,
    sessions: createMemorySessionStore(),
    authLimiter: createRateLimiter({ points: () => config.AUTH_RATE_LIMIT_MAX, durationSeconds: 900 }),
    discoveryLimiter: createRateLimiter({ points: 120, durationSeconds: 60 }),
    failedSignIns: createFailureCounter({ durationSeconds: 900 }),
    connectionLimits: { strangers: 1_000, perAddress: 1_000, proxy: 100, live: 1_000 },
    secretBox,
    auditArchive: createGzipLineArchive({ directory: auditArchiveDirectory(config) }),
    mailer: createSmtpMailer({ url: () => config.SMTP_URL, from: () => config.MAIL_FROM }),
    mailServer: createMemoryMailServer(),
    mailCertificates: createMemoryMailCertificates(),
    mailQueue: createMemoryMailQueue(),
    // The real one: tests write its log files.
    deliveryLog: createPostfixDeliveryLog({ path: join(dataDir, 'mail', 'mail.log'), now: () => new Date() }),
    mailFilter: createMemoryMailFilter(),
    mailSigner: createMemoryMailSigner(),
    mailboxCopier: createMemoryMailboxCopier(),
    engine,
    proxy: createMemoryReverseProxy(),
    siteTraffic: { take: async () => ({ sites: [], lost: 0 }), takeLogIns: async () => [], close: async () => {} },
    wakeGate: createMemoryWakeGate(),
    dnsServer,
    publicDns: createMemoryPublicDns(),
    panelUpgrades: createMemoryPanelUpgrades(),
    updateFeed: { read: () => Promise.reject(new Error('this test has no feed of releases')) },
    nameServers: createMemoryNameServers(dnsServer),
    acme: createMemoryAcme(() => Promise.reject(new Error('this test issues nothing'))),
    databaseServers: {
      POSTGRESQL: createMemoryDatabaseServer(),
      MYSQL: createMemoryDatabaseServer({ port: 3306, maxUsernameLength: 32 })
    },
    siteDatabase: createMariadbSiteDatabase({ run, adminUrl: 'mysql://root@127.0.0.1:1/' }),
    databaseDump: createMemoryDatabaseDump(),
    backupRepository: createMemoryBackupRepository(),
    databaseAdmin: createMemoryDatabaseAdmin(),
    webmail: createMemoryWebmail(),
    fileStore,
    accountDisk: createMemoryAccountDisk(),
    serverDisk: createMemoryServerDisk(),
    hostHelper,
    nodes: createMemoryNodes('test', { engine, fileStore, hostFirewall, hostHelper, hostsFiles }),
    sftpServer: createMemorySftpServer(),
    git,
    programs: () => programsOf(config),
    programStates: createProgramStates(),
    gitVersion: async () => '2.39.5',
    builder: createDetectingBuilder(git),
    freeDiskBytes: async () => Number.MAX_SAFE_INTEGER,
    instanceId: 'test',
    nodeId: 'test',
    network: async () => ({
      name: 'panel-test',
      subnet: '172.30.0.0/27',
      gateway: '172.30.0.1',
      bridge: 'pntestp',
      pools: ['172.30.0.0/16']
    }),
    hostFirewall,
    hostsFiles,
    serverFirewall: createMemoryServerFirewall(),
    serverBans: createMemoryServerBans(),
    failedLogIns: createMemoryFailedLogIns(),
    hostMetrics: createMemoryHostMetrics(),
    // No allowed hosts: tests that send set their receivers.
    imageRegistry: createHttpImageRegistry({ allow: [], own: [], addressesOf: async () => [] }),
    outboundHttp: createPublicHttp({ allow: [], own: [], addressesOf: async () => [] }),
    ...inRedis?.shared,
    ...overrides
  })
  await ensureNode(db, deps.nodeId)
  const atWorker = !isAtWorker ? undefined : await openAtWorker(deps, dataDir)
  const first = await buildApp(atWorker?.deps ?? deps, { refusalMs, live, ...options })
  const undocumented = recordAnswers(first)
  await first.ready()
  const connected =
    redisUrl === undefined ? undefined : openSharedSessions(redisUrl, database, config.AUTH_RATE_LIMIT_MAX)
  const second =
    connected &&
    (await startSecondProcess(deps, databaseUrl, notIn(connected.shared, overrides), guard, { refusalMs, live }))
  if (second) settings.follow(events)
  const app = second ? alternating([first, second.app]) : first
  let people = 0
  const written: string[] = []

  const clientOf = (user: User, cookie: string): Client => {
    const request: Client['request'] = (method, url, payload, headers = {}) =>
      app.inject({
        method: method!,
        url,
        headers: { cookie, ...headers },
        ...(payload === undefined ? {} : { payload })
      })
    return {
      user,
      cookie,
      request,
      async createProject(values = {}) {
        const response = await request('POST', '/api/projects', {
          name: `project-${randomBytes(4).toString('hex')}`,
          type: 'NODEJS',
          ...values
        })
        if (response.statusCode !== 201) throw new Error(`no project: ${response.body}`)
        return response.json<Project>()
      }
    }
  }
  const signIn = async (email: string) => {
    const response = await app.inject({ method: 'POST', url: '/api/auth/login', payload: { email, password } })
    if (response.statusCode !== 200) throw new Error(`not signed in: ${response.body}`)
    return clientOf(response.json<User>(), cookieOf(response))
  }
  return {
    app,
    deps,
    databaseUrl,
    signIn,
    async createUser(by, values = {}) {
      const name = `person${++people}`
      const response = await by.request('POST', '/api/users', {
        name,
        email: `${name}@example.com`,
        password,
        ...values
      })
      if (response.statusCode !== 201) throw new Error(`no account: ${response.body}`)
      return signIn(response.json<User>().email)
    },
    async signUp(name = `person${++people}`) {
      const response = await app.inject({
        method: 'POST',
        url: '/api/auth/register',
        payload: { name, email: `${name}@example.com`, password, confirmPassword: password }
      })
      if (response.statusCode !== 201) throw new Error(`no account: ${response.body}`)
      return clientOf(response.json<User>(), cookieOf(response))
    },
    async audited(of = {}) {
      await chainPending(deps)
      const members = Object.entries(of) as [keyof typeof of, string][]
      const where = and(...members.map(([name, value]) => eq(auditLog[name], value)))
      return db.select().from(auditLog).where(where).orderBy(auditLog.id)
    },
    async empty() {
      written.push(...(await secretsWrittenDown(db)))
      await emptyStore(db)
      await deps.sessions.close() // Forgets everything; the fakes count their ids from the start again.
      await ensureNode(db, deps.nodeId)
    },
    async close() {
      const untold = await undocumented()
      written.push(...(await secretsWrittenDown(db)))
      await second?.close()
      // A client that neither reads its answer nor goes away would keep its connection for over a minute.
      const cutOff = setTimeout(() => first.server.closeAllConnections(), 1_000)
      await first.close()
      clearTimeout(cutOff)
      await atWorker?.close()
      connected?.close()
      inRedis?.close()
      settings.close()
      await jobs.stop()
      await events.close()
      await closeLocks(db)
      await db.$client.end()
      await execute(adminUrl, `drop database ${database} with (force)`)
      await rm(dataDir, { recursive: true, force: true })
      if (untold.length > 0) throw new Error(`Not in the OpenAPI document:\n${untold.join('\n')}`)
      if (written.length > 0) throw new Error(`Named like a secret in the audit log: ${written.join(', ')}`)
      if (guard.calls.length > 0) throw new Error(`Called in a transaction: ${guard.calls.join(', ')}`)
    }
  }
}

const isAtWorker = (process.env.TEST_WORKER_SOCKET ?? '') !== ''

/** The web process as run by `./panel up`: privileged work goes to the worker over a socket. */
async function openAtWorker(deps: Dependencies, dataDir: string) {
  const path = join(dataDir, 'worker', 'socket')
  const failures: string[] = []
  const server = await serveVerbs(workerVerbs(deps), {
    path,
    gid: undefined,
    errors: workerErrors,
    onFailure: (verb, error) => failures.push(`${verb}: ${error instanceof Error ? error.stack : String(error)}`)
  })
  const worker = openVerbClient(path)
  return {
    deps: Object.assign(followingOf(deps), withoutRights(worker)),
    async close() {
      worker.close()
      await server.close()
      if (failures.length > 0) process.stderr.write(`${failures.join('\n')}\n`)
    }
  }
}

/** Delegates to `deps`, so that later changes by a test apply. */
const followingOf = (deps: Dependencies): Dependencies =>
  Object.defineProperties(
    {},
    Object.fromEntries(
      Object.keys(deps).map((name) => {
        let own: unknown
        return [
          name,
          {
            enumerable: true,
            get: () => own ?? deps[name as keyof Dependencies],
            set: (value: unknown) => void (own = value)
          }
        ]
      })
    )
  ) as Dependencies

function notIn<T extends object>(values: T, overrides: object): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !(key in overrides))) as Partial<T>
}

export function cookieOf(response: LightMyRequestResponse): string {
  const cookie = response.cookies.find((candidate) => candidate.name === 'panel_session')
  if (!cookie) throw new Error(`no session cookie: ${response.body}`)
  return `panel_session=${cookie.value}`
}
