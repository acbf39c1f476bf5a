import type { Queryable } from '../../db/database.ts'
import { AppError } from '../../errors.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import { addVolumeUse, findFilesRoot, type FilesRoot } from './files-root.repository.ts'

const mebibyte = 2 ** 20

/**
 * Runs a write of at most `maxBytes`, which is undefined for the files of a project: only volumes have a size of their
 * own. Counts what was written until the next measurement. Rejects with QUOTA_EXCEEDED if it does not fit.
 */
export async function withinVolume<Written>(
  { db }: { db: Queryable },
  id: string,
  write: (maxBytes: number | undefined) => Promise<Written>,
  bytesOf: (written: Written) => number
): Promise<Written> {
  const volume = (await findFilesRoot(db, id))?.volume
  if (!volume) return write(undefined)
  const room = volume.sizeMb * mebibyte - volume.usedBytes
  if (room <= 0) throw volumeFull(volume)
  const written = await write(room).catch((error: unknown) => {
    throw error instanceof AdapterError && error.kind === 'too-large' ? volumeFull(volume) : error
  })
  await addVolumeUse(db, id, bytesOf(written))
  return written
}

const volumeFull = ({ name, sizeMb, usedBytes }: NonNullable<FilesRoot['volume']>): AppError =>
  new AppError(
    'QUOTA_EXCEEDED',
    `This does not fit into the volume ${name}: ${Math.round(usedBytes / mebibyte)} of its ${sizeMb} MiB are used. ` +
      'Delete files, or give the volume a larger size.'
  )
