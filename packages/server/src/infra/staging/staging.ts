import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import {
  chmod,
  chown,
  copyFile,
  cp,
  lchown,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
  unlink,
  writeFile
} from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AdapterError } from '../adapter-error.ts'
import { exists } from '../disk/exists.ts'
import { readIfExists } from '../disk/read-if-exists.ts'

export async function makeStagingDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
}

export const removeStaged = (path: string): Promise<void> => rm(path, { recursive: true, force: true })

export const moveStaged = (from: string, to: string): Promise<void> => rename(from, to)

export const isStaged = exists

export const stagedSize = async (path: string): Promise<number> => (await stat(path)).size

export const readStaged = (path: string): Readable => createReadStream(path)

export const writeStaged = (path: string): Writable => createWriteStream(path, { flags: 'wx', mode: 0o600 })

export const readStagedText = readIfExists

/** Overwrites; readable by the panel only. */
export const writeStagedText = (path: string, text: string): Promise<void> => writeFile(path, text, { mode: 0o600 })

export async function readStagedHead(path: string, bytes: number): Promise<string> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}

export const listStaged = (directory: string): Promise<string[]> => readdir(directory)

export async function listStagedFiles(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
}

/** Copies the files directly in a directory whose name `isWanted` accepts. */
export async function copyStaged(from: string, to: string, isWanted: (name: string) => boolean): Promise<void> {
  await makeStagingDirectory(to)
  for (const entry of await readdir(from, { withFileTypes: true }))
    if (entry.isFile() && isWanted(entry.name)) await cp(join(from, entry.name), join(to, entry.name))
}

/**
 * A tree with the same directories and files, which are hard links where the file system allows it. Symbolic links are left
 * out. False, and nothing is left of it, if the tree was removed meanwhile.
 */
export async function linkStagedTree(from: string, to: string): Promise<boolean> {
  try {
    const entries = await readdir(from, { recursive: true, withFileTypes: true })
    await makeStagingDirectory(to)
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name)
      const target = join(to, relative(from, path))
      if (entry.isDirectory()) await makeStagingDirectory(target)
      else if (entry.isFile()) await linkOrCopy(path, target)
    }
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    await removeStaged(to)
    return false
  }
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (!['EXDEV', 'EMLINK', 'EPERM'].includes(error.code ?? '')) throw error
    await copyFile(from, to)
  })
}

/** SHA-256 in hex of each regular file, by its path below the directory. */
export async function checksumsBelow(directory: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const path of await listStagedFiles(directory)) {
    const hash = createHash('sha256')
    await pipeline(createReadStream(join(directory, path)), hash)
    found.set(path, hash.digest('hex'))
  }
  return found
}

/** Adds a file to a staged directory and gives both to their future owner. */
export async function finishStagedDirectory(
  directory: string,
  file: { name: string; content: string },
  uid: number
): Promise<void> {
  const path = join(directory, file.name)
  await writeFile(path, file.content, { mode: 0o640, flag: 'wx' })
  // Without root, all files have one owner.
  if (process.getuid?.() === 0) await chown(path, uid, uid)
  await giveStagedDirectory(directory, uid)
}

/** Number and size of the regular files below a directory. */
export async function countStaged(directory: string): Promise<{ files: number; bytes: number }> {
  const counted = { files: 0, bytes: 0 }
  for (const path of await listStagedFiles(directory)) {
    counted.files++
    counted.bytes += (await lstat(join(directory, path))).size
  }
  return counted
}

/** Gives a staged directory and everything in it to another owner, without following links. */
export async function giveStagedTree(directory: string, uid: number): Promise<void> {
  if (process.getuid?.() !== 0) return
  await lchown(directory, uid, uid)
  // Without `withFileTypes`, Node.js would descend into links to directories.
  for (const { parentPath, name } of await readdir(directory, { recursive: true, withFileTypes: true }))
    await lchown(join(parentPath, name), uid, uid)
}

/** Gives a staged directory itself, not its content, to its future owner. */
export async function giveStagedDirectory(directory: string, uid: number): Promise<void> {
  await chmod(directory, 0o750)
  if (process.getuid?.() === 0) await chown(directory, uid, uid)
}

/** Buffers in an unlinked file, so that nothing remains after a crash. Rejects with AdapterError disk-full. */
export async function withSpool<T>(
  directory: string,
  source: Readable,
  use: (content: Readable) => Promise<T>
): Promise<T> {
  await makeStagingDirectory(directory)
  const path = join(directory, `spool-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  try {
    await unlink(path)
    await writeFile(file, source).catch((cause: unknown) => {
      throw isFull(cause) ? new AdapterError('disk-full', 'The disk of the server is full', { cause }) : cause
    })
    return await use(Readable.from(chunksOf(file), { objectMode: false }))
  } finally {
    await file.close()
  }
}

const isFull = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOSPC'

const chunkBytes = 256 * 1024

async function* chunksOf(file: FileHandle): AsyncGenerator<Buffer> {
  for (let position = 0; ;) {
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.allocUnsafe(chunkBytes), position })
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    position += bytesRead
  }
}
