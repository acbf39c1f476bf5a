import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'

/**
 * Bytes that may be written before a disk of the server would be too full: that of the projects, where all is staged, or that of the
 * databases. At most `limit`. Rejects with DISK_FULL.
 */
export async function diskBudget(
  { config, freeDiskBytes }: Pick<Dependencies, 'config' | 'freeDiskBytes'>,
  limit = Infinity
): Promise<number> {
  const free = await Promise.all([config.PROJECTS_DIR, config.DATA_DIR].map((each) => freeDiskBytes(each)))
  const budget = Math.min(limit, ...free.map((bytes) => (bytes ?? Infinity) - config.MIN_FREE_DISK))
  if (budget <= 0) throw new AppError('DISK_FULL', 'There is not enough room on the disk of the server')
  return budget
}
