import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { loadConfig } from '../cli/settings.ts'
import { type EmbeddedPostgres, embeddedProgram, startEmbeddedPostgres } from '../db/embedded-postgres.ts'
import { saveSetting } from '../db/settings.ts'
import { isAnyAccount, loadStore } from '../db/store-dump.ts'
import type { RestoredMachine } from '../features/backups/panel-contents.ts'
import { restoredKey } from '../features/backups/restored-panel.service.ts'
import { uploadsDirectory } from '../features/git/workspace.service.ts'
import { AdapterError } from '../infra/adapter-error.ts'
import { exists } from '../infra/disk/exists.ts'
import { findProcesses } from '../infra/process/find-processes.ts'
import { run } from '../infra/process/run.ts'
import { signal as send } from '../infra/process/signal.ts'
import { checksumsBelow } from '../infra/staging/staging.ts'
import { panelSettingsPath, panelState, programState } from '../process/paths.ts'
import { makeRuntimeDirectory } from '../process/runtime-directory.ts'
import { stopProgram } from '../programs/lifecycle.ts'
import { prepareJobs } from '../wiring/own.ts'
import { openStore, type Store } from '../wiring/store.ts'
import { type DatabaseEngines, type Install, openDatabaseEngines, stopDatabaseEngines } from './database-engines.ts'
import { listRestoredDatabases, type RestoredDatabase } from './restored-rows.repository.ts'
import { outsideOf, stagedConfig, stagedDataDirectory } from './staged-paths.ts'

type Env = Readonly<Record<string, string | undefined>>

export interface StagedMachine extends RestoredMachine {
  config(): Config
  store(): Store
  /** Directory on the file system of `final` into which restic writes. */
  incoming(final: string): Promise<string>
  /** Databases of the restored store that have not been loaded. */
  missingDatabases(): RestoredDatabase[]
  stop(): Promise<void>
}

interface Options {
  dataDirectory: string
  env: Env
  logger: Logger
  install: Install
  mayReplace: boolean
  signal: AbortSignal
}

/** Stops what an interrupted restore left running, and removes what it wrote. */
export async function clearStage(dataDirectory: string): Promise<void> {
  const staged = stagedDataDirectory(dataDirectory)
  const config = { DATA_DIR: staged }
  await stopDatabaseEngines(config)
  const store = join(staged, 'postgres')
  if (await exists(store)) await stopProgram(await embeddedProgram(store, run))
  for (const directory of [staged, programState(config), await makeRuntimeDirectory(store)]) await clear(directory)
}

/** A killed restore leaves its restic running. */
async function clear(directory: string): Promise<void> {
  const isBelow = (argument: string) => argument.startsWith(`${directory}/`)
  for (const pid of (await findProcesses('restic', isBelow)).keys()) send(pid, 'SIGKILL')
  await rm(directory, { recursive: true, force: true })
}

/** What was copied into the backup, dumps among it. */
export const copiesOf = (stagedData: string): string => join(stagedData, 'copies')

const incomingOf = (directory: string): string => join(directory, 'incoming')

/** A panel below DATA_DIR/restoring: the machine's own panel does not change, and no container is started. */
export function createStagedMachine({
  dataDirectory,
  env,
  logger,
  install,
  mayReplace,
  signal
}: Options): StagedMachine {
  const stagedData = stagedDataDirectory(dataDirectory)
  let config: Config | undefined
  let postgres: EmbeddedPostgres | undefined
  let store: (Store & { close(): Promise<void> }) | undefined
  let engines: DatabaseEngines | undefined
  let missing = new Map<string, RestoredDatabase>()
  const known = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('The backup has no settings or no store')
    return value
  }

  return {
    config: () => known(config),
    store: () => known(store),
    missingDatabases: () => [...missing.values()],

    async incoming(final) {
      const directory = incomingOf(final.startsWith(stagedData) ? stagedData : dirname(final))
      await rm(directory, { recursive: true, force: true })
      await makePassable(dirname(directory))
      await mkdir(directory, { mode: 0o700 })
      return directory
    },

    async writeSettings(text) {
      await writeFile(panelSettingsPath({ DATA_DIR: stagedData }), text, { mode: 0o600 })
      config = stagedConfig(await loadConfig({ ...env, DATA_DIR: stagedData }))
      for (const { from } of outsideOf(config)) await clear(from)
    },

    async loadStore(directory, dump) {
      const { DATABASE_URL } = known(config)
      const url = DATABASE_URL ?? (await startStore())
      if (DATABASE_URL !== undefined && !mayReplace && (await isAnyAccount(DATABASE_URL)))
        throw new Error('The database at DATABASE_URL already has accounts. Use an empty one, or --replace.')
      await loadStore(url, directory, dump, () => prepareJobs(logger, url))
      store = await openStore(known(config), logger, url)
      engines = openDatabaseEngines(known(config), store, install)
      missing = new Map((await listRestoredDatabases(store.db)).map((row) => [row.id, row]))
      // The panel builds the projects again when it starts.
      await saveSetting(store.db, restoredKey, new Date().toISOString())
    },

    async loadDatabases(directory, databases) {
      if (databases.length === 0) return
      const found = await checksumsBelow(directory)
      for (const { id, sha256 } of databases) {
        const row = missing.get(id)
        if (!row) continue // Deleted between the dump of the store and this one.
        const file = `${id}.sql`
        if (found.get(file) !== sha256)
          throw new AdapterError('database-dump-failed', `The dump of ${row.name} is damaged.`)
        const password = known(store).secretBox.open(row.encryptedPassword)
        const account = { database: row.name, username: row.username, password }
        await known(engines).load(row.type, account, join(directory, file), signal)
        missing.delete(id)
      }
    },

    async place(state, from) {
      const to = panelState(known(config))[state]
      await makePassable(dirname(to))
      await moveTree(from, to)
    },

    async placeUploads(from) {
      const { PROJECTS_DIR } = known(config)
      await makePassable(PROJECTS_DIR)
      for (const projectId of await readdir(from)) {
        const to = uploadsDirectory({ PROJECTS_DIR }, projectId)
        await mkdir(dirname(to), { recursive: true, mode: 0o700 })
        await moveTree(join(from, projectId), to)
      }
    },

    async stop() {
      await engines?.stop()
      await store?.close()
      await postgres?.stop()
      await rm(await makeRuntimeDirectory(join(stagedData, 'postgres')), { recursive: true, force: true })
      const unused = [copiesOf(stagedData), incomingOf(stagedData), incomingOf(programState({ DATA_DIR: stagedData }))]
      for (const path of unused) await rm(path, { recursive: true, force: true })
    }
  }

  /** Outside DATA_DIR each program reaches its own directory, so the parents are passable. */
  async function makePassable(directory: string): Promise<void> {
    await mkdir(directory, { recursive: true })
    if (directory.startsWith(stagedData)) return
    for (const path of [programState({ DATA_DIR: stagedData }), directory]) await chmod(path, 0o711)
  }

  async function startStore(): Promise<string> {
    const failed = (error: unknown) => logger.error({ err: error }, 'the embedded database died')
    postgres = await startEmbeddedPostgres(join(stagedData, 'postgres'), {
      run,
      onRestart: () => {},
      onFailure: failed
    })
    return postgres.url
  }
}

/** By renaming; across file systems with a copy that keeps owners, modes, links and times. */
async function moveTree(from: string, to: string): Promise<void> {
  await rename(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EXDEV') throw error
    await run(['cp', '-a', '--', from, to], { timeoutMs: 24 * 3600_000, idleTimeoutMs: 10 * 60_000 })
    await rm(from, { recursive: true })
  })
}
