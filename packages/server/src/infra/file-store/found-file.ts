import type { Stats } from 'node:fs'
import { lstat, type FileHandle } from 'node:fs/promises'
import { AdapterError } from '../adapter-error.ts'
import { at } from './directory.ts'
import { ifThere, toFileError } from './file-error.ts'
import type { FoundFile } from './file-store.ts'
import { atResolvedPath } from './resolve.ts'

export function foundFile(path: readonly string[], stats: Stats): FoundFile {
  return {
    name: path.at(-1) ?? '',
    path: path.join('/'),
    type: stats.isDirectory() ? 'dir' : 'file',
    size: stats.isFile() ? stats.size : 0,
    mtime: stats.mtime,
    mode: stats.mode & 0o777
  }
}

/**
 * What an entry of the open directory is; undefined where it is gone.
 * @param path of the entry, from the root and without links before its last name
 */
export async function describeEntry(
  root: FileHandle,
  directory: FileHandle,
  path: readonly string[]
): Promise<FoundFile | undefined> {
  const stats = await ifThere(lstat(at(directory, path.at(-1)!)))
  if (!stats?.isSymbolicLink()) return stats && foundFile(path, stats)
  return foundFile(path, (await statsThroughLink(root, path)) ?? stats)
}

/** Of what a link leads to inside the root; undefined where it leads nowhere or out. */
async function statsThroughLink(root: FileHandle, path: readonly string[]): Promise<Stats | undefined> {
  try {
    return await atResolvedPath(root, path, { followLast: true }, async (resolved) => resolved.entry?.stats)
  } catch (error) {
    if (toFileError(error) instanceof AdapterError) return undefined
    throw error
  }
}
