import type { Dependencies } from '../../dependencies.ts'
import type { Reply } from '../../infra/mail-server/sending-policy-server.ts'
import { messageOf } from '../../text/message-of.ts'
import { maySendAs } from '../mailboxes/mailbox-access.ts'
import { createDomainOwners } from './domain-owners.ts'
import { createSendingAllowances, hourlyLimits } from './sending-limit.policy.ts'

/**
 * Decides whether an autoreply or other Sieve response may be sent: same limits as outgoing mail but counted
 * separately, because strangers trigger responses; and only from addresses that the mailbox may send as. If the
 * database is unavailable, only from the mailbox itself. Dropping a response never fails the delivery.
 */
export function createReplyDecision(deps: Pick<Dependencies, 'config' | 'db' | 'logger' | 'now'>) {
  const allowances = createSendingAllowances(hourlyLimits(deps.config))
  const ownerOf = createDomainOwners(deps)
  const mayBeFrom = (mailbox: string, sender: string) =>
    maySendAs(deps.db, mailbox, sender).catch((error: unknown) => {
      deps.logger.warn({ mailbox, sender, error: messageOf(error) }, 'sender check of an autoreply failed')
      return false
    })
  return async (reply: Reply): Promise<boolean> => {
    const domain = reply.mailbox.slice(reply.mailbox.lastIndexOf('@') + 1).toLowerCase()
    const mailbox = reply.mailbox.toLowerCase().replace(/\+.*@/, '@')
    const now = deps.now().getTime()
    const owner = { mailbox, domain, account: await ownerOf(domain, now) }
    const short = allowances.take([{ sender: owner, recipients: 1 }], now)
    if (short) deps.logger.warn({ mailbox, limit: short.level }, 'autoreply dropped: sending limit reached')
    if (short) return false
    const isOwn = await mayBeFrom(mailbox, reply.sender.toLowerCase())
    if (!isOwn) deps.logger.warn({ mailbox, sender: reply.sender }, 'autoreply dropped: sender not allowed')
    return isOwn
  }
}
