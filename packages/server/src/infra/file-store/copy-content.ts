import { constants } from 'node:fs'
import { copyFile, type FileHandle, open } from 'node:fs/promises'
import { AdapterError } from '../adapter-error.ts'
import { type Entry, openForReading, self } from './directory.ts'
import { errnoOf } from './file-error.ts'
import { readChunks } from './open-file.ts'
import { giveFile } from './staging.ts'

const zeros = Buffer.alloc(256 * 1024)

/** Limit per copy: holes use no quota, but the panel must read them as zeros. */
const maxHoleBytes = 16 * 1024 ** 3

/** `names` is where the file is below the directory that is copied. */
export type CopyContent = (entry: Entry, path: string | Buffer, names: readonly Buffer[]) => Promise<void>

/**
 * One per copy. Files share their blocks where the file system can do that (reflinks of XFS and Btrfs), and are written otherwise,
 * zeros as holes, as with cp, so that sparse files stay sparse.
 */
export function createContentCopier(uid: number): CopyContent {
  let holeBytes = 0
  let canClone = true
  return async (entry, path) => {
    if (canClone) {
      if (await cloneContent(entry, path, uid)) return
      canClone = false
    }
    holeBytes += Math.max(0, entry.stats.size - entry.stats.blocks * blockBytes)
    if (holeBytes > maxHoleBytes)
      throw new AdapterError('too-large', 'The sparse files to copy contain more than 16 GiB of holes. Leave them out.')
    await copyContent(entry, path, uid)
  }
}

const blockBytes = 512

/** False if the file system shares no blocks. */
async function cloneContent(entry: Entry, path: string | Buffer, uid: number): Promise<boolean> {
  const { COPYFILE_EXCL, COPYFILE_FICLONE_FORCE, O_NOFOLLOW, O_RDONLY } = constants
  try {
    // In a directory that only the panel can access, until the copy has its owner and mode.
    await copyFile(self(entry.handle), path, COPYFILE_EXCL | COPYFILE_FICLONE_FORCE)
  } catch (error) {
    if (['ENOTSUP', 'EXDEV', 'ENOTTY', 'EINVAL', 'ENOSYS'].includes(errnoOf(error) ?? '')) return false
    throw error
  }
  const target = await open(path, O_RDONLY | O_NOFOLLOW)
  try {
    await giveFile(target, uid, entry.stats.mode)
  } finally {
    await target.close()
  }
  return true
}

async function copyContent(entry: Entry, path: string | Buffer, uid: number): Promise<void> {
  const source = await openForReading(entry)
  try {
    const target = await open(path, 'wx', 0o600)
    try {
      let position = 0
      for await (const chunk of readChunks(source, 0, entry.stats.size)) {
        if (!isZeros(chunk)) await writeAll(target, chunk, position)
        position += chunk.length
      }
      await target.truncate(position)
      await giveFile(target, uid, entry.stats.mode)
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

async function writeAll(target: FileHandle, chunk: Buffer, position: number): Promise<void> {
  let written = 0
  while (written < chunk.length) {
    const { bytesWritten } = await target.write(chunk, written, chunk.length - written, position + written)
    written += bytesWritten
  }
}

const isZeros = (chunk: Buffer) => chunk.equals(zeros.subarray(0, chunk.length))
