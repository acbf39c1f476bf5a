import type { WordpressTaskProblem, WordpressTaskStatus } from '@panel/contract/wordpress-care'
import type { Dependencies } from '../../dependencies.ts'
import { isAccountFull } from '../disk-usage/disk-usage-access.ts'
import { cleanUpTask } from './site-copy.service.ts'
import { notifyTask } from './task-notification.service.ts'
import { findTask, type TaskRow, updateTask } from './tasks.repository.ts'
import { undoUntil } from './undo.policy.ts'

export async function endTask(
  deps: Dependencies,
  { id, userId }: Pick<TaskRow, 'id' | 'userId'>,
  status: WordpressTaskStatus,
  problem: WordpressTaskProblem
): Promise<void> {
  const isFull = await isAccountFull(deps, userId)
  const ended = await deps.db.transaction(async (trx) => {
    const now = deps.now()
    const saved = await findTask(trx, id)
    const kept = saved ? undoUntil(saved, { status, isFull, now }) : null
    const row = await updateTask(trx, id, { status, step: 'DONE', problem, undoUntil: kept, workerId: null }, now)
    if (row) await notifyTask(deps, trx, row)
    return row
  })
  // reconcile repeats it if this process ends in between.
  if (ended?.hasCopy) await cleanUpTask(deps, ended)
}
