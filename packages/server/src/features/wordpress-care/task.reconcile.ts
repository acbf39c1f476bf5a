import type { Dependencies } from '../../dependencies.ts'
import type { WorkerLease } from '../../infra/worker-lease/worker-lease.ts'
import { messageOf } from '../../text/message-of.ts'
import { cleanUpTask } from './site-copy.service.ts'
import { listRunningTasks, listUncleanedTasks, updateTask } from './tasks.repository.ts'

const retryAfterMs = 20_000

/** Hands tasks of dead workers to this one, and removes what ended tasks left behind. */
export async function recoverTasks(
  deps: Dependencies,
  lease: Pick<WorkerLease, 'findDead'>
): Promise<'again' | 'done'> {
  const rows = await listRunningTasks(deps.db)
  const dead = await lease.findDead(rows.flatMap(({ workerId }) => workerId ?? []))
  for (const row of rows) {
    if (row.workerId !== null) {
      if (!dead.includes(row.workerId)) continue
      await updateTask(deps.db, row.id, { workerId: null }, deps.now())
    } else if (deps.now().getTime() - row.updatedAt.getTime() < retryAfterMs) continue
    await deps.db.transaction((trx) => deps.jobs.enqueue(trx, 'wordpress.task', { taskId: row.id }, { key: row.id }))
  }
  const uncleaned = await listUncleanedTasks(deps.db)
  for (const row of uncleaned)
    await cleanUpTask(deps, row).catch((error: unknown) =>
      deps.logger.warn({ task: row.id, error: messageOf(error) }, 'Could not clean up WordPress task')
    )
  return rows.length > 0 || uncleaned.length > 0 ? 'again' : 'done'
}
