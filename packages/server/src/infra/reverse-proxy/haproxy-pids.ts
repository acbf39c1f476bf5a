import { readIfExists } from '../disk/read-if-exists.ts'
import { findProcesses } from '../process/find-processes.ts'

interface HaproxyProcesses {
  master: number | undefined
  /** Master and workers, including orphaned workers. */
  all: readonly number[]
}

/** None may be missed: a second HAProxy binds the same ports (SO_REUSEPORT) and serves outdated routes. */
export async function findHaproxy(configPath: string, pidPath: string): Promise<HaproxyProcesses> {
  const parents = await findProcesses('haproxy', configPath)
  const fromFile = Number((await readIfExists(pidPath)) ?? '')
  const master = parents.has(fromFile) ? fromFile : [...parents.values()].find((parent) => parents.has(parent))
  return { master, all: [...parents.keys()] }
}
