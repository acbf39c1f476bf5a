import { readdir } from 'node:fs/promises'

/** The numbers of the processes that there are now, by proc(5). */
export async function listPids(): Promise<number[]> {
  return (await readdir('/proc')).filter((name) => /^[0-9]+$/.test(name)).map(Number)
}

/** What is read below /proc about a process; undefined where it has ended since it was listed. */
export async function ifAlive<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
      return undefined
    throw error
  }
}
