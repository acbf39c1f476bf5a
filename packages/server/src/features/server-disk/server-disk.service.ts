import type { DiskCleanup, ServerDisk, StartDiskCleanup } from '@panel/contract/server-disk'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { newId } from '../../security/ids.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { forecastOf } from './alerts.service.ts'
import { type CleanupRow, findLatestCleanup, findMeasurement, insertCleanup } from './server-disk.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'jobs' | 'nodeId' | 'now'>

export async function getServerDisk(deps: Omit<Deps, 'jobs'>): Promise<ServerDisk> {
  const { config, db, nodeId } = deps
  const row = await findMeasurement(db, nodeId)
  const cleanup = await findLatestCleanup(db, nodeId)
  return {
    measuredAt: row?.measuredAt.toISOString() ?? null,
    disks: row?.disks ?? [],
    projects: row?.projects ?? [],
    forecast: row ? await forecastOf(deps, row) : null,
    alertPercent: config.ALERT_DISK_PERCENT,
    alertDays: config.ALERT_DISK_DAYS,
    cleanup: cleanup ? cleanupView(cleanup) : null
  }
}

/** At most one measurement waits, and it does nothing if the last one is too recent. */
export async function requestMeasurement({ db, jobs }: Pick<Deps, 'db' | 'jobs'>): Promise<void> {
  await db.transaction((trx) => jobs.enqueue(trx, 'server-disk.measure', { isRequested: true }, { key: 'requested' }))
}

export async function startCleanup(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  { kinds }: StartDiskCleanup
): Promise<DiskCleanup> {
  const now = deps.now()
  return deps.db.transaction(async (trx) => {
    const row = await insertCleanup(trx, { id: newId(now.getTime()), nodeId: deps.nodeId, kinds, requestedBy: userId, createdAt: now }) // oxfmt-ignore
    if (!row) throw new AppError('CONFLICT', 'A cleanup is running already. Wait until it has ended.')
    await deps.jobs.enqueue(trx, 'server-disk.clean', {}, { key: row.id })
    await recordAudit(deps, trx, origin, { action: 'server_disk.cleanup_started', actorId: userId, targetId: row.id, metadata: { kinds } }) // oxfmt-ignore
    return cleanupView(row)
  })
}

const cleanupView = ({ id, status, kinds, results, createdAt, endedAt }: CleanupRow): DiskCleanup => ({
  id,
  status,
  kinds,
  results,
  createdAt: createdAt.toISOString(),
  endedAt: endedAt?.toISOString() ?? null
})
