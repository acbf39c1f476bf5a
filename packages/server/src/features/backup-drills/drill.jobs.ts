import { join } from 'node:path'
import { z } from 'zod'
import { BackedUpDatabase } from '@panel/contract/backups'
import { maxVolumes, VolumeName } from '@panel/contract/volumes'
import type { Dependencies } from '../../dependencies.ts'
import { AppError, asAppError } from '../../errors.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import {
  checksumsBelow,
  countStaged,
  isStaged,
  makeStagingDirectory,
  moveStaged,
  readStagedText,
  removeStaged
} from '../../infra/staging/staging.ts'
import { drillFiles } from '../../process/paths.ts'
import { requireFreeDisk } from '../../process/free-disk-space.ts'
import { messageOf } from '../../text/message-of.ts'
import { findBackup, findTarget } from '../backups/backup-access.ts'
import { requireGood } from '../backups/backups.service.ts'
import { manifestName } from '../backups/stage-backup.service.ts'
import { volumeRoot } from '../backups/snapshot-paths.policy.ts'
import { openRepository, requireTarget } from '../backups/targets.service.ts'
import type { VolumeMount } from '../containers/container-spec.policy.ts'
import { notifyAdmins } from '../notifications/notify-access.ts'
import { findProject, type ProjectRow } from '../projects/project-access.ts'
import { databaseProblem, dumpProblem, filesProblem } from './drill-comparison.policy.ts'
import { removeScratch, scratchAccount, scratchPaths } from './drill-scratch.service.ts'
import { type ScratchDatabase, startRestored } from './drill-start.service.ts'
import { type DrillRow, findDrill, forgetScratch, moveDrill } from './drills.repository.ts'
import { requireRoom } from './drills.service.ts'

/** Restores a copy, compares it and starts it. Only the row stays, whatever the result. */
export async function runDrill(
  deps: Dependencies,
  workerId: number,
  drillId: string,
  signal: AbortSignal
): Promise<void> {
  const queued = await findDrill(deps.db, drillId)
  if (queued?.status !== 'QUEUED') return
  const attempts = queued.attempts + 1
  const now = deps.now()
  const row = await moveDrill(deps.db, queued, 'RUNNING', now, { workerId, attempts, hasScratch: true, startedAt: now })
  if (!row) return
  const result = await attempt(deps, row, signal)
  await clear(deps, row)
  if (signal.aborted) await moveDrill(deps.db, row, 'QUEUED', deps.now(), { attempts: queued.attempts })
  else await endDrill(deps, row, result)
}

type Result = Partial<DrillRow> & { problem: string | null }

async function attempt(deps: Dependencies, row: DrillRow, signal: AbortSignal): Promise<Result> {
  const found: Partial<DrillRow> = {}
  try {
    // An attempt that was killed left something.
    await removeScratch(deps, row)
    await drill(deps, row, found, signal)
    return { ...found, problem: null }
  } catch (error) {
    deps.logger.warn({ drill: row.id, project: row.projectId, error: messageOf(error) }, 'backup drill failed')
    return { ...found, problem: problemOf(error) }
  }
}

/** Reconcile tries again what could not be removed. */
export async function clear(deps: Dependencies, row: DrillRow): Promise<void> {
  try {
    await removeScratch(deps, row)
    await forgetScratch(deps.db, row.id)
  } catch (error) {
    deps.logger.warn({ drill: row.id, error: messageOf(error) }, 'could not remove what a backup drill restored')
  }
}

/** Writes what it found into `found` as it goes, so that a failed drill shows it too. */
async function drill(deps: Dependencies, row: DrillRow, found: Partial<DrillRow>, signal: AbortSignal): Promise<void> {
  const project = await findProject(deps.db, row.projectId)
  if (!project) throw new AppError('NOT_FOUND', 'The project was deleted.')
  let startedAt = performance.now()
  Object.assign(found, await restoreFiles(deps, row, signal))
  const databases = await restoreDatabases(deps, row, signal)
  found.restoreMs = elapsedMs(startedAt)
  startedAt = performance.now()
  const hasStarted = await startProject(deps, row, project, databases, signal)
  found.start = hasStarted ? 'ANSWERED' : 'NOT_DEPLOYED'
  if (hasStarted) found.startMs = elapsedMs(startedAt)
}

const elapsedMs = (from: number): number => Math.round(performance.now() - from)

async function restoreFiles(deps: Dependencies, row: DrillRow, signal: AbortSignal) {
  const { backup } = requireGood(await findBackup(deps.db, row.projectId, row.backupId))
  await requireRoom(deps, backup)
  const repository = openRepository(deps, requireTarget(await findTarget(deps.db, backup.targetId)))
  const { restored } = scratchPaths(deps.config, row.id)
  await makeStagingDirectory(restored)
  await deps.backupRepository.restore(repository, backup.snapshotId!, { path: '', directory: restored, signal })
  const listed = await deps.backupRepository.count(repository, backup.snapshotId!, signal)
  const counted = await countStaged(restored)
  refuse(filesProblem(listed, counted))
  return counted
}

const Manifest = z.object({ databases: z.array(BackedUpDatabase.extend({ sha256: z.string() })) })

const VolumesManifest = z.object({
  volumes: z
    .array(z.object({ name: VolumeName, path: z.string() }))
    .max(maxVolumes)
    .default([])
})

async function restoreDatabases(deps: Dependencies, row: DrillRow, signal: AbortSignal): Promise<ScratchDatabase[]> {
  if (row.databases.length === 0) return []
  const { restored } = scratchPaths(deps.config, row.id)
  const manifest = Manifest.parse(JSON.parse((await readStagedText(join(restored, manifestName))) ?? '{}'))
  const dumps = join(restored, 'databases')
  const checksums = await checksumsBelow(dumps)
  const databases: ScratchDatabase[] = []
  for (const [index, { id, name, type }] of row.databases.entries()) {
    const made = manifest.databases.find((database) => database.id === id)
    if (!made) throw new AppError('CONFLICT', `The manifest of the backup does not name the database ${name}.`)
    const dump = `${id}.sql`
    refuse(dumpProblem(made, checksums.get(dump)))
    const account = scratchAccount(row.id, index)
    await deps.databaseServers[type].provision(account)
    await deps.databaseDump.load(type, account, join(dumps, dump), signal).catch((error: unknown) => {
      throw error instanceof AdapterError ? notLoaded(name, error) : error
    })
    const again = join(restored, 'loaded.sql')
    const loaded = await deps.databaseDump.dump(type, account, again, { maxBytes: await requireFreeDisk(deps), signal })
    await removeStaged(again)
    refuse(databaseProblem(made, loaded))
    databases.push({ id, account })
  }
  return databases
}

/** In place of the name of the scratch database, that of the one that was backed up. */
const notLoaded = (name: string, cause: AdapterError): AppError =>
  new AppError('CONFLICT', `The database ${name} could not be loaded: ${cause.explanation ?? cause.message}`, { cause })

async function startProject(
  deps: Dependencies,
  row: DrillRow,
  project: ProjectRow,
  databases: readonly ScratchDatabase[],
  signal: AbortSignal
): Promise<boolean> {
  const { restored, files } = scratchPaths(deps.config, row.id)
  await makeStagingDirectory(drillFiles(deps.config))
  const found = join(restored, 'files')
  // A project without files has no directory in some backups.
  if (await isStaged(found)) await moveStaged(found, files)
  else await makeStagingDirectory(files)
  return startRestored(deps, row.id, project, databases, await placeVolumes(deps, row), signal)
}

/** Moves the restored volumes to where containers can mount them. Those of backups of earlier versions: none. */
async function placeVolumes(deps: Dependencies, { id }: DrillRow): Promise<VolumeMount[]> {
  const { restored, volume } = scratchPaths(deps.config, id)
  const { volumes } = VolumesManifest.parse(JSON.parse((await readStagedText(join(restored, manifestName))) ?? '{}'))
  const mounts: VolumeMount[] = []
  for (const [index, { name, path }] of volumes.entries()) {
    const source = volume(index)
    const found = join(restored, volumeRoot(name))
    if (await isStaged(found)) await moveStaged(found, source)
    else await makeStagingDirectory(source)
    mounts.push({ id: name, source, target: path })
  }
  return mounts
}

function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw new AppError('CONFLICT', problem)
}

function problemOf(error: unknown): string {
  if (error instanceof AdapterError) return error.message
  return asAppError(error)?.message ?? 'Internal error. Check the log of the panel.'
}

/** Administrators are notified of every drill that failed, unless the project was deleted meanwhile. */
export async function endDrill(deps: Dependencies, row: DrillRow, result: Result): Promise<void> {
  await deps.db.transaction(async (trx) => {
    const { problem } = result
    const status = problem === null ? 'GOOD' : 'FAILED'
    const ended = await moveDrill(trx, row, status, deps.now(), result)
    if (!ended || problem === null || !(await findProject(trx, row.projectId))) return
    await notifyAdmins(deps, trx, {
      kind: 'backup-drill-failed',
      subject: { type: 'server', id: row.id, name: row.projectName },
      text: [{ code: 'BACKUP_DRILL_FAILED', values: { project: row.projectName, target: row.targetName, problem } }],
      link: '/server/backups'
    })
  })
}
