import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { countForwarded } from '../mailboxes/mailbox-access.ts'
import { createRememberedAddresses } from './remembered-addresses.ts'
import type { Charge } from './sending-limit.policy.ts'

const countedForMs = 60_000
const bounds = { keptMs: 24 * 3_600_000, most: 10_000, mostOfOne: 1_000 }

/** Mail that aliases of a domain forward to external addresses. Separate allowance, because anyone can use it up. */
export interface Forward extends Charge {
  domain: string
  userId: string
}

/**
 * Counts forwarded recipients per message, and remembers the recipients of messages that exceeded an allowance: such a
 * message is deferred as a whole, and on its retry each of these recipients is checked separately (cached for a
 * minute).
 */
export function createForwards({ db, logger }: Pick<Dependencies, 'db' | 'logger'>) {
  const remembered = createRememberedAddresses<{ forwards: readonly Forward[]; at: number }>(bounds)
  const count = async (to: readonly string[]): Promise<readonly Forward[]> => {
    if (to.length === 0) return []
    const found = await countForwarded(db, to).catch((error: unknown) => {
      logger.warn({ error: messageOf(error) }, 'forwarded mail not counted')
      return []
    })
    return found.map(({ domain, userId, addresses }) => ({
      domain,
      userId,
      sender: { mailbox: undefined, domain: `forward ${domain}`, account: `forward ${userId}` },
      recipients: addresses
    }))
  }
  return {
    count,
    /** Remembers the recipients in domains of the account whose allowance was exceeded. */
    remember(to: readonly string[], forwards: readonly Forward[], userId: string, now: number): void {
      const domains = new Set(forwards.filter((forward) => forward.userId === userId).map(({ domain }) => domain))
      for (const address of to.filter((each) => domains.has(domainOf(each))))
        remembered.remember(userId, plainOf(address), now)
    },
    /** Forwards of a remembered recipient; empty for others. */
    async ofRemembered(recipient: string, now: number): Promise<readonly Forward[]> {
      const entry = remembered.find(plainOf(recipient), now)
      if (!entry) return []
      if (!entry.value || now - entry.value.at > countedForMs)
        entry.value = { forwards: await count([plainOf(recipient)]), at: now }
      return entry.value.forwards
    }
  }
}

/** By domain. Targets shared by two forwards count twice, so the sum is an upper bound. */
export function sumOf(forwards: readonly Forward[]): readonly Forward[] {
  const sums = new Map<string, Forward>()
  for (const one of forwards) {
    const before = sums.get(one.domain)
    sums.set(one.domain, before ? { ...one, recipients: before.recipients + one.recipients } : one)
  }
  return [...sums.values()]
}

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1)

/** Removes the +detail, which senders choose freely. */
export const plainOf = (address: string) => address.replace(/\+.*@/, '@')
