export interface QueuedRecipient {
  address: string
  /** Response of the next server, or why it was not reached; undefined before the first attempt. Untrusted. */
  reason: string | undefined
}

export type QueueName = 'incoming' | 'active' | 'deferred' | 'hold' | 'maildrop' | 'corrupt'

export interface QueuedMessage {
  id: string
  queue: QueueName
  arrivedAt: Date
  bytes: number
  /** Empty for bounces. */
  sender: string
  /** In lists only the first ones; `isWanted` sees all that one line holds, some thousands. */
  recipients: readonly QueuedRecipient[]
  recipientCount: number
}

/** The Postfix queue. Methods reject with AdapterError mail-server-unavailable. Invalid ids count as not found. */
export interface MailQueue {
  /** Up to `limit` matching messages, oldest first, and the total number of matches. A long queue takes seconds. */
  list(
    limit: number,
    isWanted?: (message: QueuedMessage) => boolean
  ): Promise<{ messages: readonly QueuedMessage[]; total: number }>
  find(id: string): Promise<Pick<QueuedMessage, 'queue' | 'sender'> | undefined>
  listHeld(): Promise<ReadonlySet<string>>
  delete(id: string): Promise<boolean>
  flushAll(): Promise<void>
  flush(id: string): Promise<void>
  /** False if it is gone or already on hold. */
  hold(id: string): Promise<boolean>
  /** False if it is gone or not on hold. */
  release(id: string): Promise<boolean>
}
