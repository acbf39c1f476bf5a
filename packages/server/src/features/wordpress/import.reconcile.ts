import { AppError } from '../../errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import type { WorkerLease } from '../../infra/worker-lease/worker-lease.ts'
import { failImport } from './import.jobs.ts'
import { canDropPrevious, cleanUp } from './import-clean-up.service.ts'
import { type ImportRow, listRunningImports, listUncleanedImports, releaseImport } from './imports.repository.ts'

// A running upload updates its row (import-request.service.ts).
const uploadIdleMs = 5 * 60_000
const retryAfterMs = 20_000
const cleanUpBatch = 20

/** Fails or finishes imports of dead workers, and removes what finished imports left behind. */
export async function recoverImports(
  deps: Dependencies,
  lease: Pick<WorkerLease, 'findDead'>
): Promise<'again' | 'done'> {
  const rows = await listRunningImports(deps.db)
  const dead = new Set(await lease.findDead(rows.flatMap(({ workerId }) => workerId ?? [])))
  for (const row of rows) await recover(deps, row, dead)
  const uncleaned = await listUncleanedImports(deps.db, cleanUpBatch)
  for (const row of uncleaned) {
    if (!(await canDropPrevious(deps, row))) continue
    await cleanUp(deps, row).catch((error: unknown) =>
      deps.logger.warn({ import: row.id, error: messageOf(error) }, 'Could not clean up WordPress import')
    )
  }
  return rows.length > 0 || uncleaned.length > 0 ? 'again' : 'done'
}

async function recover(deps: Dependencies, row: ImportRow, dead: ReadonlySet<number>): Promise<void> {
  const idleMs = deps.now().getTime() - row.updatedAt.getTime()
  if (row.step === 'RECEIVING') {
    if (idleMs > uploadIdleMs)
      await failImport(deps, row.id, new AppError('WORDPRESS_IMPORT_FAILED', { code: 'UPLOAD_CUT_OFF' }))
    return
  }
  if (row.workerId !== null) {
    if (!dead.has(row.workerId)) return
    await releaseImport(deps.db, row.id, row.workerId, deps.now())
  } else if (idleMs < retryAfterMs) return
  await deps.db.transaction((trx) => deps.jobs.enqueue(trx, 'wordpress.import', { importId: row.id }, { key: row.id }))
}
