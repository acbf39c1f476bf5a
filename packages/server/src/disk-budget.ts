import type { Config } from './config.ts'
import type { Dependencies } from './dependencies.ts'
import { AppError } from './errors.ts'
import { writtenDirectories } from './paths.ts'

/** What something writes: rows of the store, or what may be of any size. */
export type Writes = 'rows' | 'files'

/** Free bytes below which nothing of that kind is written for an account. */
export function freeFloor(config: Pick<Config, 'MIN_FREE_DISK' | 'STORE_RESERVE'>, writes: Writes): number {
  // Above what the reserve gives back when it is released: that is the store's, for work that makes room.
  const rows = config.STORE_RESERVE + config.STORE_RESERVE / 4
  return writes === 'rows' ? rows : Math.max(rows, config.MIN_FREE_DISK)
}

/**
 * Bytes that may be written before a disk of the server would be too full: those of projects, of the panel and its store, of the database
 * servers. What is kept for root does not count as free, though we may write there. At most `limit`. Rejects with DISK_FULL.
 */
export async function diskBudget(
  { config, freeDiskBytes }: Pick<Dependencies, 'config' | 'freeDiskBytes'>,
  limit = Infinity,
  writes: Writes = 'files'
): Promise<number> {
  const free = await Promise.all(writtenDirectories(config).map((each) => freeDiskBytes(each)))
  const budget = Math.min(limit, ...free.map((bytes) => (bytes ?? Infinity) - freeFloor(config, writes)))
  if (budget <= 0)
    throw new AppError(
      'DISK_FULL',
      'There is not enough room on the disk of the server; an administrator must make some'
    )
  return budget
}
