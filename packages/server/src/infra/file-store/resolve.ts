import type { FileHandle } from 'node:fs/promises'
import { AdapterError } from '../adapter-error.ts'
import { type Entry, openAgain, openDirectory, openEntry, readLinkIfThere } from './directory.ts'
import { undefinedIfMissing, notADirectory, notFound } from './file-error.ts'

/** The kernel's limit, see path_resolution(7). */
const maxLinks = 40

// Bounds the work of `..` in link targets: a link can go up a thousand times from a deep directory.
const maxReopened = 10_000

export interface ResolvedPath {
  names: readonly string[]
  /** Undefined if the path is the root, or a link to a directory. */
  parent: { directory: FileHandle; name: string } | undefined
  entry: Entry | undefined
}

export async function atResolvedPath<T>(
  root: FileHandle,
  path: readonly string[],
  options: { followLast: boolean },
  use: (resolved: ResolvedPath) => Promise<T>
): Promise<T> {
  const resolved = await resolve(root, path, options)
  try {
    return await use(resolved)
  } finally {
    await resolved.entry?.handle.close()
    await resolved.parent?.directory.close()
  }
}

// Walks down name by name, each opened in the directory before and never through a link. A link is read and its target
// prepended to the remaining names; `..` goes back to a name already walked. The kernel never sees more than one name,
// so whatever is swapped meanwhile, nothing outside the root is opened.
async function resolve(
  root: FileHandle,
  path: readonly string[],
  options: { followLast: boolean }
): Promise<ResolvedPath> {
  const remaining = [...path]
  const names: string[] = []
  let directory = await openAgain(root)
  let links = 0
  let reopened = 0
  try {
    for (;;) {
      const name = remaining.shift()
      if (name === undefined) {
        return { names, parent: undefined, entry: { handle: directory, stats: await directory.stat() } }
      }
      if (name === '..') {
        if (names.pop() === undefined) throw escapesTree()
        if ((reopened += names.length) > maxReopened) throw tooManyLinks()
        const above = await descend(root, names)
        await directory.close()
        directory = above
        continue
      }
      const entry = await undefinedIfMissing(openEntry(directory, name))
      const isLast = remaining.length === 0
      if (entry?.stats.isSymbolicLink() && (!isLast || options.followLast)) {
        await entry.handle.close()
        if (++links > maxLinks) throw tooManyLinks()
        remaining.unshift(...(await readTarget(directory, name)))
        continue
      }
      if (isLast) return { names: [...names, name], parent: { directory, name }, entry }
      if (!entry) throw notFound()
      if (!entry.stats.isDirectory()) {
        await entry.handle.close()
        throw notADirectory()
      }
      await directory.close()
      directory = entry.handle
      names.push(name)
    }
  } catch (error) {
    await directory.close()
    throw error
  }
}

/** Real directories only: these names were walked before, so a link among them was swapped in. */
async function descend(root: FileHandle, names: readonly string[]): Promise<FileHandle> {
  let directory = await openAgain(root)
  for (const name of names) {
    try {
      const next = await openDirectory(directory, name)
      await directory.close()
      directory = next
    } catch (error) {
      await directory.close()
      throw error
    }
  }
  return directory
}

async function readTarget(directory: FileHandle, name: string): Promise<string[]> {
  const target = (await readLinkIfThere(directory, name))?.toString()
  if (target === undefined) return [name]
  if (target.startsWith('/')) throw escapesTree()
  return target.split('/').filter((part) => part !== '' && part !== '.')
}

const tooManyLinks = () => new AdapterError('path-forbidden', 'The path contains too many symbolic links.')
const escapesTree = () =>
  new AdapterError('path-forbidden', 'A symbolic link points outside the project. Choose a path inside it.')
