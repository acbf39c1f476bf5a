import { constants, type Stats } from 'node:fs'
import { lstat, type FileHandle } from 'node:fs/promises'
import { AdapterError } from '../adapter-error.ts'
import { at } from './directory.ts'
import { undefinedIfMissing, toFileError } from './file-error.ts'
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

/** Undefined if the entry is gone. `path` is from the root, without links before its last name. */
export async function describeEntry(
  root: FileHandle,
  directory: FileHandle,
  path: readonly string[]
): Promise<FoundFile | undefined> {
  const stats = await undefinedIfMissing(lstat(at(directory, path.at(-1)!)))
  return stats && describeFacts(root, path, stats)
}

export async function describeFacts(root: FileHandle, path: readonly string[], facts: Facts): Promise<FoundFile> {
  const own = isLink(facts) ? ((await statsThroughLink(root, path)) ?? facts) : facts
  return fileOfFacts(path.at(-1) ?? '', path.join('/'), own)
}

async function statsThroughLink(root: FileHandle, path: readonly string[]): Promise<Stats | undefined> {
  try {
    return await atResolvedPath(root, path, { followLast: true }, async (resolved) => resolved.entry?.stats)
  } catch (error) {
    if (toFileError(error) instanceof AdapterError) return undefined
    throw error
  }
}
