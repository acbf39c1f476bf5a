import type { DiskCleanupResult } from '@panel/contract/server-disk'
import type { Dependencies } from '../../dependencies.ts'
import type { WorkerContext } from '../feature.ts'
import { cleanKind } from './cleanup.service.ts'
import { measureDisksNow } from './measuring.jobs.ts'
import { findOpenCleanup, updateCleanup } from './server-disk.repository.ts'

/** Runs the open cleanup. After an interruption it runs again; results then count what was left. */
export async function runCleanup(deps: Dependencies, { signal }: Pick<WorkerContext, 'signal'>): Promise<void> {
  const row = await findOpenCleanup(deps.db, deps.nodeId)
  if (!row) return
  const results: DiskCleanupResult[] = []
  const save = (latest?: DiskCleanupResult) =>
    updateCleanup(deps.db, row.id, { status: 'RUNNING', results: latest ? [...results, latest] : results })
  await save()
  for (const kind of row.kinds) {
    const result = await cleanKind(deps, kind, { signal, onProgress: async (latest) => void (await save(latest)) })
    if (signal.aborted) return
    results.push(result)
    await save()
  }
  const isFailed = results.some(({ problem }) => problem !== null)
  await updateCleanup(deps.db, row.id, { status: isFailed ? 'FAILED' : 'COMPLETED', results, endedAt: deps.now() })
  await measureDisksNow(deps)
}

/** Wakes a worker for a cleanup whose job was lost. */
export async function recoverCleanup(deps: Pick<Dependencies, 'db' | 'jobs' | 'nodeId'>): Promise<void> {
  const row = await findOpenCleanup(deps.db, deps.nodeId)
  if (row) await deps.db.transaction((trx) => deps.jobs.enqueue(trx, 'server-disk.clean', {}, { key: row.id }))
}
