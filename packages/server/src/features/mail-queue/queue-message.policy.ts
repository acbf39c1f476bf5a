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

const maxReasonCharacters = 500
const maxAddressCharacters = 320

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

/** Postfix records no reason for a manual hold, rspamd none for GTUBE. */
const byHand = 'On hold: put on hold manually, or a spam filter test message (GTUBE)'

function heldReason(held: HeldMessage): string {
  const login = oneLine(held.login, maxAddressCharacters)
  if (held.isFlood) return `Held by the spam filter: ${login} sent too much other spam within the last hour`
  const symbols = held.symbols.map((one) => oneLine(one, 100)).join(', ')
  return oneLine(
    `Held by the spam filter: mail from ${login} scored ${held.score.toFixed(1)} points${symbols === '' ? '' : ` (${symbols})`}`,
    maxReasonCharacters
  )
}

export function queueFilter({ flagged, search }: Pick<MailQueueQuery, 'flagged' | 'search'>) {
  const wanted = search?.toLowerCase()
  const has = (text: string | undefined) => wanted === undefined || text?.toLowerCase().includes(wanted) === true
  return ({ queue, sender, recipients }: QueuedMessage): boolean =>
    (flagged === undefined || flags[queue] === flagged) &&
    (has(sender) || recipients.some(({ address, reason }) => has(address) || has(reason)))
}
