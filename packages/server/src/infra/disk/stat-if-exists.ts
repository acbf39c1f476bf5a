import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'

export async function statIfExists(path: string): Promise<Stats | undefined> {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}
