import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

let drafts = 0

/**
 * Puts `content` in place of the file, so that a crash at any moment leaves the old or the new one, whole; of two at once either, whole. Default
 * mode 0600.
 */
export async function writeFileAtomically(path: string, content: string, mode = 0o600): Promise<void> {
  const temporary = `${path}.${process.pid}.${++drafts}.new`
  try {
    await writeFileSynced(temporary, content, mode)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncDirectory(dirname(path))
}

/** Resolves when the content is on disk. The mode is what is asked for, whatever the umask. */
export async function writeFileSynced(path: string, content: string, mode: number): Promise<void> {
  const file = await open(path, 'w', mode)
  try {
    await file.chmod(mode)
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** A rename or a removal is on disk when its directory is. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
