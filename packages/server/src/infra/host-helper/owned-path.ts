import { lstat } from 'node:fs/promises'
import { dirname } from 'node:path'

const writableByOthers = 0o022
const sticky = 0o1000

/**
 * Why root must not work in the directory as if nobody else changed it, naming the first one that is wrong; undefined when nothing is. With
 * `parents`, those are checked too, as sshd does for a chroot: whoever may write to one puts another directory in the place of it.
 */
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
  if (found.uid !== 0) return `${path} does not belong to root (chown root: ${path})`
  if ((found.mode & writableByOthers) === 0) return undefined
  // A sticky folder, as /tmp, is meant to be written to by everybody: taking that away would break the machine.
  return `others may write to ${path}${found.mode & sticky ? '' : ` (chmod go-w ${path})`}`
}
