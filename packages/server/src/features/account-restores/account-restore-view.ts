import type { AccountRestore } from '@panel/contract/account-restores'
import type { RestoreRow } from '../backups/backup-access.ts'
import type { AccountRestoreRow } from './account-restores.repository.ts'

/** Key of the item whose content a restore brings back. */
const keyOfPart = ({ kind, projectId, databaseId, mailboxId }: RestoreRow): string =>
  ({ FILES: `PROJECT:${projectId}`, DATABASE: `DATABASE:${databaseId}`, MAILBOX: `MAILBOX:${mailboxId}` })[kind]

export function accountRestoreView(row: AccountRestoreRow, parts: readonly RestoreRow[]): AccountRestore {
  const byKey = new Map(parts.map((part) => [keyOfPart(part), part]))
  const kept = undoable(row, parts).map(({ undoUntil }) => undoUntil!.getTime())
  return {
    id: row.id,
    backupId: row.backupId,
    backupTakenAt: row.backupTakenAt.toISOString(),
    targetName: row.targetName,
    userId: row.userId,
    email: row.email,
    status: row.status,
    items: row.items.map((item) => {
      const part = byKey.get(item.key)
      return { ...item, status: part?.status ?? null, problem: part?.problem ?? null }
    }),
    undoUntil: kept.length === 0 ? null : new Date(Math.min(...kept)).toISOString(),
    problem: row.problem,
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null
  }
}

/** Parts that exchanged something that was there. What came back has nothing from before. */
export function undoable({ items, status }: AccountRestoreRow, parts: readonly RestoreRow[]): RestoreRow[] {
  if (status !== 'COMPLETED' && status !== 'FAILED') return []
  const exchanged = new Set(items.filter(({ change }) => change === 'EXCHANGED').map(({ key }) => key))
  return parts.filter((part) => part.undoUntil !== null && exchanged.has(keyOfPart(part)))
}
