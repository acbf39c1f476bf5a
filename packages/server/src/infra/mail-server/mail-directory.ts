import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

const directory = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/**
 * Opens a directory below one that others can write to, without following symbolic links in `names`. Operations through
 * `pathOf` stay in that directory even if it is moved. Undefined if a part is missing or no directory. The caller
 * closes it.
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

export const pathOf = ({ fd }: FileHandle, name = '.'): string => `/proc/self/fd/${fd}/${name}`

/** Undefined if the path is missing, a symbolic link or no directory. */
export const ifThere = <T>(found: Promise<T>): Promise<T | undefined> =>
  found.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'ELOOP') return undefined
    throw error
  })
