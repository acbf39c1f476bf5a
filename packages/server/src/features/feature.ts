import type { SharedQuota } from '@panel/contract/accounts'
import type { ContainerNearLimit, DiskUsageKind } from '@panel/contract/disk-usage'
import type { ProjectType } from '@panel/contract/projects'
import type { RemedyCode } from '@panel/contract/remedy-texts'
import type { Sentence } from '@panel/contract/sentences'
import type { App } from '../app.ts'
import type { Config } from '../config.ts'
import type { Queryable, Transaction } from '../db/database.ts'
import type { domains } from '../db/schema/domains.ts'
import type { projects } from '../db/schema/projects.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Schedule } from '../infra/job-queue/job-queue.ts'
import type { WorkerLease } from '../infra/worker-lease/worker-lease.ts'
import type { QueueName, Queues } from '../worker/jobs.ts'
import type { AttentionSource } from './attention.ts'
import type { LiveSubscription } from './live-subscription.ts'
import type { FigureSource, Metric, MetricSource } from './metric-source.ts'

/** What the worker gives its jobs and reconcile steps. It holds for one lease. */
export interface WorkerContext {
  lease: Pick<WorkerLease, 'workerId' | 'findDead'>
  /** Fires when the worker stops or has lost its lease: all work in hand ends. */
  signal: AbortSignal
  /** Fires when the worker stops. */
  stopped: AbortSignal
  /** Something of this lease, made when it is first asked for and closed when the worker stops. */
  resource<T extends WorkerResource>(open: (deps: Dependencies, workerId: number) => T): T
}

export interface WorkerResource {
  close(): Promise<void>
}

/** The handler of a queue. It may run more than once for one job, so it is idempotent. */
export interface Job<Data> {
  /** Jobs at once in one process. */
  concurrency: number | ((config: Config) => number)
  timeoutSeconds: number
  retries: number
  /** Checks what was queued, perhaps by an older version; left out where a job is only a wake-up. */
  data?: { parse(data: unknown): Data }
  run(deps: Dependencies, data: Data, worker: WorkerContext): Promise<unknown>
}

type Jobs = { readonly [Queue in QueueName]?: Job<Queues[Queue]> }

/** What makes a step due besides a full round, which runs them all every few minutes for what nobody tells of. */
interface ReconcileTriggers {
  /** Whoever writes to one of these tables of the store: within ten seconds or so, as the store counts it. */
  tables?: readonly string[]
  /** A container of ours starts, ends or goes. */
  containers?: true
  /**
   * Whoever commits anything, at once. For what time or the end of another worker makes due: as long as there is something that may
   * become so, the step resolves with 'again'; there is nothing new of that kind without a commit.
   */
  commits?: true
}

/** Brings something outside to what the store says. Its work may be done already. */
export interface ReconcileStep {
  name: string
  on: ReconcileTriggers
  /** Before all others, which see what it has changed. The others do not wait for each other. */
  isFirst?: true
  /** One that resolves with 'again' is in the next round too; one that fails is tried again after more and more rounds. */
  run(deps: Dependencies, worker: WorkerContext): Promise<unknown>
}

/** Work on the outside, for after the commit. It may find its work done, and where it is lost reconcile does it. */
export type Effect = () => Promise<unknown>

type Change<Subject> = (deps: Dependencies, trx: Transaction, subject: Subject) => Promise<readonly Effect[] | void>

/** What happens to an account, in the transaction that does it: what is thrown takes all of it back. */
export interface AccountHooks {
  /** What it has here: in words where it must go first or with it, and for the audit of its deletion. */
  holdings?(trx: Transaction, userId: string): Promise<{ inWords?: string; audit?: object }>
  suspended?: Change<string>
  resumed?: Change<string>
  /** Asked from the last feature to the first, since a feature builds on those before it. */
  deleted?: Change<string>
  /** Address or password are others: what was sent to the old ones is void. */
  credentialsChanged?(trx: Transaction, userId: string): Promise<void>
  /** Every way in ends. */
  accessRevoked?(trx: Transaction, userId: string): Promise<unknown>
}

export type ProjectRow = typeof projects.$inferSelect

/** What happens to a project, in the transaction that does it. The caller holds its lock. */
export interface ProjectHooks {
  created?: Change<ProjectRow>
  renamed?: Change<ProjectRow>
  /** Before its variables are read to build or start it. It may find its work done. */
  starting?(deps: Dependencies, project: ProjectRow): Promise<void>
  /** Asked from the last feature to the first. Resolves with what `purge` has to know when the rows are gone, and with what the audit log is told. */
  deleted?(deps: Dependencies, trx: Transaction, project: ProjectRow): Promise<{ audit?: object } | object | void>
  /**
   * Removes what a deleted project leaves outside the store, and its secrets inside. It may find its work done; where it rejects, all
   * is tried again. `facts` are those of `deleted`, perhaps of an older version.
   */
  purge?(deps: Dependencies, projectId: string, facts: unknown): Promise<void>
  /** Projects that must not run just now, whatever their owners want. */
  listHeld?(db: Queryable): Promise<string[]>
}

export type DomainRow = typeof domains.$inferSelect

/** What happens to domains. Where there is a transaction, the caller holds the lock of their account. */
export interface DomainHooks {
  /** Added, to be proved by a TXT record. */
  claimed?(deps: Dependencies, trx: Transaction, domain: DomainRow, challenge: ChallengeRecord): Promise<void>
  /** Its name is the account's from now on. */
  verified?(deps: Dependencies, trx: Transaction, domain: DomainRow): Promise<void>
  /** The rows are about to go, and with them all that hangs on them. Resolves with what `applyRemoval` has to know then. */
  deleting?(deps: Dependencies, trx: Transaction, domains: readonly DomainRow[]): Promise<object | void>
  /** Brings the outside to what the store says after a removal. It may find its work done. */
  applyRemoval?(deps: Dependencies, facts: unknown): Promise<void>
  /** It stands in a zone that is served here, and did not before; the caller holds the lock of the zone. */
  joinedZone?(deps: Pick<Dependencies, 'config' | 'now'>, trx: Transaction, domain: DomainRow): Promise<unknown>
  /** They are about to leave the zone that is served for them here: what is thrown keeps them in it. */
  leavingZone?(deps: Pick<Dependencies, 'now'>, trx: Transaction, domainIds: readonly string[]): Promise<void>
  /** Its first mailbox has come, after the commit. Where it rejects, the mailbox stays all the same. It may find its work done. */
  firstMailbox?(deps: Dependencies, domain: DomainRow): Promise<unknown>
  /** Brings the outside to what the store says of a verified domain, after the commit. */
  apply?(deps: Dependencies, domain: DomainRow): Promise<unknown>
}

export interface ChallengeRecord {
  type: 'TXT'
  name: string
  value: string
  ttl: number
}

/** What happens to a database, in the transaction that does it. */
interface DatabaseHooks {
  /** Why it cannot be deleted just now. */
  deletionProblem?(trx: Transaction, databaseId: string): Promise<string | undefined>
}

/** What a type of project needs besides an image. */
export interface ProjectTypeHooks {
  /** It comes with its own source. */
  isWithoutRepository: boolean
  /** Before it is built or started. */
  prepare(deps: Dependencies, project: ProjectRow): Promise<void>
  /** In the project's directory, before its container is made. */
  prepareFiles(
    deps: Dependencies,
    project: ProjectRow,
    facts: { env: Readonly<Record<string, string>>; root: string; volumes: readonly { target: string }[] }
  ): Promise<void>
}

/** What is counted against a quota. */
interface CountedResource {
  noun: string
  /** How many of it each of these accounts has; those that are left out have none. */
  count(db: Queryable, userIds: readonly string[]): Promise<ReadonlyMap<string, number>>
}

export interface MeasuredAccount {
  id: string
  uid: number
}

/** What a feature keeps of accounts on the disk. */
interface DiskUsageKindOf {
  kind: DiskUsageKind
  /** Bytes of each of these accounts; those that are left out have none. */
  measure(deps: Dependencies, accounts: readonly MeasuredAccount[]): Promise<ReadonlyMap<string, number>>
  /** Bytes of that which belong to the account's uid and lie in the engine's storage: where that has quotas, these count them too. */
  measureOwned?(deps: Dependencies, accounts: readonly MeasuredAccount[]): Promise<ReadonlyMap<string, number>>
  /** Containers whose owner was told that they come near a limit of their own. */
  listNearLimit?(deps: Pick<Dependencies, 'config' | 'db'>, userId: string): Promise<readonly ContainerNearLimit[]>
  /** Of an account that has no room left and goes on growing: stops what grows. */
  halt?(deps: Dependencies, userId: string): Promise<void>
}

/** Something real that the panel needs to answer: shown by /api/health. */
export interface HealthPart {
  name: string
  ping(deps: Dependencies): Promise<unknown>
  /** What to do where it does not answer. */
  remedy: Sentence<RemedyCode>
}

type RequireOwner = (
  deps: Pick<Dependencies, 'db' | 'now'>,
  userId: string,
  ids: Readonly<Record<string, string>>
) => Promise<unknown>

/** All that the rest of the panel knows of a feature. The hubs go through features/index.ts and know none by name. */
export interface Feature {
  name: string
  routes?: readonly ((app: App, deps: Dependencies) => void)[]
  /**
   * By the address of a resource: rejects where it is not the caller's, with what all routes below answer then. Asked before anything of a
   * request is judged by its form (http/ownership.ts); the longest address counts.
   */
  owners?: Readonly<Record<`/${string}`, RequireOwner>>
  jobs?: Jobs
  /** Work that comes round by itself, held once however many processes run. */
  schedules?: readonly Schedule[] | ((config: Config) => readonly Schedule[])
  reconcile?: readonly ReconcileStep[]
  account?: AccountHooks
  project?: ProjectHooks
  domain?: DomainHooks
  database?: DatabaseHooks
  projectTypes?: { readonly [Type in ProjectType]?: ProjectTypeHooks }
  /** By the limit that counts them. */
  quotas?: { readonly [Quota in SharedQuota]?: CountedResource }
  diskUsage?: DiskUsageKindOf
  /** What somebody has to look at, for the overview. */
  attention?: readonly AttentionSource[]
  health?: readonly HealthPart[]
  metrics?: readonly (Metric | MetricSource)[]
  figures?: readonly FigureSource[]
  /** By name: clients say `subscribe:<name>` and `unsubscribe:<name>`. */
  live?: Readonly<Record<string, LiveSubscription>>
  /** When a worker starts and no other is there: what processes that were killed have left. */
  recover?(deps: Dependencies): Promise<unknown>
}

export const schedulesOf = ({ schedules = [] }: Pick<Feature, 'schedules'>, config: Config): readonly Schedule[] =>
  typeof schedules === 'function' ? schedules(config) : schedules

type HandledBy<Module> = Module extends { jobs: infer Handlers } ? keyof Handlers : never
type AllQueues<Handled> = [Handled, QueueName] extends [QueueName, Handled]
  ? QueueName
  : { declaredOrHandledAlone: Exclude<QueueName, Handled> | Exclude<Handled, QueueName> }

/** The queues that the modules handle. Where these are not exactly those that are declared, it is no list of queues, by its type. */
export const queuesOf = <Module extends Feature>(modules: readonly Module[]): AllQueues<HandledBy<Module>>[] =>
  modules.flatMap(({ jobs = {} }) => Object.keys(jobs) as AllQueues<HandledBy<Module>>[])

/** Checks a module and keeps its own type, which names its queues. */
export function feature<const F extends Feature>(definition: F): F {
  return definition
}
