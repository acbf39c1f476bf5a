import { chmod } from 'node:fs/promises'
import { self } from './directory.ts'
import { notAFile, notFound } from './file-error.ts'
import type { FoundFile } from './file-store.ts'
import { foundFile } from './found-file.ts'
import { atResolvedPath } from './resolve.ts'
import type { TreeContext } from './tree-context.ts'
import { assertNotProtected, changeable, namesOf } from './tree-path.ts'

export function changeMode({ root, isProtected }: TreeContext, path: string, mode: number): Promise<FoundFile> {
  const names = namesOf(path)
  return atResolvedPath(root, names, { followLast: false }, async (resolved) => {
    assertNotProtected(isProtected, names, resolved)
    changeable(resolved)
    if (!resolved.entry) throw notFound()
    const { handle, stats } = resolved.entry
    if (!stats.isFile() && !stats.isDirectory()) throw notAFile()
    await chmod(self(handle), mode & 0o777)
    return foundFile(names, await handle.stat())
  })
}
