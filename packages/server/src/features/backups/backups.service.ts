import { Id, type Pagination, pagination } from '@panel/contract/common'
import {
  type Backup,
  type BackupFiles,
  BackupFilesQuery,
  type BackupQuery,
  type Restore,
  type StartServerBackup,
  type StartRestore
} from '@panel/contract/backups'
import { createConcurrencyLimit } from '../../concurrency/concurrency-limit.ts'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { newId } from '../../security/ids.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { getOwnProject, lockProject } from '../projects/project-access.ts'
import { findVolumeNamed, type VolumeRow } from '../volumes/volume-access.ts'
import { backupView, restoreView } from './backup-view.ts'
import {
  type BackupRow,
  findBackup,
  findTarget,
  insertBackups,
  listBackups,
  listTargets
} from './backups.repository.ts'
import { findRestore, insertRestore, listRestores, type RestoreRow } from './restores.repository.ts'
import { snapshotPath } from './snapshot-paths.policy.ts'
import { openRepository, requireTarget } from './targets.service.ts'

type Deps = Pick<Dependencies, 'backupRepository' | 'config' | 'db' | 'jobs' | 'now' | 'secretBox'>
type WriteDeps = Pick<Deps, 'config' | 'db' | 'jobs' | 'now'>

/** Workers claim rows themselves, so one job wakes them for all. */
export const wakeWorkers = ({ jobs }: Pick<Deps, 'jobs'>, trx: Transaction): Promise<void> =>
  jobs.enqueue(trx, 'backups.run', {}, { key: 'backups' })

export async function showBackups(
  { db }: Pick<Deps, 'db'>,
  query: BackupQuery
): Promise<{ backups: Backup[]; pagination: Pagination }> {
  const { rows, total } = await listBackups(db, query)
  return { backups: rows.map(backupView), pagination: pagination(query.page, query.limit, total) }
}

export async function showProjectBackups(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  projectId: string,
  query: BackupQuery
): Promise<{ backups: Backup[]; pagination: Pagination }> {
  await getOwnProject(db, projectId, userId)
  const { rows, total } = await listBackups(db, query, projectId)
  return { backups: rows.map(backupView), pagination: pagination(query.page, query.limit, total) }
}

/** Without `subject` and `projectId`: of the panel and every project. */
export async function startBackups(
  deps: WriteDeps,
  origin: AuditOrigin,
  userId: string,
  { targetId, subject, projectId }: StartServerBackup & { projectId?: string }
): Promise<{ queued: number }> {
  if (projectId !== undefined) await getOwnProject(deps.db, projectId, userId)
  const targets = (await listTargets(deps.db)).filter(
    ({ id, isKeyConfirmed }) => isKeyConfirmed && (targetId === undefined || targetId === id)
  )
  if (targets.length === 0)
    throw new AppError('CONFLICT', 'There is no backup target with a confirmed key. Ask an administrator to add one.')
  return deps.db.transaction(async (trx) => {
    const queued = await insertBackups(trx, {
      subject,
      projectId,
      targetIds: targets.map(({ id }) => id),
      trigger: 'MANUAL',
      now: deps.now()
    })
    await recordAudit(deps, trx, origin, {
      action: 'backup.requested',
      actorId: userId,
      targetId: projectId ?? null,
      metadata: { ...(subject === undefined ? {} : { subject }), targets: targets.map(({ name }) => name), queued }
    })
    if (queued > 0) await wakeWorkers(deps, trx)
    return { queued }
  })
}

export async function showBackup(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  projectId: string,
  id: string
): Promise<Backup> {
  await getOwnProject(db, projectId, userId)
  return backupView(requireBackup(await findBackup(db, projectId, id)))
}

const listedEntries = 1_000
// Each runs restic for a second or more.
const listLimit = createConcurrencyLimit({ total: 4, perKey: 1, what: 'backup directories' })

export const browseBackup = workerVerb(
  'backups.browse',
  [Id, Id, Id, BackupFilesQuery],
  async (
    deps: Deps,
    userId: string,
    projectId: string,
    id: string,
    { path, volume }: BackupFilesQuery
  ): Promise<BackupFiles> => {
    await getOwnProject(deps.db, projectId, userId)
    const { backup } = requireGood(await findBackup(deps.db, projectId, id))
    const target = requireTarget(await findTarget(deps.db, backup.targetId))
    const at = snapshotPath(path, volume)
    const entries = await listLimit.run(userId, () =>
      deps.backupRepository.list(openRepository(deps, target), backup.snapshotId!, at, listedEntries)
    )
    return {
      isTruncated: entries.length > listedEntries,
      entries: entries
        .slice(0, listedEntries)
        .map(({ path, ...entry }) => ({ ...entry, name: path.slice(at.length + 1) }))
    }
  }
)

export async function startRestore(
  deps: WriteDeps,
  origin: AuditOrigin,
  userId: string,
  projectId: string,
  backupId: string,
  input: StartRestore
): Promise<Restore> {
  await getOwnProject(deps.db, projectId, userId)
  return deps.db.transaction(async (trx) => {
    await lockProject(trx, projectId)
    const { backup } = requireGood(await findBackup(trx, projectId, backupId))
    const database = input.kind === 'DATABASE' ? requireDatabase(backup, input.databaseId) : undefined
    const volume = input.kind === 'FILES' ? await findTargetVolume(trx, backup, projectId, input.volume) : undefined
    const now = deps.now()
    const row = await insertRestore(trx, {
      id: newId(now.getTime()),
      projectId,
      userId,
      backupId,
      kind: input.kind,
      path: input.kind === 'FILES' ? input.path : null,
      volumeId: volume?.id ?? null,
      volumeName: volume?.name ?? null,
      databaseId: database?.id ?? null,
      createdAt: now,
      updatedAt: now
    })
    if (!row) throw new AppError('CONFLICT', 'Another restore of this project is in progress. Wait until it ends.')
    await recordAudit(deps, trx, origin, {
      action: 'backup.restore_requested',
      actorId: userId,
      targetId: projectId,
      metadata: {
        backup: backupId,
        ...(database ? { database: database.name } : { path: row.path, ...(volume && { volume: volume.name }) })
      }
    })
    await enqueueRestore(deps, trx, row)
    return restoreView(row)
  })
}

export const enqueueRestore = (
  { jobs }: Pick<Deps, 'jobs'>,
  trx: Transaction,
  { id, userId }: Pick<RestoreRow, 'id' | 'userId'>
): Promise<void> => jobs.enqueue(trx, 'backups.restore', { restoreId: id }, { key: id, account: userId })

export async function showRestores(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  projectId: string
): Promise<{ restores: Restore[] }> {
  await getOwnProject(db, projectId, userId)
  return { restores: (await listRestores(db, projectId, 50)).map(restoreView) }
}

export async function requireRestore(db: Deps['db'], projectId: string, id: string): Promise<RestoreRow> {
  const row = await findRestore(db, id)
  if (row?.projectId !== projectId) throw new AppError('NOT_FOUND', 'Restore not found')
  return row
}

function requireBackup<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new AppError('NOT_FOUND', 'Backup not found')
  return found
}

export function requireGood<Found extends { backup: BackupRow }>(found: Found | undefined): Found {
  const known = requireBackup(found)
  if (known.backup.status !== 'GOOD')
    throw new AppError('CONFLICT', 'Only a backup that was completed and read back can be used. Choose another one.')
  return known
}

/** The volume that gets the files; undefined for those of the project. */
async function findTargetVolume(
  trx: Transaction,
  backup: BackupRow,
  projectId: string,
  name: string | undefined
): Promise<VolumeRow | undefined> {
  if (name === undefined) return undefined
  if (!backup.volumes.includes(name)) throw new AppError('NOT_FOUND', 'Volume not found in this backup')
  const found = await findVolumeNamed(trx, projectId, name)
  if (!found)
    throw new AppError('CONFLICT', `The project has no volume named ${name}. Create it, then restore its files.`)
  return found
}

function requireDatabase({ databases }: BackupRow, id: string) {
  const found = databases.find((database) => database.id === id)
  if (!found) throw new AppError('NOT_FOUND', 'Database not found in this backup')
  return found
}
