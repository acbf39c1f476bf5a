import type { App } from '../app.ts'
import type { Config } from '../config.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Schedule } from '../infra/job-queue/job-queue.ts'
import type { WorkerLease } from '../infra/worker-lease/worker-lease.ts'
import type { QueueName, Queues } from '../jobs.ts'

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

export type Jobs = { readonly [Queue in QueueName]?: Job<Queues[Queue]> }

/** What makes a step due besides a full round, which runs them all every few minutes for what nobody tells of. */
export interface ReconcileTriggers {
  /** Whoever writes to one of these tables of the store. */
  tables?: readonly string[]
  /** A container of ours starts, ends or goes. */
  containers?: true
  /** Every few seconds, for what time or the end of another worker makes due: it costs next to nothing when that is nothing. */
  always?: true
}

/** Brings something outside to what the store says. Its work may be done already. */
export interface ReconcileStep {
  name: string
  on: ReconcileTriggers
  /** Before all others, which see what it has changed. The others do not wait for each other. */
  isFirst?: true
  /** One that fails, or resolves with 'again', is in the next round too. */
  run(deps: Dependencies, worker: WorkerContext): Promise<unknown>
}

/** All that the rest of the panel knows of a feature. The hubs go through features/index.ts and know none by name. */
export interface Feature {
  name: string
  routes?: readonly ((app: App, deps: Dependencies) => void)[]
  jobs?: Jobs
  /** Work that comes round by itself, held once however many processes run. */
  schedules?: readonly Schedule[] | ((config: Config) => readonly Schedule[])
  reconcile?: readonly ReconcileStep[]
  /** When a worker starts and no other is there: what processes that were killed have left. */
  recover?(deps: Dependencies): Promise<unknown>
}

export const schedulesOf = ({ schedules = [] }: Pick<Feature, 'schedules'>, config: Config): readonly Schedule[] =>
  typeof schedules === 'function' ? schedules(config) : schedules

/** Checks a module and keeps its own type, which names its queues. */
export function feature<const F extends Feature>(definition: F): F {
  return definition
}
