import { and, desc, eq, or, sql } from 'drizzle-orm'
import { maxOverviewItems } from '@panel/contract/overview'
import { counted } from '../../db/counted.ts'
import type { Queryable } from '../../db/database.ts'
import { certificates } from '../../db/schema/certificates.ts'
import { domains } from '../../db/schema/domains.ts'

export async function listCertificatesWithProblems(db: Queryable, userId: string, soon: Date) {
  const { status, validTo, failures, errorMessage, errorSentences, updatedAt } = certificates
  return db
    .select({
      domainId: domains.id,
      hostname: domains.hostname,
      isServed: sql<boolean>`${certificates.chain} is not null`,
      status,
      validTo,
      failures,
      errorMessage,
      errorSentences,
      since: updatedAt,
      total: counted
    })
    .from(domains)
    .innerJoin(certificates, eq(certificates.domainId, domains.id))
    .where(
      and(
        eq(domains.userId, userId),
        eq(domains.isMailHost, false),
        or(
          eq(status, 'ERROR'),
          sql`${certificates.chain} is not null and (${failures} > 0 or ${validTo} <= ${sql.param(soon, validTo)})`
        )
      )
    )
    .orderBy(desc(updatedAt))
    .limit(maxOverviewItems)
}
