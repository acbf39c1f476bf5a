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
// Postfix hangs up on it.
const ended = '421 4.7.0 The password is another one since; log in again'
const owners = { mailbox: 'A mailbox', domain: 'The mailboxes of a domain', account: 'The mailboxes of an account' }

/** A client tries again what is refused with 4, for days; not what is refused with 5. */
const refusal = ({ level, limit, isNever }: Shortage): string =>
  isNever
    ? `554 5.7.1 ${owners[level]} may send to ${limit} recipients within an hour; send this message to fewer at a time`
    : '450 4.7.1 This mailbox, its domain or its account has sent to too many recipients; try again later'

const forwardRefusal = ({ limit, isNever }: Shortage): string =>
  isNever
    ? `554 5.7.1 Forwarding limit of this address exceeded (${limit} per hour)`
    : '450 4.7.1 Forwarding limit of this address reached; try again later'

// For all of its recipients, there being one answer for them: those who can have it get it when it comes again.
const oneOfSeveral = '450 4.7.1 Forwarding limit of a recipient reached; try again later'

/** Those of a message who are remembered and were let in. */
interface LetIn {
  addresses: Set<string>
  /** What they take together. */
  forwards: readonly Forward[]
  /** One was kept out as the store counts: it is not asked about each of the rest. */
  isFull: boolean
}

/**
 * Says of each message of a log-in whether it may be sent, and of each message, whoever sends it, whether it may go on to others elsewhere, which
 * the domain and the account of the address do that it goes on from. It counts what this process has seen: there is one worker at a time.
 * Where the store is away, the limits of mailbox and domain hold for log-ins, and mail goes on.
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
      deps.logger.warn({ mailbox, error: messageOf(error) }, 'the owner of the mailbox is not told')
    )
  const admitted = new WeakMap<ReadonlySet<string>, LetIn>()
  /** What does not suffice for one more of a message, with those of it who were let in: by their sum, or where that is too much as the store counts them. */
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
      deps.logger.warn({ sender, limit: short.level, recipients: requested }, 'mail beyond a limit is refused')
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
      // Alone it has room: when it comes again without the others it is taken.
      const together = await lacksWith(to, plainOf(recipient), alone, now)
      return together && forwardRefusal({ ...together, isNever: false })
    }
  }
}

/** `isHeld` is absent in jobs of earlier versions. */
export const limitJob = z.object({ address: z.string(), isHeld: z.boolean().optional() })

/** The job behind a mailbox that was kept from sending, or whose mail is held: its owner is told. */
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
