import { readIfExists } from '../disk/read-if-exists.ts'
import { processesIn } from './processes-in.ts'

/** `main` is the pid in the pid file, only if it works in the directory: pid files may be stale. */
export async function findByDirectory(
  directory: string,
  pidFile: string
): Promise<{ main: number | undefined; all: number[] }> {
  const all = await processesIn(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [] as number[] // never started
    throw error
  })
  const pid = parseInt((await readIfExists(pidFile)) ?? '', 10)
  return { main: all.includes(pid) ? pid : undefined, all }
}
