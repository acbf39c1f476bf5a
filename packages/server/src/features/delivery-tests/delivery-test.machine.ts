import type { DeliveryTestStatus } from '@panel/contract/delivery-tests'
import type { DeliveryEntry } from '../../infra/mail-server/delivery-log.ts'

/** From what the server has written of a message, newest first, to what became of it. */
export function outcomeOf(entries: readonly Pick<DeliveryEntry, 'status'>[]): DeliveryTestStatus | undefined {
  // A bounce is delivered to its sender under another id: the first word that is final counts.
  if (entries.some(({ status }) => status === 'success')) return 'DELIVERED'
  if (entries.some(({ status }) => status === 'bounced' || status === 'rejected')) return 'BOUNCED'
  return entries.length > 0 ? 'DEFERRED' : undefined
}

/** From which statuses one is reached. An answer may come before anybody has looked into the log. */
export const sourcesOf: Readonly<Record<DeliveryTestStatus, readonly DeliveryTestStatus[]>> = {
  SENDING: [],
  QUEUED: ['SENDING'],
  FAILED: ['SENDING'],
  DEFERRED: ['QUEUED', 'DEFERRED'],
  DELIVERED: ['QUEUED', 'DEFERRED'],
  BOUNCED: ['QUEUED', 'DEFERRED'],
  ANSWERED: ['SENDING', 'QUEUED', 'DEFERRED', 'DELIVERED', 'BOUNCED']
}

/** Whether the log may have something new. */
export const isUnderWay = (status: DeliveryTestStatus): boolean => status === 'QUEUED' || status === 'DEFERRED'
