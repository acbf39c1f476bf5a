import { supervise, type Supervisor, type SupervisorOptions } from '../process/supervisor.ts'
import { isKnotAnswering, type KnotProcess, type KnotProcessOptions, startKnot } from './knot-process.ts'

/** Watches the name server and starts it again whenever it is gone or hangs; at once where startKnot has failed. */
export function superviseKnot(
  started: KnotProcess | undefined,
  process: KnotProcessOptions,
  options: SupervisorOptions<KnotProcess> = {}
): Supervisor {
  return supervise(started, { isAnswering: () => isKnotAnswering(process), start: () => startKnot(process) }, options)
}
