import type { FileHandle } from 'node:fs/promises'
import { AdapterError } from '../adapter-error.ts'
import { type Entry, openAgain, openDirectory, openEntry, readLinkIfThere } from './directory.ts'
import { ifThere, notADirectory, notFound } from './file-error.ts'

/** As many as the kernel follows: path_resolution(7). */
const maxLinks = 40

/** Directories that one path opens a second time on the ways up of its links: a link goes up a thousand times, each from as deep as it likes. */
const maxReopened = 10_000

/** Where a path leads. */
export interface ResolvedPath {
  /** From the root, without links. */
  names: readonly string[]
  /** The open directory and the name in it; undefined where the path leads to the root, or through a link to a directory as such. */
  parent: { directory: FileHandle; name: string } | undefined
  /** What is there now. */
  entry: Entry | undefined
}

/** Calls `use` with what the path leads to, and closes its handles then. */
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

/**
 * Goes down name by name, each opened in the directory before it and never through a link. A link is read and its target put in front of
 * what remains, so that only names of this walk are ever opened; `..` in it goes back to a name that was walked. The kernel never sees a
 * path of several names: whatever is swapped meanwhile, no directory outside of the root is ever opened.
 */
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
      const entry = await ifThere(openEntry(directory, name))
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

/** Real directories only: the names have been walked before, so a link among them was swapped in since. */
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
  // It has become something else: it is looked at again.
  if (target === undefined) return [name]
  if (target.startsWith('/')) throw escapesTree()
  return target.split('/').filter((part) => part !== '' && part !== '.')
}

const tooManyLinks = () => new AdapterError('path-forbidden', 'Too many links follow each other.')
const escapesTree = () => new AdapterError('path-forbidden', 'A link leads out of the project: name a path inside it.')
