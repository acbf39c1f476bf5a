import { constants, type Dir, type Dirent, type Stats } from 'node:fs'
import { type FileHandle, open, opendir, readlink } from 'node:fs/promises'
import { errnoOf } from './file-error.ts'

/** fcntl.h of Linux; Node does not export it. Opens the entry itself, not what is in it: no FIFO blocks, no device wakes. */
const O_PATH = 0o10000000

/** Of one entry. Bytes where it comes from a directory and need not be UTF-8. */
export type Name = string | Buffer

/** An entry held open: whatever its name leads to later, this stays the same one. */
export interface Entry {
  handle: FileHandle
  stats: Stats
}

/** What is open, wherever it is by now: Node's way of naming a file handle to a call that takes a path. */
export const self = (handle: FileHandle): string => `/proc/self/fd/${handle.fd}`

/**
 * One name in an open directory, for calls that take a path: openat(2) and its kin, which Node has not. Always a single name, so that no
 * other directory than the open one can have a part in it; whether a link is followed is up to the call. Keep the directory open until
 * the call has ended: the number of a closed handle is given to the next file.
 */
export const at = (directory: FileHandle, name: Name): string | Buffer => nameBelow(self(directory), name)

/** As `at`, where `self` was said by somebody else: a thread of this process has the same handles. */
export function nameBelow(directory: string, name: Name): string | Buffer {
  if (name.length === 0 || name.includes('/') || name.includes('\0') || isDots(name)) throw new TypeError('not a name')
  return typeof name === 'string' ? `${directory}/${name}` : Buffer.concat([Buffer.from(`${directory}/`), name])
}

/** Opens the entry, a link as itself. */
export async function openEntry(directory: FileHandle, name: Name): Promise<Entry> {
  return withStats(await open(at(directory, name), O_PATH | constants.O_NOFOLLOW))
}

/** Rejects with ENOTDIR where there is a link or a file. */
export const openDirectory = (directory: FileHandle, name: Name): Promise<FileHandle> =>
  open(at(directory, name), O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW)

/** Undefined where it is gone or has become something else since its name was read. */
export async function openIfDirectory(directory: FileHandle, name: Name): Promise<FileHandle | undefined> {
  try {
    return await openDirectory(directory, name)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errnoOf(error) ?? '')) return undefined
    throw error
  }
}

/** What the link says; undefined where it is gone or no link any more since it was looked at. */
export async function readLinkIfThere(directory: FileHandle, name: Name): Promise<Buffer | undefined> {
  try {
    return await readlink(at(directory, name), { encoding: 'buffer' })
  } catch (error) {
    if (['ENOENT', 'EINVAL'].includes(errnoOf(error) ?? '')) return undefined
    throw error
  }
}

/** A directory of the panel's own: links in the path are followed. */
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

/** A second handle on the same directory. */
export const openAgain = (directory: FileHandle): Promise<FileHandle> => openOwnDirectory(self(directory))

/** For reading. Only what `stats` has shown to be a regular file: what is open cannot become something else. */
export const openForReading = (entry: Entry): Promise<FileHandle> =>
  open(self(entry.handle), constants.O_RDONLY | constants.O_NONBLOCK)

/** The entries in batches, so that a directory of any size takes little memory. */
export async function* readEntries(directory: FileHandle | string): AsyncGenerator<Dirent<Buffer>> {
  const path = typeof directory === 'string' ? directory : self(directory)
  // @types/node knows the names as text only.
  const entries = (await opendir(path, { encoding: 'buffer' as BufferEncoding, bufferSize: 512 })) as Dir &
    AsyncIterable<Dirent<Buffer>>
  yield* entries
}

/** The name as text; undefined where its bytes are not UTF-8, so that no text could name it. */
export function textOf(name: Buffer): string | undefined {
  const text = name.toString()
  return isText(text) ? text : undefined
}

/** Whether what was read as UTF-8 was that: else it has the character that stands for none. */
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
