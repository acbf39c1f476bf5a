import { chmod, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { lentDirectory } from './git-place.ts'

const pollMs = 500
/** Packs are never merged; a repository with more than this is fetched anew, which costs one snapshot. */
const maxPacks = 50

/** Every attribute that lets a repository leave files out of its archive or change them in it. */
const literalArchive = '* -export-ignore -export-subst\n'

/** Says in a repository that its archives are to be whole. */
export async function writeAttributes(directory: string): Promise<void> {
  await mkdir(join(directory, 'info'), { recursive: true })
  await writeFile(join(directory, 'info', 'attributes'), literalArchive)
}

/** There, if only empty. The folder above is what keeps the users of other jobs out, also of one that is theirs by now. */
export async function makeRepositoryDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await chmod(dirname(directory), 0o700)
}

/** Makes the repository aside and moves it into place, so that a directory of that name is a whole one. */
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

/** What a killed fetch leaves: locks that block the next one, and half a pack. Callers hold the project's lock. */
export async function removeLeftovers(directory: string): Promise<void> {
  const left = (await listFiles(directory)).filter(({ name }) =>
    /\.lock$|^tmp_(pack|idx|rev|obj)_|^shallow_/.test(name)
  )
  await Promise.all(left.map(({ path }) => rm(path, { force: true })))
  await rm(join(directory, lentDirectory), { recursive: true, force: true })
}

export async function hasTooManyPacks(directory: string): Promise<boolean> {
  return (await listFiles(directory)).filter(({ name }) => name.endsWith('.pack')).length > maxPacks
}

/** Bytes of all files; what disappears while we look counts nothing. */
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
  /** Fires once the directory is larger than allowed. */
  signal: AbortSignal
  stop(): void
}

/** Git has no limit for what it fetches, so the directory is measured while it grows. */
export function watchSize(directory: string, maxBytes: number): SizeWatch {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const measure = async () => {
    // What cannot be measured now is measured again; the measurement after the fetch reports a lasting error.
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
