import { type FileHandle, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { at, textOf } from './directory.ts'
import { notFound, pathProtected } from './file-error.ts'
import { atResolvedPath } from './resolve.ts'
import { inStagedDirectory } from './staging.ts'
import type { TreeContext } from './tree-context.ts'
import { assertNotProtected, changeable, namesOf } from './tree-path.ts'
import { newEntriesOf, walk } from './walk.ts'

/** Moves a directory out of the tree first; after a crash the sweep at the next start deletes the rest. */
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

/** Checks everything below the directory. Entries that a tenant creates after the check are not covered. */
export async function assertNothingProtected(
  directory: FileHandle,
  isProtected: (name: string) => boolean
): Promise<void> {
  for await (const step of walk(directory)) {
    for (const { name } of newEntriesOf(step)) {
      const text = textOf(name)
      if (text !== undefined && isProtected(text)) throw pathProtected(text)
    }
  }
}
