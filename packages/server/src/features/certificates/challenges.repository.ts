import { and, eq, inArray, lt } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { acmeChallenges } from '../../db/schema/acme-challenges.ts'
import { domains } from '../../db/schema/domains.ts'

export type ChallengeRow = typeof acmeChallenges.$inferSelect

/** The same token is told twice when an order is taken up again. */
export async function putChallenge(db: Queryable, values: typeof acmeChallenges.$inferInsert): Promise<void> {
  await db.insert(acmeChallenges).values(values).onConflictDoUpdate({ target: acmeChallenges.token, set: values })
}

/** The answer to a token that is asked for over HTTP, under whatever host name. */
export async function findHttpAnswer(db: Queryable, token: string): Promise<string | undefined> {
  const [row] = await db
    .select({ value: acmeChallenges.value })
    .from(acmeChallenges)
    .where(and(eq(acmeChallenges.token, token), eq(acmeChallenges.type, 'http-01')))
  return row?.value
}

/** Removes those of the domain that are meant; resolves with them. */
export async function dropChallenges(
  trx: Transaction,
  domainId: string,
  isMeant: (row: ChallengeRow) => boolean
): Promise<ChallengeRow[]> {
  const rows = await trx.select().from(acmeChallenges).where(eq(acmeChallenges.domainId, domainId))
  const meant = rows.filter(isMeant)
  const tokens = meant.map((row) => row.token)
  if (tokens.length > 0) await trx.delete(acmeChallenges).where(inArray(acmeChallenges.token, tokens))
  return meant
}

export async function listOldChallengeDomains(db: Queryable, before: Date): Promise<string[]> {
  const rows = await db
    .selectDistinct({ domainId: acmeChallenges.domainId })
    .from(acmeChallenges)
    .where(lt(acmeChallenges.createdAt, before))
    .limit(1000)
  return rows.map((row) => row.domainId)
}

/** The zone that holds the proofs of a domain, as they are TXT records. */
export async function zoneIdOf(trx: Transaction, domainId: string): Promise<string | null> {
  const [row] = await trx.select({ zoneId: domains.zoneId }).from(domains).where(eq(domains.id, domainId))
  return row?.zoneId ?? null
}
