import { and, count, eq, inArray, isNull, lt, lte, ne, or, sql } from 'drizzle-orm'
import type { CertificateStatus } from '@panel/contract/certificates'
import type { Queryable, Transaction } from '../../db/database.ts'
import { certificates } from '../../db/schema/certificates.ts'
import { domains } from '../../db/schema/domains.ts'
import { users } from '../../db/schema/users.ts'
import type { DomainRow } from '../domains/domain-access.ts'
import { sourcesOf } from './certificate.machine.ts'

export type CertificateRow = typeof certificates.$inferSelect
type NewCertificate = typeof certificates.$inferInsert
export type CertificateValues = Partial<Omit<CertificateRow, 'id' | 'domainId' | 'status'>>

export async function findCertificateOf(db: Queryable, domainId: string): Promise<CertificateRow | undefined> {
  const [row] = await db.select().from(certificates).where(eq(certificates.domainId, domainId))
  return row
}

export async function lockCertificateOf(trx: Transaction, domainId: string): Promise<CertificateRow | undefined> {
  const [row] = await trx.select().from(certificates).where(eq(certificates.domainId, domainId)).for('update')
  return row
}

export async function findWithDomain(
  db: Queryable,
  domainId: string
): Promise<{ certificate: CertificateRow; domain: DomainRow } | undefined> {
  const [row] = await db
    .select({ certificate: certificates, domain: domains })
    .from(certificates)
    .innerJoin(domains, eq(domains.id, certificates.domainId))
    .where(eq(certificates.domainId, domainId))
  return row
}

export interface CertificateOfOwner {
  certificate: CertificateRow
  hostname: string
  owner: { id: string }
}

export async function findWithOwner(db: Queryable, id: string): Promise<CertificateOfOwner | undefined> {
  const [row] = await db
    .select({
      certificate: certificates,
      hostname: domains.hostname,
      owner: { id: users.id }
    })
    .from(certificates)
    .innerJoin(domains, eq(domains.id, certificates.domainId))
    .innerJoin(users, eq(users.id, domains.userId))
    .where(and(eq(certificates.id, id), isNull(users.suspendedAt)))
  return row
}

export async function insertCertificate(trx: Transaction, values: NewCertificate): Promise<CertificateRow> {
  const [row] = await trx.insert(certificates).values(values).returning()
  return row!
}

/** Changes the state if the transition is allowed (certificate.machine.ts); undefined if not, or if the row is gone. */
export async function moveCertificate(
  trx: Transaction,
  id: string,
  target: CertificateStatus,
  values: CertificateValues,
  now: Date
): Promise<CertificateRow | undefined> {
  const [row] = await trx
    .update(certificates)
    .set({ ...values, status: target, updatedAt: now })
    .where(and(eq(certificates.id, id), inArray(certificates.status, sourcesOf(target))))
    .returning()
  return row
}

export async function updateCertificate(
  trx: Transaction,
  id: string,
  values: CertificateValues,
  now: Date
): Promise<CertificateRow> {
  const [row] = await trx
    .update(certificates)
    .set({ ...values, updatedAt: now })
    .where(eq(certificates.id, id))
    .returning()
  return row!
}

export async function deleteCertificate(trx: Transaction, id: string): Promise<void> {
  await trx.delete(certificates).where(eq(certificates.id, id))
}

export async function listCertified(db: Queryable, domainIds: readonly string[]): Promise<Set<string>> {
  if (domainIds.length === 0) return new Set()
  const rows = await db
    .select({ domainId: certificates.domainId })
    .from(certificates)
    .where(inArray(certificates.domainId, [...domainIds]))
  return new Set(rows.map((row) => row.domainId))
}

/** Whether an order is due, or may be stuck. */
export async function isAnyOrderOpen(db: Queryable): Promise<boolean> {
  const rows = await db
    .select({ id: certificates.id })
    .from(certificates)
    .where(or(lte(certificates.renewAt, sql`now()`), eq(certificates.status, 'PENDING')))
    .limit(1)
  return rows.length > 0
}

/** Locks certificates due for renewal or retry, with their accounts; skips those locked by another worker. */
export async function lockDue(
  trx: Transaction,
  now: Date,
  limit: number
): Promise<{ certificate: CertificateRow; userId: string }[]> {
  return trx
    .select({ certificate: certificates, userId: domains.userId })
    .from(certificates)
    .innerJoin(domains, eq(domains.id, certificates.domainId))
    .where(and(lte(certificates.renewAt, now), ne(certificates.status, 'PENDING')))
    .orderBy(certificates.renewAt)
    .limit(limit)
    .for('update', { of: certificates, skipLocked: true })
}

const expired = (now: Date) =>
  and(
    eq(certificates.type, 'LETS_ENCRYPT'),
    eq(certificates.autoRenew, true),
    ne(certificates.status, 'PENDING'),
    lt(certificates.validTo, now)
  )

export const countExpired = (db: Queryable, now: Date): Promise<number> => db.$count(certificates, expired(now))

/** Makes the renewals of expired certificates due, whatever their back-off. */
export async function retryExpired(db: Queryable, now: Date): Promise<void> {
  await db.update(certificates).set({ renewAt: now, updatedAt: now }).where(expired(now))
}

/** The account's next pending order: renewals by nearest expiry, then the longest waiting. */
export async function findNextPending(db: Queryable, userId: string): Promise<CertificateRow | undefined> {
  const [row] = await db
    .select({ certificate: certificates })
    .from(certificates)
    .innerJoin(domains, eq(domains.id, certificates.domainId))
    .where(and(eq(domains.userId, userId), eq(certificates.status, 'PENDING')))
    .orderBy(sql`${certificates.validTo} asc nulls last`, certificates.updatedAt, certificates.id)
    .limit(1)
  return row?.certificate
}

/** Accounts with orders that made no progress since. */
export async function listStuckAccounts(db: Queryable, since: Date): Promise<string[]> {
  const rows = await db
    .selectDistinct({ userId: domains.userId })
    .from(certificates)
    .innerJoin(domains, eq(domains.id, certificates.domainId))
    .where(and(eq(certificates.status, 'PENDING'), lt(certificates.updatedAt, since)))
  return rows.map((row) => row.userId)
}

export async function listCertificateIds(db: Queryable, domainIds: readonly string[]): Promise<string[]> {
  if (domainIds.length === 0) return []
  const rows = await db
    .select({ id: certificates.id })
    .from(certificates)
    .where(inArray(certificates.domainId, [...domainIds]))
  return rows.map(({ id }) => id)
}

export async function countByStatus(db: Queryable): Promise<{ status: CertificateStatus; n: number }[]> {
  return db.select({ status: certificates.status, n: count() }).from(certificates).groupBy(certificates.status)
}
