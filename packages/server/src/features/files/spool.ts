import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Config } from '../../config.ts'
import { AppError } from '../../errors.ts'
import { fileStoreStaging } from './project-directories.ts'

/** Keeps the source on disk, in a file without a name, so that nothing of it is left whatever happens; and reads it out to `use`. */
export async function withSpool<T>(
  config: Pick<Config, 'PROJECTS_DIR'>,
  source: Readable,
  use: (content: Readable) => Promise<T>
): Promise<T> {
  // The store sweeps it, should the process end before the name is gone.
  const directory = fileStoreStaging(config)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const path = join(directory, `spool-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  try {
    await unlink(path)
    await writeFile(file, source)
    return await use(Readable.from(chunksOf(file), { objectMode: false }))
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC')
      throw new AppError('DISK_FULL', 'The disk of the server is full', { cause })
    throw cause
  } finally {
    await file.close()
  }
}

const chunkBytes = 256 * 1024

async function* chunksOf(file: FileHandle): AsyncGenerator<Buffer> {
  for (let position = 0; ;) {
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.allocUnsafe(chunkBytes), position })
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    position += bytesRead
  }
}
