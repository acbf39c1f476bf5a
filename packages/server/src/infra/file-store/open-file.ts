import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { openForReading } from './directory.ts'
import { notAFile, notFound } from './file-error.ts'
import type { OpenFile } from './file-store.ts'
import { foundFile } from './found-file.ts'
import { atResolvedPath, type ResolvedPath } from './resolve.ts'
import { namesOf } from './tree-path.ts'

const chunkBytes = 256 * 1024

export function openFile(root: FileHandle, path: string): Promise<OpenFile> {
  return atResolvedPath(root, namesOf(path), { followLast: true }, async (resolved) => {
    const handle = await openRegularFile(resolved)
    const file = foundFile(namesOf(path), resolved.entry!.stats)
    return {
      file,
      // Ignore data appended later: the size was already reported.
      stream: ({ start, end } = { start: 0, end: file.size - 1 }) =>
        end < start
          ? emptyStream(handle)
          : handle.createReadStream({ start, end, highWaterMark: chunkBytes, autoClose: true }),
      close: () => handle.close()
    }
  })
}

export async function openRegularFile(resolved: Pick<ResolvedPath, 'entry'>): Promise<FileHandle> {
  if (!resolved.entry) throw notFound()
  if (!resolved.entry.stats.isFile()) throw notAFile()
  return openForReading(resolved.entry)
}

export async function* readChunks(handle: FileHandle, position = 0, length = Infinity): AsyncGenerator<Buffer> {
  while (length > 0) {
    const buffer = Buffer.allocUnsafe(Math.min(length, chunkBytes))
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    position += bytesRead
    length -= bytesRead
  }
}

const emptyStream = (handle: FileHandle) =>
  new Readable({
    read() {
      this.push(null)
    },
    destroy(error, done) {
      handle.close().then(() => done(error), done)
    }
  })
