import type { Dependencies } from '../../dependencies.ts'
import type { WorkerLease } from '../../infra/worker-lease/worker-lease.ts'
import { listDueImports, listOpenImports, moveImport } from './mailbox-imports.repository.ts'
import { enqueueImport } from './mailbox-imports.service.ts'

const wokenInARound = 20

/** Requeues imports of dead workers, and wakes a worker for those that are due. */
export async function recoverImports(
  deps: Dependencies,
  lease: Pick<WorkerLease, 'findDead'>
): Promise<'again' | 'done'> {
  const open = await listOpenImports(deps.db)
  const dead = new Set(await lease.findDead(open.flatMap(({ workerId }) => workerId ?? [])))
  for (const { id, workerId } of open)
    if (workerId !== null && dead.has(workerId)) await moveImport(deps.db, id, 'QUEUED', deps.now(), { reason: null })
  for (const due of await listDueImports(deps.db, deps.now(), wokenInARound))
    await deps.db.transaction((trx) => enqueueImport(deps, trx, due))
  return open.length > 0 ? 'again' : 'done'
}
