import { and, desc, eq, gt, inArray, isNotNull, isNull, or } from 'drizzle-orm'
import type { AccountRestoreStatus } from '@panel/contract/account-restores'
import type { Database, Queryable, Transaction } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/unique-violation.ts'
import { accountRestores, type PlannedItem } from '../../db/schema/account-restores.ts'
import { backups } from '../../db/schema/backups.ts'
import { heldBy } from '../backups/backup-access.ts'
import { accountRestoreSources, isEnded } from './account-restore.machine.ts'

export type AccountRestoreRow = typeof accountRestores.$inferSelect
export type { PlannedItem }

export async function insertAccountRestore(
  trx: Transaction,
  values: typeof accountRestores.$inferInsert
): Promise<AccountRestoreRow> {
  const [row] = await trx.insert(accountRestores).values(values).returning()
  return row!
}

export async function findAccountRestore(db: Queryable, id: string): Promise<AccountRestoreRow | undefined> {
  const [row] = await db.select().from(accountRestores).where(eq(accountRestores.id, id))
  return row
}

export const listAccountRestores = (db: Queryable, limit: number): Promise<AccountRestoreRow[]> =>
  db.select().from(accountRestores).orderBy(desc(accountRestores.createdAt), desc(accountRestores.id)).limit(limit)

const isOpen = inArray(accountRestores.status, ['PLANNING', 'STARTING', 'RUNNING'])

export const listOpenAccountRestores = (db: Queryable): Promise<AccountRestoreRow[]> =>
  db.select().from(accountRestores).where(isOpen)

export const listOpenAccountRestoreIds = async (db: Queryable): Promise<string[]> =>
  (await db.select({ id: accountRestores.id }).from(accountRestores).where(isOpen)).map(({ id }) => id)

/** Undefined if another worker has it, or if there is nothing to do for one. */
export async function claimAccountRestore(
  db: Database,
  id: string,
  workerId: number
): Promise<AccountRestoreRow | undefined> {
  const [row] = await db
    .update(accountRestores)
    .set({ workerId })
    .where(and(eq(accountRestores.id, id), isNull(accountRestores.workerId), isOpen))
    .returning()
  return row
}

/** For another worker, or another attempt of this one. */
export async function releaseAccountRestore(
  db: Queryable,
  { id, workerId }: Pick<AccountRestoreRow, 'id' | 'workerId'>
): Promise<void> {
  await db
    .update(accountRestores)
    .set({ workerId: null })
    .where(and(eq(accountRestores.id, id), heldBy(accountRestores.workerId, workerId)))
}

/**
 * Compare-and-swap: undefined if the status has changed, the row belongs to another worker than `workerId`, or another
 * restore of the account is in progress.
 */
export async function moveAccountRestore(
  db: Queryable,
  { id, workerId }: Pick<AccountRestoreRow, 'id' | 'workerId'>,
  status: AccountRestoreStatus,
  now: Date,
  values: Partial<AccountRestoreRow> = {}
): Promise<AccountRestoreRow | undefined> {
  const [row] = await db
    .update(accountRestores)
    .set({ ...values, status, workerId: null, updatedAt: now, ...(isEnded(status) ? { endedAt: now } : {}) })
    .where(
      and(
        eq(accountRestores.id, id),
        heldBy(accountRestores.workerId, workerId),
        inArray(accountRestores.status, accountRestoreSources(status))
      )
    )
    .returning()
    .catch((error: unknown) => {
      if (isUniqueViolation(error, 'account_restores_open')) return []
      throw error
    })
  return row
}

/** Those that a worker has, or had after `since`. */
export async function listUsed(db: Queryable, ids: readonly string[], since: Date): Promise<string[]> {
  const rows = await db
    .select({ id: accountRestores.id })
    .from(accountRestores)
    .where(
      and(
        inArray(accountRestores.id, [...ids]),
        or(isNotNull(accountRestores.workerId), gt(accountRestores.updatedAt, since))
      )
    )
  return rows.map(({ id }) => id)
}

export interface ContentBackup {
  id: string
  projectId: string
  takenAt: Date
  bytes: number
  databases: readonly { id: string; bytes: number }[]
  /** Names. */
  volumes: readonly string[]
}

/** The latest good backup of each project that was started before `before`; those on `targetId` come first. */
export async function listContentBackups(
  db: Queryable,
  projectIds: readonly string[],
  { targetId, before }: { targetId: string; before: Date }
): Promise<ContentBackup[]> {
  const rows = await db
    .select()
    .from(backups)
    .where(and(inArray(backups.projectId, [...projectIds]), eq(backups.status, 'GOOD')))
    .orderBy(desc(backups.createdAt), desc(backups.id))
  const found = new Map<string, ContentBackup & { isThere: boolean }>()
  for (const { id, projectId, targetId: at, startedAt, bytes, databases, volumes } of rows) {
    if (projectId === null || startedAt === null || startedAt > before) continue
    const isThere = at === targetId
    const known = found.get(projectId)
    if (known !== undefined && (known.isThere || !isThere)) continue
    found.set(projectId, { id, projectId, takenAt: startedAt, bytes: bytes ?? 0, databases, volumes, isThere })
  }
  return [...found.values()]
}
