import { and, asc, desc, eq, inArray, isNull, lte, sql, type SQL } from 'drizzle-orm'
import type { DomainQuery } from '@panel/contract/domains'
import type { Queryable, Transaction } from '../../db/database.ts'
import { certificates } from '../../db/schema/certificates.ts'
import { domains } from '../../db/schema/domains.ts'

export type DomainRow = typeof domains.$inferSelect

const isNotMailHost = eq(domains.isMailHost, false)

const own = (id: string, userId: string) => and(eq(domains.id, id), eq(domains.userId, userId))

export async function findDomain(db: Queryable, id: string, userId: string): Promise<DomainRow | undefined> {
  const [row] = await db.select().from(domains).where(own(id, userId))
  return row
}

export async function lockDomain(trx: Transaction, id: string, userId: string): Promise<DomainRow | undefined> {
  const [row] = await trx.select().from(domains).where(own(id, userId)).for('update')
  return row
}

/** Undefined if the account already has this hostname with this prefix, or it is verified by anyone. */
export async function insertDomain(
  trx: Transaction,
  values: typeof domains.$inferInsert
): Promise<DomainRow | undefined> {
  const [row] = await trx.insert(domains).values(values).onConflictDoNothing().returning()
  return row
}

export async function updateDomain(
  trx: Transaction,
  id: string,
  values: Partial<DomainRow>,
  now: Date
): Promise<DomainRow> {
  // A mail host becomes an ordinary domain once it points to a project.
  const taken = values.projectId == null ? {} : { isMailHost: false, probeAt: null }
  const [row] = await trx
    .update(domains)
    .set({ ...taken, ...values, updatedAt: now })
    .where(eq(domains.id, id))
    .returning()
  return row!
}

/** Verified domains of these names in any account; rows without a prefix come first. */
export async function listActiveDomains(db: Queryable, hostnames: readonly string[]): Promise<DomainRow[]> {
  if (hostnames.length === 0) return []
  return db
    .select()
    .from(domains)
    .where(and(inArray(domains.hostname, [...hostnames]), eq(domains.status, 'ACTIVE')))
    .orderBy(sql`path_prefix is not null`, domains.createdAt)
}

/** The account's verified domain of this name, without a prefix. */
export async function findActiveDomain(
  db: Queryable,
  userId: string,
  hostname: string
): Promise<DomainRow | undefined> {
  const [row] = await db
    .select()
    .from(domains)
    .where(
      and(
        eq(domains.userId, userId),
        eq(domains.hostname, hostname),
        eq(domains.status, 'ACTIVE'),
        isNull(domains.pathPrefix)
      )
    )
  return row
}

export type CertificateFacts = Pick<typeof certificates.$inferSelect, 'status' | 'validTo'> & { isServed: boolean }

type ListedDomain = { domain: DomainRow; certificate: CertificateFacts | null }

const certificateFacts = {
  status: certificates.status,
  validTo: certificates.validTo,
  isServed: sql<boolean>`${certificates.chain} is not null`
}

const withCertificate = (db: Queryable) =>
  db
    .select({ domain: domains, certificate: certificateFacts })
    .from(domains)
    .leftJoin(certificates, eq(certificates.domainId, domains.id))
    .$dynamic()

const orders: Record<DomainQuery['order'], SQL[]> = {
  created: [desc(domains.createdAt), desc(domains.id)],
  name: [asc(domains.hostname), asc(domains.id)]
}

export async function listDomains(
  db: Queryable,
  userId: string,
  query: DomainQuery
): Promise<{ rows: ListedDomain[]; total: number }> {
  const conditions: (SQL | undefined)[] = [
    eq(domains.userId, userId),
    isNotMailHost,
    query.projectId === undefined ? undefined : eq(domains.projectId, query.projectId),
    query.status === undefined ? undefined : eq(domains.status, query.status),
    query.search === undefined ? undefined : sql`strpos(${domains.hostname}, ${query.search.toLowerCase()}) > 0`
  ]
  const where = and(...conditions)
  const [rows, counted] = await Promise.all([
    withCertificate(db)
      .where(where)
      .orderBy(...orders[query.order])
      .limit(query.limit)
      .offset((query.page - 1) * query.limit),
    db
      .select({ total: sql<number>`count(*)::int` })
      .from(domains)
      .where(where)
  ])
  return { rows, total: counted[0]?.total ?? 0 }
}

export async function listSubdomains(
  db: Queryable,
  parentId: string,
  { page, limit }: { page: number; limit: number }
): Promise<{ rows: ListedDomain[]; total: number }> {
  const where = and(eq(domains.parentId, parentId), isNotMailHost)
  const [rows, total] = await Promise.all([
    withCertificate(db)
      .where(where)
      .orderBy(domains.hostname, domains.id)
      .limit(limit)
      .offset((page - 1) * limit),
    db.$count(domains, where)
  ])
  return { rows, total }
}

export async function findCertificateFacts(db: Queryable, domainId: string): Promise<CertificateFacts | null> {
  const [row] = await db.select(certificateFacts).from(certificates).where(eq(certificates.domainId, domainId))
  return row ?? null
}

export async function countDomains(db: Queryable, userIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (userIds.length === 0) return new Map()
  const rows = await db
    .select({ id: domains.userId, count: sql<number>`count(*)::int` })
    .from(domains)
    .where(and(inArray(domains.userId, [...userIds]), isNotMailHost))
    .groupBy(domains.userId)
  return new Map(rows.map(({ id, count }) => [id, count]))
}

export async function listTree(db: Queryable, roots: SQL): Promise<DomainRow[]> {
  const tree = sql`with recursive tree as (
    select ${domains.id} from ${domains} where ${roots}
    union select child.id from ${domains} as child join tree on child.parent_id = tree.id
  ) select id from tree`
  return db
    .select()
    .from(domains)
    .where(sql`${domains.id} in (${tree})`)
}

export const byUser = (userId: string): SQL => eq(domains.userId, userId)
export const byId = (id: string): SQL => eq(domains.id, id)

export const detachFromProject = async (trx: Transaction, projectId: string, now: Date): Promise<DomainRow[]> =>
  trx.update(domains).set({ projectId: null, updatedAt: now }).where(eq(domains.projectId, projectId)).returning()

/** Cascades to dependent rows. Names in a deleted zone that are not below it in the tree lose their zone. */
export async function deleteDomains(trx: Transaction, ids: readonly string[]): Promise<void> {
  await trx.delete(domains).where(inArray(domains.id, [...ids]))
  await trx
    .update(domains)
    .set({ dnsMode: 'CONNECTED', zoneId: null })
    .where(inArray(domains.zoneId, [...ids]))
}

export async function findMailHost(db: Queryable, userId: string, hostname: string): Promise<DomainRow | undefined> {
  const [row] = await db
    .select()
    .from(domains)
    .where(and(eq(domains.userId, userId), eq(domains.hostname, hostname), eq(domains.isMailHost, true)))
  return row
}

export async function listMailHostsBelow(db: Queryable, parentIds: readonly string[]): Promise<DomainRow[]> {
  if (parentIds.length === 0) return []
  return db
    .select()
    .from(domains)
    .where(and(inArray(domains.parentId, [...parentIds]), eq(domains.isMailHost, true)))
    .orderBy(domains.hostname)
}

export const isAnyMailHostDue = async (db: Queryable): Promise<boolean> =>
  (await db.$count(domains, lte(domains.probeAt, sql`now()`))) > 0

export async function listDueMailHosts(db: Queryable, now: Date, limit: number): Promise<DomainRow[]> {
  return db.select().from(domains).where(lte(domains.probeAt, now)).orderBy(domains.probeAt).limit(limit)
}

export async function setProbeAt(db: Queryable, id: string, probeAt: Date | null): Promise<void> {
  await db.update(domains).set({ probeAt }).where(eq(domains.id, id))
}
