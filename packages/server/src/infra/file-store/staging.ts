import { randomUUID } from 'node:crypto'
import { chmod, chown, type FileHandle, link, lstat, mkdir, open, rename, rmdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { at, type Name, openDirectory, withOwnDirectory, readEntries, self } from './directory.ts'
import { alreadyExists, errnoOf, ifThere } from './file-error.ts'

/**
 * A directory of the panel alone (0700), on the file system of the trees. Whatever is to appear in a tree is made here, with its owner and
 * mode, and put into place by one link or rename; whatever is removed is taken here first. No program of a tenant reaches it by a path.
 */
export interface Staging {
  /** A path in it that nothing has. */
  path(): Promise<string>
  /** Removes what is not of this process, which may be at work already. */
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

/** Calls `use` with an empty directory of the panel's own, and removes what is left of it then. */
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

/** Calls `use` with a new file, which is on disk then; whatever happens, nothing of it stays under its staged name. */
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
      // Before it gets its name: a power cut leaves the old file or the new one, never an empty one.
      await handle.datasync()
    } finally {
      await handle.close()
    }
    return await use(path)
  } finally {
    await ifThere(unlink(path))
  }
}

/** Puts a staged file, or a link, under a name that nothing has: exact, whoever else tries. */
export const putNewFile = (path: string | Buffer, directory: FileHandle, name: Name): Promise<void> =>
  link(path, at(directory, name))

/**
 * Puts a directory under a name that nothing has. rename(2) without RENAME_NOREPLACE, which Node has not: what a program of the tenant
 * makes there after the look is replaced if it is an empty directory, and refuses if it is anything else.
 */
export async function putNewDirectory(path: string | Buffer, directory: FileHandle, name: Name): Promise<void> {
  if (await ifThere(lstat(at(directory, name)))) throw alreadyExists()
  try {
    await rename(path, at(directory, name))
  } catch (error) {
    if (errnoOf(error) === 'ENOTDIR') throw alreadyExists()
    throw error
  }
}

/** Set-id bits never pass: chown(2) before chmod(2), and only the last nine bits. */
export async function giveFile(handle: FileHandle, uid: number, mode: number): Promise<void> {
  if (isRoot()) await handle.chown(uid, uid)
  await handle.chmod(mode & 0o777)
}

/** Of a directory in the staging area. */
export async function giveDirectory(path: string, uid: number, mode: number): Promise<void> {
  if (isRoot()) await chown(path, uid, uid)
  await chmod(path, mode & 0o777)
}

/** A panel that is not root has one user for all it makes, and may not give files away. */
export const isRoot = (): boolean => process.geteuid?.() === 0

/**
 * Removes all that is in a staged directory. Directories in it are hollowed one by one: what is not empty is moved up beside them first.
 * So the depth of a tree costs neither handles nor stack, and an interrupted removal goes on from what is left.
 */
async function emptyDirectory(path: string, isKept: (name: Buffer) => boolean = () => false): Promise<void> {
  await withOwnDirectory(path, async (top) => {
    let found = true
    while (found) {
      found = false
      for await (const entry of readEntries(top)) {
        if (isKept(entry.name)) continue
        found = true
        if (entry.isDirectory()) await hollow(top, entry.name)
        else await ifThere(unlink(at(top, entry.name)))
      }
    }
  })
}

async function hollow(top: FileHandle, name: Buffer): Promise<void> {
  const directory = await openDirectory(top, name)
  try {
    // A program that still has it open makes nothing new in it.
    await giveDirectory(self(directory), process.geteuid?.() ?? 0, 0o700)
    for await (const entry of readEntries(directory)) {
      if (entry.isDirectory()) await ifThere(rename(at(directory, entry.name), at(top, randomUUID())))
      else await ifThere(unlink(at(directory, entry.name)))
    }
  } finally {
    await directory.close()
  }
  try {
    await rmdir(at(top, name))
  } catch (error) {
    // A directory that is changed while it is read may hide an entry: it comes up again in the next round.
    if (!['ENOTEMPTY', 'EEXIST'].includes(errnoOf(error) ?? '')) throw error
  }
}
