import { and, desc, eq, ne } from 'drizzle-orm'
import { maxOverviewItems } from '@panel/contract/overview'
import { counted } from '../../db/counted.ts'
import type { Queryable } from '../../db/database.ts'
import { domains } from '../../db/schema/domains.ts'

export async function listUnverifiedDomains(db: Queryable, userId: string) {
  const { id, hostname, pathPrefix, status, createdAt } = domains
  return db
    .select({ id, hostname, pathPrefix, status, since: createdAt, total: counted })
    .from(domains)
    .where(and(eq(domains.userId, userId), eq(domains.isMailHost, false), ne(status, 'ACTIVE')))
    .orderBy(desc(createdAt))
    .limit(maxOverviewItems)
}
