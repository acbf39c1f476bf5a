import type { FileHandle } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract, type Extract, type Header } from 'tar-stream'
import { AdapterError } from '../adapter-error.ts'
import { errnoOf } from './file-error.ts'
import { readChunks } from './open-file.ts'
import { archiveInvalid, type Unpacker } from './unpacker.ts'

export async function unpackTar(archive: FileHandle, isGzip: boolean, unpacker: Unpacker): Promise<void> {
  const entries = extract()
  const reading = unpackEntries(entries, unpacker)
  const metered = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      unpacker.meter(chunk.length)
      yield chunk
    }
  }
  const feeding = isGzip
    ? pipeline(readChunks(archive), createGunzip({ chunkSize: 64 * 1024 }), metered, entries)
    : pipeline(readChunks(archive), metered, entries)
  const results = await Promise.allSettled([reading, feeding])
  // When one side fails, it ends the other with a less specific error.
  const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
  const ours = errors.find((error) => error instanceof AdapterError || errnoOf(error) !== undefined)
  if (ours) throw ours
  if (errors.length > 0) throw archiveInvalid('it is damaged, truncated or not a tar file', errors.at(-1))
}

async function unpackEntries(entries: Extract, unpacker: Unpacker): Promise<void> {
  for await (const entry of entries) {
    const { name, mode, mtime } = entry.header
    const kind = kindOf(entry.header)
    if (!kind) throw archiveInvalid(`${name} is a link, device or other unsupported entry`)
    if (kind === 'file')
      await unpacker.file(name, { isExecutable: (mode & 0o100) !== 0, mtime }, entry as AsyncIterable<Buffer>)
    if (kind === 'directory') await unpacker.directory(name)
    entry.resume()
  }
}

/** tar-stream has already applied names from pax and GNU headers. */
function kindOf({ type, pax }: Header): 'file' | 'directory' | undefined {
  if (type === 'directory') return 'directory'
  // Content and name of a sparse file differ from its header.
  if (Object.keys(pax ?? {}).some((key) => key.startsWith('GNU.sparse.'))) return undefined
  return type === 'file' || type === 'contiguous-file' ? 'file' : undefined
}
