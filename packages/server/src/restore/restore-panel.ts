import { mkdir, readFile, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Logger } from 'pino'
import { checkDump } from '../db/store-dump.ts'
import { copiesName } from '../features/backups/panel-backup.service.ts'
import { panelContents } from '../features/backups/panel-contents.ts'
import { PanelManifest } from '../features/backups/panel-manifest.ts'
import type { BackupRepository, Repository, Snapshot } from '../infra/backup-repository/backup-repository.ts'
import { exists } from '../infra/disk/exists.ts'
import { freeDiskBytes } from '../infra/disk/free-disk-bytes.ts'
import { checksumsBelow } from '../infra/staging/staging.ts'
import { panelSettingsPath, programState } from '../process/paths.ts'
import { lockState } from '../process/state-lock.ts'
import type { Install } from './database-engines.ts'
import { restoreProjects } from './restore-projects.ts'
import { roomProblem } from './room.policy.ts'
import { choosePanelSnapshot, chooseProjectSnapshots, type PanelSnapshot } from './snapshots.policy.ts'
import { clearStage, copiesOf, createStagedMachine, type StagedMachine } from './staged-machine.ts'
import { movesOf, stagedDataDirectory } from './staged-paths.ts'
import { findPrevious, isCompleted, markCompleted, swapIn } from './swap.ts'

export interface RestoreOptions {
  dataDirectory: string
  env: Readonly<Record<string, string | undefined>>
  logger: Logger
  backups: BackupRepository
  repository: Repository
  /** Id of a snapshot or its start; default: the latest. */
  snapshot: string | undefined
  mayReplace: boolean
  install: Install
  /** Rejects if the person at the terminal does not want this snapshot. */
  confirm(snapshot: PanelSnapshot, manifest: PanelManifest): Promise<void>
  step(text: string): void
  signal: AbortSignal
}

/**
 * Restores a whole panel onto this machine: beside what is there, and moved into place when it is complete. After an
 * interruption, another run starts again, or only finishes the move. Resolves with what could not be restored.
 */
export async function restorePanel(options: RestoreOptions): Promise<string[]> {
  const { dataDirectory, step } = options
  const lock = await lockState(dataDirectory)
  try {
    if (!(await isCompleted(dataDirectory))) {
      await refuseIfInUse(options)
      await clearStage(dataDirectory)
      await mkdir(stagedDataDirectory(dataDirectory), { recursive: true, mode: 0o700 })
      await restoreBeside(options)
    }
    step('Moving the restored panel into place')
    return await swapIn(dataDirectory)
  } finally {
    await lock.release()
  }
}

async function refuseIfInUse({ dataDirectory, mayReplace }: RestoreOptions): Promise<void> {
  const state = programState({ DATA_DIR: dataDirectory })
  const signs = [panelSettingsPath({ DATA_DIR: dataDirectory }), join(dataDirectory, 'postgres'), join(state, 'mail')]
  const found = (await Promise.all(signs.map(exists))).indexOf(true)
  if (found === -1) return
  if (!mayReplace)
    throw new Error(
      `This machine already has a panel (${signs[found]}). Nothing was changed. To replace it, stop it and add --replace; its data is kept in before-restore.`
    )
  for (const directory of [dataDirectory, state]) {
    const previous = await findPrevious(directory)
    if (previous !== undefined)
      throw new Error(`An earlier restore left ${previous}. Remove it first, if the restored panel is right.`)
  }
}

async function restoreBeside(options: RestoreOptions): Promise<void> {
  const { backups, repository, dataDirectory, signal, step } = options
  const machine = createStagedMachine(options)
  try {
    const snapshots = await backups.listSnapshots(repository, signal)
    const chosen = choosePanelSnapshot(snapshots, options.snapshot)
    const incoming = await machine.incoming(stagedDataDirectory(dataDirectory))
    const manifest = await readManifest(options, chosen, incoming)
    await options.confirm(chosen, manifest)
    await requireRoom(options, snapshots, chosen)
    const copies = await restoreCopies(options, chosen, manifest, incoming)
    for (const { name, putBack } of panelContents) {
      signal.throwIfAborted()
      const path = manifest.directories.includes(name)
        ? await restoreDirectory(options, machine, chosen, name)
        : join(copies, name)
      if (!(await exists(path))) continue
      step(`Restoring ${name}`)
      await putBack(machine, path, manifest)
    }
    const missing = await restoreProjects({ ...options, machine, snapshots })
    for (const { name, type } of machine.missingDatabases()) missing.push(`Database ${name} (${type}): it has no dump`)
    const moves = movesOf(machine.config(), dataDirectory)
    await machine.stop()
    await markCompleted(dataDirectory, { moves, missing })
  } catch (error) {
    await machine.stop()
    await clearStage(dataDirectory)
    throw error
  }
}

async function readManifest(
  { backups, repository, signal }: RestoreOptions,
  { id }: Snapshot,
  incoming: string
): Promise<PanelManifest> {
  await backups.restore(repository, id, { path: '/manifest.json', directory: incoming, signal })
  const { data: manifest } = PanelManifest.safeParse(
    JSON.parse(await readFile(join(incoming, 'manifest.json'), 'utf8'))
  )
  if (!manifest) throw new Error('This backup was made by a newer version of the panel. Install that version first.')
  checkDump(manifest.store)
  return manifest
}

async function restoreCopies(
  { backups, repository, signal, step }: RestoreOptions,
  { id }: Snapshot,
  { files }: PanelManifest,
  incoming: string
): Promise<string> {
  step('Reading settings, keys and the store')
  await backups.restore(repository, id, { path: `/${copiesName}`, directory: incoming, signal })
  const copies = copiesOf(dirname(incoming))
  await rename(join(incoming, copiesName), copies)
  const found = await checksumsBelow(copies)
  for (const [path, checksum] of Object.entries(files))
    if (found.get(path) !== checksum)
      throw new Error(`${path} of the backup is damaged. Choose an older one with --snapshot.`)
  return copies
}

async function restoreDirectory(
  { backups, repository, signal, step }: RestoreOptions,
  machine: StagedMachine,
  { id }: Snapshot,
  name: string
): Promise<string> {
  step(`Reading ${name}`)
  // Mail is the largest, and is kept there.
  const directory = await machine.incoming(join(programState(machine.config()), name))
  await backups.restore(repository, id, { path: `/${name}`, directory, signal })
  return join(directory, name)
}

// Dumps of databases are on disk beside what is loaded from them.
const factors = { panel: 2, projects: 1.25 }

async function requireRoom(
  { backups, repository, dataDirectory, env, signal }: RestoreOptions,
  snapshots: readonly Snapshot[],
  chosen: Snapshot
): Promise<void> {
  const prefix = 'project:'
  const projectIds = snapshots.flatMap(({ tags }) => tags.flatMap((tag) => (tag.startsWith(prefix) ? tag.slice(prefix.length) : []))) // oxfmt-ignore
  const projects = [...chooseProjectSnapshots(snapshots, [...new Set(projectIds)]).values()].map(({ id }) => id)
  const sizeOf = (ids: string[]) => (ids.length === 0 ? 0 : backups.restoreSize(repository, ids, signal))
  const [panelBytes, projectBytes] = [await sizeOf([chosen.id]), await sizeOf(projects)]
  const needs = [
    await needOf(programState({ DATA_DIR: dataDirectory }), panelBytes * factors.panel),
    await needOf(env.PROJECTS_DIR || dataDirectory, projectBytes * factors.projects)
  ]
  const problem = roomProblem(needs)
  if (problem !== undefined) throw new Error(problem)
}

async function needOf(directory: string, bytes: number) {
  const place = await existing(directory)
  return { directory, bytes, device: (await stat(place)).dev, freeBytes: (await freeDiskBytes(place)) ?? 0 }
}

const existing = async (path: string): Promise<string> => ((await exists(path)) ? path : existing(dirname(path)))
