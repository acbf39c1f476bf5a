import type { Feature } from './feature.ts'
import type { QueueName } from '../worker/jobs.ts'

type HandledBy<Module> = Module extends { jobs: infer Handlers } ? keyof Handlers : never
type AllQueues<Handled> = [Handled, QueueName] extends [QueueName, Handled]
  ? QueueName
  : { declaredOrHandledAlone: Exclude<QueueName, Handled> | Exclude<Handled, QueueName> }

/** The queues that the modules handle. A type error if they differ from the declared queues. */
export const queuesOf = <Module extends Feature>(modules: readonly Module[]): AllQueues<HandledBy<Module>>[] =>
  modules.flatMap(({ jobs = {} }) => Object.keys(jobs) as AllQueues<HandledBy<Module>>[])
