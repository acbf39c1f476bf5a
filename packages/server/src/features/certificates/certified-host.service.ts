import type { Transaction } from '../../db/database.ts'
import { lockName } from '../../db/lock.ts'
import { AppError } from '../../errors.ts'
import { type DomainRow, listActiveDomains, requireActive } from '../domains/domain-access.ts'
import { listCertified } from './certificates.repository.ts'

/** A verified domain, and the one of its host name that has the certificate: paths of one host are served with one. */
export async function requireCertifiable(trx: Transaction, domain: DomainRow): Promise<void> {
  const { hostname } = requireActive(domain)
  // Two paths of one host, asked for at the same moment.
  await lockName(trx, `certificate:${hostname}`)
  const others = (await listActiveDomains(trx, [hostname])).filter((other) => other.id !== domain.id)
  const certified = await listCertified(
    trx,
    others.map((other) => other.id)
  )
  const holder =
    others.find((other) => certified.has(other.id)) ??
    others.find((other) => domain.pathPrefix !== null && other.id === domain.parentId)
  if (!holder) return
  throw new AppError(
    'CERTIFICATE_EXISTS',
    `All paths of ${hostname} are served with one certificate, that of the domain ${holder.id} (${hostname}${holder.pathPrefix ?? ''})`
  )
}
