import type { Stats } from 'node:fs'
import { type FileHandle, writeFile as writeTo } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { AdapterError } from '../adapter-error.ts'
import { alreadyExists, notAFile } from './file-error.ts'
import type { FileTree, FoundFile } from './file-store.ts'
import { foundFile } from './found-file.ts'
import { joinChunks } from './join-chunks.ts'
import { changed, replaceFile } from './replace-file.ts'
import { atResolvedPath, type ResolvedPath } from './resolve.ts'
import { putNewFile, withStagedFile } from './staging.ts'
import type { TreeContext } from './tree-context.ts'
import { assertNotProtected, changeable, namesOf } from './tree-path.ts'

const newFileMode = 0o644

/** A socket delivers at most 64 KiB, and each write costs a trip to the thread pool. */
const batchBytes = 512 * 1024

const flushBytes = 16 * 1024 * 1024

export function writeFile(
  { root, staging, uid, isProtected }: TreeContext,
  path: string,
  source: Parameters<FileTree['write']>[1],
  { mode, maxBytes = Infinity, ifMatch }: Parameters<FileTree['write']>[2]
): Promise<FoundFile> {
  const names = namesOf(path)
  return atResolvedPath(root, names, { followLast: mode === 'replace' }, async (resolved) => {
    assertNotProtected(isProtected, names, resolved)
    assertWritable(resolved, mode)
    if (ifMatch !== undefined && !resolved.entry) throw changed()
    const { directory, name } = changeable(resolved)
    let written: Stats | undefined
    const fill = async (handle: FileHandle) => {
      await writeTo(handle, flushedEarly(handle, joinChunks(limited(chunksOf(source), maxBytes), batchBytes)))
      written = await handle.stat()
    }
    const fileMode = resolved.entry?.stats.mode ?? newFileMode
    await withStagedFile(staging, { uid, mode: fileMode, fill }, (staged) =>
      mode === 'create' ? putNewFile(staged, directory, name) : replaceFile(staged, { directory, name }, ifMatch)
    )
    return { ...foundFile(names, written!), mode: fileMode & 0o777 }
  })
}

function assertWritable({ entry }: ResolvedPath, mode: 'create' | 'replace'): void {
  if (mode === 'create' && entry) throw alreadyExists()
  if (entry && !entry.stats.isFile()) throw notAFile()
}

/** Starts syncing early, so that little is left to wait for at the end. */
async function* flushedEarly(handle: FileHandle, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let flushed = Promise.resolve()
  let unflushed = 0
  try {
    for await (const chunk of chunks) {
      yield chunk
      unflushed += chunk.length
      if (unflushed < flushBytes) continue
      await flushed
      flushed = handle.datasync()
      // Errors surface where it is awaited.
      flushed.catch(() => undefined)
      unflushed = 0
    }
    await flushed
  } finally {
    await Promise.allSettled([flushed])
  }
}

const chunksOf = (source: Parameters<FileTree['write']>[1]): AsyncIterable<Buffer> =>
  source instanceof Readable ? source : Readable.from([typeof source === 'string' ? Buffer.from(source) : source])

async function* limited(source: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let total = 0
  for await (const chunk of source) {
    total += chunk.length
    if (total > maxBytes) throw new AdapterError('too-large', `The file exceeds ${maxBytes} bytes.`)
    yield chunk
  }
}
