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

/** The soft limit of open files in the text of /proc/self/limits, which a child inherits. */
export function parseOpenFilesLimit(limits: string): number {
  const soft = /^Max open files +([0-9]+|unlimited) /m.exec(limits)?.[1]
  return soft === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(soft ?? 1024)
}

/** HAProxy does not start when it would need more than the limit: two files per connection and some of its own. */
export const maxConnectionsFor = (openFilesLimit: number): number =>
  Math.max(1, Math.min(8_000, Math.floor(openFilesLimit / 2) - 100))
