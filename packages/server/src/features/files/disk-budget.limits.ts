import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { workerVerb } from '../../worker-verb.ts'

type Deps = Pick<Dependencies, 'config' | 'freeDiskBytes'>

/**
 * Bytes that may be written before a disk of the server would be too full: that of the projects, where all is staged, or that of the
 * databases. At most `limit`. Rejects with DISK_FULL.
 */
export async function diskBudget(deps: Deps, limit = Infinity): Promise<number> {
  const free = await readFree(deps)
  const budget = Math.min(limit, ...free.map((bytes) => (bytes ?? Infinity) - deps.config.MIN_FREE_DISK))
  if (budget <= 0) throw new AppError('DISK_FULL', 'There is not enough room on the disk of the server')
  return budget
}

const readFree = workerVerb('files.freeBytes', [], ({ config, freeDiskBytes }: Deps) =>
  Promise.all([config.PROJECTS_DIR, config.DATA_DIR].map((each) => freeDiskBytes(each)))
)
