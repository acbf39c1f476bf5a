import type { AccountRestore } from '@panel/contract/account-restores'
import type { RestoreRow } from '../backups/backup-access.ts'
import type { AccountRestoreRow } from './account-restores.repository.ts'

/** Key of the item whose content a restore brings back. */
const keyOfPart = ({ kind, projectId, databaseId, mailboxId }: RestoreRow): string =>
  ({ FILES: `PROJECT:${projectId}`, DATABASE: `DATABASE:${databaseId}`, MAILBOX: `MAILBOX:${mailboxId}` })[kind]

export function accountRestoreView(row: AccountRestoreRow, parts: readonly RestoreRow[]): AccountRestore {
  const partsOf = (key: string) => parts.filter((part) => keyOfPart(part) === key)
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
      const part = mostOpen(partsOf(item.key))
      return { ...item, status: part?.status ?? null, problem: part?.problem ?? null }
    }),
    undoUntil: kept.length === 0 ? null : new Date(Math.min(...kept)).toISOString(),
    problem: row.problem,
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null
  }
}

const order = ['FAILED', 'RUNNING', 'QUEUED', 'COMPLETED', 'UNDONE']

/** A project has a part for its files and one for each volume: the one to look at. */
const mostOpen = (parts: readonly RestoreRow[]): RestoreRow | undefined =>
  parts.toSorted((one, other) => order.indexOf(one.status) - order.indexOf(other.status))[0]

/** Parts that exchanged something that was there. What came back has nothing from before. */
export function undoable({ items, status }: AccountRestoreRow, parts: readonly RestoreRow[]): RestoreRow[] {
  if (status !== 'COMPLETED' && status !== 'FAILED') return []
  const exchanged = new Set(items.filter(({ change }) => change === 'EXCHANGED').map(({ key }) => key))
  return parts.filter((part) => part.undoUntil !== null && exchanged.has(keyOfPart(part)))
}
