import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

const directory = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/**
 * A directory below one that others may write to, by the names on the way: none of them may be a link, which could lead anywhere on this
 * machine. What is done by `pathOf` the handle is done in that directory, wherever it is moved meanwhile. Undefined where one of them is not
 * there, or is no directory. The caller closes it.
 */
export async function openDirectory(root: string, ...names: readonly string[]): Promise<FileHandle | undefined> {
  let at = await ifThere(open(root, directory))
  for (const name of names) {
    if (!at) return undefined
    const above: FileHandle = at
    at = await openBelow(above, name).finally(() => above.close())
  }
  return at
}

export const openBelow = (above: FileHandle, name: string): Promise<FileHandle | undefined> =>
  ifThere(open(pathOf(above, name), directory))

/** Of what lies in it, or of the directory itself. */
export const pathOf = ({ fd }: FileHandle, name = '.'): string => `/proc/self/fd/${fd}/${name}`

/** Undefined where it is gone, or is a link, or no directory. */
export const ifThere = <T>(found: Promise<T>): Promise<T | undefined> =>
  found.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'ELOOP') return undefined
    throw error
  })
