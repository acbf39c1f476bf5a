import { createHash } from 'node:crypto'
import { lstat, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Short, because a Unix socket path holds 107 bytes. Refuses a directory created by another user. */
export function makeRuntimeDirectory(stateDirectory: string): Promise<string> {
  // Only root can create entries in /run, so any owner is trusted.
  return process.getuid?.() === 0
    ? makePrivateDirectory('/run', stateDirectory, { anyOwner: true })
    : makePrivateDirectory(tmpdir(), stateDirectory)
}

/** A directory below `base` named after `stateDirectory`. Refuses a directory created by another user. */
export async function makePrivateDirectory(
  base: string,
  stateDirectory: string,
  { anyOwner = false } = {}
): Promise<string> {
  const path = join(base, stateName(stateDirectory))
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const found = await lstat(path)
  const isOurs = anyOwner || found.uid === (process.getuid?.() ?? 0)
  if (!found.isDirectory() || !isOurs || (found.mode & (anyOwner ? 0o067 : 0o077)) !== 0) {
    throw new Error(`${path} exists but is not a private directory of this user. Remove it and start again.`)
  }
  return path
}

export const stateName = (stateDirectory: string): string =>
  `panel-${createHash('sha256').update(stateDirectory).digest('hex').slice(0, 12)}`
