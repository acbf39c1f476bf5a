import { type BigIntStats, constants, type Stats } from 'node:fs'
import { type FileHandle, link, lstat, open } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { AdapterError } from '../adapter-error.ts'
import { copyDirectory } from './copy.ts'
import { createContentCopier } from './copy-content.ts'
import { type Entry, openForReading, withOwnDirectory } from './directory.ts'
import { errnoOf, undefinedIfMissing } from './file-error.ts'
import type { Captured, CaptureOptions } from './file-store.ts'
import { readChunks } from './open-file.ts'

/** See `FileStore.capture`. */
export async function capture(from: string, directory: string, options: CaptureOptions): Promise<Captured> {
  const captured: Captured = { files: 0, bytes: 0, newBytes: 0 }
  const { uid, like, maxBytes, maxFiles, signal } = options
  const copy = createContentCopier(uid)
  const copyContent = async (entry: Entry, path: string | Buffer, names: readonly Buffer[]) => {
    signal?.throwIfAborted()
    const { size } = entry.stats
    captured.files++
    captured.bytes += size
    if (captured.files > maxFiles)
      throw new AdapterError('too-large', 'The folder has too many files for a snapshot. Remove some of them.')
    if (like !== undefined && (await linkIfSame(entry, pathBelow(like, names), path))) return
    captured.newBytes += size
    if (captured.newBytes > maxBytes)
      throw new AdapterError('disk-full', 'A copy of the files does not fit into your disk limit. Delete files first.')
    await copy(entry, path, names)
  }
  await withOwnDirectory(from, (source) =>
    withOwnDirectory(dirname(directory), (parent) =>
      copyDirectory({ uid, isProtected: () => false, copyContent }, source, parent, basename(directory))
    )
  )
  return captured
}

const pathBelow = (directory: string, names: readonly Buffer[]): Buffer =>
  Buffer.concat([Buffer.from(directory), ...names.flatMap((name) => [Buffer.from('/'), name])])

const blockBytes = 512

/**
 * The content is compared, because a program may write a file in place and set back its time. Sparse files are copied: reading
 * their holes takes as long as their size says.
 */
async function linkIfSame({ handle, stats }: Entry, like: Buffer, path: string | Buffer): Promise<boolean> {
  const known = await lstatIfPossible(like)
  if (!known?.isFile() || known.size !== stats.size || (known.mode & 0o777) !== (stats.mode & 0o777)) return false
  if (stats.blocks * blockBytes < stats.size && stats.size > blockBytes * 8) return false
  const other = await undefinedIfMissing(open(like, constants.O_RDONLY | constants.O_NOFOLLOW))
  if (!other) return false
  const one = await openForReading({ handle, stats })
  try {
    if (!(await isSameContent(one, other, stats.size))) return false
  } finally {
    await Promise.all([one.close(), other.close()])
  }
  try {
    await link(like, path)
    return true
  } catch (error) {
    // As many links as the file system allows, or the earlier copy is being removed.
    if (['EMLINK', 'ENOENT'].includes(errnoOf(error) ?? '')) return false
    throw error
  }
}

async function lstatIfPossible(path: Buffer): Promise<Stats | undefined> {
  try {
    return await undefinedIfMissing(lstat(path))
  } catch (error) {
    if (['ENOTDIR', 'ENAMETOOLONG'].includes(errnoOf(error) ?? '')) return undefined
    throw error
  }
}

/** The file may change meanwhile: then it differs. */
async function isSameContent(one: FileHandle, other: FileHandle, size: number): Promise<boolean> {
  const before = await one.stat({ bigint: true })
  const chunks = readChunks(other, 0, size)
  for await (const chunk of readChunks(one, 0, size)) {
    const next = await chunks.next()
    if (next.done === true || !chunk.equals(next.value)) return false
  }
  return isUnchanged(before, await one.stat({ bigint: true }))
}

const isUnchanged = (before: BigIntStats, after: BigIntStats) =>
  before.size === after.size && before.mtimeNs === after.mtimeNs && before.ctimeNs === after.ctimeNs
