import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import type { MailAliasQuery } from '@panel/contract/mailboxes'
import type { z } from 'zod'
import type { Queryable, Transaction } from '../../db/database.ts'
import { domains } from '../../db/schema/domains.ts'
import { mailAliases } from '../../db/schema/mail-aliases.ts'
import { mailDomains } from '../../db/schema/mail-domains.ts'
import { mailboxes } from '../../db/schema/mailboxes.ts'

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

/** A page of the account's aliases by their addresses. */
export async function searchMailAliases(
  db: Queryable,
  userId: string,
  { page, limit, domainId, search }: z.infer<typeof MailAliasQuery>
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
      .orderBy(asc(mailDomains.name), asc(mailAliases.localPart))
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

/** False where the address has one. */
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

/**
 * Of an address (an expression of SQL), the alias of this panel, whosever, that mail to it goes on by: its own, or else, where there is no mailbox
 * of it either, the catch-all of its domain. To be joined laterally; no row where there is none.
 */
const wayOf = (address: SQL) => sql`(
  select way.id, way.targets from ${mailDomains}
  cross join lateral (select split_part(regexp_replace(${address}, '@[^@]*$', ''), '+', 1)) asked(plain)
  cross join lateral (
    select id, targets from ${mailAliases}
    where domain_id = ${mailDomains.domainId} and local_part in (asked.plain, '') and (local_part <> '' or not exists (
      select from ${mailboxes} where ${mailboxes.domainId} = ${mailDomains.domainId}
        and ${mailboxes.localPart} = asked.plain and ${mailboxes.deletedAt} is null
    ))
    order by local_part = '' limit 1
  ) way
  where ${mailDomains.name} = regexp_replace(${address}, '^.*@', '')
)`

/** The aliases that mail to these addresses goes on by. */
export async function listAliasesFor(
  db: Queryable,
  addresses: readonly string[]
): Promise<{ id: string; targets: string[] }[]> {
  const { rows } = await db.execute<{ id: string; targets: string[] }>(sql`
    select distinct on (way.id) way.id, way.targets from unnest(${sql.param([...addresses])}::text[]) as given(address)
    cross join lateral ${wayOf(sql`given.address`)} way`)
  return rows
}

/** Of a domain, to how many addresses elsewhere mail to some of its own goes on. */
export interface ForwardedMail {
  domain: string
  /** Whose the domain is. */
  userId: string
  addresses: number
}

// Whoever has made more aliases than that has them counted no further.
const mostReached = 20_000

/** By which domains mail to these addresses goes on elsewhere by aliases, directly or by others. */
export async function countForwarded(db: Queryable, addresses: readonly string[]): Promise<ForwardedMail[]> {
  const { rows } = await db.execute<ForwardedMail & Record<string, unknown>>(sql`
    with recursive led(origin, address) as (
      select regexp_replace(address, '^.*@', ''), address from unnest(${sql.param([...addresses])}::text[]) as given(address)
      union
      select led.origin, target from led cross join lateral ${wayOf(sql`led.address`)} way cross join lateral unnest(way.targets) target
    )
    select ${mailDomains.name} as domain, ${domains.userId} as "userId", count(*)::int as addresses
    from (select * from led limit ${mostReached}) led
    join ${mailDomains} on ${mailDomains.name} = led.origin join ${domains} on ${domains.id} = ${mailDomains.domainId}
    where not exists (select from ${mailDomains} ours where ours.name = regexp_replace(led.address, '^.*@', ''))
    group by ${mailDomains.name}, ${domains.userId}`)
  return rows
}
