import type { Database, Transaction } from '../../db/database.ts'
import { withLock } from '../../db/lock.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { mailHostname } from '../../config/mail.ts'
import { type DomainRow, lockOwnDomain, requireActive } from '../domains/domain-access.ts'
import { openMailDomain } from './mail-domains.repository.ts'

/** The caller's domain, as a mail domain, locked until the commit. */
export async function lockForMail(
  { config, now }: Pick<Dependencies, 'config' | 'now'>,
  trx: Transaction,
  domainId: string,
  userId: string
): Promise<DomainRow> {
  const domain = requireActive(await lockOwnDomain(trx, domainId, userId))
  if (domain.hostname.startsWith('*.'))
    throw new AppError('INVALID_TARGET', `A wildcard cannot have mailboxes. Use ${domain.hostname.slice(2)} instead.`)
  if (domain.pathPrefix !== null)
    throw new AppError(
      'INVALID_TARGET',
      `A domain with a path cannot have mailboxes. Add ${domain.hostname} without a path.`
    )
  if (domain.hostname === mailHostname(config))
    throw new AppError(
      'INVALID_TARGET',
      `${domain.hostname} is the hostname of the mail servers and reserved for the panel. Use another domain.`
    )
  if (!(await openMailDomain(trx, domain, now())))
    throw new AppError(
      'CONFLICT',
      `Mail for ${domain.hostname} belongs to another entry of this hostname. Use that entry.`
    )
  return domain
}

/** Call before any change: without mail nothing would apply it later. */
export function refuseWithoutMail({ config }: Pick<Dependencies, 'config'>): void {
  if (!config.MAIL)
    throw new AppError('MAIL_UNAVAILABLE', 'Mail is disabled on this server', { remedy: 'TURN_ON_MAIL' })
}

/** Only one process at a time applies a mail domain, so that revisions are applied in order. `lost`: see withLock. */
export function withMailDomainLock<T>(db: Database, name: string, work: (lost: AbortSignal) => Promise<T>): Promise<T> {
  const ifHeld = () => {
    throw new Error('Another process is applying this mail domain')
  }
  return withLock(db, `mail-domain:${name}`, { waitMs: 30_000, ifHeld }, work)
}
