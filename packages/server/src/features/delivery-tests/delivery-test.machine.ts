import type { DeliveryTestStatus } from '@panel/contract/delivery-tests'
import type { DeliveryEntry } from '../../infra/mail-server/delivery-log.ts'

export function outcomeOf(entries: readonly Pick<DeliveryEntry, 'status'>[]): DeliveryTestStatus | undefined {
  // The first final result counts: the bounce itself has a different queue id.
  if (entries.some(({ status }) => status === 'success')) return 'DELIVERED'
  if (entries.some(({ status }) => status === 'bounced' || status === 'rejected')) return 'BOUNCED'
  return entries.length > 0 ? 'DEFERRED' : undefined
}

/** Allowed source states by target. A reply may arrive before the log has been read. */
export const sourcesOf: Readonly<Record<DeliveryTestStatus, readonly DeliveryTestStatus[]>> = {
  SENDING: [],
  QUEUED: ['SENDING'],
  FAILED: ['SENDING'],
  DEFERRED: ['QUEUED', 'DEFERRED'],
  DELIVERED: ['QUEUED', 'DEFERRED'],
  BOUNCED: ['QUEUED', 'DEFERRED'],
  ANSWERED: ['SENDING', 'QUEUED', 'DEFERRED', 'DELIVERED', 'BOUNCED']
}

export const isUnderWay = (status: DeliveryTestStatus): boolean => status === 'QUEUED' || status === 'DEFERRED'
