import type { Dependencies } from '../../dependencies.ts'
import type { WorkerLease } from '../../infra/worker-lease/worker-lease.ts'
import { listParts } from '../backups/backup-access.ts'
import {
  listOpenAccountRestores,
  listUsed,
  releaseAccountRestore,
  type AccountRestoreRow
} from './account-restores.repository.ts'
import { enqueueAccountRestore } from './account-restores.service.ts'
import { listSnapshotIds, removeSnapshot } from './account-snapshot.service.ts'

/** Starts the work of dead workers again, and finishes restores whose parts have ended. */
export async function recoverAccountRestores(
  deps: Dependencies,
  lease: Pick<WorkerLease, 'findDead'>
): Promise<'again' | 'done'> {
  await removeStraySnapshots(deps)
  const open = await listOpenAccountRestores(deps.db)
  if (open.length === 0) return 'done'
  const dead = new Set(await lease.findDead(open.flatMap(({ workerId }) => workerId ?? [])))
  for (const row of open) {
    if (row.workerId !== null && !dead.has(row.workerId)) continue
    if (row.workerId !== null) await releaseAccountRestore(deps.db, row)
    if (await isWaiting(deps, row)) continue
    await deps.db.transaction((trx) => enqueueAccountRestore(deps, trx, row))
  }
  return 'again'
}

/** Longer than a worker takes to clean up after the last write to its row. */
const removedAfterMs = 60_000

async function removeStraySnapshots(deps: Dependencies): Promise<void> {
  const found = await listSnapshotIds(deps)
  if (found.length === 0) return
  const used = await listUsed(deps.db, found, new Date(deps.now().getTime() - removedAfterMs))
  for (const id of found) if (!used.includes(id)) await removeSnapshot(deps, id)
}

async function isWaiting({ db }: Pick<Dependencies, 'db'>, { id, status }: AccountRestoreRow): Promise<boolean> {
  if (status !== 'RUNNING') return false
  return (await listParts(db, [id])).some((part) => part.status === 'QUEUED' || part.status === 'RUNNING')
}
