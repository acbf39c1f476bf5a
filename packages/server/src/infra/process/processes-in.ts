import { stat } from 'node:fs/promises'
import { listPids } from './proc.ts'

/** Compares inodes, because a container may have another directory with the same name. */
export async function processesIn(directory: string): Promise<number[]> {
  const wanted = await stat(directory)
  const found = await Promise.all(
    (await listPids()).map(async (pid) => {
      const workingDirectory = await stat(`/proc/${pid}/cwd`).catch(() => undefined) // ended, or not accessible
      return workingDirectory?.dev === wanted.dev && workingDirectory.ino === wanted.ino ? [pid] : []
    })
  )
  return found.flat()
}
