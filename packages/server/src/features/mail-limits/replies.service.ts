import type { Dependencies } from '../../dependencies.ts'
import type { Reply } from '../../infra/mail-server/sending-policy-server.ts'
import { messageOf } from '../../text/message-of.ts'
import { maySendAs } from '../mailboxes/mailbox-access.ts'
import { createDomainOwners } from './domain-owners.ts'
import { createSendingAllowances, hourlyLimits } from './sending-limit.policy.ts'

/**
 * Says of each answer of a mailbox's filter whether it may go out: as many as the mailbox, its domain and its account may send, counted apart from
 * what they do send, as strangers ask for answers; and as nobody whom the mailbox may not send as, which where the store is away is anybody but
 * itself. One that goes nowhere fails nobody's delivery.
 */
export function createReplyDecision(deps: Pick<Dependencies, 'config' | 'db' | 'logger' | 'now'>) {
  const allowances = createSendingAllowances(hourlyLimits(deps.config))
  const ownerOf = createDomainOwners(deps)
  const mayBeFrom = (mailbox: string, sender: string) =>
    maySendAs(deps.db, mailbox, sender).catch((error: unknown) => {
      deps.logger.warn({ mailbox, sender, error: messageOf(error) }, 'whom an answer of a filter may name is not known')
      return false
    })
  return async (reply: Reply): Promise<boolean> => {
    const domain = reply.mailbox.slice(reply.mailbox.lastIndexOf('@') + 1).toLowerCase()
    const mailbox = reply.mailbox.toLowerCase().replace(/\+.*@/, '@')
    const now = deps.now().getTime()
    const owner = { mailbox, domain, account: await ownerOf(domain, now) }
    const short = allowances.take([{ sender: owner, recipients: 1 }], now)
    if (short) deps.logger.warn({ mailbox, limit: short.level }, 'an answer of a filter beyond a limit is left out')
    if (short) return false
    const isOwn = await mayBeFrom(mailbox, reply.sender.toLowerCase())
    if (!isOwn)
      deps.logger.warn({ mailbox, sender: reply.sender }, 'an answer of a filter that is from others is left out')
    return isOwn
  }
}
