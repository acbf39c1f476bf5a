import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Logger } from 'pino'
import { majorOfPrograms, majorOfStore, nativeOf, startEmbeddedPostgres } from '../db/embedded-postgres.ts'
import { dumpStore, loadStore } from '../db/store-dump.ts'
import { freeDiskBytes } from '../infra/disk/free-disk-bytes.ts'
import type { Run } from '../infra/process/process.ts'
import { prepareJobs } from '../wiring/own.ts'
import { bytesBelow } from './prepare-upgrade.ts'
import { moveDirectories, stopIn } from './store-copy.ts'

interface Options {
  /** The store's directory. A copy of it must be kept elsewhere: a failure leaves it as it may be. */
  store: string
  /** For what is in between. On the file system of the store. */
  work: string
  /** Folder of the version of the panel that made the store, with its PostgreSQL. */
  previousRoot: string
  run: Run
  logger: Logger
  step(text: string): void
}

/**
 * Moves a store of another major version of PostgreSQL to the one of this version: dumps it with the programs of the
 * previous version and loads it into a new cluster. Does nothing if the major version is the same.
 */
export async function moveStoreToOwnMajor(options: Options): Promise<void> {
  const { store, work, previousRoot, run, logger, step } = options
  const found = await majorOfStore(store)
  const major = await majorOfPrograms(nativeOf(import.meta.url))
  if (found === undefined || found === major) return
  step(`Moving the database from PostgreSQL ${found} to ${major}`)
  const { dumped, next } = moveDirectories(work)
  await stopIn(next, run)
  for (const path of [dumped, next]) await rm(path, { recursive: true, force: true })
  await requireRoom(store)
  await mkdir(dumped, { recursive: true, mode: 0o700 })
  const native = nativeOf(pathToFileURL(join(previousRoot, 'package.json')).href)
  const { signal } = new AbortController()
  const dump = await withServer(store, native, (url) => dumpStore(url, dumped, signal))
  await withServer(next, undefined, (url) => loadStore(url, dumped, dump, () => prepareJobs(logger, url)))
  await rm(store, { recursive: true })
  await rename(next, store)
  await rm(dumped, { recursive: true })

  async function withServer<T>(
    directory: string,
    native: string | undefined,
    use: (url: string) => Promise<T>
  ): Promise<T> {
    const ignore = () => {} // A query that is lost with the server rejects on its own.
    const options = { run, onRestart: ignore, onFailure: ignore, ...(native === undefined ? {} : { native }) }
    const server = await startEmbeddedPostgres(directory, options)
    return use(server.url).finally(() => server.stop())
  }
}

/** For the dump and the new cluster. */
async function requireRoom(store: string): Promise<void> {
  const needed = 2 * (await bytesBelow(store))
  const free = (await freeDiskBytes(dirname(store))) ?? 0
  if (free < needed)
    throw new Error(`Moving the database takes ${Math.ceil(needed / 2 ** 20)} MB, and only ${Math.floor(free / 2 ** 20)} MB are free.`) // oxfmt-ignore
}
