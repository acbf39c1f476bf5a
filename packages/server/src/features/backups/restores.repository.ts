import { and, desc, eq, inArray, isNotNull, lt, or } from 'drizzle-orm'
import type { RestoreStatus } from '@panel/contract/backups'
import type { Queryable, Transaction } from '../../db/database.ts'
import { restores } from '../../db/schema/backups.ts'
import { restoreSources } from './backup.machine.ts'
import { heldBy, moved } from './work-move.repository.ts'

export type RestoreRow = typeof restores.$inferSelect

/** Undefined if another restore of the project or mailbox is open. */
export async function insertRestore(
  trx: Transaction,
  values: typeof restores.$inferInsert
): Promise<RestoreRow | undefined> {
  // The unique index does not know the parts of a restore of an account.
  if (await isRestoring(trx, values)) return undefined
  const [row] = await trx.insert(restores).values(values).onConflictDoNothing().returning()
  return row
}

const isOpen = inArray(restores.status, ['QUEUED', 'RUNNING'])

export async function isRestoring(
  db: Queryable,
  { projectId, mailboxId }: { projectId?: string | null; mailboxId?: string | null }
): Promise<boolean> {
  const of = [projectId && eq(restores.projectId, projectId), mailboxId && eq(restores.mailboxId, mailboxId)]
  const [row] = await db
    .select({ id: restores.id })
    .from(restores)
    .where(and(isOpen, or(...of.flatMap((each) => each || []))))
    .limit(1)
  return row !== undefined
}

/** Adds a part to the restore of an account. */
export async function insertPart(
  trx: Transaction,
  values: typeof restores.$inferInsert & { accountRestoreId: string }
): Promise<RestoreRow> {
  const [row] = await trx.insert(restores).values(values).returning()
  return row!
}

export const listParts = (db: Queryable, accountRestoreIds: readonly string[]): Promise<RestoreRow[]> =>
  db
    .select()
    .from(restores)
    .where(inArray(restores.accountRestoreId, [...accountRestoreIds]))
    .orderBy(restores.id)

export const listRestores = (db: Queryable, projectId: string, limit: number): Promise<RestoreRow[]> =>
  db
    .select()
    .from(restores)
    .where(eq(restores.projectId, projectId))
    .orderBy(desc(restores.createdAt), desc(restores.id))
    .limit(limit)

export const listMailboxRestores = (db: Queryable, mailboxId: string, limit: number): Promise<RestoreRow[]> =>
  db
    .select()
    .from(restores)
    .where(eq(restores.mailboxId, mailboxId))
    .orderBy(desc(restores.createdAt), desc(restores.id))
    .limit(limit)

export async function findRestore(db: Queryable, id: string): Promise<RestoreRow | undefined> {
  const [row] = await db.select().from(restores).where(eq(restores.id, id))
  return row
}

/** Compare-and-swap: undefined if the status has changed, or the restore belongs to another worker than `workerId`. */
export async function moveRestore(
  db: Queryable,
  { id, workerId }: Pick<RestoreRow, 'id' | 'workerId'>,
  status: RestoreStatus,
  now: Date,
  values: Partial<RestoreRow> = {}
): Promise<RestoreRow | undefined> {
  const [row] = await db
    .update(restores)
    .set({ ...values, ...moved(status, now) })
    .where(
      and(eq(restores.id, id), heldBy(restores.workerId, workerId), inArray(restores.status, restoreSources(status)))
    )
    .returning()
  return row
}

/** Restores that are open, or that keep the previous files for undoing. */
export async function listWithStaging(db: Queryable): Promise<string[]> {
  const rows = await db
    .select({ id: restores.id })
    .from(restores)
    .where(or(isOpen, isNotNull(restores.undoUntil)))
  return rows.map(({ id }) => id)
}

export async function updateRestore(db: Queryable, id: string, values: Partial<RestoreRow>, now: Date): Promise<void> {
  await db
    .update(restores)
    .set({ ...values, updatedAt: now })
    .where(eq(restores.id, id))
}

export const listOpenRestores = (db: Queryable): Promise<Pick<RestoreRow, 'id' | 'workerId' | 'userId'>[]> =>
  db.select({ id: restores.id, workerId: restores.workerId, userId: restores.userId }).from(restores).where(isOpen)

export const listExpiredRestores = (db: Queryable, now: Date): Promise<RestoreRow[]> =>
  db
    .select()
    .from(restores)
    .where(and(isNotNull(restores.undoUntil), lt(restores.undoUntil, now)))
    .limit(50)
