import type { Dependencies } from '../../dependencies.ts'
import type { WorkerLease } from '../../infra/worker-lease/worker-lease.ts'
import { countQueued, listOpenBackups, listTargets, moveBackup, updateTarget } from './backups.repository.ts'
import { listOpenRestores, moveRestore } from './restores.repository.ts'
import { triggersNow } from './schedule.service.ts'
import { enqueueRestore, wakeWorkers } from './backups.service.ts'

const maxAttempts = 3

/** Requeues the work of dead workers, and wakes a worker for what is queued. */
export async function recoverBackups(
  deps: Dependencies,
  lease: Pick<WorkerLease, 'findDead'>
): Promise<'again' | 'done'> {
  const [open, restores] = [await listOpenBackups(deps.db), await listOpenRestores(deps.db)]
  const maintained = (await listTargets(deps.db)).filter(({ workerId }) => workerId !== null)
  if (open.length + restores.length + maintained.length === 0) return 'done'
  const dead = new Set(
    await lease.findDead([...open, ...restores, ...maintained].flatMap(({ workerId }) => workerId ?? []))
  )
  for (const row of open) {
    if (row.workerId === null || !dead.has(row.workerId)) continue
    if (row.attempts < maxAttempts) await moveBackup(deps.db, row, 'QUEUED', deps.now())
    else await moveBackup(deps.db, row, 'FAILED', deps.now(), { problem: 'The panel stopped during the backup, several times.' }) // oxfmt-ignore
  }
  for (const { id, workerId } of maintained)
    if (dead.has(workerId!)) await updateTarget(deps.db, id, { workerId: null }, deps.now())
  for (const row of restores) {
    if (row.workerId !== null && !dead.has(row.workerId)) continue
    if (row.workerId !== null) await moveRestore(deps.db, row, 'QUEUED', deps.now())
    await deps.db.transaction((trx) => enqueueRestore(deps, trx, row))
  }
  if ((await countQueued(deps.db, await triggersNow(deps))) > 0)
    await deps.db.transaction((trx) => wakeWorkers(deps, trx))
  return 'again'
}
