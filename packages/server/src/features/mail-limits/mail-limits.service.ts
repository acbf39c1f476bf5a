import { z } from 'zod'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import type { SendingPolicy } from '../../infra/mail-server/sending-request.ts'
import { endedSessions } from '../mailboxes/mailbox-access.ts'
import { createDomainOwners } from './domain-owners.ts'
import { createForwards, type Forward, plainOf, sumOf } from './forwards.ts'
import { notify } from '../notifications/notify-access.ts'
import { findOwnerOfMailDomain } from './mail-limits.repository.ts'
import { rightLogIns } from './right-log-ins.ts'
import { type Charge, createSendingAllowances, hourlyLimits, type Shortage } from './sending-limit.policy.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'jobs' | 'logger' | 'mailServer' | 'now'>

const maxNotified = 10_000
const notifyAgainAfterMs = 24 * 3_600_000
// Postfix closes the connection on 421.
const ended = '421 4.7.0 The password has changed; log in again'
const owners = { mailbox: 'A mailbox', domain: 'A domain', account: 'An account' }

/** Clients retry 4xx replies for days, 5xx never. */
const refusal = ({ level, limit, isNever }: Shortage): string =>
  isNever
    ? `554 5.7.1 ${owners[level]} may send to ${limit} recipients per hour; send this message to fewer recipients`
    : '450 4.7.1 Hourly sending limit of this mailbox, its domain or its account reached; try again later'

const forwardRefusal = ({ limit, isNever }: Shortage): string =>
  isNever
    ? `554 5.7.1 This address forwards to more recipients than its hourly limit allows (${limit})`
    : '450 4.7.1 Hourly forwarding limit of this address reached; try again later'

// One reply for all recipients of the message; those within their limits are accepted on its retry.
const oneOfSeveral = '450 4.7.1 Hourly forwarding limit of a recipient of this message reached; try again later'

/** Remembered recipients of one message that were accepted. */
interface LetIn {
  addresses: Set<string>
  /** Combined cost of the accepted recipients. */
  forwards: readonly Forward[]
  /** An exact count rejected one recipient: skip exact counts for the rest. */
  isFull: boolean
}

/**
 * Enforces hourly limits on mail sent by mailboxes and on mail forwarded by aliases, each per domain and account. State
 * is in memory: only one worker runs at a time. If the database is unavailable, authenticated senders keep their
 * mailbox and domain limits, and forwarding is not limited.
 */
export function createSendingPolicy(deps: Deps): SendingPolicy {
  const allowances = createSendingAllowances(hourlyLimits(deps.config))
  const ownerOf = createDomainOwners(deps)
  const forwards = createForwards(deps)
  const notifiedAt = new Map<string, number>()
  const notifyOwner = async (address: string, now: number) => {
    if (now - (notifiedAt.get(address) ?? -Infinity) < notifyAgainAfterMs) return
    if (notifiedAt.size >= maxNotified) notifiedAt.clear()
    notifiedAt.set(address, now)
    await deps.db.transaction((trx) => deps.jobs.enqueue(trx, 'mail-limits.alert', { address }))
  }
  const isEnded = (mailbox: string, address: string) => {
    const at = endedSessions(deps.mailServer).at(mailbox)
    return at !== undefined && (rightLogIns(deps.mailServer).at(mailbox, address) ?? -Infinity) < at
  }
  const chargeOf = async (mailbox: string, recipients: number, now: number): Promise<Charge> => {
    const domain = mailbox.slice(mailbox.lastIndexOf('@') + 1)
    return { sender: { mailbox, domain, account: await ownerOf(domain, now) }, recipients }
  }
  const tellOf = (mailbox: string, now: number) =>
    notifyOwner(mailbox, now).catch((error: unknown) =>
      deps.logger.warn({ mailbox, error: messageOf(error) }, 'notification about the sending limit failed')
    )
  const admitted = new WeakMap<ReadonlySet<string>, LetIn>()
  /** The shortage with one more recipient. Uses the upper bound of `sumOf` first, then the exact count. */
  const lacksWith = async (to: ReadonlySet<string>, address: string, alone: readonly Forward[], now: number) => {
    const before = admitted.get(to) ?? { addresses: new Set(), forwards: [], isFull: false }
    admitted.set(to, before)
    if (before.addresses.has(address)) return undefined
    let all = sumOf([...before.forwards, ...alone])
    let short = allowances.lacks(all, now)
    if (short && before.addresses.size > 0 && !before.isFull) {
      all = sumOf(await forwards.count([...before.addresses, address]))
      short = allowances.lacks(all, now)
      before.isFull = short !== undefined
    }
    if (short) return short
    before.addresses.add(address)
    before.forwards = all
    return undefined
  }
  return {
    async decide({ login, address, recipients, to }) {
      const mailbox = login?.toLowerCase()
      if (mailbox !== undefined && isEnded(mailbox, address)) return ended
      const now = deps.now().getTime()
      const own = mailbox === undefined ? [] : [await chargeOf(mailbox, recipients, now)]
      const forwarded = await forwards.count(to)
      const short = allowances.take([...own, ...forwarded], now)
      if (!short) return undefined
      const forward = forwarded[short.index - own.length]
      const { sender, recipients: requested } = forward ?? own[0]!
      deps.logger.warn({ sender, limit: short.level, recipients: requested }, 'mail rejected: sending limit reached')
      if (!forward) {
        await tellOf(mailbox!, now)
        return refusal(short)
      }
      if (to.length === 1) return forwardRefusal(short)
      forwards.remember(to, forwarded, forward.userId, now)
      return oneOfSeveral
    },
    async decideRecipient(recipient, to) {
      const now = deps.now().getTime()
      const alone = await forwards.ofRemembered(recipient, now)
      if (alone.length === 0) return undefined
      const short = allowances.lacks(alone, now)
      if (short) return forwardRefusal(short)
      // It fits alone, so its retry without the other recipients is accepted.
      const together = await lacksWith(to, plainOf(recipient), alone, now)
      return together && forwardRefusal({ ...together, isNever: false })
    }
  }
}

/** Jobs queued by earlier versions lack `isHeld`. */
export const limitJob = z.object({ address: z.string(), isHeld: z.boolean().optional() })

/** Notifies the owner of a mailbox that reached its limit or whose mail is held. */
export async function notifyLimit(
  deps: Pick<Dependencies, 'db' | 'events' | 'jobs' | 'now'>,
  { address, isHeld = false }: z.infer<typeof limitJob>
): Promise<void> {
  const owner = await findOwnerOfMailDomain(deps.db, address.slice(address.lastIndexOf('@') + 1))
  if (!owner) return
  await deps.db.transaction((trx) =>
    notify(deps, trx, {
      userId: owner.id,
      kind: isHeld ? 'mail-held' : 'mail-limit',
      subject: { type: 'mailbox', id: address, name: address },
      text: isHeld
        ? [{ code: 'MAIL_HELD', values: { address } }, { code: 'PASSWORD_KNOWN' }, { code: 'WRITE_TO_ADMINISTRATOR' }]
        : [{ code: 'MAIL_LIMIT', values: { address } }, { code: 'PASSWORD_KNOWN' }],
      link: '/mail'
    })
  )
}
