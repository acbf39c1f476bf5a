import type { Queryable, Transaction } from '../../db/database.ts'
import { AppError } from '../../errors.ts'
import { lockUser } from '../users/account-access.ts'
import { type DomainRow, findDomain, lockDomain } from './domains.repository.ts'

export { correctDeployedDomains } from './deployed-domain.repository.ts'
export {
  type DomainRow,
  findActiveDomain,
  findCertificateFacts,
  isAnyMailHostDue,
  listActiveDomains,
  listDueMailHosts,
  listMailHostsBelow,
  setProbeAt,
  updateDomain
} from './domains.repository.ts'

/** NOT_FOUND for other accounts' domains, so that their claims are not disclosed. */
export async function getOwnDomain(db: Queryable, id: string, userId: string): Promise<DomainRow> {
  return requireDomain(await findDomain(db, id, userId))
}

/** Lock order: account, then domain. Both queries are pipelined and run in that order. */
export async function lockOwnDomain(trx: Transaction, id: string, userId: string): Promise<DomainRow> {
  const [, domain] = await Promise.all([lockUser(trx, userId), lockDomain(trx, id, userId)])
  return requireDomain(domain)
}

export function requireActive(domain: DomainRow): DomainRow {
  if (domain.status === 'ACTIVE') return domain
  throw new AppError('DOMAIN_NOT_ACTIVE', `${domain.hostname} is not verified. Verify it first.`)
}

export const notManaged = (hostname: string) =>
  new AppError(
    'DNS_NOT_MANAGED',
    `DNS for ${hostname} is not managed by this panel. Switch the domain to managed DNS first.`
  )

function requireDomain(domain: DomainRow | undefined): DomainRow {
  if (!domain) throw new AppError('NOT_FOUND', 'Domain not found')
  return domain
}
