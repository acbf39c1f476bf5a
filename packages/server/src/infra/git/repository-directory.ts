import { chmod, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { credentialsDirectory } from './git-place.ts'

const pollMs = 500
/** Packs are never merged; above this the repository is fetched again, which costs one snapshot. */
const maxPacks = 50

/** Disables all attributes with which a repository could leave files out of its archive or change them. */
const literalArchive = '* -export-ignore -export-subst\n'

export async function writeAttributes(directory: string): Promise<void> {
  await mkdir(join(directory, 'info'), { recursive: true })
  await writeFile(join(directory, 'info', 'attributes'), literalArchive)
}

/** The parent's mode keeps out other job users, even a former owner of the directory. */
export async function makeRepositoryDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await chmod(dirname(directory), 0o700)
}

/** Creates the repository beside its path and renames it, so that an existing directory is always complete. */
export async function createRepository(
  directory: string,
  prepare: (directory: string) => Promise<void>
): Promise<void> {
  const fresh = `${directory}.new`
  await rm(fresh, { recursive: true, force: true })
  await mkdir(fresh, { mode: 0o700 })
  await prepare(fresh)
  await rm(directory, { recursive: true, force: true })
  await rename(fresh, directory)
}

/** Locks that block the next fetch and partial packs. Callers hold the project's lock. */
export async function removeLeftovers(directory: string): Promise<void> {
  const left = (await listFiles(directory)).filter(({ name }) =>
    /\.lock$|^tmp_(pack|idx|rev|obj)_|^shallow_/.test(name)
  )
  await Promise.all(left.map(({ path }) => rm(path, { force: true })))
  await rm(join(directory, credentialsDirectory), { recursive: true, force: true })
}

export async function hasTooManyPacks(directory: string): Promise<boolean> {
  return (await listFiles(directory)).filter(({ name }) => name.endsWith('.pack')).length > maxPacks
}

export async function directoryBytes(directory: string): Promise<number> {
  const sizes = await Promise.all(
    (await listFiles(directory)).map(({ path }) =>
      stat(path).then(
        ({ size }) => size,
        () => 0
      )
    )
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

interface SizeWatch {
  signal: AbortSignal
  stop(): void
}

/** Git cannot limit what it fetches, so the directory is measured while it grows. */
export function watchSize(directory: string, maxBytes: number): SizeWatch {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const measure = async () => {
    // Retried at the next interval; a lasting error surfaces in the measurement after the fetch.
    const bytes = await directoryBytes(directory).catch(() => 0)
    if (bytes > maxBytes) controller.abort()
    else if (timer !== undefined) schedule()
  }
  const schedule = () => {
    timer = setTimeout(() => void measure(), pollMs)
  }
  schedule()
  return {
    signal: controller.signal,
    stop: () => {
      clearTimeout(timer)
      timer = undefined
    }
  }
}

async function listFiles(directory: string): Promise<{ name: string; path: string }[]> {
  try {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map(({ name, parentPath }) => ({ name, path: join(parentPath, name) }))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
