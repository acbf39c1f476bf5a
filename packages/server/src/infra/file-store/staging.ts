import { randomUUID } from 'node:crypto'
import { chmod, chown, type FileHandle, link, lstat, mkdir, open, rename, rmdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { at, type Name, openDirectory, withOwnDirectory, readEntries, self } from './directory.ts'
import { alreadyExists, errnoOf, undefinedIfMissing } from './file-error.ts'

/**
 * A directory for the panel only (0700) on the file system of the trees. New entries are created here with owner and
 * mode, then put in place with one link or rename; removed entries are moved here first. Tenant processes cannot reach
 * it by a path.
 */
export interface Staging {
  path(): Promise<string>
  /** Removes entries of previous processes only: this one may already be writing. */
  sweep(): Promise<void>
}

export function createStaging(directory: string): Staging {
  const own = `${randomUUID()}.`
  const make = () => mkdir(directory, { recursive: true, mode: 0o700 })
  return {
    path: async () => {
      await make()
      return join(directory, `${own}${randomUUID()}`)
    },
    sweep: async () => {
      await make()
      await emptyDirectory(directory, (name) => name.toString().startsWith(own))
    }
  }
}

export async function inStagedDirectory<T>(staging: Staging, use: (path: string) => Promise<T>): Promise<T> {
  const path = await staging.path()
  await mkdir(path, { mode: 0o700 })
  try {
    return await use(path)
  } finally {
    await emptyDirectory(path)
    await rmdir(path)
  }
}

export async function withStagedFile<T>(
  staging: Staging,
  { uid, mode, fill }: { uid: number; mode: number; fill: (handle: FileHandle) => Promise<void> },
  use: (path: string) => Promise<T>
): Promise<T> {
  const path = await staging.path()
  const handle = await open(path, 'wx', 0o600)
  try {
    try {
      await fill(handle)
      await giveFile(handle, uid, mode)
      // Before the rename: after a power failure there is the old or the new file, never an empty one.
      await handle.datasync()
    } finally {
      await handle.close()
    }
    return await use(path)
  } finally {
    await undefinedIfMissing(unlink(path))
  }
}

/** Hard-links a staged file or link to a new name. Atomic: fails with EEXIST if the name is taken. */
export const putNewFile = (path: string | Buffer, directory: FileHandle, name: Name): Promise<void> =>
  link(path, at(directory, name))

/**
 * Moves a directory to an unused name. Node lacks RENAME_NOREPLACE, so an entry that a tenant creates after the check
 * is replaced if it is an empty directory and makes the rename fail otherwise.
 */
export async function putNewDirectory(path: string | Buffer, directory: FileHandle, name: Name): Promise<void> {
  if (await undefinedIfMissing(lstat(at(directory, name)))) throw alreadyExists()
  try {
    await rename(path, at(directory, name))
  } catch (error) {
    if (errnoOf(error) === 'ENOTDIR') throw alreadyExists()
    throw error
  }
}

/** Never sets setuid or setgid: chown(2) before chmod(2), and only the lower nine bits. */
export async function giveFile(handle: FileHandle, uid: number, mode: number): Promise<void> {
  if (isRoot()) await handle.chown(uid, uid)
  await handle.chmod(mode & 0o777)
}

export async function giveDirectory(path: string, uid: number, mode: number): Promise<void> {
  if (isRoot()) await chown(path, uid, uid)
  await chmod(path, mode & 0o777)
}

/** A non-root panel has one user for everything and cannot give files away. */
export const isRoot = (): boolean => process.geteuid?.() === 0

// Empties a staged directory. Non-empty subdirectories are moved up next to their parent first, so that deep trees cost
// neither handles nor stack and an interrupted removal can continue.
async function emptyDirectory(path: string, isKept: (name: Buffer) => boolean = () => false): Promise<void> {
  await withOwnDirectory(path, async (top) => {
    let found = true
    while (found) {
      found = false
      for await (const entry of readEntries(top)) {
        if (isKept(entry.name)) continue
        found = true
        if (entry.isDirectory()) await flatten(top, entry.name)
        else await undefinedIfMissing(unlink(at(top, entry.name)))
      }
    }
  })
}

async function flatten(top: FileHandle, name: Buffer): Promise<void> {
  const directory = await openDirectory(top, name)
  try {
    // Keeps processes that still have it open from creating entries.
    await giveDirectory(self(directory), process.geteuid?.() ?? 0, 0o700)
    for await (const entry of readEntries(directory)) {
      if (entry.isDirectory()) await undefinedIfMissing(rename(at(directory, entry.name), at(top, randomUUID())))
      else await undefinedIfMissing(unlink(at(directory, entry.name)))
    }
  } finally {
    await directory.close()
  }
  try {
    await rmdir(at(top, name))
  } catch (error) {
    // Reading a directory while it changes may miss entries: the next round handles it again.
    if (!['ENOTEMPTY', 'EEXIST'].includes(errnoOf(error) ?? '')) throw error
  }
}
