import { and, eq, inArray, lt, ne, notInArray, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { mailDomains } from '../../db/schema/mail-domains.ts'
import { mailFilterSettings } from '../../db/schema/mail-filter-settings.ts'
import type { SpamRules } from './spam-settings.policy.ts'

export type SpamSettingsRow = typeof mailFilterSettings.$inferSelect

export async function isAnyMailDomain(db: Queryable): Promise<boolean> {
  return (await db.select({ id: mailDomains.domainId }).from(mailDomains).limit(1)).length > 0
}

export async function findSpamSettings(db: Queryable, domainId: string): Promise<SpamSettingsRow | undefined> {
  const [row] = await db.select().from(mailFilterSettings).where(eq(mailFilterSettings.domainId, domainId))
  return row
}

/** The caller holds the lock of the mail domain. */
export async function saveSpamSettings(trx: Transaction, domainId: string, rules: SpamRules, now: Date): Promise<void> {
  const values = { ...rules, allow: [...rules.allow], deny: [...rules.deny], updatedAt: now }
  await trx
    .insert(mailFilterSettings)
    .values({ domainId, ...values, createdAt: now })
    .onConflictDoUpdate({
      target: mailFilterSettings.domainId,
      set: { ...values, revision: sql`${mailFilterSettings.revision} + 1` }
    })
}

export async function readSpamSettings(db: Queryable, name: string): Promise<SpamSettingsRow | undefined> {
  const [row] = await db
    .select({ settings: mailFilterSettings })
    .from(mailFilterSettings)
    .innerJoin(mailDomains, eq(mailDomains.domainId, mailFilterSettings.domainId))
    .where(eq(mailDomains.name, name))
  return row?.settings
}

export async function markSpamApplied(db: Queryable, domainId: string, revision: number): Promise<void> {
  await db
    .update(mailFilterSettings)
    .set({ appliedRevision: revision })
    .where(and(eq(mailFilterSettings.domainId, domainId), lt(mailFilterSettings.appliedRevision, revision)))
}

/** Forces the settings to be sent to the filter again. */
export async function evictAppliedSpam(db: Queryable, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  const named = db
    .select({ id: mailDomains.domainId })
    .from(mailDomains)
    .where(inArray(mailDomains.name, [...names]))
  await db.update(mailFilterSettings).set({ appliedRevision: 0 }).where(inArray(mailFilterSettings.domainId, named))
}

const selectNames = (db: Queryable) =>
  db
    .select({ name: mailDomains.name })
    .from(mailFilterSettings)
    .innerJoin(mailDomains, eq(mailDomains.domainId, mailFilterSettings.domainId))

export async function listOutdatedSpam(db: Queryable, limit: number, but: readonly string[]): Promise<string[]> {
  const rows = await selectNames(db)
    .where(
      and(ne(mailFilterSettings.appliedRevision, mailFilterSettings.revision), notInArray(mailDomains.name, [...but]))
    )
    .limit(limit)
  return rows.map(({ name }) => name)
}

export const listSpamDomains = async (db: Queryable): Promise<string[]> =>
  (await selectNames(db)).map(({ name }) => name)

export async function listSpamDomainsAmong(db: Queryable, domainIds: readonly string[]): Promise<string[]> {
  const rows = await selectNames(db).where(inArray(mailFilterSettings.domainId, [...domainIds]))
  return rows.map(({ name }) => name)
}
