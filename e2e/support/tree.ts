import { createHash } from 'node:crypto'
import { lstat, readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'

/** Mode, owner, time and content of everything below a directory, by relative path. */
export async function treeOf(root: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const { mode, uid, gid, mtimeMs } = await lstat(path)
    const content = entry.isFile()
      ? createHash('sha256')
          .update(await readFile(path))
          .digest('hex')
      : entry.isSymbolicLink()
        ? await readlink(path)
        : ''
    found[path.slice(root.length)] =
      `${mode.toString(8)} ${uid}:${gid} ${entry.isDirectory() ? '' : Math.floor(mtimeMs)} ${content}`
  }
  return found
}
