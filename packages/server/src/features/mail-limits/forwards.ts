import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { countForwarded } from '../mailboxes/mailbox-access.ts'
import { createRememberedAddresses } from './remembered-addresses.ts'
import type { Charge } from './sending-limit.policy.ts'

const countedForMs = 60_000
const bounds = { keptMs: 24 * 3_600_000, most: 10_000, mostOfOne: 1_000 }

/** What goes on to others elsewhere by the aliases of a domain, whose allowance is one of its own: strangers use it. */
export interface Forward extends Charge {
  domain: string
  userId: string
}

/**
 * Counts what messages take of allowances by aliases, and remembers the recipients by whom one did not suffice: the message was put off whole, and
 * when it comes again these are asked for one by one. Looked up afresh then, once a minute each at most.
 */
export function createForwards({ db, logger }: Pick<Dependencies, 'db' | 'logger'>) {
  const remembered = createRememberedAddresses<{ forwards: readonly Forward[]; at: number }>(bounds)
  const count = async (to: readonly string[]): Promise<readonly Forward[]> => {
    if (to.length === 0) return []
    const found = await countForwarded(db, to).catch((error: unknown) => {
      logger.warn({ error: messageOf(error) }, 'forwarded mail is not counted')
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
    /** Those of a message in the domains of that account: one of them asked for more than there was. */
    remember(to: readonly string[], forwards: readonly Forward[], userId: string, now: number): void {
      const domains = new Set(forwards.filter((forward) => forward.userId === userId).map(({ domain }) => domain))
      for (const address of to.filter((each) => domains.has(domainOf(each))))
        remembered.remember(userId, plainOf(address), now)
    },
    /** What mail to this one takes, if it is remembered. */
    async ofRemembered(recipient: string, now: number): Promise<readonly Forward[]> {
      const entry = remembered.find(plainOf(recipient), now)
      if (!entry) return []
      if (!entry.value || now - entry.value.at > countedForMs)
        entry.value = { forwards: await count([plainOf(recipient)]), at: now }
      return entry.value.forwards
    }
  }
}

/** By domain. What two of them lead to is in it twice, so that they take no more together. */
export function sumOf(forwards: readonly Forward[]): readonly Forward[] {
  const sums = new Map<string, Forward>()
  for (const one of forwards) {
    const before = sums.get(one.domain)
    sums.set(one.domain, before ? { ...one, recipients: before.recipients + one.recipients } : one)
  }
  return [...sums.values()]
}

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1)

/** Without a detail, of which there are as many as anybody likes. */
export const plainOf = (address: string) => address.replace(/\+.*@/, '@')
