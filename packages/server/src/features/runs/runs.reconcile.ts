import type { Dependencies } from '../../dependencies.ts'
import type { WorkerContext } from '../feature.ts'
import { isExecuting } from './run-execution.jobs.ts'
import { listOpenRuns } from './runs.repository.ts'
import { wakeRun } from './runs.service.ts'

/** Wakes a worker for runs that wait, and for those that a dead worker or an error left behind. */
export async function recoverRuns(
  deps: Pick<Dependencies, 'db' | 'jobs'>,
  lease: WorkerContext['lease']
): Promise<'again' | 'done'> {
  const open = await listOpenRuns(deps.db)
  if (open.length === 0) return 'done'
  const dead = new Set(await lease.findDead([...new Set(open.flatMap(({ workerId }) => workerId ?? []))]))
  const left = open.filter(
    ({ id, workerId }) => workerId === null || dead.has(workerId) || (workerId === lease.workerId && !isExecuting(id))
  )
  await deps.db.transaction(async (trx) => {
    for (const run of left) await wakeRun(deps, trx, run)
  })
  return 'again'
}
