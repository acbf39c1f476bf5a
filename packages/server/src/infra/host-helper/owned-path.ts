import { lstat } from 'node:fs/promises'
import { dirname } from 'node:path'

const writableByOthers = 0o022
const sticky = 0o1000

/** Why root must not trust a directory; with `parents`, as sshd checks a chroot. Undefined if it is safe. */
export async function directoryProblem(
  path: string,
  options: { parents: boolean } = { parents: false }
): Promise<string | undefined> {
  const parent = dirname(path)
  if (options.parents && parent !== path) {
    const problem = await directoryProblem(parent, options)
    if (problem !== undefined) return problem
  }
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
  if (!found) return `${path} is missing`
  if (!found.isDirectory()) return `${path} is not a directory`
  if (found.uid !== 0) return `${path} is not owned by root (chown root: ${path})`
  if ((found.mode & writableByOthers) === 0) return undefined
  // A sticky directory such as /tmp must stay writable.
  return `${path} is writable by other users${found.mode & sticky ? '' : ` (chmod go-w ${path})`}`
}
