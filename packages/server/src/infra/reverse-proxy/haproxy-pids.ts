import { readIfExists } from '../disk/read-if-exists.ts'
import { findProcesses } from '../process/find-processes.ts'

interface HaproxyProcesses {
  /** The master process, which reloads and which the pid file names. */
  master: number | undefined
  /** The master and every worker, also one whose master is gone. */
  all: readonly number[]
}

/**
 * Finds the processes of the HAProxy that runs with this configuration file, a hung or orphaned one too. A second HAProxy on the same
 * ports would start without complaint (SO_REUSEPORT) and answer half of the requests from old routes, so none may be overlooked.
 */
export async function findHaproxy(configPath: string, pidPath: string): Promise<HaproxyProcesses> {
  const parents = await findProcesses('haproxy', configPath)
  const fromFile = Number((await readIfExists(pidPath)) ?? '')
  const master = parents.has(fromFile) ? fromFile : [...parents.values()].find((parent) => parents.has(parent))
  return { master, all: [...parents.keys()] }
}
