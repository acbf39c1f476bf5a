import type { FileHandle } from 'node:fs/promises'
import type { Unpacked } from './file-store.ts'
import { archiveInvalid, createUnpacker, type UnpackOptions } from './unpacker.ts'
import { unpackTar } from './unpack-tar.ts'
import { unpackZip } from './unpack-zip.ts'

/** Checks each entry before creating it. The caller removes what a rejected archive leaves. */
export async function unpackArchive(archive: FileHandle, options: UnpackOptions): Promise<Unpacked> {
  const { size } = await archive.stat()
  const unpacker = createUnpacker(options, size)
  const format = await formatOf(archive)
  if (format === 'zip') await unpackZip(archive, size, unpacker)
  else await unpackTar(archive, format === 'gzip', unpacker)
  return unpacker.unpacked
}

async function formatOf(archive: FileHandle): Promise<'zip' | 'gzip' | 'tar'> {
  const { buffer } = await archive.read(Buffer.alloc(512), 0, 512, 0)
  if (/^PK(\x03\x04|\x05\x06)/.test(buffer.toString('latin1', 0, 4))) return 'zip'
  if (buffer.readUInt16BE(0) === 0x1f8b) return 'gzip'
  if (buffer.toString('latin1', 257, 262) === 'ustar') return 'tar'
  throw archiveInvalid('it is not a zip, tar or tar.gz file')
}
