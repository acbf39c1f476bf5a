import { statfs } from 'node:fs/promises'

/** What is free for programs other than root's reserve on the file system of the directory; undefined where there is none. */
export async function freeDiskBytes(directory: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(directory)
    return bavail * bsize
  } catch (error) {
    // The engine may keep its files where this process does not see them.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
