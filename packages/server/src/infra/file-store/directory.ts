import { constants, type Dir, type Dirent, type Stats } from 'node:fs'
import { type FileHandle, open, opendir, readlink } from 'node:fs/promises'
import { errnoOf } from './file-error.ts'

// fcntl.h, not exported by Node. Opens the entry itself without its content: FIFOs do not block and devices are not
// touched.
const O_PATH = 0o10000000

/** Name of one entry. A Buffer if read from a directory, since names need not be UTF-8. */
export type Name = string | Buffer

export interface Entry {
  handle: FileHandle
  stats: Stats
}

/** Path of an open file handle for calls that only take paths. */
export const self = (handle: FileHandle): string => `/proc/self/fd/${handle.fd}`

/** openat(2) replacement: one name in an open directory. Keep the directory open: handle numbers are reused. */
export const at = (directory: FileHandle, name: Name): string | Buffer => nameBelow(self(directory), name)

/** Like `at`, for a `self` path from another thread of this process. */
export function nameBelow(directory: string, name: Name): string | Buffer {
  if (name.length === 0 || name.includes('/') || name.includes('\0') || isDots(name)) throw new TypeError('not a name')
  return typeof name === 'string' ? `${directory}/${name}` : Buffer.concat([Buffer.from(`${directory}/`), name])
}

export async function openEntry(directory: FileHandle, name: Name): Promise<Entry> {
  return withStats(await open(at(directory, name), O_PATH | constants.O_NOFOLLOW))
}

export const openDirectory = (directory: FileHandle, name: Name): Promise<FileHandle> =>
  open(at(directory, name), O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW)

export async function openIfDirectory(directory: FileHandle, name: Name): Promise<FileHandle | undefined> {
  try {
    return await openDirectory(directory, name)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errnoOf(error) ?? '')) return undefined
    throw error
  }
}

export async function readLinkIfThere(directory: FileHandle, name: Name): Promise<Buffer | undefined> {
  try {
    return await readlink(at(directory, name), { encoding: 'buffer' })
  } catch (error) {
    if (['ENOENT', 'EINVAL'].includes(errnoOf(error) ?? '')) return undefined
    throw error
  }
}

/** For the panel's own paths: follows links. */
export const openOwnDirectory = (path: string): Promise<FileHandle> => open(path, O_PATH | constants.O_DIRECTORY)

export async function withOwnDirectory<T>(path: string, use: (directory: FileHandle) => Promise<T>): Promise<T> {
  const directory = await openOwnDirectory(path)
  try {
    return await use(directory)
  } finally {
    await directory.close()
  }
}

export const openParent = (directory: FileHandle): Promise<FileHandle> =>
  open(`${self(directory)}/..`, O_PATH | constants.O_DIRECTORY)

export const openAgain = (directory: FileHandle): Promise<FileHandle> => openOwnDirectory(self(directory))

/** Only for entries whose `stats` show a regular file; an open entry cannot change its type. */
export const openForReading = (entry: Entry): Promise<FileHandle> =>
  open(self(entry.handle), constants.O_RDONLY | constants.O_NONBLOCK)

export async function* readEntries(directory: FileHandle | string): AsyncGenerator<Dirent<Buffer>> {
  const path = typeof directory === 'string' ? directory : self(directory)
  const entries = (await opendir(path, { encoding: 'buffer' as BufferEncoding, bufferSize: 512 })) as Dir &
    AsyncIterable<Dirent<Buffer>>
  yield* entries
}

export function textOf(name: Buffer): string | undefined {
  const text = name.toString()
  return isText(text) ? text : undefined
}

/** Whether a decoded name was valid UTF-8, that is, contains no replacement character. */
export const isText = (name: string): boolean => !name.includes('\u{fffd}')

async function withStats(handle: FileHandle): Promise<Entry> {
  try {
    return { handle, stats: await handle.stat() }
  } catch (error) {
    await handle.close()
    throw error
  }
}

const isDots = (name: Name) => name.length <= 2 && ['.', '..'].includes(name.toString())
