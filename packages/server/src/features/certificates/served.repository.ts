import { and, asc, eq, isNotNull, min } from 'drizzle-orm'
import type { Queryable } from '../../db/database.ts'
import { certificates } from '../../db/schema/certificates.ts'
import { domains } from '../../db/schema/domains.ts'
import type { CertificateVersion } from '../../infra/reverse-proxy/reverse-proxy.ts'
import type { CertificateRow } from './certificates.repository.ts'

const served = isNotNull(certificates.chain)

export async function listVersions(db: Queryable): Promise<CertificateVersion[]> {
  const rows = await db
    .select({ id: certificates.id, fingerprint: certificates.fingerprint })
    .from(certificates)
    .where(served)
  return rows.map(({ id, fingerprint }) => ({ id, fingerprint: fingerprint ?? '' }))
}

export type ServedRow = Pick<CertificateRow, 'id' | 'fingerprint' | 'chain' | 'encryptedKey'> & { hostname: string }

const servedColumns = {
  id: certificates.id,
  fingerprint: certificates.fingerprint,
  chain: certificates.chain,
  encryptedKey: certificates.encryptedKey,
  hostname: domains.hostname
}

export async function findServed(db: Queryable, id: string): Promise<ServedRow | undefined> {
  const [row] = await db
    .select(servedColumns)
    .from(certificates)
    .innerJoin(domains, eq(domains.id, certificates.domainId))
    .where(and(eq(certificates.id, id), served))
  return row
}

export async function listServedExpiries(db: Queryable, limit: number): Promise<{ hostname: string; validTo: Date }[]> {
  const validTo = min(certificates.validTo)
  const rows = await db
    .select({ hostname: domains.hostname, validTo })
    .from(certificates)
    .innerJoin(domains, eq(domains.id, certificates.domainId))
    .where(and(served, isNotNull(certificates.validTo)))
    .groupBy(domains.hostname)
    .orderBy(asc(validTo), asc(domains.hostname))
    .limit(limit)
  return rows.map((row) => ({ hostname: row.hostname, validTo: row.validTo! }))
}
