import { withLock } from './db/lock.ts'
import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { buildProxyArguments } from './config/builds.ts'
import type { PanelConnections } from './net/connection-limits.policy.ts'
import type { Database } from './db/database.ts'
import { ensureNode } from './db/nodes.ts'
import { ensureSetting } from './db/settings.ts'
import type { ContainerEngine } from './infra/container-engine/container-engine.ts'
import { createDockerEngine } from './infra/container-engine/docker.ts'
import type { AccountDisk } from './infra/account-disk/account-disk.ts'
import { createLocalAccountDisk } from './infra/account-disk/local-account-disk.ts'
import type { AcmeAuthority } from './infra/acme/acme.ts'
import type { BackupRepository } from './infra/backup-repository/backup-repository.ts'
import { createRestic } from './infra/backup-repository/restic.ts'
import type { EventBus } from './infra/event-bus/event-bus.ts'
import { createPostgresEventBus } from './infra/event-bus/postgres-event-bus.ts'
import type { DnsServer } from './infra/dns-server/dns-server.ts'
import { createKnot } from './infra/dns-server/knot.ts'
import type { PanelUpgrades } from './infra/panel-upgrades/panel-upgrades.ts'
import type { PublicDns } from './infra/public-dns/public-dns.ts'
import { freeDiskBytes } from './infra/disk/free-disk-bytes.ts'
import type { DatabaseType } from '@panel/contract/databases'
import { createAdminer } from './infra/database-admin/adminer.ts'
import type { DatabaseAdmin } from './infra/database-admin/database-admin.ts'
import type { DatabaseDump } from './infra/database-dump/database-dump.ts'
import type { DatabaseServer } from './infra/database-server/database-server.ts'
import type { Feature } from './features/feature.ts'
import { createDiskFileStore } from './infra/file-store/disk-file-store.ts'
import type { FailedLogIns } from './infra/failed-log-ins/failed-log-ins.ts'
import { createFailedLogIns } from './infra/failed-log-ins/local-failed-log-ins.ts'
import type { FileStore } from './infra/file-store/file-store.ts'
import type { ImageRegistry } from './infra/image-registry/image-registry.ts'
import type { OutboundHttp } from './infra/outbound-http/outbound-http.ts'
import type { HostFirewall } from './infra/host-firewall/host-firewall.ts'
import { createBootRules } from './infra/host-firewall/boot-rules.ts'
import { createNftables } from './infra/host-firewall/nftables.ts'
import type { HostMetrics } from './infra/host-metrics/host-metrics.ts'
import { createLinuxHostMetrics } from './infra/host-metrics/linux-host-metrics.ts'
import type { HostHelper } from './infra/host-helper/host-helper.ts'
import type { HostsFiles } from './infra/hosts-files/hosts-files.ts'
import { createLocalHostsFiles } from './infra/hosts-files/local-hosts-files.ts'
import type { Nodes } from './infra/node-connection/nodes.ts'
import { createHostHelper } from './infra/host-helper/local-host-helper.ts'
import { createNftServerBans } from './infra/server-firewall/nft-server-bans.ts'
import { createNftServerFirewall } from './infra/server-firewall/nft-server-firewall.ts'
import type { ServerBans } from './infra/server-firewall/server-bans.ts'
import type { ServerFirewall } from './infra/server-firewall/server-firewall.ts'
import { createOpenSsh } from './infra/sftp-server/openssh.ts'
import type { ServerDisk } from './infra/server-disk/server-disk.ts'
import { createLocalServerDisk } from './infra/server-disk/local-server-disk.ts'
import type { SftpServer } from './infra/sftp-server/sftp-server.ts'
import type { Git } from './infra/git/git.ts'
import type { ImageBuilder } from './infra/image-builder/image-builder.ts'
import { createGzipLineArchive } from './infra/line-archive/gzip-line-archive.ts'
import type { LineArchive } from './infra/line-archive/line-archive.ts'
import type { JobQueue } from './infra/job-queue/job-queue.ts'
import type { LiveSettings } from './config/live-settings.ts'
import type { DeliveryLog } from './infra/mail-server/delivery-log.ts'
import type { MailServer } from './infra/mail-server/mail-server.ts'
import type { MailFilter } from './infra/mail-filter/mail-filter.ts'
import type { MailCertificates } from './infra/mail-server/mail-certificates.ts'
import type { MailQueue } from './infra/mail-server/mail-queue.ts'
import type { MailboxCopier } from './infra/mailbox-copier/mailbox-copier.ts'
import type { MailSigner } from './infra/mail-signer/mail-signer.ts'
import type { Mailer } from './infra/mailer/mailer.ts'
import { run } from './infra/process/run.ts'
import type { FailureCounter, RateLimiter } from './infra/rate-limiter/rate-limiter.ts'
import { createHaproxy } from './infra/reverse-proxy/haproxy.ts'
import type { ReverseProxy } from './infra/reverse-proxy/reverse-proxy.ts'
import type { SiteDatabase } from './infra/site-database/site-database.ts'
import type { SessionStore } from './infra/session-store/session-store.ts'
import type { SiteTrafficLog } from './infra/traffic/traffic.ts'
import type { UpdateFeed } from './infra/update-feed/update-feed.ts'
import type { WakeGate } from './infra/wake-gate/wake-gate.ts'
import type { Webmail } from './infra/webmail/webmail.ts'
import type { VerbClient } from './infra/verb-socket/verb-client.ts'
import type { SecretBox } from './infra/secret-box/secret-box.ts'
import { banTable, bridgePrefix, firewallTable, serverFirewallTable } from './net/network-names.ts'
import { type PanelNetwork, routedNetwork } from './net/panel-network.ts'
import {
  auditArchiveDirectory,
  backupDirectory,
  dnsServerPaths,
  fileStoreStaging,
  hostsDirectory,
  serverFirewallDirectory,
  sftpPaths,
  startFile
} from './process/paths.ts'
import { programsOf } from './programs/list.ts'
import type { ProgramHealth } from './programs/program.ts'
import { sshdPaths } from './programs/sshd.ts'
import { createProgramStates, type ProgramStates } from './programs/program-states.ts'
import { openStore } from './wiring/store.ts'
import { accountCages } from './wiring/cages.ts'
import { openJobs, ownDependencies } from './wiring/own.ts'
import { openAuthority } from './wiring/acme.ts'
import { openDatabaseServers } from './wiring/database-servers.ts'
import { openGit } from './wiring/git.ts'
import { openMail, openWebmail } from './wiring/mail.ts'
import { openOutbound } from './wiring/outbound.ts'
import { bindRoots, openNodes } from './wiring/nodes.ts'
import { openPanelUpgrades } from './wiring/panel-upgrades.ts'
import { lazyProxy, storedNetwork } from './wiring/network.ts'
import { openProxySockets } from './wiring/proxy-sockets.ts'
import { onFirstUse } from './wiring/on-first-use.ts'

/** All dependencies of the features, which take `Pick<Dependencies, …>`. */
export interface Dependencies {
  /** Features use each other's hooks through this list and do not import features/index.ts. */
  features: readonly Feature[]
  /** Settings change while the panel runs: read members on use and do not keep copies. */
  config: Config
  settings: LiveSettings
  logger: Logger
  now: () => Date
  db: Database
  jobs: JobQueue
  events: EventBus
  sessions: SessionStore
  authLimiter: RateLimiter
  /** For mail autodiscovery requests, which are unauthenticated. */
  discoveryLimiter: RateLimiter
  /** Failed sign-ins per account. */
  failedSignIns: FailureCounter
  connectionLimits: PanelConnections
  secretBox: SecretBox
  /** Audit entries that were moved out of the database. */
  auditArchive: LineArchive
  mailer: Mailer
  mailServer: MailServer
  mailCertificates: MailCertificates
  mailFilter: MailFilter
  mailQueue: MailQueue
  deliveryLog: DeliveryLog
  mailSigner: MailSigner
  mailboxCopier: MailboxCopier
  engine: ContainerEngine
  proxy: ReverseProxy
  siteTraffic: SiteTrafficLog
  wakeGate: WakeGate
  dnsServer: DnsServer
  publicDns: PublicDns
  updateFeed: UpdateFeed
  panelUpgrades: PanelUpgrades
  /** Queries our own name servers over the network: the one on this machine, and the secondaries. */
  nameServers: Pick<PublicDns, 'lookUp'>
  acme: AcmeAuthority
  databaseServers: Readonly<Record<DatabaseType, DatabaseServer>>
  siteDatabase: SiteDatabase
  databaseDump: DatabaseDump
  backupRepository: BackupRepository
  databaseAdmin: DatabaseAdmin
  webmail: Webmail
  fileStore: FileStore
  accountDisk: AccountDisk
  serverDisk: ServerDisk
  hostHelper: HostHelper
  /** Adapters of every machine by the id of its row; `engine` and `hostHelper` are those of this machine. */
  nodes: Nodes
  sftpServer: SftpServer
  /** Live checks for GET /api/health. */
  programs: () => readonly ProgramHealth[]
  programStates: ProgramStates
  git: Git
  gitVersion: () => Promise<string>
  builder: ImageBuilder
  /** Free bytes on the file system of a directory; undefined if the directory does not exist. */
  freeDiskBytes: (directory: string) => Promise<number | undefined>
  /** Runs verbs for the web process (worker/worker-verb.ts); undefined in a process that has the privileges itself. */
  worker?: VerbClient
  /** For uploads whose destination is not known yet. Default: with the other staged files. */
  spoolDirectory?: string
  /** ID of the installation, used as a label on everything it creates in the container engine. */
  instanceId: string
  /** This machine's row in `nodes`; new resources belong to it. */
  nodeId: string
  /** The panel's network and the pools of account networks. Cached, so that they are known while the engine is down. */
  network: () => Promise<PanelNetwork>
  hostFirewall: HostFirewall
  hostsFiles: HostsFiles
  /** The administrator's rules for connections to this server. */
  serverFirewall: ServerFirewall
  serverBans: ServerBans
  failedLogIns: FailedLogIns
  hostMetrics: HostMetrics
  /** Requests to user-defined URLs on the Internet. */
  outboundHttp: OutboundHttp
  /** Registries of images that projects name. */
  imageRegistry: ImageRegistry
}

/** Creates the real adapters; only this file and wiring/ name them. Only the database must be reachable. */
export async function openDependencies(
  base: Config,
  logger: Logger,
  databaseUrl: string,
  programStates: ProgramStates = createProgramStates()
): Promise<Dependencies & { close(): Promise<void> }> {
  const { redis, close: closeStore, ...store } = await openStore(base, logger, databaseUrl)
  const { db, settings } = store
  const { config } = settings
  const instanceId = await ensureSetting(db, 'instance_id', () => randomBytes(5).toString('hex'))
  // The first node's ID is the installation ID.
  const nodeId = instanceId
  await ensureNode(db, nodeId)

  await mkdir(config.PROJECTS_DIR, { recursive: true, mode: 0o700 })
  const git = await openGit(config)
  const engine = createDockerEngine({
    socketPath: config.DOCKER_SOCKET,
    bindRoots: bindRoots(config),
    accountCages: accountCages(config, instanceId),
    buildArguments: buildProxyArguments(config)
  })
  const hostHelper = createHostHelper({ run, projectsDirectory: config.PROJECTS_DIR, ...sftpPaths(config) })
  const fileStore = createDiskFileStore({ stagingDirectory: fileStoreStaging(config) })
  const table = firewallTable(instanceId)
  const boot = createBootRules({ run, table, path: startFile(config, `${table}.nft`), logger })
  const hostFirewall = createNftables({ table, run, boot })
  const hostsFiles = createLocalHostsFiles(hostsDirectory(config))
  const adapters = { engine, fileStore, hostFirewall, hostHelper, hostsFiles }
  const network = storedNetwork({ db, engine, config, run, instanceId, nodeId })
  const { directories, paths: proxy, siteTraffic, wakeGate } = await openProxySockets(config)
  const nodes = openNodes({ config, db, instanceId, nodeId, run, logger, network, proxy, ...adapters })
  const jobs = await openJobs(config, logger, { db, databaseUrl })
  const events = createPostgresEventBus({ connectionString: databaseUrl, logger })
  settings.follow(events)
  const { databaseDump, databaseServers, siteDatabase } = await openDatabaseServers({ ...store, events, programStates })
  return {
    ...store,
    ...(await ownDependencies(config, redis)),
    auditArchive: createGzipLineArchive({ directory: auditArchiveDirectory(config) }),
    jobs,
    events,
    ...adapters,
    proxy: lazyProxy(async () =>
      createHaproxy({
        ...directories,
        network: routedNetwork(await network()),
        // If the lock is held, the next sync writes the file.
        alone: (what, work) => withLock(db, what, { waitMs: 15_000, ifHeld: () => {} }, work)
      })
    ),
    siteTraffic,
    wakeGate,
    dnsServer: createKnot({ ...(await dnsServerPaths(config)), run }),
    acme: await openAuthority(config, db, store.secretBox),
    databaseServers,
    siteDatabase,
    databaseDump,
    backupRepository: createRestic({ run, directory: backupDirectory(config) }),
    databaseAdmin: createAdminer({ engine, instanceId, network, databaseServers, run }),
    webmail: openWebmail({ config, engine, instanceId, network, run, store }),
    accountDisk: createLocalAccountDisk({ run, projectsDirectory: config.PROJECTS_DIR }),
    serverDisk: createLocalServerDisk({ run }),
    nodes,
    ...(await openMail(config)),
    sftpServer: createOpenSsh({ run, host: '127.0.0.1', port: config.SFTP_PORT }),
    panelUpgrades: openPanelUpgrades(config),
    programs: () => programsOf(config),
    programStates,
    git,
    gitVersion: async () =>
      (await run(['git', '--version'], { timeoutMs: 5_000 })).stdout.trim().replace(/^git version /, ''),
    builder: onFirstUse<ImageBuilder>(
      async () => (await import('./wiring/image-builder.ts')).createBuilder(config, git, engine),
      { build: true, detect: true }
    ),
    freeDiskBytes,
    instanceId,
    nodeId,
    network,
    hostMetrics: createLinuxHostMetrics(),
    ...openOutbound(config),
    serverFirewall: createNftServerFirewall({
      table: serverFirewallTable(instanceId),
      bridgePrefix: bridgePrefix(instanceId),
      directory: serverFirewallDirectory(config),
      run,
      logger
    }),
    serverBans: createNftServerBans({ table: banTable(instanceId), bridgePrefix: bridgePrefix(instanceId), run }),
    failedLogIns: createFailedLogIns({ sftpLog: sshdPaths(sftpPaths(config).serverDirectory).log, logger }),
    async close() {
      await jobs.stop()
      await siteTraffic.close()
      await nodes.close()
      await events.close()
      await closeStore()
    }
  }
}
