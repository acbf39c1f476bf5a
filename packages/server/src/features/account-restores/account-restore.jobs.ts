import type { AccountRestoreStatus } from '@panel/contract/account-restores'
import type { Dependencies } from '../../dependencies.ts'
import { AppError, asAppError } from '../../errors.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import { messageOf } from '../../text/message-of.ts'
import { applyPlan } from './account-apply.service.ts'
import { finish } from './account-finish.service.ts'
import { withoutItems } from './account-plan.policy.ts'
import { readPlan } from './account-plan.service.ts'
import {
  type AccountRestoreRow,
  claimAccountRestore,
  moveAccountRestore,
  releaseAccountRestore
} from './account-restores.repository.ts'
import { withAccountSnapshot } from './account-snapshot.service.ts'
import { refuseRefused } from './account-restores.service.ts'

/**
 * Takes a restore of an account to its next status. Until the transaction of `applyPlan` nothing changes, and the attempt
 * of a worker that died is made again; after it, the parts are restores like all others, and finishing is idempotent.
 */
export async function runAccountRestore(
  deps: Dependencies,
  workerId: number,
  id: string,
  signal: AbortSignal
): Promise<void> {
  const row = await claimAccountRestore(deps.db, id, workerId)
  if (!row) return
  try {
    await steps[row.status]?.(deps, row, signal)
  } catch (error) {
    deps.logger.warn({ accountRestore: row.id, error: messageOf(error) }, 'restore of an account failed')
    // Finishing is tried again: what was restored stays.
    if (signal.aborted || row.status === 'RUNNING') await releaseAccountRestore(deps.db, row)
    else await moveAccountRestore(deps.db, row, 'FAILED', deps.now(), { problem: problemOf(error) })
  }
}

type Step = (deps: Dependencies, row: AccountRestoreRow, signal: AbortSignal) => Promise<void>

const steps: Readonly<Partial<Record<AccountRestoreStatus, Step>>> = { PLANNING: plan, STARTING: start, RUNNING: finish } // oxfmt-ignore

function plan(deps: Dependencies, row: AccountRestoreRow, signal: AbortSignal): Promise<void> {
  return withAccountSnapshot(deps, row, signal, async (snapshot) => {
    const { items, userId } = await readPlan(deps, row, snapshot)
    await moveAccountRestore(deps.db, row, 'PLANNED', deps.now(), { items, userId })
  })
}

/** Plans again, because the server may have changed since the preview. */
function start(deps: Dependencies, row: AccountRestoreRow, signal: AbortSignal): Promise<void> {
  return withAccountSnapshot(deps, row, signal, async (snapshot) => {
    const read = await readPlan(deps, row, snapshot)
    if (read.userId !== row.userId) throw new AppError('CONFLICT', 'The backup has changed. Preview the restore again.')
    const items = withoutItems(read.items, read.needs, row.skipped)
    refuseRefused(items)
    await applyPlan(deps, row, { ...read, items }, snapshot)
  })
}

function problemOf(error: unknown): string {
  if (error instanceof AdapterError) return error.message
  return asAppError(error)?.message ?? 'Internal error. Check the log of the panel.'
}
