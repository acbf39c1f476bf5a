import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

let drafts = 0

/** After a crash the old or the new content is there; concurrent writers do not mix. Default mode 0600. */
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

/** Resolves when the content is on disk. Sets the exact mode, regardless of the umask. */
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

/** Renames and removals are durable only after their directory is synced. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
