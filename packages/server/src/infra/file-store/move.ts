import { unlink } from 'node:fs/promises'
import { AdapterError } from '../adapter-error.ts'
import { at } from './directory.ts'
import { alreadyExists, notFound } from './file-error.ts'
import type { FoundFile } from './file-store.ts'
import { foundFile } from './found-file.ts'
import { assertNothingProtected } from './remove.ts'
import { atResolvedPath, type ResolvedPath } from './resolve.ts'
import { putNewDirectory, putNewFile } from './staging.ts'
import type { TreeContext } from './tree-context.ts'
import { assertNotProtected, changeable, namesOf } from './tree-path.ts'

export function move(context: TreeContext, from: string, to: string): Promise<FoundFile> {
  return betweenResolvedPaths(context, from, to, async (source, target) => {
    const { directory, name } = changeable(source)
    const path = at(directory, name)
    assertNotProtected(context.isProtected, namesOf(from), source)
    if (source.entry.stats.isDirectory()) {
      await assertNothingProtected(source.entry.handle, context.isProtected)
      await putNewDirectory(path, target.directory, target.name)
    } else {
      await putNewFile(path, target.directory, target.name)
      await unlink(path)
    }
    return foundFile(namesOf(to), source.entry.stats)
  })
}

type Source = ResolvedPath & { entry: NonNullable<ResolvedPath['entry']> }

export function betweenResolvedPaths<T>(
  { root, isProtected }: TreeContext,
  from: string,
  to: string,
  use: (source: Source, target: NonNullable<ResolvedPath['parent']>) => Promise<T>
): Promise<T> {
  const [fromNames, toNames] = [namesOf(from), namesOf(to)]
  return atResolvedPath(root, fromNames, { followLast: false }, (source) =>
    atResolvedPath(root, toNames, { followLast: false }, (target) => {
      assertNotProtected(isProtected, toNames, target)
      const { entry } = source
      if (!entry) throw notFound()
      if (target.entry) throw alreadyExists()
      if (entry.stats.isDirectory() && source.names.every((name, index) => target.names[index] === name)) {
        throw new AdapterError(
          'directory-into-itself',
          'A folder cannot be moved or copied into itself. Choose another destination.'
        )
      }
      return use({ ...source, entry }, changeable(target))
    })
  )
}
