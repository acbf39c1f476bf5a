import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { addressOf } from './mail-address.policy.ts'
import { tryApplyMailDomain } from './mail-apply.service.ts'
import { withMailDomainLock } from './mail-domain-access.ts'
import { evictAppliedMail, readMailDomain } from './mail-domains.repository.ts'
import { findMailbox, type MailboxRow } from './mailboxes.repository.ts'
import { servedDomain } from './served-domain.policy.ts'

/** Names in the archive of mail. */
export interface ExchangedMail {
  /** Becomes the mail of the mailbox. */
  incoming: string
  /** Gets the mail that the mailbox has. */
  previous: string
  /** Gets what was delivered after an exchange that was interrupted. */
  late: string
}

type Deps = Pick<Dependencies, 'db' | 'logger' | 'mailServer' | 'now'>

/**
 * Replaces the mail of a mailbox. Meanwhile new mail for its domain is deferred, and sessions end. Idempotent: does nothing
 * if `incoming` was exchanged before.
 */
export async function exchangeMail(
  deps: Deps,
  { id, userId }: { id: string; userId: string },
  names: ExchangedMail
): Promise<void> {
  const { domainName } = await requireMailbox()
  try {
    await withMailDomainLock(deps.db, domainName, async (lost) => {
      const mailbox = await requireMailbox()
      if (mailbox.keptAt !== null)
        throw new AppError('CONFLICT', 'The mail of this mailbox is still being put back. Try again in a minute.')
      const contents = await readMailDomain(deps.db, domainName)
      const served = contents && servedDomain(contents)
      if (!served) throw new AppError('CONFLICT', 'The domain of this mailbox has no mail on this server.')
      // Applied again by the reconcile loop if this process is killed.
      await evictAppliedMail(deps.db, [domainName])
      await deps.mailServer.putDomain({ ...served, isSuspended: true })
      lost.throwIfAborted()
      const kept = await deps.mailServer.readKept([names.incoming, names.previous])
      if (!kept.has(names.incoming)) return
      const address = addressOf(mailbox)
      await deps.mailServer.setAside(address, kept.has(names.previous) ? names.late : names.previous)
      await deps.mailServer.putBack(names.incoming, address)
    })
  } finally {
    await tryApplyMailDomain(deps, domainName)
  }

  async function requireMailbox(): Promise<MailboxRow> {
    const found = await findMailbox(deps.db, id, userId)
    if (!found) throw new AppError('NOT_FOUND', 'Mailbox not found')
    return found
  }
}
