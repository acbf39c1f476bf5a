import { supervise, type Supervisor, type SupervisorOptions } from '../process/supervisor.ts'
import { haproxyPaths } from './haproxy-paths.ts'
import { type HaproxyProcess, type HaproxyProcessOptions, startHaproxy } from './haproxy-process.ts'
import { readInfo } from './haproxy-socket.ts'

/** Watches a proxy that startHaproxy returned and starts it again whenever it is gone or hangs. onRestart: the caller syncs the routes. */
export function superviseHaproxy(
  started: HaproxyProcess,
  process: HaproxyProcessOptions,
  options: SupervisorOptions<HaproxyProcess> = {}
): Supervisor {
  const { adminSocket } = haproxyPaths(process.directory, process.runtimeDirectory)
  const isAnswering = () =>
    readInfo(adminSocket).then(
      () => true,
      () => false
    )
  return supervise(started, { isAnswering, start: () => startHaproxy(process) }, options)
}
