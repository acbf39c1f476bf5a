import type { BackupDrill, BackupDrillList, StartBackupDrill } from '@panel/contract/backup-drills'
import { pagination } from '@panel/contract/common'
import type { BackupQuery } from '@panel/contract/backups'
import { lockName } from '../../db/lock.ts'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { requireFreeDisk } from '../../process/free-disk-space.ts'
import { newId } from '../../security/ids.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import type { BackupRow } from '../backups/backup-access.ts'
import { readSchedule, triggersNow } from '../backups/schedule.service.ts'
import { findProject, getOwnProject } from '../projects/project-access.ts'
import { chooseDrill, drillSlot } from './drill-choice.policy.ts'
import { scratchBytes } from './drill-comparison.policy.ts'
import {
  deleteDrillsBefore,
  type DrillCandidate,
  type DrillRow,
  insertDrill,
  listCandidates,
  listDrills,
  wasDrilledSince
} from './drills.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'freeDiskBytes' | 'jobs' | 'now' | 'settings'>

export async function showDrills(
  { db }: Pick<Deps, 'db'>,
  query: BackupQuery,
  projectId?: string
): Promise<BackupDrillList> {
  const { rows, total } = await listDrills(db, query, projectId)
  return { drills: rows.map(drillView), pagination: pagination(query.page, query.limit, total) }
}

export async function showProjectDrills(
  deps: Pick<Deps, 'db'>,
  userId: string,
  projectId: string,
  query: BackupQuery
): Promise<BackupDrillList> {
  await getOwnProject(deps.db, projectId, userId)
  return showDrills(deps, query, projectId)
}

const iso = (date: Date | null): string | null => date?.toISOString() ?? null
const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000)

const drillView = (row: DrillRow): BackupDrill => ({
  id: row.id,
  projectId: row.projectId,
  projectName: row.projectName,
  backupId: row.backupId,
  backupTakenAt: row.backupTakenAt.toISOString(),
  targetName: row.targetName,
  status: row.status,
  trigger: row.trigger,
  files: row.files,
  bytes: row.bytes,
  databases: row.databases,
  restoreSeconds: seconds(row.restoreMs),
  startSeconds: seconds(row.startMs),
  start: row.start,
  problem: row.problem,
  createdAt: row.createdAt.toISOString(),
  startedAt: iso(row.startedAt),
  endedAt: iso(row.endedAt)
})

/** Throws DISK_FULL if restoring a copy of the backup could fill a disk. */
export async function requireRoom(
  deps: Pick<Deps, 'config' | 'freeDiskBytes'>,
  { bytes, databases }: Pick<BackupRow, 'bytes' | 'databases'>
): Promise<void> {
  const needed = scratchBytes(bytes ?? 0, databases)
  if ((await requireFreeDisk(deps)) >= needed) return
  const megabytes = Math.ceil(needed / 2 ** 20)
  throw new AppError('DISK_FULL', `A drill with this backup needs ${megabytes} MiB of free disk space.`)
}

export async function startDrill(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  { projectId }: StartBackupDrill
): Promise<BackupDrill> {
  if (projectId !== undefined && !(await findProject(deps.db, projectId)))
    throw new AppError('NOT_FOUND', 'Project not found')
  const chosen = chooseDrill(await listCandidates(deps.db, { before: deps.now(), projectId }), Math.random)
  if (!chosen) throw new AppError('CONFLICT', 'There is no good backup of a project yet. Back up a project first.')
  await requireRoom(deps, chosen.backup)
  return deps.db.transaction(async (trx) => {
    const row = await queueDrill(deps, trx, chosen, 'MANUAL')
    if (!row) throw new AppError('CONFLICT', 'Another drill is in progress. Wait until it ends.')
    await recordAudit(deps, trx, origin, {
      action: 'backup_drill.requested',
      actorId: userId,
      targetId: row.projectId,
      metadata: { backup: row.backupId, drill: row.id }
    })
    return drillView(row)
  })
}

async function queueDrill(
  deps: Pick<Deps, 'jobs' | 'now'>,
  trx: Transaction,
  { projectId, projectName, targetName, backup }: DrillCandidate,
  trigger: DrillRow['trigger']
): Promise<DrillRow | undefined> {
  const now = deps.now()
  const row = await insertDrill(trx, {
    id: newId(now.getTime()),
    projectId,
    projectName,
    backupId: backup.id,
    backupTakenAt: backup.startedAt ?? backup.createdAt,
    targetName,
    databases: backup.databases,
    trigger,
    createdAt: now,
    updatedAt: now
  })
  if (row) await enqueueDrill(deps, trx, row)
  return row
}

export const enqueueDrill = (
  { jobs }: Pick<Deps, 'jobs'>,
  trx: Transaction,
  { id }: Pick<DrillRow, 'id'>
): Promise<void> => jobs.enqueue(trx, 'backups.drill', { drillId: id }, { key: id })

const keptMs = 365 * 24 * 3600_000

/** Queues the drill of the latest time that has none yet, with a backup from before it. */
export async function queueDueDrill(deps: Deps): Promise<void> {
  const now = deps.now()
  await deleteDrillsBefore(deps.db, new Date(now.getTime() - keptMs))
  const slot = drillSlot(await readSchedule(deps.db), deps.settings.timezone(), now)
  if (slot === undefined || !(await triggersNow(deps)).includes('SCHEDULE')) return
  await deps.db.transaction(async (trx) => {
    await lockName(trx, 'backups:claim')
    if (await wasDrilledSince(trx, slot, now)) return
    const chosen = chooseDrill(await listCandidates(trx, { before: slot }), Math.random)
    if (chosen) await queueDrill(deps, trx, chosen, 'SCHEDULE')
  })
}
