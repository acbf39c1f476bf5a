import type { Delivery } from '@panel/contract/delivery-log'
import type { DeliveryEntry } from '../../infra/mail-server/delivery-log.ts'
import { oneLine } from '../../text/one-line.ts'

export function deliveryView(entry: DeliveryEntry): Delivery {
  const shown = (text: string | undefined) => (text === undefined ? null : oneLine(text, 500))
  return {
    at: entry.at.toISOString(),
    status: entry.status,
    sender: shown(entry.sender),
    recipient: shown(entry.recipient),
    originalRecipient: shown(entry.originalRecipient),
    queueId: entry.queueId ?? null,
    relay: shown(entry.relay),
    delay: entry.delaySeconds ?? null,
    reason: oneLine(entry.reason, 500)
  }
}
