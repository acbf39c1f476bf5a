import type { FileHandle } from 'node:fs/promises'
import { AdapterError } from '../adapter-error.ts'
import { notADirectory, notFound, pathProtected } from './file-error.ts'
import type { ResolvedPath } from './resolve.ts'

/** The names of a path of FileTree. Clients' paths are evaluated before (features/files): a bad one here is a fault of ours. */
export function namesOf(path: string): string[] {
  if (path === '') return []
  const names = path.split('/')
  if (names.some((name) => name === '' || name === '.' || name === '..' || name.includes('\0'))) {
    throw new TypeError('a path is names joined by "/"')
  }
  return names
}

/** The directory and the name to change in it. Not of the root itself. */
export function changeable(resolved: ResolvedPath): NonNullable<ResolvedPath['parent']> {
  if (!resolved.parent)
    throw new AdapterError('path-forbidden', 'The root of the project stays as it is: name something in it.')
  return resolved.parent
}

/** The open directory that the path leads to. */
export function directoryAt({ entry }: Pick<ResolvedPath, 'entry'>): FileHandle {
  if (!entry) throw notFound()
  if (!entry.stats.isDirectory()) throw notADirectory()
  return entry.handle
}

/** Refuses protected names: the last one as it was asked for and as it resolves. */
export function assertNotProtected(
  isProtected: (name: string) => boolean,
  requested: readonly string[],
  resolved: Pick<ResolvedPath, 'names'>
): void {
  for (const name of [requested.at(-1), resolved.names.at(-1)]) {
    if (name !== undefined && isProtected(name)) throw pathProtected(name)
  }
}
