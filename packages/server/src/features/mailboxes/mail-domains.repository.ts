import { and, asc, eq, inArray, isNull, lt, ne, notInArray, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { domains } from '../../db/schema/domains.ts'
import { mailAliases } from '../../db/schema/mail-aliases.ts'
import { mailDomains } from '../../db/schema/mail-domains.ts'
import { mailboxes } from '../../db/schema/mailboxes.ts'
import { users } from '../../db/schema/users.ts'

export type MailDomainRow = typeof mailDomains.$inferSelect

/** Creates the mail domain if missing. Locked until the commit, which serializes changes to its addresses. */
export async function openMailDomain(
  trx: Transaction,
  domain: { id: string; hostname: string },
  now: Date
): Promise<MailDomainRow | undefined> {
  const { rowCount } = await trx
    .insert(mailDomains)
    .values({ domainId: domain.id, name: domain.hostname, createdAt: now, updatedAt: now })
    .onConflictDoNothing()
  if (rowCount === 1) await markAliasTargets(trx, [domain.id])
  return lockMailDomain(trx, domain.id)
}

/** Marks domains of the same account with aliases that target these domains: who may send as those aliases changes. */
export async function markAliasTargets(trx: Transaction, domainIds: readonly string[]): Promise<void> {
  await trx.execute(sql`
    update ${mailDomains} set revision = revision + 1 where domain_id in (
      select alias.domain_id from ${mailDomains} reached
      join ${domains} own on own.id = reached.domain_id
      join ${domains} other on other.user_id = own.user_id and other.id <> own.id
      join ${mailAliases} alias on alias.domain_id = other.id
      cross join lateral unnest(alias.targets) target
      where reached.domain_id = any (${sql.param([...domainIds])}::text[])
        and regexp_replace(target, '^.*@', '') = reached.name
    )`)
}

export async function lockMailDomain(trx: Transaction, domainId: string): Promise<MailDomainRow | undefined> {
  const [row] = await trx.select().from(mailDomains).where(eq(mailDomains.domainId, domainId)).for('update')
  return row
}

const nextRevision = sql`${mailDomains.revision} + 1`

/** Call in every transaction that changes what the mail servers know about the domain. */
export async function markMailDomainChanged(
  trx: Transaction,
  domainId: string,
  now: Date,
  values: { isOpening?: true } = {}
): Promise<void> {
  await trx
    .update(mailDomains)
    .set({ ...values, revision: nextRevision, updatedAt: now })
    .where(eq(mailDomains.domainId, domainId))
}

export async function markMailDomainsOf(trx: Transaction, userId: string): Promise<string[]> {
  const own = trx.select({ id: domains.id }).from(domains).where(eq(domains.userId, userId))
  const rows = await trx
    .update(mailDomains)
    .set({ revision: nextRevision })
    .where(inArray(mailDomains.domainId, own))
    .returning({ name: mailDomains.name })
  return rows.map(({ name }) => name)
}

export async function listMailDomainsOf(db: Queryable, userId: string): Promise<string[]> {
  const rows = await db
    .select({ name: mailDomains.name })
    .from(mailDomains)
    .innerJoin(domains, eq(domains.id, mailDomains.domainId))
    .where(eq(domains.userId, userId))
    .orderBy(asc(mailDomains.name))
  return rows.map(({ name }) => name)
}

/** Locks those of the domains that have mail, in a fixed order (deadlocks). Resolves with their names. */
export async function lockMailDomains(trx: Transaction, domainIds: readonly string[]): Promise<string[]> {
  const rows = await trx
    .select({ name: mailDomains.name })
    .from(mailDomains)
    .where(inArray(mailDomains.domainId, [...domainIds]))
    .orderBy(asc(mailDomains.domainId))
    .for('update')
  return rows.map(({ name }) => name)
}

export interface MailDomainContents {
  domain: MailDomainRow
  owner: { email: string; isSuspended: boolean; mailDomains: string[] }
  mailboxes: (typeof mailboxes.$inferSelect)[]
  aliases: (typeof mailAliases.$inferSelect)[]
}

export async function readMailDomain(db: Queryable, name: string): Promise<MailDomainContents | undefined> {
  const [found] = await db
    .select({ domain: mailDomains, userId: users.id, email: users.email, suspendedAt: users.suspendedAt })
    .from(mailDomains)
    .innerJoin(domains, eq(domains.id, mailDomains.domainId))
    .innerJoin(users, eq(users.id, domains.userId))
    .where(eq(mailDomains.name, name))
  if (!found) return undefined
  const { domainId } = found.domain
  const boxes = await db
    .select()
    .from(mailboxes)
    .where(and(eq(mailboxes.domainId, domainId), isNull(mailboxes.deletedAt)))
    .orderBy(asc(mailboxes.createdAt), asc(mailboxes.id))
  const aliases = await db
    .select()
    .from(mailAliases)
    .where(eq(mailAliases.domainId, domainId))
    .orderBy(asc(mailAliases.localPart))
  const owner = {
    email: found.email,
    isSuspended: found.suspendedAt !== null,
    mailDomains: await listMailDomainsOf(db, found.userId)
  }
  return { domain: found.domain, owner, mailboxes: boxes, aliases }
}

export async function markMailDomainApplied(db: Queryable, domainId: string, revision: number): Promise<void> {
  await db
    .update(mailDomains)
    .set({ appliedRevision: revision })
    .where(and(eq(mailDomains.domainId, domainId), lt(mailDomains.appliedRevision, revision)))
}

/** Forces the domains to be sent to the mail servers again. */
export async function evictAppliedMail(db: Queryable, names: readonly string[]): Promise<void> {
  if (names.length > 0)
    await db
      .update(mailDomains)
      .set({ appliedRevision: 0 })
      .where(inArray(mailDomains.name, [...names]))
}

export async function listOutdatedMailDomains(db: Queryable, limit: number, but: readonly string[]): Promise<string[]> {
  const changed = db
    .select({ name: mailDomains.name })
    .from(mailDomains)
    .where(and(ne(mailDomains.appliedRevision, mailDomains.revision), notInArray(mailDomains.name, [...but])))
  const unmoved = db
    .select({ name: mailboxes.domainName })
    .from(mailboxes)
    .where(
      and(
        sql`(${mailboxes.deletedAt} is null) <> (${mailboxes.keptAt} is null)`,
        notInArray(mailboxes.domainName, [...but])
      )
    )
  const rows = await changed.union(unmoved).limit(limit)
  return rows.map(({ name }) => name)
}

export async function listServedMailDomains(db: Queryable): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(sql`
    select ${mailDomains.name} as name from ${mailDomains}
    where exists (select from ${mailboxes} where ${mailboxes.domainId} = ${mailDomains.domainId} and ${mailboxes.deletedAt} is null)
      or exists (select from ${mailAliases} where ${mailAliases.domainId} = ${mailDomains.domainId})`)
  return rows.map(({ name }) => name)
}

export async function listOpeningDomains(db: Queryable, limit: number): Promise<(typeof domains.$inferSelect)[]> {
  const rows = await db
    .select({ domain: domains })
    .from(mailDomains)
    .innerJoin(domains, eq(domains.id, mailDomains.domainId))
    .where(eq(mailDomains.isOpening, true))
    .limit(limit)
  return rows.map(({ domain }) => domain)
}

export async function markOpened(db: Queryable, domainId: string): Promise<void> {
  await db.update(mailDomains).set({ isOpening: false }).where(eq(mailDomains.domainId, domainId))
}
