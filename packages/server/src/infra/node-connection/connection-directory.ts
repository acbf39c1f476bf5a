import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { exists } from '../disk/exists.ts'

/** Directory of one connection of this process. Removes those of processes that were killed. */
export async function connectionDirectory(root: string, nodeId: string): Promise<string> {
  const names = await readdir(root).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return []
  })
  for (const name of names) {
    const pid = Number(name.slice(name.lastIndexOf('.') + 1))
    if (!(await exists(`/proc/${pid}`))) await rm(join(root, name), { recursive: true, force: true })
  }
  return join(root, `${nodeId}.${process.pid}`)
}
