import { randomBytes } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { eq } from 'drizzle-orm'
import { Redis } from 'ioredis'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { type Database, openDatabase } from './db/database.ts'
import { migrateDatabase } from './db/migrate.ts'
import { settings } from './db/schema.ts'
import { AppError, messageOf } from './errors.ts'
import { withBaseImages } from './infra/base-images/with-base-images.ts'
import type { ContainerEngine, NetworkState } from './infra/container-engine/container-engine.ts'
import { createDockerEngine } from './infra/container-engine/docker.ts'
import type { AcmeAuthority } from './infra/acme/acme.ts'
import type { AcmeClientOptions } from './infra/acme/acme-client.ts'
import type { DnsServer } from './infra/dns-server/dns-server.ts'
import { createKnot } from './infra/dns-server/knot.ts'
import type { PublicDns } from './infra/public-dns/public-dns.ts'
import { createPublicDns } from './infra/public-dns/resolvers.ts'
import { label } from './infra/container-engine/labels.ts'
import { freeDiskBytes } from './infra/disk/free-disk-bytes.ts'
import type { Git } from './infra/git/git.ts'
import { createGit } from './infra/git/git-cli.ts'
import { writeKnownHosts } from './infra/git/host-keys.ts'
import { createBuiltinBuilder } from './infra/image-builder/builtin-builder.ts'
import type { ImageBuilder } from './infra/image-builder/image-builder.ts'
import { createNixpacksBuilder } from './infra/image-builder/nixpacks-builder.ts'
import type { JobQueue } from './infra/job-queue/job-queue.ts'
import { createJobQueue } from './infra/job-queue/pg-boss-queue.ts'
import type { Mailer } from './infra/mailer/mailer.ts'
import { createSmtpMailer } from './infra/mailer/smtp-mailer.ts'
import { run } from './infra/process/run.ts'
import { createRateLimiter, type RateLimiter } from './infra/rate-limiter/rate-limiter.ts'
import { createHaproxy } from './infra/reverse-proxy/haproxy.ts'
import type { ReverseProxy } from './infra/reverse-proxy/reverse-proxy.ts'
import { createSecretBox, type SecretBox } from './infra/secret-box/secret-box.ts'
import { createMemorySessionStore } from './infra/session-store/memory-session-store.ts'
import { createRedisSessionStore } from './infra/session-store/redis-session-store.ts'
import type { SessionStore } from './infra/session-store/session-store.ts'
import { queueNames } from './jobs.ts'
import { lazy } from './lazy.ts'
import { proxyNetworkNames } from './network-names.ts'
import { makeMemoryDirectory } from './memory-directory.ts'
import { makeRuntimeDirectory } from './runtime-directory.ts'

/** Everything a feature may ask for. Features take `Pick<Dependencies, …>`. */
export interface Dependencies {
  config: Config
  logger: Logger
  now: () => Date
  db: Database
  jobs: JobQueue
  sessions: SessionStore
  authLimiter: RateLimiter
  secretBox: SecretBox
  /** Undefined where no mail server is configured. */
  mailer: Mailer | undefined
  engine: ContainerEngine
  proxy: ReverseProxy
  dnsServer: DnsServer
  publicDns: PublicDns
  acme: AcmeAuthority
  git: Git
  gitVersion: () => Promise<string>
  builder: ImageBuilder
  /** Free bytes on the file system of a directory; undefined where there is no such directory. */
  freeDiskBytes: (directory: string) => Promise<number | undefined>
  /** The installation's id, in the labels of everything it makes on the container engine. */
  instanceId: string
  /** The proxy network: as it was found or made first, so that it is known while the engine is away. */
  network: () => Promise<NetworkState>
}

/** Where the proxy's files and sockets lie. */
export async function proxyDirectories(
  config: Pick<Config, 'DATA_DIR'>
): Promise<{ directory: string; runtimeDirectory: string; certificateDirectory: string }> {
  return {
    directory: join(config.DATA_DIR, 'proxy'),
    runtimeDirectory: await makeRuntimeDirectory(config.DATA_DIR),
    certificateDirectory: join((await makeMemoryDirectory(config.DATA_DIR)).path, 'proxy')
  }
}

/**
 * Where the name server's files and its socket lie. It runs as a user of its own when root starts it, and then cannot pass through a
 * DATA_DIR that is private, as it should be: so its state lies beside. The DNSSEC keys are there too.
 */
export async function dnsServerPaths(
  config: Pick<Config, 'DATA_DIR'>
): Promise<{ directory: string; runtimeDirectory: string }> {
  const runtimeDirectory = await makeRuntimeDirectory(config.DATA_DIR)
  if (process.getuid?.() !== 0) return { directory: join(config.DATA_DIR, 'dns'), runtimeDirectory }
  const directory = join('/var/lib', basename(runtimeDirectory), 'dns')
  return { directory, runtimeDirectory: join(directory, 'run') }
}

/** The key with which the name servers talk to each other, Base64: made once. */
export async function dnsTransferKey({ db, secretBox }: Pick<Dependencies, 'db' | 'secretBox'>): Promise<string> {
  return secretBox.open(
    await ensureSetting(db, 'dns_transfer_key', () => secretBox.seal(randomBytes(32).toString('base64')))
  )
}

const letsEncrypt = 'https://acme-v02.api.letsencrypt.org/directory'

/** The account at the authority is a setting, sealed; each directory has its own. */
async function openAuthority(config: Config, db: Database, secretBox: SecretBox): Promise<AcmeAuthority> {
  const settingOf = (directoryUrl: string) => `acme_account ${directoryUrl}`
  return lazyAuthority({
    directoryUrl: config.ACME_DIRECTORY_URL ?? letsEncrypt,
    ...(config.ACME_EMAIL === undefined ? {} : { email: config.ACME_EMAIL }),
    ...(config.ACME_CA_FILE === undefined ? {} : { caPem: await readCaFile(config.ACME_CA_FILE) }),
    ...(config.ACME_EAB_KID !== undefined && config.ACME_EAB_HMAC_KEY !== undefined
      ? { externalAccount: { kid: config.ACME_EAB_KID, hmacKey: config.ACME_EAB_HMAC_KEY } }
      : {}),
    accounts: {
      async load(directoryUrl) {
        const [row] = await db
          .select()
          .from(settings)
          .where(eq(settings.key, settingOf(directoryUrl)))
        return row && (JSON.parse(secretBox.open(row.value)) as { keyPem: string; accountUrl?: string })
      },
      async save(directoryUrl, account) {
        const value = secretBox.seal(JSON.stringify(account))
        await db
          .insert(settings)
          .values({ key: settingOf(directoryUrl), value })
          .onConflictDoUpdate({ target: settings.key, set: { value } })
      }
    }
  })
}

async function readCaFile(path: string): Promise<string> {
  const pem = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Error(`ACME_CA_FILE cannot be read: ${messageOf(error)}`, { cause: error })
  })
  if (!pem.includes('-----BEGIN CERTIFICATE-----')) throw new Error(`ACME_CA_FILE has no certificate in PEM: ${path}`)
  return pem
}

/** The client and what it needs take a fifth of a second to load and 30 MB to keep: only who orders certificates pays for them. */
function lazyAuthority(options: AcmeClientOptions): AcmeAuthority {
  const get = lazy(async () => (await import('./infra/acme/acme-client.ts')).createAcmeAuthority(options))
  return {
    directoryUrl: options.directoryUrl,
    caaIdentities: async () => (await get()).caaIdentities(),
    order: async (request) => (await get()).order(request)
  }
}

const authWindowSeconds = 15 * 60

/** Wires the real adapters: the only place that names them. The store must be reachable; everything else may come later. */
export async function openDependencies(
  config: Config,
  logger: Logger,
  databaseUrl: string
): Promise<Dependencies & { close(): Promise<void> }> {
  const { redis, close: closeStore, ...store } = await openStore(config, logger, databaseUrl)
  const { db } = store
  const instanceId = await ensureSetting(db, 'instance_id', () => randomBytes(5).toString('hex'))

  await mkdir(config.PROJECTS_DIR, { recursive: true, mode: 0o700 })
  const knownHostsPath = join(config.DATA_DIR, 'known_hosts')
  await writeKnownHosts(knownHostsPath, config.GIT_KNOWN_HOSTS)
  const git = createGit({
    knownHostsPath,
    maxRepositoryBytes: config.GIT_MAX_SIZE,
    maxArchiveBytes: config.BUILD_CONTEXT_MAX,
    timeoutMs: config.GIT_TIMEOUT * 1000
  })
  const engine = createDockerEngine({ socketPath: config.DOCKER_SOCKET })
  const network = rememberedNetwork(db, engine, instanceId)
  const jobs = await createJobQueue(databaseUrl, queueNames, logger)
  const directories = await proxyDirectories(config)
  return {
    ...store,
    jobs,
    mailer:
      config.SMTP_URL === undefined ? undefined : createSmtpMailer({ url: config.SMTP_URL, from: config.MAIL_FROM }),
    authLimiter: createRateLimiter({
      points: config.AUTH_RATE_LIMIT_MAX,
      durationSeconds: authWindowSeconds,
      ...(redis ? { redis } : {})
    }),
    engine,
    proxy: lazyProxy(async () => createHaproxy({ ...directories, network: await network() })),
    dnsServer: createKnot({ ...(await dnsServerPaths(config)), run }),
    publicDns: createPublicDns({ resolvers: config.DNS_RESOLVERS }),
    acme: await openAuthority(config, db, store.secretBox),
    git,
    gitVersion: async () =>
      (await run(['git', '--version'], { timeoutMs: 5_000 })).stdout.trim().replace(/^git version /, ''),
    builder: createBuilder(config, git, engine),
    freeDiskBytes,
    instanceId,
    network,
    async close() {
      await jobs.stop()
      await closeStore()
    }
  }
}

/** What work on rows needs: the part of the dependencies that a command of the machine opens too. */
export type Store = Pick<Dependencies, 'config' | 'logger' | 'now' | 'db' | 'sessions' | 'secretBox'>

/** Brings the store to the newest schema and connects. Refuses an ENCRYPTION_KEY that is not the store's. */
export async function openStore(
  config: Config,
  logger: Logger,
  databaseUrl: string
): Promise<Store & { redis: Redis | undefined; close(): Promise<void> }> {
  await migrateDatabase(databaseUrl)
  const db = openDatabase(databaseUrl, (error) => logger.warn({ error: messageOf(error) }, 'store connection'))
  const secretBox = createSecretBox(config.ENCRYPTION_KEY)
  await checkEncryptionKey(db, secretBox)
  const redis =
    config.REDIS_URL === undefined
      ? undefined
      : new Redis(config.REDIS_URL, { maxRetriesPerRequest: 1, commandTimeout: 2_000 })
  redis?.on('error', (error) => logger.warn({ error: messageOf(error) }, 'session store connection'))
  return {
    config,
    logger,
    now: () => new Date(),
    db,
    secretBox,
    redis,
    sessions: redis
      ? createRedisSessionStore(redis, undefined, (error) =>
          logger.warn({ error: messageOf(error) }, 'session store does not answer')
        )
      : createMemorySessionStore(),
    async close() {
      await db.$client.end()
      redis?.disconnect()
    }
  }
}

function createBuilder(config: Config, git: Git, engine: ContainerEngine): ImageBuilder {
  const limits = {
    memoryBytes: config.BUILD_MEMORY_LIMIT,
    cpus: config.BUILD_CPU_LIMIT,
    pids: config.BUILD_PIDS_LIMIT,
    contextBytes: config.BUILD_CONTEXT_MAX
  }
  const images = {
    node: config.BUILD_IMAGE_NODE,
    python: config.BUILD_IMAGE_PYTHON,
    static: config.BUILD_IMAGE_STATIC,
    php: config.BUILD_IMAGE_PHP
  }
  const builtin = createBuiltinBuilder({ git, engine, images, imagePrefix: config.BUILD_IMAGE_PREFIX, limits })
  const withImages = withBaseImages(builtin, { engine, images, run })
  if (config.BUILDER === 'builtin') return withImages
  return createNixpacksBuilder({
    program: config.BUILDER,
    imagePrefix: config.BUILD_IMAGE_PREFIX,
    git,
    engine,
    run,
    limits,
    fallback: withImages,
    timeoutMs: config.BUILD_TIMEOUT * 1000,
    ...(config.BUILDKIT_HOST === undefined ? {} : { environment: { BUILDKIT_HOST: config.BUILDKIT_HOST } })
  })
}

/** The value under the key; of several processes that start at once, the first to write decides. */
async function ensureSetting(db: Database, key: string, make: () => string | Promise<string>): Promise<string> {
  const find = async () => (await db.select().from(settings).where(eq(settings.key, key)))[0]?.value
  const found = await find()
  if (found !== undefined) return found
  await db
    .insert(settings)
    .values({ key, value: await make() })
    .onConflictDoNothing()
  return (await find())!
}

const canary = 'panel'

/** A changed key would silently lose every secret: refuse to start instead. */
export async function checkEncryptionKey(db: Database, secretBox: SecretBox): Promise<void> {
  const sealed = await ensureSetting(db, 'encryption_canary', () => secretBox.seal(canary))
  try {
    if (secretBox.open(sealed) === canary) return
  } catch {
    // Not sealed with this key: said below.
  }
  throw new Error(
    'ENCRYPTION_KEY (or SESSION_SECRET, where ENCRYPTION_KEY is not set) is not the one that the stored secrets were sealed with. ' +
      'Start with the former key; nothing was changed.'
  )
}

function rememberedNetwork(db: Database, engine: ContainerEngine, instanceId: string): () => Promise<NetworkState> {
  return lazy(async () => {
    try {
      const { name, bridge } = proxyNetworkNames(instanceId)
      const state = await engine.ensureNetwork(name, { [label.instance]: instanceId }, { bridge })
      await db
        .insert(settings)
        .values({ key: 'network', value: JSON.stringify(state) })
        .onConflictDoUpdate({ target: settings.key, set: { value: JSON.stringify(state) } })
      return state
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const [row] = await db.select().from(settings).where(eq(settings.key, 'network'))
      if (!row) throw error
      return JSON.parse(row.value) as NetworkState
    }
  })
}

/** The proxy is told the containers' network, which may only be known later. */
function lazyProxy(create: () => Promise<ReverseProxy>): ReverseProxy {
  const get = lazy(() =>
    create().catch((error: unknown) => {
      throw error instanceof AppError
        ? new AppError('REVERSE_PROXY_UNAVAILABLE', 'The reverse proxy waits for the container engine', {
            cause: error
          })
        : error
    })
  )
  return {
    ping: async () => (await get()).ping(),
    set: async (route) => (await get()).set(route),
    remove: async (hostname, pathPrefix) => (await get()).remove(hostname, pathPrefix),
    sync: async (routes) => (await get()).sync(routes),
    setCertificate: async (certificate) => (await get()).setCertificate(certificate),
    removeCertificate: async (id) => (await get()).removeCertificate(id),
    syncCertificates: async (wanted, load) => (await get()).syncCertificates(wanted, load),
    connectionCount: async (address, port) => (await get()).connectionCount(address, port)
  }
}
