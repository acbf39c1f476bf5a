import { and, eq, gt, inArray, isNotNull, ne } from 'drizzle-orm'
import type { Queryable } from '../../db/database.ts'
import { certificates } from '../../db/schema/certificates.ts'
import { domains } from '../../db/schema/domains.ts'
import { mailDomains } from '../../db/schema/mail-domains.ts'

export async function isMailDomain(db: Queryable, name: string): Promise<boolean> {
  const [row] = await db
    .select({ id: mailDomains.domainId })
    .from(mailDomains)
    .innerJoin(domains, eq(domains.id, mailDomains.domainId))
    .where(and(eq(mailDomains.name, name), eq(domains.status, 'ACTIVE')))
  return row !== undefined
}

export async function listTrustedNames(db: Queryable, names: readonly string[], now: Date): Promise<Set<string>> {
  const rows = await db
    .select({ hostname: domains.hostname })
    .from(certificates)
    .innerJoin(domains, eq(domains.id, certificates.domainId))
    .where(
      and(
        inArray(domains.hostname, [...names]),
        // Uses the index on names: this query is reachable without authentication.
        eq(domains.status, 'ACTIVE'),
        isNotNull(certificates.chain),
        ne(certificates.type, 'SELF_SIGNED'),
        gt(certificates.validTo, now)
      )
    )
  return new Set(rows.map(({ hostname }) => hostname))
}

export async function listMailDomainNames(db: Queryable, domainIds: readonly string[]): Promise<string[]> {
  if (domainIds.length === 0) return []
  const rows = await db
    .select({ name: mailDomains.name })
    .from(mailDomains)
    .where(inArray(mailDomains.domainId, [...domainIds]))
  return rows.map(({ name }) => name)
}
