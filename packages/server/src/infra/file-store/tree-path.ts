import type { FileHandle } from 'node:fs/promises'
import { AdapterError } from '../adapter-error.ts'
import { notADirectory, notFound, pathProtected } from './file-error.ts'
import type { ResolvedPath } from './resolve.ts'

/** Splits a FileTree path. features/files validates client paths, so an invalid one is a bug and throws TypeError. */
export function namesOf(path: string): string[] {
  if (path === '') return []
  const names = path.split('/')
  if (names.some((name) => name === '' || name === '.' || name === '..' || name.includes('\0'))) {
    throw new TypeError('a path is names joined by "/"')
  }
  return names
}

export function changeable(resolved: ResolvedPath): NonNullable<ResolvedPath['parent']> {
  if (!resolved.parent)
    throw new AdapterError('path-forbidden', 'The root of the project cannot be changed. Choose an entry inside it.')
  return resolved.parent
}

export function directoryAt({ entry }: Pick<ResolvedPath, 'entry'>): FileHandle {
  if (!entry) throw notFound()
  if (!entry.stats.isDirectory()) throw notADirectory()
  return entry.handle
}

export function assertNotProtected(
  isProtected: (name: string) => boolean,
  requested: readonly string[],
  resolved: Pick<ResolvedPath, 'names'>
): void {
  for (const name of [requested.at(-1), resolved.names.at(-1)]) {
    if (name !== undefined && isProtected(name)) throw pathProtected(name)
  }
}
