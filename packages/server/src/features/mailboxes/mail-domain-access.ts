import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { mailHostname } from '../../config/mail.ts'
import { type DomainRow, lockOwnDomain, requireActive } from '../domains/domain-access.ts'
import { openMailDomain } from './mail-domains.repository.ts'

/** The caller's domain as one that has mail, locked until the commit. */
export async function lockForMail(
  { config, now }: Pick<Dependencies, 'config' | 'now'>,
  trx: Transaction,
  domainId: string,
  userId: string
): Promise<DomainRow> {
  const domain = requireActive(await lockOwnDomain(trx, domainId, userId))
  if (domain.hostname.startsWith('*.'))
    throw new AppError('INVALID_TARGET', `A wildcard has no addresses; take ${domain.hostname.slice(2)} instead`)
  if (domain.pathPrefix !== null)
    throw new AppError('INVALID_TARGET', `Addresses are of a whole host: add ${domain.hostname} without a path`)
  if (domain.hostname === mailHostname(config))
    throw new AppError(
      'INVALID_TARGET',
      `${domain.hostname} is the name of the mail servers themselves, and mail to it is the panel's; take another domain`
    )
  if (!(await openMailDomain(trx, domain, now())))
    throw new AppError(
      'CONFLICT',
      `The mail of ${domain.hostname} belongs to another entry of this host name; use that one`
    )
  return domain
}

/** Before anything is changed that would never be made up for. */
export function refuseWithoutMail({ config }: Pick<Dependencies, 'config'>): void {
  if (!config.MAIL)
    throw new AppError('MAIL_UNAVAILABLE', 'This panel runs without mail (MAIL=off)', { remedy: 'TURN_ON_MAIL' })
}
