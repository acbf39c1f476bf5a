import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl'
import { AdapterError } from '../adapter-error.ts'
import { errnoOf } from './file-error.ts'
import { archiveInvalid, type Unpacker } from './unpacker.ts'

export async function unpackZip(archive: FileHandle, packedBytes: number, unpacker: Unpacker): Promise<void> {
  try {
    // autoClose off: the caller owns and closes the handle.
    const zip = await fromFdPromise(archive.fd, { autoClose: false, strictFileNames: true })
    let compressedBytes = 0
    for await (const entry of zip.eachEntry()) {
      assertPlain(entry)
      compressedBytes += entry.compressedSize
      // No two entries share bytes: rejects zip bombs with overlapping entries.
      if (compressedBytes > packedBytes) throw archiveInvalid('its entries overlap')
      await unpackEntry(zip, entry, unpacker)
    }
  } catch (error) {
    if (error instanceof AdapterError || errnoOf(error) !== undefined) throw error
    throw archiveInvalid('it is damaged or not a zip file', error)
  }
}

async function unpackEntry(zip: ZipFile, entry: Entry, unpacker: Unpacker): Promise<void> {
  const name = entry.fileName
  if (name.endsWith('/')) return unpacker.directory(name)
  const about = { isExecutable: (unixMode(entry) & 0o100) !== 0, mtime: entry.getLastModDate() }
  await unpacker.file(name, about, contentOf(zip, entry, unpacker))
}

async function* contentOf(zip: ZipFile, entry: Entry, unpacker: Unpacker): AsyncGenerator<Buffer> {
  // Opened lazily: a damaged stream errors immediately, and an unhandled stream error would end the process.
  const content = await zip.openReadStreamPromise(entry)
  let bytes = 0
  let checksum = 0
  for await (const chunk of content as AsyncIterable<Buffer>) {
    bytes += chunk.length
    checksum = crc32(chunk, checksum)
    unpacker.meter(chunk.length)
    yield chunk
  }
  if (bytes !== entry.uncompressedSize || checksum !== entry.crc32) throw archiveInvalid(`${entry.fileName} is damaged`)
}

function assertPlain(entry: Entry): void {
  if (entry.isEncrypted()) throw archiveInvalid('it is encrypted')
  if (!entry.canDecodeFileData()) throw archiveInvalid(`${entry.fileName} uses an unsupported compression method`)
  const type = unixMode(entry) & fileType.mask
  if (type === 0 || type === fileType.regular || type === fileType.directory) return
  throw archiveInvalid(`${entry.fileName} is a link, device or other unsupported entry`)
}

/** S_IFMT and its values, see inode(7). */
const fileType = { mask: 0o170000, regular: 0o100000, directory: 0o040000 }

/** Unix mode, see APPNOTE 4.4.2 and 4.4.15; 0 if the archive was not created on Unix. */
const unixMode = (entry: Entry) => (entry.versionMadeBy >>> 8 === 3 ? entry.externalFileAttributes >>> 16 : 0)
