import { stat, truncate } from 'node:fs/promises'

const logMaxBytes = 10 * 1024 * 1024

/** A daemon appends to its log for ever: one of more than 10 MB is emptied, also while the daemon writes (it appends, see startDaemon). */
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
