import type { Transaction } from '../../db/database.ts'
import { lockName } from '../../db/lock.ts'
import { AppError } from '../../errors.ts'
import { type DomainRow, listActiveDomains, requireActive } from '../domains/domain-access.ts'
import { listCertified } from './certificates.repository.ts'

/** Paths of one host share a certificate: throws CERTIFICATE_EXISTS with the domain that holds it. */
export async function requireCertifiable(trx: Transaction, domain: DomainRow): Promise<void> {
  const { hostname } = requireActive(domain)
  // Serializes concurrent requests for two paths of one host.
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
    `All paths of ${hostname} share the certificate of domain ${holder.id} (${hostname}${holder.pathPrefix ?? ''})`
  )
}
