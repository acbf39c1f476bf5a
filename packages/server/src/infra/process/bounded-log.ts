import { stat, truncate } from 'node:fs/promises'

const logMaxBytes = 10 * 1024 * 1024

/** Truncates a daemon's log above 10 MB. Safe while the daemon writes, because it appends (see startDaemon). */
export async function boundLog(path: string): Promise<void> {
  const size = await stat(path).then(
    (found) => found.size,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return 0
      throw error
    }
  )
  if (size > logMaxBytes) await truncate(path, 0)
}
