import { and, eq, gt, inArray, isNotNull, isNull, lt, lte, notInArray, or, sql } from 'drizzle-orm'
import type { Queryable } from '../../db/database.ts'
import { certificates } from '../../db/schema/certificates.ts'
import { domains } from '../../db/schema/domains.ts'
import { alertMs, datedStatuses } from '../domains/certificate-expiry.policy.ts'

/** Skips locked rows, so that concurrent runs do not block each other. */
export async function evaluateAll(
  db: Queryable,
  now: Date,
  { userId, checkedBefore }: { userId?: string; checkedBefore?: Date } = {}
): Promise<void> {
  const at = (date: Date) => sql`${date.toISOString()}::timestamptz`
  const evaluated = sql`(case
    when ${notInArray(certificates.status, [...datedStatuses])} then ${certificates.status}
    when ${certificates.validTo} <= ${at(now)} then 'EXPIRED'
    when ${certificates.validTo} <= ${at(new Date(now.getTime() + alertMs))} then 'EXPIRING_SOON'
    else 'ACTIVE' end)::certificate_status`
  const due = db
    .select({ id: certificates.id })
    .from(certificates)
    .where(
      and(
        isNotNull(certificates.validTo),
        checkedBefore && or(isNull(certificates.lastCheckedAt), lt(certificates.lastCheckedAt, checkedBefore)),
        userId === undefined ? undefined : inArray(certificates.domainId, domainsOf(db, userId))
      )
    )
    .for('update', { skipLocked: true })
  await db.update(certificates).set({ status: evaluated, lastCheckedAt: now }).where(inArray(certificates.id, due))
}

const domainsOf = (db: Queryable, userId: string) =>
  db.select({ id: domains.id }).from(domains).where(eq(domains.userId, userId))

export async function listAlertCandidates(db: Queryable, userId: string, now: Date, limit: number) {
  const own = eq(domains.userId, userId)
  const [rows, counted] = await Promise.all([
    db
      .select({ certificate: certificates, hostname: domains.hostname })
      .from(certificates)
      .innerJoin(domains, eq(domains.id, certificates.domainId))
      .where(
        and(
          own,
          or(
            lte(certificates.validTo, new Date(now.getTime() + alertMs)),
            gt(certificates.failures, 1),
            eq(certificates.status, 'ERROR')
          )
        )
      )
      .orderBy(sql`${certificates.validTo} asc nulls last`, certificates.id)
      .limit(limit),
    db
      .select({ count: sql<number>`count(*)::int` })
      .from(certificates)
      .innerJoin(domains, eq(domains.id, certificates.domainId))
      .where(own)
  ])
  return { rows, count: counted[0]?.count ?? 0 }
}
