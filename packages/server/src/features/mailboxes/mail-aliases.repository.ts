import { and, asc, desc, eq, sql, type SQL } from 'drizzle-orm'
import type { ListOrder } from '@panel/contract/common'
import type { MailAliasQuery } from '@panel/contract/mailboxes'
import type { z } from 'zod'
import type { Queryable, Transaction } from '../../db/database.ts'
import { domains } from '../../db/schema/domains.ts'
import { mailAliases } from '../../db/schema/mail-aliases.ts'
import { mailDomains } from '../../db/schema/mail-domains.ts'

export type MailAliasRow = typeof mailAliases.$inferSelect & { domainName: string }

const columns = {
  id: mailAliases.id,
  domainId: mailAliases.domainId,
  localPart: mailAliases.localPart,
  targets: mailAliases.targets,
  createdAt: mailAliases.createdAt,
  updatedAt: mailAliases.updatedAt,
  domainName: mailDomains.name
}

const withDomain = (db: Queryable) =>
  db
    .select(columns)
    .from(mailAliases)
    .innerJoin(mailDomains, eq(mailDomains.domainId, mailAliases.domainId))
    .innerJoin(domains, eq(domains.id, mailAliases.domainId))
    .$dynamic()

export async function findMailAlias(db: Queryable, id: string, userId: string): Promise<MailAliasRow | undefined> {
  const [row] = await withDomain(db).where(and(eq(mailAliases.id, id), eq(domains.userId, userId)))
  return row
}

const orders: Record<ListOrder, SQL[]> = {
  created: [desc(mailAliases.createdAt), desc(mailAliases.id)],
  name: [asc(mailDomains.name), asc(mailAliases.localPart)]
}

export async function searchMailAliases(
  db: Queryable,
  userId: string,
  { page, limit, domainId, search, order }: z.infer<typeof MailAliasQuery>
): Promise<{ rows: MailAliasRow[]; total: number }> {
  const address = sql`${mailAliases.localPart} || '@' || ${mailDomains.name}`
  const where = and(
    eq(domains.userId, userId),
    domainId === undefined ? undefined : eq(mailAliases.domainId, domainId),
    search === undefined ? undefined : sql`strpos(${address}, ${search.toLowerCase()}) > 0`
  )
  const [rows, counted] = await Promise.all([
    withDomain(db)
      .where(where)
      .orderBy(...orders[order])
      .limit(limit)
      .offset((page - 1) * limit),
    db
      .select({ total: sql<number>`count(*)::int` })
      .from(mailAliases)
      .innerJoin(mailDomains, eq(mailDomains.domainId, mailAliases.domainId))
      .innerJoin(domains, eq(domains.id, mailAliases.domainId))
      .where(where)
  ])
  return { rows, total: counted[0]?.total ?? 0 }
}

export const countMailAliases = (db: Queryable, domainId: string): Promise<number> =>
  db.$count(mailAliases, eq(mailAliases.domainId, domainId))

export async function insertMailAlias(trx: Transaction, values: typeof mailAliases.$inferInsert): Promise<boolean> {
  const { rowCount } = await trx.insert(mailAliases).values(values).onConflictDoNothing()
  return rowCount === 1
}

export async function updateMailAlias(
  trx: Transaction,
  id: string,
  targets: readonly string[],
  now: Date
): Promise<void> {
  await trx
    .update(mailAliases)
    .set({ targets: [...targets], updatedAt: now })
    .where(eq(mailAliases.id, id))
}

export async function deleteMailAlias(trx: Transaction, id: string): Promise<void> {
  await trx.delete(mailAliases).where(eq(mailAliases.id, id))
}
