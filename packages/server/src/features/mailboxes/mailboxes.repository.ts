import { and, asc, count, desc, eq, inArray, isNull, lt, ne, or, sql, type SQL } from 'drizzle-orm'
import type { ListOrder } from '@panel/contract/common'
import type { Queryable, Transaction } from '../../db/database.ts'
import { mailboxes } from '../../db/schema/mailboxes.ts'
import { addressOf } from './mail-address.policy.ts'

export type MailboxRow = typeof mailboxes.$inferSelect

export const live = isNull(mailboxes.deletedAt)

export async function findMailbox(db: Queryable, id: string, userId: string): Promise<MailboxRow | undefined> {
  const [row] = await db
    .select()
    .from(mailboxes)
    .where(and(eq(mailboxes.id, id), eq(mailboxes.userId, userId), live))
  return row
}

export async function listOwnMailboxes(
  db: Queryable,
  userId: string
): Promise<Pick<MailboxRow, 'id' | 'localPart' | 'domainName' | 'createdAt'>[]> {
  const { id, localPart, domainName, createdAt } = mailboxes
  return db
    .select({ id, localPart, domainName, createdAt })
    .from(mailboxes)
    .where(and(eq(mailboxes.userId, userId), live))
}

/** Of all accounts, by id. */
export async function listMailboxAddresses(db: Queryable): Promise<Record<string, string>> {
  const { id, localPart, domainName } = mailboxes
  const rows = await db.select({ id, localPart, domainName }).from(mailboxes).where(live)
  return Object.fromEntries(rows.map((row) => [row.id, addressOf(row)]))
}

export const restorable = (now: Date) => sql`${mailboxes.purgeAt} > ${now.toISOString()}`

const orders: Record<ListOrder, SQL[]> = {
  created: [desc(mailboxes.createdAt), desc(mailboxes.id)],
  name: [asc(mailboxes.domainName), asc(mailboxes.localPart)]
}

interface MailboxSearch {
  page: number
  limit: number
  domainId?: string | undefined
  search?: string | undefined
  order: ListOrder
}

export async function searchMailboxes(
  db: Queryable,
  userId: string,
  { page, limit, domainId, search, order }: MailboxSearch
): Promise<{ rows: MailboxRow[]; total: number }> {
  const address = sql`${mailboxes.localPart} || '@' || ${mailboxes.domainName}`
  const where = and(
    eq(mailboxes.userId, userId),
    live,
    domainId === undefined ? undefined : eq(mailboxes.domainId, domainId),
    search === undefined ? undefined : sql`strpos(${address}, ${search.toLowerCase()}) > 0`
  )
  return pageOf(db, where, orders[order], page, limit)
}

export async function findLiveByAddress(
  db: Queryable,
  domainName: string,
  localPart: string
): Promise<MailboxRow | undefined> {
  const [row] = await db
    .select()
    .from(mailboxes)
    .where(and(eq(mailboxes.domainName, domainName), eq(mailboxes.localPart, localPart), live))
  return row
}

export async function pageOf(db: Queryable, where: SQL | undefined, ordered: SQL[], page: number, limit: number) {
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(mailboxes)
      .where(where)
      .orderBy(...ordered)
      .limit(limit)
      .offset((page - 1) * limit),
    db.$count(mailboxes, where)
  ])
  return { rows, total }
}

export async function countMailboxes(db: Queryable, userIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (userIds.length === 0) return new Map()
  const rows = await db
    .select({ id: mailboxes.userId, count: sql<number>`count(*)::int` })
    .from(mailboxes)
    .where(and(inArray(mailboxes.userId, [...userIds]), live))
    .groupBy(mailboxes.userId)
  return new Map(rows.map(({ id, count }) => [id, count]))
}

export const countEnabledMailboxes = (db: Queryable, userId: string | undefined): Promise<number> =>
  db.$count(
    mailboxes,
    and(live, eq(mailboxes.isEnabled, true), userId === undefined ? undefined : eq(mailboxes.userId, userId))
  )

export async function countMailboxesOfDomains(db: Queryable, domainIds: readonly string[]): Promise<number> {
  if (domainIds.length === 0) return 0
  return db.$count(mailboxes, and(inArray(mailboxes.domainId, [...domainIds]), live))
}

/** By domain id; domains without mailboxes are absent. */
export async function countByDomain(db: Queryable, domainIds: readonly string[]): Promise<Map<string, number>> {
  if (domainIds.length === 0) return new Map()
  const rows = await db
    .select({ domainId: mailboxes.domainId, count: count() })
    .from(mailboxes)
    .where(and(inArray(mailboxes.domainId, [...domainIds]), live))
    .groupBy(mailboxes.domainId)
  return new Map(rows.map((row) => [row.domainId!, row.count]))
}

export const countMailboxesNamed = (db: Queryable, userId: string, domainNames: readonly string[]): Promise<number> =>
  db.$count(mailboxes, and(inArray(mailboxes.domainName, [...domainNames]), eq(mailboxes.userId, userId), live))

/** MiB, sum of the account's mailbox quotas without `but`, including restorable mailboxes. */
export async function sumQuotas(db: Queryable, userId: string, but: string, now: Date): Promise<number> {
  const [row] = await db
    .select({ sum: sql<string>`coalesce(sum(${mailboxes.quotaMb}), 0)` })
    .from(mailboxes)
    .where(and(eq(mailboxes.userId, userId), ne(mailboxes.id, but), or(live, restorable(now))))
  return Number(row!.sum)
}

export async function insertMailbox(
  trx: Transaction,
  values: typeof mailboxes.$inferInsert
): Promise<MailboxRow | undefined> {
  const [row] = await trx.insert(mailboxes).values(values).onConflictDoNothing().returning()
  return row
}

export async function lockMailbox(trx: Transaction, id: string, userId: string): Promise<MailboxRow | undefined> {
  const [row] = await trx
    .select()
    .from(mailboxes)
    .where(and(eq(mailboxes.id, id), eq(mailboxes.userId, userId)))
    .for('update')
  return row
}

export async function updateMailbox(
  trx: Transaction,
  id: string,
  values: Partial<MailboxRow>,
  now: Date
): Promise<MailboxRow> {
  const [row] = await trx
    .update(mailboxes)
    .set({ ...values, updatedAt: now })
    .where(eq(mailboxes.id, id))
    .returning()
  return row!
}

/** Increments the revision, which ends sessions with the old password. */
export const newPassword = (passwordHash: string) => ({
  passwordHash,
  passwordRevision: sql`${mailboxes.passwordRevision} + 1` as unknown as number
})

export async function markSessionsEnded(db: Queryable, id: string, revision: number): Promise<void> {
  await db
    .update(mailboxes)
    .set({ sessionsRevision: revision })
    .where(and(eq(mailboxes.id, id), lt(mailboxes.sessionsRevision, revision)))
}

export async function listMailOf(
  db: Queryable,
  userIds: readonly string[],
  after: string,
  limit: number
): Promise<Pick<MailboxRow, 'id' | 'userId' | 'localPart' | 'domainName' | 'keptAt' | 'deletedAt'>[]> {
  return db
    .select({
      id: mailboxes.id,
      userId: mailboxes.userId,
      localPart: mailboxes.localPart,
      domainName: mailboxes.domainName,
      keptAt: mailboxes.keptAt,
      deletedAt: mailboxes.deletedAt
    })
    .from(mailboxes)
    .where(and(inArray(mailboxes.userId, [...userIds]), sql`${mailboxes.id} > ${after}`))
    .orderBy(asc(mailboxes.id))
    .limit(limit)
}

export async function countAllMailboxes(db: Queryable): Promise<number> {
  return db.$count(mailboxes, live)
}
