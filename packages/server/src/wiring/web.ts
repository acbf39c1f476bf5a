import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { findSetting } from '../db/settings.ts'
import type { Dependencies } from '../dependencies.ts'
import { createPostgresEventBus } from '../infra/event-bus/postgres-event-bus.ts'
import { createVerbClient, type VerbClient } from '../infra/verb-socket/verb-client.ts'
import { freeDiskBytes } from '../infra/disk/free-disk-bytes.ts'
import { createProgramStates } from '../programs/program-states.ts'
import { store as storeProgram } from '../programs/store.ts'
import { connectStore } from './store.ts'
import { workerErrors, workerUnavailable } from '../worker/worker-errors.ts'
import { openJobs, ownDependencies } from './own.ts'

interface WebOptions {
  databaseUrl: string
  workerSocket: string
  spoolDirectory: string
  disks: Readonly<Record<string, string>>
}

/** Without privileges and keys: the worker's socket provides what needs them. */
export async function openWebDependencies(
  base: Config,
  logger: Logger,
  { databaseUrl, workerSocket, spoolDirectory, disks }: WebOptions
): Promise<Dependencies & { close(): Promise<void> }> {
  const { redis, close, ...store } = await connectStore(base, logger, databaseUrl)
  const { config } = store
  const instanceId = await findSetting(store.db, 'instance_id')
  if (instanceId === undefined) throw new Error('The worker has not initialised the database yet')
  const jobs = await openJobs(config, logger, { db: store.db, databaseUrl, isPrepared: true })
  const events = createPostgresEventBus({ connectionString: databaseUrl, logger })
  store.settings.follow(events)
  const worker = openVerbClient(workerSocket)
  return {
    ...withoutRights(worker),
    ...store,
    ...(await ownDependencies(config, redis)),
    jobs,
    events,
    spoolDirectory,
    // Used by every write, so it is not a worker verb.
    freeDiskBytes: async (directory) => {
      // Root-only directories are not visible here: any directory but DATA_DIR counts as all other disks.
      const meant = Object.keys(disks).filter((each) => (each === config.DATA_DIR) === (directory === config.DATA_DIR))
      const free = await Promise.all(meant.map((each) => freeDiskBytes(disks[each]!)))
      return Math.min(...free.map((bytes) => bytes ?? Infinity))
    },
    instanceId,
    // The first node has the installation's id.
    nodeId: instanceId,
    programs: () => [storeProgram],
    programStates: createProgramStates(),
    async close() {
      worker.close()
      await jobs.stop()
      await events.close()
      await close()
    }
  }
}

export const openVerbClient = (path: string): VerbClient =>
  createVerbClient({ path, errors: workerErrors, unavailable: workerUnavailable })

type Rights = Pick<
  Dependencies,
  | 'accountDisk'
  | 'serverDisk'
  | 'acme'
  | 'auditArchive'
  | 'backupRepository'
  | 'builder'
  | 'databaseAdmin'
  | 'databaseDump'
  | 'databaseServers'
  | 'deliveryLog'
  | 'dnsServer'
  | 'engine'
  | 'fileStore'
  | 'failedLogIns'
  | 'hostFirewall'
  | 'hostsFiles'
  | 'hostMetrics'
  | 'git'
  | 'gitVersion'
  | 'hostHelper'
  | 'mailCertificates'
  | 'mailFilter'
  | 'mailQueue'
  | 'mailServer'
  | 'mailSigner'
  | 'mailboxCopier'
  | 'imageRegistry'
  | 'network'
  | 'nodes'
  | 'outboundHttp'
  | 'panelUpgrades'
  | 'proxy'
  | 'secretBox'
  | 'serverBans'
  | 'serverFirewall'
  | 'sftpServer'
  | 'siteDatabase'
  | 'siteTraffic'
  | 'wakeGate'
  | 'webmail'
>

/** Throws on use, which reveals functions that should be a workerVerb. */
export const withoutRights = (worker: VerbClient): Rights & { worker: VerbClient } => ({
  worker,
  accountDisk: absent('accountDisk'),
  serverDisk: absent('serverDisk'),
  acme: absent('acme'),
  auditArchive: absent('auditArchive'),
  backupRepository: absent('backupRepository'),
  builder: absent('builder'),
  databaseAdmin: absent('databaseAdmin'),
  databaseDump: absent('databaseDump'),
  databaseServers: absent('databaseServers'),
  deliveryLog: absent('deliveryLog'),
  dnsServer: absent('dnsServer'),
  engine: absent('engine'),
  failedLogIns: absent('failedLogIns'),
  fileStore: absent('fileStore'),
  hostFirewall: absent('hostFirewall'),
  hostsFiles: absent('hostsFiles'),
  hostMetrics: absent('hostMetrics'),
  git: absent('git'),
  gitVersion: absentCall('gitVersion'),
  hostHelper: absent('hostHelper'),
  mailCertificates: absent('mailCertificates'),
  mailFilter: absent('mailFilter'),
  mailQueue: absent('mailQueue'),
  mailServer: absent('mailServer'),
  mailSigner: absent('mailSigner'),
  mailboxCopier: absent('mailboxCopier'),
  imageRegistry: absent('imageRegistry'),
  outboundHttp: absent('outboundHttp'),
  panelUpgrades: absent('panelUpgrades'),
  network: absentCall('network'),
  nodes: absent('nodes'),
  proxy: absent('proxy'),
  secretBox: absent('secretBox'),
  serverBans: absent('serverBans'),
  serverFirewall: absent('serverFirewall'),
  sftpServer: absent('sftpServer'),
  siteDatabase: absent('siteDatabase'),
  siteTraffic: absent('siteTraffic'),
  wakeGate: absent('wakeGate'),
  webmail: absent('webmail')
})

const absent = <Adapter extends object>(name: string): Adapter =>
  new Proxy({} as Adapter, {
    get(_target, member) {
      throw notHere(`${name}.${String(member)}`)
    }
  })

const absentCall = (name: string) => (): never => {
  throw notHere(name)
}

const notHere = (what: string) =>
  new Error(`${what} is available in the worker only: make the calling function a workerVerb`)
