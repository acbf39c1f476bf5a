import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack, type Pack } from 'tar-stream'
import { CommandError } from './context.ts'

/** A gzipped tar of these files, read one after the other. `onFile` is called after each. */
export function packFolder(folder: string, paths: readonly string[], onFile: (count: number) => void): Readable {
  const archive = pack()
  const gzip = createGzip()
  const write = async () => {
    for (const [at, path] of paths.entries()) {
      await addFile(archive, folder, path)
      onFile(at + 1)
    }
    archive.finalize()
  }
  write().catch((error: Error) => archive.destroy(error))
  // Its failure destroys `gzip`, whose reader gets it.
  pipeline(archive, gzip).catch(() => {})
  return gzip
}

async function addFile(archive: Pack, folder: string, path: string): Promise<void> {
  const from = join(folder, path)
  if ((await lstat(from)).isSymbolicLink()) {
    archive.entry({ name: path, type: 'symlink', linkname: await readlink(from) })
    return
  }
  // A link may have taken its place.
  const file = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const { mode, mtime, size } = await file.stat()
    await new Promise<void>((resolve, reject) => {
      const entry = archive.entry({ name: path, mode: mode & 0o777, mtime, size }, (error) =>
        error ? reject(error) : resolve()
      )
      pipeline(size === 0 ? [] : exactly(file, size, path), entry).catch(reject)
    })
  } finally {
    await file.close()
  }
}

async function* exactly(file: FileHandle, size: number, path: string): AsyncGenerator<Buffer> {
  for (let position = 0; position < size;) {
    const length = Math.min(64 * 1024, size - position)
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.allocUnsafe(length), position })
    if (bytesRead === 0) throw new CommandError(`${path} became shorter while it was read. Try again`)
    yield buffer.subarray(0, bytesRead)
    position += bytesRead
  }
}
