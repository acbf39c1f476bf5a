import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { requireFreeDisk } from '../../process/free-disk-space.ts'

/** Rejects before anything is written with DISK_FULL if a restore could fill a disk. */
export async function requireRestoreRoom(
  deps: Pick<Dependencies, 'config' | 'freeDiskBytes'>,
  neededBytes: number
): Promise<void> {
  const freeBytes = await requireFreeDisk(deps)
  if (freeBytes >= neededBytes) return
  const [needed, free] = [neededBytes, freeBytes].map((bytes) => Math.ceil(bytes / 2 ** 20))
  throw new AppError(
    'DISK_FULL',
    `The restore needs ${needed} MiB of free disk space, and ${free} MiB are free. Nothing was restored.`
  )
}

/** A database is on disk as its dump and as what is loaded from it, with its indexes. */
export const databaseBytes = ({ bytes }: { bytes: number }): number => 3 * bytes
