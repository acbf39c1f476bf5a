import { constants, type Stats } from 'node:fs'
import { lstat, type FileHandle } from 'node:fs/promises'
import { AdapterError } from '../adapter-error.ts'
import { at } from './directory.ts'
import { ifThere, toFileError } from './file-error.ts'
import type { FoundFile } from './file-store.ts'
import { type Facts, isLink } from './large-directory.ts'
import { atResolvedPath } from './resolve.ts'

export const foundFile = (path: readonly string[], stats: Stats): FoundFile =>
  fileOfFacts(path.at(-1) ?? '', path.join('/'), stats)

export function fileOfFacts(name: string, path: string, { mode, size, mtimeMs }: Facts): FoundFile {
  const type = mode & constants.S_IFMT
  return {
    name,
    path,
    type: type === constants.S_IFDIR ? 'dir' : 'file',
    size: type === constants.S_IFREG ? size : 0,
    mtime: new Date(Math.round(mtimeMs)),
    mode: mode & 0o777
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
  return stats && describeFacts(root, path, stats)
}

/** The same where its facts are known. */
export async function describeFacts(root: FileHandle, path: readonly string[], facts: Facts): Promise<FoundFile> {
  const own = isLink(facts) ? ((await statsThroughLink(root, path)) ?? facts) : facts
  return fileOfFacts(path.at(-1) ?? '', path.join('/'), own)
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
