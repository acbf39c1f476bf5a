import { statfs } from 'node:fs/promises'

/** Free bytes for non-root programs on the directory's file system; undefined if the directory is missing. */
export async function freeDiskBytes(directory: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(directory)
    return bavail * bsize
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
