import { type FileHandle, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { at, textOf } from './directory.ts'
import { notFound, pathProtected } from './file-error.ts'
import { atResolvedPath } from './resolve.ts'
import { inStagedDirectory } from './staging.ts'
import type { TreeContext } from './tree-context.ts'
import { assertNotProtected, changeable, namesOf } from './tree-path.ts'
import { namedIn, walk } from './walk.ts'

/** A directory leaves the tree at once, with all that is in it; what is left of it by the end of the process is swept at the next start. */
export function remove({ root, staging, isProtected }: TreeContext, path: string): Promise<void> {
  const names = namesOf(path)
  return atResolvedPath(root, names, { followLast: false }, async (resolved) => {
    assertNotProtected(isProtected, names, resolved)
    const { directory, name } = changeable(resolved)
    if (!resolved.entry) throw notFound()
    if (!resolved.entry.stats.isDirectory()) return unlink(at(directory, name))
    await assertNothingProtected(resolved.entry.handle, isProtected)
    await inStagedDirectory(staging, (staged) => rename(at(directory, name), join(staged, 'removed')))
  })
}

/** Looks at everything below the directory. What programs of the tenant make there after the look is theirs. */
export async function assertNothingProtected(
  directory: FileHandle,
  isProtected: (name: string) => boolean
): Promise<void> {
  for await (const step of walk(directory)) {
    for (const { name } of namedIn(step)) {
      const text = textOf(name)
      if (text !== undefined && isProtected(text)) throw pathProtected(text)
    }
  }
}
