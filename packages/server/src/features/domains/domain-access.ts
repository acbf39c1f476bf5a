import type { Queryable, Transaction } from '../../db/database.ts'
import { AppError } from '../../errors.ts'
import { lockUser } from '../users/account-access.ts'
import { type DomainRow, findDomain, lockDomain } from './domains.repository.ts'

// What other features may ask of the rows.
export { correctDeployedDomains } from './deployed-domain.repository.ts'
export {
  type DomainRow,
  findActiveDomain,
  findCertificateFacts,
  listActiveDomains,
  listDueMailHosts,
  listMailHostsBelow,
  setProbeAt,
  updateDomain
} from './domains.repository.ts'

/**
 * The caller's own domain. Somebody else's is not there, since several accounts may claim one name and none shall learn of another's
 * claim. Every feature below a domain starts here.
 */
export async function getOwnDomain(db: Queryable, id: string, userId: string): Promise<DomainRow> {
  return requireDomain(await findDomain(db, id, userId))
}

/**
 * The same, with the row locked until the commit. The account first: everything that changes domains and their zones waits for each other
 * there, in one order of locks. Both are asked for at once, and the store takes one after the other.
 */
export async function lockOwnDomain(trx: Transaction, id: string, userId: string): Promise<DomainRow> {
  const [, domain] = await Promise.all([lockUser(trx, userId), lockDomain(trx, id, userId)])
  return requireDomain(domain)
}

/** What only a verified domain may do. */
export function requireActive(domain: DomainRow): DomainRow {
  if (domain.status === 'ACTIVE') return domain
  throw new AppError('DOMAIN_NOT_ACTIVE', `Verify ${domain.hostname} first: POST /api/domains/:id/verify`)
}

export const notManaged = (hostname: string) =>
  new AppError('DNS_NOT_MANAGED', `The DNS of ${hostname} is not managed here: PATCH /api/domains/:id/dns-mode`)

function requireDomain(domain: DomainRow | undefined): DomainRow {
  if (!domain) throw new AppError('NOT_FOUND', 'There is no such domain')
  return domain
}
