import type { Dependencies } from '../../dependencies.ts'
import { createDomainOwners } from './domain-owners.ts'
import { createSendingAllowances, hourlyLimits } from './sending-limit.policy.ts'

/**
 * Says of each answer of a mailbox's filter whether it may go out: as many as the mailbox, its domain and its account may send, counted apart from
 * what they do send, as strangers ask for answers. One that goes nowhere fails nobody's delivery.
 */
export function createReplyDecision(deps: Pick<Dependencies, 'config' | 'db' | 'logger' | 'now'>) {
  const allowances = createSendingAllowances(hourlyLimits(deps.config))
  const ownerOf = createDomainOwners(deps)
  return async (address: string): Promise<boolean> => {
    const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
    const mailbox = address.toLowerCase().replace(/\+.*@/, '@')
    const now = deps.now().getTime()
    const sender = { mailbox, domain, account: await ownerOf(domain, now) }
    const short = allowances.take([{ sender, recipients: 1 }], now)
    if (short) deps.logger.warn({ mailbox, limit: short.level }, 'an answer of a filter beyond a limit is left out')
    return short === undefined
  }
}
