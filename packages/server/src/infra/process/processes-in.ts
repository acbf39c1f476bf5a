import { stat } from 'node:fs/promises'
import { listPids } from './proc.ts'

/**
 * Finds the processes whose working directory this is: a server of databases and all its children have the one of their data. The
 * directory itself is compared, since a process in a container may have another one of the same name.
 */
export async function processesIn(directory: string): Promise<number[]> {
  const wanted = await stat(directory)
  const found = await Promise.all(
    (await listPids()).map(async (pid) => {
      const workingDirectory = await stat(`/proc/${pid}/cwd`).catch(() => undefined) // It has ended, or is not ours to look at.
      return workingDirectory?.dev === wanted.dev && workingDirectory.ino === wanted.ino ? [pid] : []
    })
  )
  return found.flat()
}
