import type { Config } from '../config.ts'
import type { Dependencies } from '../dependencies.ts'
import { AppError } from '../errors.ts'
import { writtenDirectories } from './paths.ts'

/** `rows`: database rows, always small. `files`: anything of unbounded size. */
export type Writes = 'rows' | 'files'

export function freeFloor(
  config: Pick<Config, 'DATA_DIR' | 'MIN_FREE_DISK' | 'STORE_RESERVE'>,
  directory: string,
  writes: Writes
): number {
  // Rows are stored in DATA_DIR only, so another full disk must not block them.
  if (directory !== config.DATA_DIR) return writes === 'rows' ? -Infinity : config.MIN_FREE_DISK
  // More than the released reserve provides: that space lets the database delete data.
  const rows = config.STORE_RESERVE + config.STORE_RESERVE / 4
  return writes === 'rows' ? rows : Math.max(rows, config.MIN_FREE_DISK)
}

/** Bytes that may still be written, at most `limit`; the minimum over all disks. Throws DISK_FULL if there are none. */
export async function requireFreeDisk(
  { config, freeDiskBytes }: Pick<Dependencies, 'config' | 'freeDiskBytes'>,
  limit = Infinity,
  writes: Writes = 'files'
): Promise<number> {
  const left = async (directory: string) =>
    ((await freeDiskBytes(directory)) ?? Infinity) - freeFloor(config, directory, writes)
  const budget = Math.min(limit, ...(await Promise.all(writtenDirectories(config).map(left))))
  if (budget <= 0)
    throw new AppError('DISK_FULL', 'The disk of the server is full. Ask an administrator to free up space.')
  return budget
}
