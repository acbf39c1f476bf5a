import type { Dependencies } from '../../dependencies.ts'
import type { WorkerLease } from '../../infra/worker-lease/worker-lease.ts'
import { clear, endDrill } from './drill.jobs.ts'
import { enqueueDrill } from './drills.service.ts'
import { listUnfinishedDrills, moveDrill } from './drills.repository.ts'

const maxAttempts = 3

/** Starts drills of dead workers again, and removes what drills left outside the store. */
export async function recoverDrills(
  deps: Dependencies,
  lease: Pick<WorkerLease, 'findDead'>
): Promise<'again' | 'done'> {
  const rows = await listUnfinishedDrills(deps.db)
  if (rows.length === 0) return 'done'
  const dead = new Set(await lease.findDead(rows.flatMap(({ workerId }) => workerId ?? [])))
  for (const row of rows) {
    if (row.status === 'RUNNING') {
      if (!dead.has(row.workerId!)) continue
      if (row.attempts < maxAttempts) await moveDrill(deps.db, row, 'QUEUED', deps.now())
      else await endDrill(deps, row, { problem: 'The panel stopped during the drill, several times.' })
    }
    if (row.status === 'QUEUED') await deps.db.transaction((trx) => enqueueDrill(deps, trx, row))
    if (row.status === 'GOOD' || row.status === 'FAILED') await clear(deps, row)
  }
  return 'again'
}
