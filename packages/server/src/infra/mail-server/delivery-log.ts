/** What became of one recipient of a message at one try; see `Delivery` of the API. Texts of strangers. */
export interface DeliveryEntry {
  at: Date
  status: 'success' | 'deferred' | 'bounced' | 'rejected'
  /** Empty of a bounce. */
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
  /** An address. */
  mailbox?: string | undefined
  status?: DeliveryEntry['status'] | undefined
  queueId?: string | undefined
  /** So many of the newest are left out. */
  offset: number
  limit: number
}

export type DeliveryCounts = Readonly<Record<DeliveryEntry['status'], number>>

export interface FoundDeliveries {
  /** Newest first. */
  entries: readonly DeliveryEntry[]
  total: number
  /** How many lines were looked at. */
  scannedLines: number
}

/** What the mail server has written of its deliveries. Rejects with AdapterError mail-server-unavailable. */
export interface DeliveryLog {
  search(search: DeliverySearch): Promise<FoundDeliveries>
  /** How many there were from a time on, as far as the last lines that a search looks at tell. */
  count(since: Date): Promise<DeliveryCounts>
}
