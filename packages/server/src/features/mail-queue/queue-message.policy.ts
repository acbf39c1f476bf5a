import type { MailQueueQuery, QueueFlag, QueueMessage } from '@panel/contract/mail-queue'
import type { HeldMessage } from '../../infra/mail-filter/mail-filter.ts'
import type { QueuedMessage, QueueName } from '../../infra/mail-server/mail-queue.ts'
import { oneLine } from '../../text/one-line.ts'

const flags: Readonly<Record<QueueName, QueueFlag>> = {
  hold: 'held',
  active: 'active',
  incoming: 'none',
  deferred: 'none',
  maildrop: 'none',
  corrupt: 'none'
}

/** A refusal of the next server may be a page long. */
const maxReasonCharacters = 500
const maxAddressCharacters = 320

/** As the API shows it. What it says of addresses and reasons strangers have written. */
export function queueMessage(
  { id, queue, arrivedAt, bytes, sender, recipients, recipientCount }: QueuedMessage,
  held?: HeldMessage
): QueueMessage {
  const shown = recipients.map(({ address, reason }) => ({
    address: oneLine(address, maxAddressCharacters),
    reason: reason === undefined ? null : oneLine(reason, maxReasonCharacters)
  }))
  const given = shown.find(({ reason }) => reason !== null)?.reason
  return {
    queueId: id,
    flagged: flags[queue],
    arrivedAt: arrivedAt.toISOString(),
    size: bytes,
    sender: oneLine(sender, maxAddressCharacters),
    recipients: shown,
    recipientCount,
    reason: (queue === 'hold' && held ? heldReason(held) : given) ?? (queue === 'hold' ? byHand : null)
  }
}

/** Nobody notes why somebody puts a message on hold; nor does the filter of its own test. */
const byHand = 'On hold: by hand, or as the test message of spam filters (GTUBE)'

function heldReason(held: HeldMessage): string {
  const login = oneLine(held.login, maxAddressCharacters)
  if (held.isFlood) return `Held by the spam filter: too much other mail of ${login} was spam within the last hour`
  const symbols = held.symbols.map((one) => oneLine(one, 100)).join(', ')
  return oneLine(
    `Held by the spam filter: mail of ${login} with ${held.score.toFixed(1)} points${symbols === '' ? '' : ` (${symbols})`}`,
    maxReasonCharacters
  )
}

/** Whether a message is one of those that are asked for. */
export function queueFilter({ flagged, search }: Pick<MailQueueQuery, 'flagged' | 'search'>) {
  const wanted = search?.toLowerCase()
  const has = (text: string | undefined) => wanted === undefined || text?.toLowerCase().includes(wanted) === true
  return ({ queue, sender, recipients }: QueuedMessage): boolean =>
    (flagged === undefined || flags[queue] === flagged) &&
    (has(sender) || recipients.some(({ address, reason }) => has(address) || has(reason)))
}
