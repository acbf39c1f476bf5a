import { readdir } from 'node:fs/promises'

export async function listPids(): Promise<number[]> {
  return (await readdir('/proc')).filter((name) => /^[0-9]+$/.test(name)).map(Number)
}

/** Result of reading /proc about a process; undefined if the process has ended. */
export async function ifAlive<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
      return undefined
    throw error
  }
}
