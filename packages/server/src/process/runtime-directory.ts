import { createHash } from 'node:crypto'
import { lstat, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A short private directory for the sockets of the programs that belong to `stateDirectory`: a Unix socket path holds 107
 * bytes, and the state may lie anywhere. Refuses one that somebody else made first.
 */
export function makeRuntimeDirectory(stateDirectory: string): Promise<string> {
  // In /run only root makes any: one of somebody else has been given to the program whose sockets lie in it, and perhaps a group may pass.
  return process.getuid?.() === 0
    ? makePrivateDirectory('/run', stateDirectory, { anyOwner: true })
    : makePrivateDirectory(tmpdir(), stateDirectory)
}

/** A directory below `base` whose name stands for `stateDirectory`. Refuses one that somebody else made first. */
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
    throw new Error(`${path} exists but is not a private directory of this user; remove it and start again`)
  }
  return path
}

/** A short name for what belongs to `stateDirectory` but cannot lie in it. */
export const stateName = (stateDirectory: string): string =>
  `panel-${createHash('sha256').update(stateDirectory).digest('hex').slice(0, 12)}`
