import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../message-of.ts'
import { countForwarded } from '../mailboxes/mailbox-access.ts'
import type { Charge } from './sending-limit.policy.ts'

const countedForMs = 60_000
const rememberedForMs = 24 * 3_600_000
const maxRemembered = 10_000

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
  const remembered = new Map<string, { since: number; counted?: { forwards: readonly Forward[]; at: number } }>()
  const count = async (to: readonly string[]): Promise<readonly Forward[]> => {
    if (to.length === 0) return []
    const found = await countForwarded(db, to).catch((error: unknown) => {
      logger.warn({ error: messageOf(error) }, 'what goes on to others is not counted')
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
      for (const address of to.filter((each) => domains.has(domainOf(each)))) {
        const key = plainOf(address)
        remembered.delete(key)
        remembered.set(key, { since: now })
        if (remembered.size > maxRemembered) remembered.delete(remembered.keys().next().value!)
      }
    },
    /** What mail to these takes, those that are remembered; each counted for itself. */
    async ofRemembered(to: readonly string[], now: number): Promise<readonly Forward[]> {
      const found: Forward[] = []
      for (const key of new Set(to.map(plainOf))) {
        const entry = remembered.get(key)
        if (!entry || now - entry.since > rememberedForMs) continue
        if (!entry.counted || now - entry.counted.at > countedForMs)
          entry.counted = { forwards: await count([key]), at: now }
        found.push(...entry.counted.forwards)
      }
      return found
    }
  }
}

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1)

/** Without a detail, of which there are as many as anybody likes. */
const plainOf = (address: string) => address.replace(/\+.*@/, '@')
