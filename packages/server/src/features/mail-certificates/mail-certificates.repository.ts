import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { Queryable } from '../../db/database.ts'
import { certificates } from '../../db/schema/certificates.ts'
import { domains } from '../../db/schema/domains.ts'
import { mailDomains } from '../../db/schema/mail-domains.ts'
import type { CertifiedHost } from './mail-certificate.policy.ts'

const columns = { id: certificates.id, fingerprint: certificates.fingerprint, hostname: domains.hostname }

export async function listCertifiedHosts(db: Queryable, own: readonly string[]): Promise<CertifiedHost[]> {
  const isThere = isNotNull(certificates.chain)
  const of = (name: ReturnType<typeof sql>) =>
    db
      .select(columns)
      .from(certificates)
      .innerJoin(domains, eq(domains.id, certificates.domainId))
      .innerJoin(mailDomains, eq(domains.hostname, name))
      .where(isThere)
  const ofOwn = db
    .select(columns)
    .from(certificates)
    .innerJoin(domains, eq(domains.id, certificates.domainId))
    .where(and(isThere, inArray(domains.hostname, [...own])))
  const found = await Promise.all([
    ofOwn,
    of(sql`'mail.' || ${mailDomains.name}`),
    of(sql`'*.' || ${mailDomains.name}`)
  ])
  return found.flat().map(({ fingerprint, ...row }) => ({ ...row, fingerprint: fingerprint ?? '' }))
}

export async function listMailDomainNames(db: Queryable): Promise<string[]> {
  return (await db.select({ name: mailDomains.name }).from(mailDomains)).map(({ name }) => name)
}

export async function findCertificateContent(
  db: Queryable,
  id: string
): Promise<{ chain: string; encryptedKey: string } | undefined> {
  const [row] = await db
    .select({ chain: certificates.chain, encryptedKey: certificates.encryptedKey })
    .from(certificates)
    .where(eq(certificates.id, id))
  return row?.chain && row.encryptedKey ? { chain: row.chain, encryptedKey: row.encryptedKey } : undefined
}
