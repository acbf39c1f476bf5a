import { Id } from '@panel/contract/common'
import type {
  AccountRestore,
  AccountRestoreList,
  PlanAccountRestore,
  StartAccountRestore
} from '@panel/contract/account-restores'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { newId } from '../../security/ids.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { Origin } from '../audit/origin.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { findPanelBackup, listParts } from '../backups/backup-access.ts'
import { requireGood } from '../backups/backups.service.ts'
import { keepRestored, undoPart } from '../backups/restore.jobs.ts'
import { withoutItems } from './account-plan.policy.ts'
import { accountRestoreView, undoable } from './account-restore-view.ts'
import {
  type AccountRestoreRow,
  findAccountRestore,
  insertAccountRestore,
  listAccountRestores,
  moveAccountRestore,
  type PlannedItem
} from './account-restores.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'jobs' | 'now'>

const listed = 50

export async function showAccountRestores({ db }: Pick<Deps, 'db'>): Promise<AccountRestoreList> {
  const rows = await listAccountRestores(db, listed)
  const parts = await listParts(db, rows.map(({ id }) => id)) // oxfmt-ignore
  return {
    restores: rows.map((row) => accountRestoreView(row, parts.filter(({ accountRestoreId }) => accountRestoreId === row.id))) // oxfmt-ignore
  }
}

export async function showAccountRestore({ db }: Pick<Deps, 'db'>, id: string): Promise<AccountRestore> {
  return accountRestoreView(requireRow(await findAccountRestore(db, id)), await listParts(db, [id]))
}

/** Queues the preview: reading the store of a backup takes seconds. */
export async function planAccountRestore(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  { backupId, email }: PlanAccountRestore
): Promise<AccountRestore> {
  return deps.db.transaction(async (trx) => {
    const { backup, targetName } = requireGood(await findPanelBackup(trx, backupId))
    const now = deps.now()
    const row = await insertAccountRestore(trx, {
      id: newId(now.getTime()),
      backupId,
      backupTakenAt: backup.startedAt!,
      targetName,
      email,
      requestedBy: userId,
      createdAt: now,
      updatedAt: now
    })
    await record(deps, trx, origin, userId, row, 'account_restore.previewed')
    await enqueueAccountRestore(deps, trx, row)
    return accountRestoreView(row, [])
  })
}

export async function startAccountRestore(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  id: string,
  { skip }: StartAccountRestore
): Promise<AccountRestore> {
  return deps.db.transaction(async (trx) => {
    const row = requireRow(await findAccountRestore(trx, id))
    if (row.status !== 'PLANNED')
      throw new AppError('CONFLICT', 'Only a restore with a complete preview can be started, once.')
    refuseRefused(withoutItems(row.items, new Map(), skip))
    const started = await moveAccountRestore(trx, row, 'STARTING', deps.now(), { skipped: skip })
    if (!started) throw new AppError('CONFLICT', 'Another restore of this account is in progress. Wait until it ends.')
    await record(deps, trx, origin, userId, started, 'account_restore.requested')
    await enqueueAccountRestore(deps, trx, started)
    return accountRestoreView(started, [])
  })
}

/** Nothing changes while something cannot come back: the administrator decides what to skip. */
export function refuseRefused(items: readonly PlannedItem[]): void {
  const refused = items.filter(({ change }) => change === 'REFUSED')
  if (refused.length === 0) return
  const names = refused.slice(0, 10).map(({ name }) => name)
  throw new AppError(
    'CONFLICT',
    `These cannot come back, because their names are taken or they are being removed: ${names.join(', ')}. Skip them, or free the names and preview again.`
  )
}

export const enqueueAccountRestore = (
  { jobs }: Pick<Deps, 'jobs'>,
  trx: Transaction,
  { id }: Pick<AccountRestoreRow, 'id'>
): Promise<void> => jobs.enqueue(trx, 'backups.restore-account', { accountRestoreId: id }, { key: id })

/** Puts files and mail from before the restore back. What came back stays. */
export const undoAccountRestore = workerVerb(
  'account-restores.undo',
  [Origin, Id, Id],
  async (deps: Dependencies, origin: AuditOrigin, userId: string, id: string): Promise<AccountRestore> => {
    const { row, kept } = await requireKept(deps, id)
    for (const part of kept) await undoPart(deps, origin, part)
    await deps.db.transaction(async (trx) => {
      await moveAccountRestore(trx, row, 'UNDONE', deps.now())
      await record(deps, trx, origin, userId, row, 'account_restore.undone')
    })
    return showAccountRestore(deps, id)
  },
  { timeoutMs: 30 * 60_000 }
)

/** Removes what is kept for undoing before its time. */
export const keepAccountRestore = workerVerb(
  'account-restores.keep',
  [Origin, Id, Id],
  async (deps: Dependencies, origin: AuditOrigin, userId: string, id: string): Promise<AccountRestore> => {
    const { row, kept } = await requireKept(deps, id)
    for (const part of kept) await keepRestored(deps, part)
    await deps.db.transaction((trx) => record(deps, trx, origin, userId, row, 'account_restore.kept'))
    return showAccountRestore(deps, id)
  }
)

async function requireKept({ db }: Pick<Deps, 'db'>, id: string) {
  const row = requireRow(await findAccountRestore(db, id))
  const kept = undoable(row, await listParts(db, [id]))
  if (kept.length === 0)
    throw new AppError(
      'CONFLICT',
      'Nothing from before this restore is kept: it replaced nothing, or its time has ended.'
    )
  return { row, kept }
}

function requireRow(row: AccountRestoreRow | undefined): AccountRestoreRow {
  if (!row) throw new AppError('NOT_FOUND', 'Restore not found')
  return row
}

const record = (
  deps: Pick<Deps, 'config' | 'now'>,
  trx: Transaction,
  origin: AuditOrigin,
  actorId: string,
  { id, backupId, email, userId, skipped }: AccountRestoreRow,
  action: 'account_restore.previewed' | 'account_restore.requested' | 'account_restore.undone' | 'account_restore.kept'
): Promise<void> =>
  recordAudit(deps, trx, origin, { action, actorId, targetId: userId, metadata: { backup: backupId, restore: id, email, skipped } }) // oxfmt-ignore
