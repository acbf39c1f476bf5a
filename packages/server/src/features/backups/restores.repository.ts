import { and, desc, eq, inArray, isNotNull, lt, or } from 'drizzle-orm'
import type { RestoreStatus } from '@panel/contract/backups'
import type { Queryable, Transaction } from '../../db/database.ts'
import { restores } from '../../db/schema/backups.ts'
import { restoreSources } from './backup.machine.ts'
import { heldBy, moved } from './work-move.repository.ts'

export type RestoreRow = typeof restores.$inferSelect

export async function insertRestore(
  trx: Transaction,
  values: typeof restores.$inferInsert
): Promise<RestoreRow | undefined> {
  const [row] = await trx.insert(restores).values(values).onConflictDoNothing().returning()
  return row
}

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
    .where(or(inArray(restores.status, ['QUEUED', 'RUNNING']), isNotNull(restores.undoUntil)))
  return rows.map(({ id }) => id)
}

export async function updateRestore(db: Queryable, id: string, values: Partial<RestoreRow>, now: Date): Promise<void> {
  await db
    .update(restores)
    .set({ ...values, updatedAt: now })
    .where(eq(restores.id, id))
}

export const listOpenRestores = (db: Queryable): Promise<Pick<RestoreRow, 'id' | 'workerId' | 'userId'>[]> =>
  db
    .select({ id: restores.id, workerId: restores.workerId, userId: restores.userId })
    .from(restores)
    .where(inArray(restores.status, ['QUEUED', 'RUNNING']))

export const listExpiredRestores = (db: Queryable, now: Date): Promise<RestoreRow[]> =>
  db
    .select()
    .from(restores)
    .where(and(isNotNull(restores.undoUntil), lt(restores.undoUntil, now)))
    .limit(50)
