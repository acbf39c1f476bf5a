import type { Config } from '../config.ts'
import type { Dependencies } from '../dependencies.ts'
import { AppError } from '../errors.ts'
import { writtenDirectories } from './paths.ts'

/** What something writes: rows of the store, or what may be of any size. */
export type Writes = 'rows' | 'files'

/** Free bytes on the disk of one of these directories below which nothing of that kind is written for an account. */
export function freeFloor(
  config: Pick<Config, 'DATA_DIR' | 'MIN_FREE_DISK' | 'STORE_RESERVE'>,
  directory: string,
  writes: Writes
): number {
  // The store's rows lie in DATA_DIR alone: another disk that is full keeps nobody from them.
  if (directory !== config.DATA_DIR) return writes === 'rows' ? -Infinity : config.MIN_FREE_DISK
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
  const left = async (directory: string) =>
    ((await freeDiskBytes(directory)) ?? Infinity) - freeFloor(config, directory, writes)
  const budget = Math.min(limit, ...(await Promise.all(writtenDirectories(config).map(left))))
  if (budget <= 0)
    throw new AppError(
      'DISK_FULL',
      'There is not enough room on the disk of the server; an administrator must make some'
    )
  return budget
}
