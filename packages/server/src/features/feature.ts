import type { CountedQuota } from '@panel/contract/accounts'
import type { ContainerNearLimit, DiskUsageKind } from '@panel/contract/disk-usage'
import type { ProjectType } from '@panel/contract/projects'
import type { RemedyCode } from '@panel/contract/remedy-texts'
import type { Sentence } from '@panel/contract/sentences'
import type { DiskCleanupKind, ServerDiskKind } from '@panel/contract/server-disk'
import type { App } from '../app.ts'
import type { Config } from '../config.ts'
import type { Queryable, Transaction } from '../db/database.ts'
import type { domains } from '../db/schema/domains.ts'
import type { deployments } from '../db/schema/deployments.ts'
import type { projects } from '../db/schema/projects.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Schedule } from '../infra/job-queue/job-queue.ts'
import type { WorkerLease } from '../infra/worker-lease/worker-lease.ts'
import type { QueueName, Queues } from '../worker/jobs.ts'
import type { AttentionSource } from './attention.ts'
import type { LiveSubscription } from './live-subscription.ts'
import type { OnMachine } from './nodes/on-machine.service.ts'
import type { Capacity, CapacityScope } from './users/capacity.policy.ts'
import type { FigureSource, Metric, MetricSource } from './metric-source.ts'

/** Context that the worker passes to jobs and reconcile steps. Valid for one lease. */
export interface WorkerContext {
  lease: Pick<WorkerLease, 'workerId' | 'findDead'>
  /** Fires when the worker stops or loses its lease: all running work must end. */
  signal: AbortSignal
  stopped: AbortSignal
  /** Opens a resource once per lease and returns the same one afterwards; closed when the worker stops. */
  resource<T extends WorkerResource>(open: (deps: Dependencies, workerId: number) => T): T
}

export interface WorkerResource {
  close(): Promise<void>
}

/** Handler of a queue. Must be idempotent: a job may run more than once. */
export interface Job<Data> {
  /** Maximum parallel jobs per process. */
  concurrency: number | ((config: Config) => number)
  timeoutSeconds: number
  retries: number
  /** Validates the payload, which may come from an older version. Omit for jobs without a payload. */
  data?: { parse(data: unknown): Data }
  run(deps: Dependencies, data: Data, worker: WorkerContext): Promise<unknown>
}

type Jobs = { readonly [Queue in QueueName]?: Job<Queues[Queue]> }

/** When a step runs in addition to the full round, which runs every step every few minutes. */
interface ReconcileTriggers {
  /** A write to one of these tables, noticed within about ten seconds. */
  tables?: readonly string[]
  containers?: true
  /**
   * Any commit, immediately. For work that becomes due with time or when another worker ends: return 'again' while such
   * work may exist, because without a commit nothing new of that kind appears.
   */
  commits?: true
}

/** Brings the outside world in line with the database. Must be idempotent. */
export interface ReconcileStep {
  name: string
  on: ReconcileTriggers
  /** Runs before all other steps, which see its changes. The others run in parallel. */
  isFirst?: true
  /** Return 'again' to run in the next round too. A failing step is retried with increasing delays. */
  run(deps: Dependencies, worker: WorkerContext): Promise<unknown>
}

/** Side effect to run after the commit. Must be idempotent; reconcile repeats lost ones. */
export type Effect = () => Promise<unknown>

type Change<Subject> = (deps: Dependencies, trx: Transaction, subject: Subject) => Promise<readonly Effect[] | void>

/** Account lifecycle hooks. They run in the caller's transaction; an error rolls everything back. */
export interface AccountHooks {
  /** `inWords` appears in the error that blocks a deletion, `audit` in the audit entry of the deletion. */
  holdings?(trx: Transaction, userId: string): Promise<{ inWords?: string; audit?: object }>
  suspended?: Change<string>
  resumed?: Change<string>
  /** Called in reverse feature order, because a feature builds on those before it. */
  deleted?: Change<string>
  /** The email address or password changed: invalidate what was sent to the old ones. */
  credentialsChanged?(trx: Transaction, userId: string): Promise<void>
  /** End all sessions and other ways in. */
  accessRevoked?(trx: Transaction, userId: string): Promise<unknown>
}

export type ProjectRow = typeof projects.$inferSelect

/** Named values of a project that its variables can refer to: `${{name.field}}`. */
export interface ValueSource {
  name: string
  fields: readonly string[]
  /** By field. Only in the worker. */
  read(deps: ValueDependencies): Promise<Readonly<Record<string, { value: string; sensitive: boolean }>>>
  /** What must not be shown in logs. Needs no program, so that masking never fails. */
  secrets(secretBox: Dependencies['secretBox']): { key: string; value: string }[]
}

export type ValueDependencies = Pick<Dependencies, 'databaseServers' | 'features' | 'secretBox'> &
  // Of the networks, whose gateways values name.
  Pick<Dependencies, 'config' | 'db' | 'instanceId' | 'logger' | 'network'> &
  OnMachine

/** Project lifecycle hooks. They run in the caller's transaction, which holds the project lock. */
export interface ProjectHooks {
  created?: Change<ProjectRow>
  renamed?: Change<ProjectRow>
  /**
   * A release goes live, in the transaction of the switch, which also holds the locks of the account and the resellers above
   * it; the row has it as `liveDeploymentId`, and `before` is the row as it was.
   */
  released?(deps: Dependencies, trx: Transaction, project: ProjectRow, before: ProjectRow): Promise<readonly Effect[] | void> // oxfmt-ignore
  /** The limits of its containers changed. */
  resized?: Change<ProjectRow>
  mountsChanged?: Change<ProjectRow>
  /** Called before the variables are read for a build or start. Must be idempotent. */
  starting?(deps: Dependencies, project: ProjectRow): Promise<void>
  /** What the variables of each project can refer to. Only reads rows; values are read when a variable refers to them. */
  values?(db: Queryable, projectIds: readonly string[]): Promise<ReadonlyMap<string, readonly ValueSource[]>>
  /** In reverse feature order. Returns the facts for `purge`, and metadata for the audit log. */
  deleted?(deps: Dependencies, trx: Transaction, project: ProjectRow): Promise<{ audit?: object } | object | void>
  /** Cleans up outside the database. Idempotent, retried; `facts` of `deleted` may come from an older version. */
  purge?(deps: Dependencies, projectId: string, facts: unknown): Promise<void>
  /** Projects that must not run at the moment, whatever their owners requested. */
  listHeld?(db: Queryable): Promise<string[]>
  /** Ids of what runs in containers of its own beside deployments, as in `label.deployment`; others are removed. */
  listRuns?(db: Queryable): Promise<string[]>
}

export type DomainRow = typeof domains.$inferSelect

/** Domain lifecycle hooks. Those with a transaction run while the caller holds the account lock. */
export interface DomainHooks {
  claimed?(deps: Dependencies, trx: Transaction, domain: DomainRow, challenge: ChallengeRecord): Promise<void>
  verified?(deps: Dependencies, trx: Transaction, domain: DomainRow): Promise<void>
  /** Called before the rows are deleted. Returns the facts for `applyRemoval`. */
  deleting?(deps: Dependencies, trx: Transaction, domains: readonly DomainRow[]): Promise<object | void>
  /** Cleans up outside the database. Must be idempotent. */
  applyRemoval?(deps: Dependencies, facts: unknown): Promise<void>
  /** The domain is now part of a zone that this server hosts. The caller holds the zone lock. */
  joinedZone?(deps: Pick<Dependencies, 'config' | 'now'>, trx: Transaction, domain: DomainRow): Promise<unknown>
  /** The domains are about to leave a zone that this server hosts. Throw to keep them in it. */
  leavingZone?(deps: Pick<Dependencies, 'now'>, trx: Transaction, domainIds: readonly string[]): Promise<void>
  /** Called after the commit that created the first mailbox. Must be idempotent; the mailbox stays when it rejects. */
  firstMailbox?(deps: Dependencies, domain: DomainRow): Promise<unknown>
  apply?(deps: Dependencies, domain: DomainRow): Promise<unknown>
}

export interface ChallengeRecord {
  type: 'TXT'
  name: string
  value: string
  ttl: number
}

export type DeploymentRow = typeof deployments.$inferSelect

interface DeploymentHooks {
  /** Projects that something else is changing: their queued deployments start when that has ended. */
  listPostponed?(db: Queryable): Promise<string[]>
  /** Its commit became known, or it ended. In the transaction of that change. */
  changed?(deps: Pick<Dependencies, 'jobs'>, trx: Transaction, deployment: DeploymentRow): Promise<void>
}

interface DatabaseHooks {
  deletionProblem?(trx: Transaction, databaseId: string): Promise<string | undefined>
}

/** Extra steps for a project type that is more than an image. */
export interface ProjectTypeHooks {
  isWithoutRepository: boolean
  /** Called before the project is built or started. */
  prepare(deps: Dependencies, project: ProjectRow, signal: AbortSignal): Promise<void>
  prepareFiles(
    deps: Dependencies,
    project: ProjectRow,
    facts: { env: Readonly<Record<string, string>>; root: string; volumes: readonly { target: string }[] }
  ): Promise<void>
}

interface CountedResource {
  noun: string
  count(db: Queryable, userIds: readonly string[]): Promise<ReadonlyMap<string, number>>
}

export interface MeasuredAccount {
  id: string
  uid: number
}

/** A directory of the server's disks, or what is known to be on the same disk without a walk. */
export interface DiskPlace {
  kind: ServerDiskKind
  path: string
  /** Walked if absent. */
  bytes?: number
  projectId?: string | undefined
}

export interface CleanupItem {
  name: string
  bytes: number
  /** Decides again whether it may go; resolves with false if it stays. */
  remove(): Promise<boolean>
}

/** Something that can be removed to free space. Lists only what is safe to remove now. */
export interface DiskCleanupSource {
  kind: DiskCleanupKind
  list(deps: Dependencies): Promise<readonly CleanupItem[]>
}

/** Temporary files in the staging area that a feature names. */
export interface StagingUse {
  /** Below the staging area; '' for the area itself. */
  folder: string
  prefix: string
  listKept?(db: Queryable): Promise<readonly string[]>
}

interface DiskUsageSource {
  kind: DiskUsageKind
  measure(deps: Dependencies, accounts: readonly MeasuredAccount[]): Promise<ReadonlyMap<string, number>>
  /** The part of `measure` that file system quotas count too: files of the account's uid in the engine's storage. */
  measureOwned?(deps: Dependencies, accounts: readonly MeasuredAccount[]): Promise<ReadonlyMap<string, number>>
  listNearLimit?(deps: Pick<Dependencies, 'config' | 'db'>, userId: string): Promise<readonly ContainerNearLimit[]>
  /** Stops what is growing for an account that is over its limit. */
  halt?(deps: Dependencies, userId: string): Promise<void>
}

/** A dependency that the panel needs in order to work; listed in /api/health. */
export interface HealthPart {
  name: string
  ping(deps: Dependencies): Promise<unknown>
  remedy: Sentence<RemedyCode>
}

type RequireOwner = (
  deps: Pick<Dependencies, 'db' | 'now'>,
  userId: string,
  ids: Readonly<Record<string, string>>
) => Promise<unknown>

/** Everything that the rest of the panel knows about a feature. The hubs read features/index.ts and name no feature. */
export interface Feature {
  name: string
  routes?: readonly ((app: App, deps: Dependencies) => void)[]
  /**
   * Ownership checks by route prefix. Each rejects with what all routes below it answer when the resource is not the
   * caller's. They run before validation (http/ownership.ts); the longest matching prefix applies.
   */
  owners?: Readonly<Record<`/${string}`, RequireOwner>>
  jobs?: Jobs
  /** Recurring jobs, enqueued once no matter how many processes run. */
  schedules?: readonly Schedule[] | ((config: Config) => readonly Schedule[])
  reconcile?: readonly ReconcileStep[]
  account?: AccountHooks
  project?: ProjectHooks
  domain?: DomainHooks
  database?: DatabaseHooks
  deployment?: DeploymentHooks
  projectTypes?: { readonly [Type in ProjectType]?: ProjectTypeHooks }
  quotas?: { readonly [Quota in CountedQuota]?: CountedResource }
  /** Memory and CPU that its containers count against maxMemoryMb and maxCpus. */
  capacity?(config: Config, db: Queryable, scope: CapacityScope): Promise<Capacity>
  diskUsage?: DiskUsageSource
  /** Where the feature keeps data on the server. */
  diskPlaces?(deps: Dependencies): readonly DiskPlace[] | Promise<readonly DiskPlace[]>
  diskCleanups?: readonly DiskCleanupSource[]
  staging?: readonly StagingUse[]
  attention?: readonly AttentionSource[]
  health?: readonly HealthPart[]
  metrics?: readonly (Metric | MetricSource)[]
  figures?: readonly FigureSource[]
  /** By name: clients send `subscribe:<name>` and `unsubscribe:<name>`. */
  live?: Readonly<Record<string, LiveSubscription>>
  /** Runs when a worker starts and no other is running: cleans up after killed processes. */
  recover?(deps: Dependencies): Promise<unknown>
}

export const schedulesOf = ({ schedules = [] }: Pick<Feature, 'schedules'>, config: Config): readonly Schedule[] =>
  typeof schedules === 'function' ? schedules(config) : schedules

/** Checks a module and keeps its literal type, which names its queues. */
export function feature<const F extends Feature>(definition: F): F {
  return definition
}
