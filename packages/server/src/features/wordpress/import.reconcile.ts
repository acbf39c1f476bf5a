import { AppError } from '../../errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import type { WorkerLease } from '../../infra/worker-lease/worker-lease.ts'
import { failImport } from './import.jobs.ts'
import { isPreviousObsolete, cleanUp } from './import-clean-up.service.ts'
import { type ImportRow, listRunningImports, listUncleanedImports, releaseImport } from './imports.repository.ts'

// An upload that goes on says so all the time (import-request.service.ts).
const receivingSilenceMs = 5 * 60_000
// After an attempt to finish one that failed.
const retryAfterMs = 20_000
const tidiedInARound = 20

/**
 * Imports of workers that are gone are taken back, or finished when they had begun to swap; and what imports have left is removed, when
 * its time has come.
 */
export async function recoverImports(
  deps: Dependencies,
  lease: Pick<WorkerLease, 'findDead'>
): Promise<'again' | 'done'> {
  const rows = await listRunningImports(deps.db)
  const dead = new Set(await lease.findDead(rows.flatMap(({ workerId }) => workerId ?? [])))
  for (const row of rows) await recover(deps, row, dead)
  const uncleaned = await listUncleanedImports(deps.db, tidiedInARound)
  for (const row of uncleaned) {
    if (!(await isPreviousObsolete(deps, row))) continue
    await cleanUp(deps, row).catch((error: unknown) =>
      deps.logger.warn({ import: row.id, error: messageOf(error) }, 'what an import has left')
    )
  }
  return rows.length > 0 || uncleaned.length > 0 ? 'again' : 'done'
}

async function recover(deps: Dependencies, row: ImportRow, dead: ReadonlySet<number>): Promise<void> {
  const silentMs = deps.now().getTime() - row.updatedAt.getTime()
  if (row.step === 'RECEIVING') {
    if (silentMs > receivingSilenceMs)
      await failImport(deps, row.id, new AppError('WORDPRESS_IMPORT_FAILED', { code: 'UPLOAD_CUT_OFF' }))
    return
  }
  if (row.workerId !== null) {
    if (!dead.has(row.workerId)) return
    await releaseImport(deps.db, row.id, row.workerId, deps.now())
  } else if (silentMs < retryAfterMs) return
  await deps.db.transaction((trx) => deps.jobs.enqueue(trx, 'wordpress.import', { importId: row.id }, { key: row.id }))
}
