import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { alreadyExists } from './file-error.ts'
import type { FoundFile } from './file-store.ts'
import { foundFile } from './found-file.ts'
import { atResolvedPath } from './resolve.ts'
import { giveDirectory, inStagedDirectory, putNewDirectory } from './staging.ts'
import type { TreeContext } from './tree-context.ts'
import { assertNotProtected, changeable, namesOf } from './tree-path.ts'

export function makeDirectory({ root, staging, uid, isProtected }: TreeContext, path: string): Promise<FoundFile> {
  const names = namesOf(path)
  return atResolvedPath(root, names, { followLast: false }, async (resolved) => {
    assertNotProtected(isProtected, names, resolved)
    if (resolved.entry) throw alreadyExists()
    const { directory, name } = changeable(resolved)
    return inStagedDirectory(staging, async (staged) => {
      const made = join(staged, 'new')
      await mkdir(made)
      await giveDirectory(made, uid, 0o755)
      const stats = await stat(made)
      await putNewDirectory(made, directory, name)
      return foundFile(names, stats)
    })
  })
}
