import type { MailDomainQuery, MtaStsMode, StoredAuthChecks } from '@panel/contract/mail-auth'
import type { DkimKeyStatus } from '@panel/contract/dkim-keys'
import { and, asc, desc, eq, inArray, isNotNull, isNull, lt, ne, notInArray, or, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { dkimKeys } from '../../db/schema/dkim-keys.ts'
import { domains } from '../../db/schema/domains.ts'
import { mailAuthentication } from '../../db/schema/mail-authentication.ts'
import { mailDomains } from '../../db/schema/mail-domains.ts'
import type { DomainRow } from '../feature.ts'
import { sourcesOf } from './dkim-key.machine.ts'

export type DkimKeyRow = typeof dkimKeys.$inferSelect
export type MailAuthRow = typeof mailAuthentication.$inferSelect

export interface MailDomainRows {
  domain: DomainRow
  auth: MailAuthRow | null
}

/** A page of the account's mail domains, by name. */
export async function searchMailDomains(
  db: Queryable,
  userId: string,
  { page, limit, search }: MailDomainQuery
): Promise<{ rows: MailDomainRows[]; total: number }> {
  const where = and(
    eq(domains.userId, userId),
    search === undefined ? undefined : sql`strpos(${mailDomains.name}, ${search.toLowerCase()}) > 0`
  )
  const all = () => db.select({ total: sql<number>`count(*)::int` }).from(mailDomains)
  const [rows, [counted]] = await Promise.all([
    selectMailDomains(db)
      .where(where)
      .orderBy(asc(mailDomains.name))
      .limit(limit)
      .offset((page - 1) * limit),
    all().innerJoin(domains, eq(domains.id, mailDomains.domainId)).where(where)
  ])
  return { rows, total: counted!.total }
}

const selectMailDomains = (db: Queryable) =>
  db
    .select({ domain: domains, auth: mailAuthentication })
    .from(mailDomains)
    .innerJoin(domains, eq(domains.id, mailDomains.domainId))
    .leftJoin(mailAuthentication, eq(mailAuthentication.domainId, mailDomains.domainId))

export async function findMailAuth(db: Queryable, domainId: string): Promise<MailAuthRow | undefined> {
  const [row] = await db.select().from(mailAuthentication).where(eq(mailAuthentication.domainId, domainId))
  return row
}

/** Newest first. */
export async function listKeys(db: Queryable, domainId: string): Promise<DkimKeyRow[]> {
  return db
    .select()
    .from(dkimKeys)
    .where(eq(dkimKeys.domainId, domainId))
    .orderBy(desc(dkimKeys.createdAt), desc(dkimKeys.id))
}

export async function findKey(db: Queryable, domainId: string, id: string): Promise<DkimKeyRow | undefined> {
  const [row] = await db
    .select()
    .from(dkimKeys)
    .where(and(eq(dkimKeys.id, id), eq(dkimKeys.domainId, domainId)))
  return row
}

/** ACTIVE keys, by domain id. */
export async function listActiveKeys(db: Queryable, domainIds: readonly string[]): Promise<Map<string, DkimKeyRow>> {
  if (domainIds.length === 0) return new Map()
  const rows = await db
    .select()
    .from(dkimKeys)
    .where(and(inArray(dkimKeys.domainId, [...domainIds]), eq(dkimKeys.status, 'ACTIVE')))
  return new Map(rows.map((row) => [row.domainId, row]))
}

export async function insertKey(trx: Transaction, values: typeof dkimKeys.$inferInsert): Promise<void> {
  await trx.insert(dkimKeys).values(values)
}

/** Compare-and-swap: false if the current status does not allow the transition. */
export async function moveKey(
  trx: Transaction,
  id: string,
  status: DkimKeyStatus,
  values: Partial<DkimKeyRow>
): Promise<boolean> {
  const rows = await trx
    .update(dkimKeys)
    .set({ ...values, status })
    .where(and(eq(dkimKeys.id, id), inArray(dkimKeys.status, sourcesOf(status))))
    .returning({ id: dkimKeys.id })
  return rows.length > 0
}

/** Deletes all RETIRED keys of a domain except the `keep` latest. */
export async function deleteRetiredKeys(trx: Transaction, domainId: string, keep: number): Promise<void> {
  const retired = and(eq(dkimKeys.domainId, domainId), eq(dkimKeys.status, 'RETIRED'))
  const kept = trx
    .select({ id: dkimKeys.id })
    .from(dkimKeys)
    .where(retired)
    .orderBy(desc(dkimKeys.createdAt), desc(dkimKeys.id))
    .limit(keep)
  await trx.delete(dkimKeys).where(and(retired, notInArray(dkimKeys.id, kept)))
}

/** Call in every transaction that changes the DKIM keys of a domain, so that the signer is updated. */
export async function markKeysChanged(trx: Transaction, domainId: string): Promise<void> {
  await trx
    .insert(mailAuthentication)
    .values({ domainId })
    .onConflictDoUpdate({
      target: mailAuthentication.domainId,
      set: { revision: sql`${mailAuthentication.revision} + 1` }
    })
}

export interface Signing {
  domain: DomainRow
  auth: MailAuthRow
  /** Excludes RETIRED keys. */
  keys: DkimKeyRow[]
}

/** DKIM state of a domain; undefined if it never had keys. */
export async function readSigning(db: Queryable, name: string): Promise<Signing | undefined> {
  const [found] = await selectMailDomains(db).where(eq(mailDomains.name, name))
  if (!found?.auth) return undefined
  const keys = await db
    .select()
    .from(dkimKeys)
    .where(and(eq(dkimKeys.domainId, found.domain.id), ne(dkimKeys.status, 'RETIRED')))
  return { ...found, auth: found.auth, keys }
}

/** Compare-and-swap: the key signs from now on, unless it was replaced in the meantime. */
export async function beginSigning(
  trx: Transaction,
  { id, domainId }: Pick<DkimKeyRow, 'id' | 'domainId'>,
  now: Date
): Promise<void> {
  const rows = await trx
    .update(dkimKeys)
    .set({ signsSince: now })
    .where(and(eq(dkimKeys.id, id), awaited))
    .returning({ id: dkimKeys.id })
  if (rows.length > 0) await markKeysChanged(trx, domainId)
}

const awaited = and(eq(dkimKeys.status, 'ACTIVE'), isNull(dkimKeys.signsSince))

/** Records the revision that the signer has; an older revision never overwrites a newer one. */
export async function markSigningApplied(db: Queryable, domainId: string, revision: number): Promise<void> {
  await db
    .update(mailAuthentication)
    .set({ appliedRevision: revision })
    .where(and(eq(mailAuthentication.domainId, domainId), lt(mailAuthentication.appliedRevision, revision)))
}

/** Forces the keys to be sent to the signer again. */
export async function evictAppliedSigning(db: Queryable, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  const ids = db
    .select({ id: mailDomains.domainId })
    .from(mailDomains)
    .where(inArray(mailDomains.name, [...names]))
  await db.update(mailAuthentication).set({ appliedRevision: 0 }).where(inArray(mailAuthentication.domainId, ids))
}

const outdated = ne(mailAuthentication.appliedRevision, mailAuthentication.revision)

/** Names of some domains whose keys the signer does not have yet, or whose new key does not sign yet. */
export async function listUnsettledSigning(db: Queryable, limit: number, but: readonly string[]): Promise<string[]> {
  const others = notInArray(mailDomains.name, [...but])
  const changed = db
    .select({ name: mailDomains.name })
    .from(mailAuthentication)
    .innerJoin(mailDomains, eq(mailDomains.domainId, mailAuthentication.domainId))
    .where(and(outdated, others))
  const waiting = db
    .select({ name: mailDomains.name })
    .from(dkimKeys)
    .innerJoin(mailDomains, eq(mailDomains.domainId, dkimKeys.domainId))
    .where(and(awaited, others))
  return (await changed.union(waiting).limit(limit)).map(({ name }) => name)
}

/** The signing selector of each signing domain, by domain name. */
export async function listSigningDomains(db: Queryable): Promise<Map<string, string>> {
  const rows = await db
    .selectDistinctOn([dkimKeys.domainId], { name: mailDomains.name, selector: dkimKeys.selector })
    .from(dkimKeys)
    .innerJoin(mailDomains, eq(mailDomains.domainId, dkimKeys.domainId))
    .where(and(ne(dkimKeys.status, 'RETIRED'), isNotNull(dkimKeys.signsSince)))
    .orderBy(dkimKeys.domainId, desc(dkimKeys.signsSince), asc(dkimKeys.status))
  return new Map(rows.map(({ name, selector }) => [name, selector]))
}

/** Those of the domains that sign their mail. */
export async function listSigningOf(db: Queryable, domainIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (domainIds.length === 0) return new Set()
  const rows = await db
    .selectDistinct({ domainId: dkimKeys.domainId })
    .from(dkimKeys)
    .where(
      and(inArray(dkimKeys.domainId, [...domainIds]), ne(dkimKeys.status, 'RETIRED'), isNotNull(dkimKeys.signsSince))
    )
  return new Set(rows.map(({ domainId }) => domainId))
}

export async function listSignedNames(db: Queryable, domainIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .select({ name: mailDomains.name })
    .from(mailAuthentication)
    .innerJoin(mailDomains, eq(mailDomains.domainId, mailAuthentication.domainId))
    .where(inArray(mailAuthentication.domainId, [...domainIds]))
  return rows.map(({ name }) => name)
}

export async function saveChecks(
  db: Queryable,
  domainId: string,
  found: { checks: StoredAuthChecks; foundRecords?: string[]; checkedAt?: Date }
): Promise<void> {
  await db.update(mailAuthentication).set(found).where(eq(mailAuthentication.domainId, domainId))
}

export async function saveMtaStsMode(trx: Transaction, domainId: string, mode: MtaStsMode): Promise<void> {
  await trx.update(mailAuthentication).set({ mtaStsMode: mode }).where(eq(mailAuthentication.domainId, domainId))
}

/** MTA-STS mode of an active mail domain. */
export async function findPolicyMode(db: Queryable, name: string): Promise<MtaStsMode | undefined> {
  const [row] = await db
    .select({ mode: mailAuthentication.mtaStsMode })
    .from(mailAuthentication)
    .innerJoin(mailDomains, eq(mailDomains.domainId, mailAuthentication.domainId))
    .innerJoin(domains, eq(domains.id, mailDomains.domainId))
    .where(and(eq(mailDomains.name, name), eq(domains.status, 'ACTIVE')))
  return row?.mode
}

/** Domains with external DNS that were last checked before `before`; those never checked come first. */
export async function listUnchecked(db: Queryable, before: Date, limit: number): Promise<DomainRow[]> {
  const rows = await db
    .select({ domain: domains })
    .from(mailAuthentication)
    .innerJoin(domains, eq(domains.id, mailAuthentication.domainId))
    .where(
      and(
        eq(domains.dnsMode, 'CONNECTED'),
        or(isNull(mailAuthentication.checkedAt), lt(mailAuthentication.checkedAt, before))
      )
    )
    .orderBy(sql`${mailAuthentication.checkedAt} asc nulls first`)
    .limit(limit)
  return rows.map(({ domain }) => domain)
}
