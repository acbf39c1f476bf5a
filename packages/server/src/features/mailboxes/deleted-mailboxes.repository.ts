import { and, desc, eq, inArray, isNotNull, isNull, lte, notInArray } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { mailboxes } from '../../db/schema/mailboxes.ts'
import { live, type MailboxRow, pageOf, restorable } from './mailboxes.repository.ts'

export async function findDeletedMailbox(
  db: Queryable,
  id: string,
  userId: string,
  now: Date
): Promise<MailboxRow | undefined> {
  const [row] = await db
    .select()
    .from(mailboxes)
    .where(and(eq(mailboxes.id, id), eq(mailboxes.userId, userId), restorable(now)))
  return row
}

export const searchDeletedMailboxes = (
  db: Queryable,
  userId: string,
  { page, limit }: { page: number; limit: number },
  now: Date
): Promise<{ rows: MailboxRow[]; total: number }> =>
  pageOf(
    db,
    and(eq(mailboxes.userId, userId), restorable(now)),
    [desc(mailboxes.deletedAt), desc(mailboxes.id)],
    page,
    limit
  )

/** Column values of a deletion. `keptAt: null`: the mail has not been moved to the archive yet. */
export const deletedAs = (now: Date, purgeAt: Date) => ({ deletedAt: now, purgeAt, keptAt: null })

export async function deleteMailboxesOfDomains(
  trx: Transaction,
  domainIds: readonly string[],
  now: Date,
  purgeAt: Date
): Promise<void> {
  if (domainIds.length === 0) return
  await trx
    .update(mailboxes)
    .set({ ...deletedAs(now, purgeAt), updatedAt: now })
    .where(and(inArray(mailboxes.domainId, [...domainIds]), live))
}

/** Deletes all mailboxes of the account without a restore period, including those deleted before. */
export async function deleteMailboxesOf(trx: Transaction, userId: string, now: Date): Promise<void> {
  await trx
    .update(mailboxes)
    .set({ ...deletedAs(now, now), updatedAt: now })
    .where(and(eq(mailboxes.userId, userId), live))
  await trx
    .update(mailboxes)
    .set({ purgeAt: now })
    .where(and(eq(mailboxes.userId, userId), isNotNull(mailboxes.purgeAt)))
}

/** Deleted mailboxes whose mail has not been archived yet. */
export async function listLeaving(db: Queryable, domainName: string): Promise<MailboxRow[]> {
  return db
    .select()
    .from(mailboxes)
    .where(and(eq(mailboxes.domainName, domainName), isNotNull(mailboxes.deletedAt), isNull(mailboxes.keptAt)))
}

/** Restored mailboxes whose mail is still in the archive. */
export async function listReturning(db: Queryable, domainName: string): Promise<MailboxRow[]> {
  return db
    .select()
    .from(mailboxes)
    .where(and(eq(mailboxes.domainName, domainName), live, isNotNull(mailboxes.keptAt)))
}

/** Compare-and-swap: no effect if the mailbox was restored in the meantime. */
export async function markKept(db: Queryable, id: string, now: Date): Promise<void> {
  await db
    .update(mailboxes)
    .set({ keptAt: now })
    .where(and(eq(mailboxes.id, id), isNotNull(mailboxes.deletedAt), isNull(mailboxes.keptAt)))
}

export async function markReturned(db: Queryable, id: string): Promise<void> {
  await db
    .update(mailboxes)
    .set({ keptAt: null })
    .where(and(eq(mailboxes.id, id), live))
}

export async function listPurgeable(
  db: Queryable,
  before: Date,
  limit: number,
  but: readonly string[]
): Promise<Pick<MailboxRow, 'id' | 'userId'>[]> {
  return db
    .select({ id: mailboxes.id, userId: mailboxes.userId })
    .from(mailboxes)
    .where(
      and(
        lte(mailboxes.purgeAt, before),
        isNotNull(mailboxes.keptAt),
        isNotNull(mailboxes.deletedAt),
        notInArray(mailboxes.id, [...but])
      )
    )
    .limit(limit)
}

export async function deletePurged(db: Queryable, id: string, before: Date): Promise<void> {
  await db.delete(mailboxes).where(and(eq(mailboxes.id, id), lte(mailboxes.purgeAt, before)))
}
