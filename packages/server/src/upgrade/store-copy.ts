import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { embeddedProgram } from '../db/embedded-postgres.ts'
import { exists } from '../infra/disk/exists.ts'
import type { Run } from '../infra/process/process.ts'
import { storeDirectory } from '../process/paths.ts'
import { stopProgram } from '../programs/lifecycle.ts'
import { syncDirectory, upgradeDirectory } from './upgrade-state.ts'

// Copying stops when no byte moves, not after a time.
const copyLimits = { timeoutMs: 6 * 60 * 60_000, idleTimeoutMs: 5 * 60_000 }

const copyPath = (dataDirectory: string) => join(upgradeDirectory(dataDirectory), 'store')
const failedPath = (dataDirectory: string) => join(upgradeDirectory(dataDirectory), 'failed-store')
/** What a move to another major version of PostgreSQL leaves when it is interrupted. */
const movePaths = (dataDirectory: string) => Object.values(moveDirectories(upgradeDirectory(dataDirectory)))

/** Below `work`: the dumped rows, and the store that gets them. */
export const moveDirectories = (work: string) => ({ dumped: join(work, 'dump'), next: join(work, 'next-store') })

/** A cluster that does not run is complete on disk, so its copy is one too. Blocks are shared where the file system can. */
export async function copyStore(dataDirectory: string, run: Run): Promise<void> {
  await stopStore(dataDirectory, run)
  const copy = copyPath(dataDirectory)
  await mkdir(dirname(copy), { recursive: true, mode: 0o700 })
  for (const path of [copy, `${copy}.new`, failedPath(dataDirectory), ...movePaths(dataDirectory)])
    await rm(path, { recursive: true, force: true })
  const source = storeDirectory({ DATA_DIR: dataDirectory })
  await run(['cp', '-a', '--reflink=auto', '--', source, `${copy}.new`], copyLimits)
  await run(['sync', '--file-system', `${copy}.new`], { timeoutMs: 10 * 60_000 })
  await rename(`${copy}.new`, copy)
  await syncDirectory(dirname(copy))
}

/** The copy is moved, so that a second run finds nothing left to do. What the new version made of the store is kept for a look. */
export async function restoreStore(dataDirectory: string, run: Run): Promise<void> {
  await stopStore(dataDirectory, run)
  const [copy, failed] = [copyPath(dataDirectory), failedPath(dataDirectory)]
  if (!(await exists(copy))) return
  const store = storeDirectory({ DATA_DIR: dataDirectory })
  if (await exists(store)) {
    await rm(failed, { recursive: true, force: true })
    await rename(store, failed)
  }
  await rename(copy, store)
  for (const directory of [dataDirectory, dirname(copy)]) await syncDirectory(directory)
}

/** Removes the copy of an upgrade that is long done. */
export const removeStoreCopies = async (dataDirectory: string): Promise<void> => {
  for (const path of [copyPath(dataDirectory), failedPath(dataDirectory), ...movePaths(dataDirectory)])
    await rm(path, { recursive: true, force: true })
}

/** Also one that the version before or after this one started. */
async function stopStore(dataDirectory: string, run: Run): Promise<void> {
  const { next } = moveDirectories(upgradeDirectory(dataDirectory))
  for (const directory of [storeDirectory({ DATA_DIR: dataDirectory }), next]) await stopIn(directory, run)
}

/** Stops the server of a store, if there is one. */
export async function stopIn(directory: string, run: Run): Promise<void> {
  if (await exists(directory)) await stopProgram(await embeddedProgram(directory, run))
}
