import { and, eq, inArray, lt } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { acmeChallenges } from '../../db/schema/acme-challenges.ts'
import { domains } from '../../db/schema/domains.ts'

export type ChallengeRow = typeof acmeChallenges.$inferSelect

/** Upsert, because a resumed order publishes the same token again. */
export async function putChallenge(db: Queryable, values: typeof acmeChallenges.$inferInsert): Promise<void> {
  await db.insert(acmeChallenges).values(values).onConflictDoUpdate({ target: acmeChallenges.token, set: values })
}

export async function findHttpAnswer(db: Queryable, token: string): Promise<string | undefined> {
  const [row] = await db
    .select({ value: acmeChallenges.value })
    .from(acmeChallenges)
    .where(and(eq(acmeChallenges.token, token), eq(acmeChallenges.type, 'http-01')))
  return row?.value
}

export async function deleteChallenges(
  trx: Transaction,
  domainId: string,
  matches: (row: ChallengeRow) => boolean
): Promise<ChallengeRow[]> {
  const rows = await trx.select().from(acmeChallenges).where(eq(acmeChallenges.domainId, domainId))
  const matching = rows.filter(matches)
  const tokens = matching.map((row) => row.token)
  if (tokens.length > 0) await trx.delete(acmeChallenges).where(inArray(acmeChallenges.token, tokens))
  return matching
}

export async function listOldChallengeDomains(db: Queryable, before: Date): Promise<string[]> {
  const rows = await db
    .selectDistinct({ domainId: acmeChallenges.domainId })
    .from(acmeChallenges)
    .where(lt(acmeChallenges.createdAt, before))
    .limit(1000)
  return rows.map((row) => row.domainId)
}

export async function zoneIdOf(trx: Transaction, domainId: string): Promise<string | null> {
  const [row] = await trx.select({ zoneId: domains.zoneId }).from(domains).where(eq(domains.id, domainId))
  return row?.zoneId ?? null
}
