import { readIfExists } from '../disk/read-if-exists.ts'
import { processesIn } from './processes-in.ts'

/**
 * The processes that work in a directory of data, and the first of them by the program's own file, which may be stale: its number is only
 * believed of a process that works there.
 */
export async function findByDirectory(
  directory: string,
  pidFile: string
): Promise<{ main: number | undefined; all: number[] }> {
  const all = await processesIn(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [] as number[] // It was never started.
    throw error
  })
  const pid = parseInt((await readIfExists(pidFile)) ?? '', 10)
  return { main: all.includes(pid) ? pid : undefined, all }
}
