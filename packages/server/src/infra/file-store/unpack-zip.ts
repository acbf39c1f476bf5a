import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl'
import { AdapterError } from '../adapter-error.ts'
import { errnoOf } from './file-error.ts'
import { archiveInvalid, type Unpacker } from './unpacker.ts'

export async function unpackZip(archive: FileHandle, packedBytes: number, unpacker: Unpacker): Promise<void> {
  try {
    // Never closed: it would close the number of the handle, which is its owner's to close.
    const zip = await fromFdPromise(archive.fd, { autoClose: false, strictFileNames: true })
    let compressedBytes = 0
    for await (const entry of zip.eachEntry()) {
      assertPlain(entry)
      compressedBytes += entry.compressedSize
      // Each byte of the archive belongs to one entry: a bomb of overlapping ones is larger than its file.
      if (compressedBytes > packedBytes) throw archiveInvalid('its entries overlap')
      await unpackEntry(zip, entry, unpacker)
    }
  } catch (error) {
    if (error instanceof AdapterError || errnoOf(error) !== undefined) throw error
    throw archiveInvalid('it is damaged or not a zip', error)
  }
}

async function unpackEntry(zip: ZipFile, entry: Entry, unpacker: Unpacker): Promise<void> {
  const name = entry.fileName
  if (name.endsWith('/')) return unpacker.directory(name)
  const about = { isExecutable: (unixMode(entry) & 0o100) !== 0, mtime: entry.getLastModDate() }
  await unpacker.file(name, about, contentOf(zip, entry, unpacker))
}

/** With the size and the checksum that the directory of the archive tells. */
async function* contentOf(zip: ZipFile, entry: Entry, unpacker: Unpacker): AsyncGenerator<Buffer> {
  // Opened when it is read: a damaged stream errs at once, and an error that nobody listens to would end the process.
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
  if (!entry.canDecodeFileData()) throw archiveInvalid(`${entry.fileName} is compressed in a way that is not supported`)
  const type = unixMode(entry) & fileType.mask
  if (type === 0 || type === fileType.regular || type === fileType.directory) return
  throw archiveInvalid(`${entry.fileName} is a link, a device or another thing that is not unpacked`)
}

/** S_IFMT and its values: inode(7). */
const fileType = { mask: 0o170000, regular: 0o100000, directory: 0o040000 }

/** Of an archive made on a Unix: APPNOTE 4.4.2 and 4.4.15. 0 where it was not. */
const unixMode = (entry: Entry) => (entry.versionMadeBy >>> 8 === 3 ? entry.externalFileAttributes >>> 16 : 0)
