/** Result of one delivery attempt to one recipient; see `Delivery` in the API. Texts are untrusted. */
export interface DeliveryEntry {
  at: Date
  status: 'success' | 'deferred' | 'bounced' | 'rejected'
  /** Empty for bounces. */
  sender: string | undefined
  recipient: string | undefined
  originalRecipient: string | undefined
  queueId: string | undefined
  relay: string | undefined
  delaySeconds: number | undefined
  reason: string
}

export interface DeliverySearch {
  domain?: string | undefined
  mailbox?: string | undefined
  status?: DeliveryEntry['status'] | undefined
  queueId?: string | undefined
  offset: number
  limit: number
}

export type DeliveryCounts = Readonly<Record<DeliveryEntry['status'], number>>

export interface FoundDeliveries {
  entries: readonly DeliveryEntry[]
  total: number
  scannedLines: number
}

export interface DeliveryLog {
  search(search: DeliverySearch): Promise<FoundDeliveries>
  /** Counts deliveries since a time, within the lines that a search reads. */
  count(since: Date): Promise<DeliveryCounts>
}
