/** One recipient of a message in the queue. */
export interface QueuedRecipient {
  address: string
  /** What the next server said, or why it could not be asked; undefined before the first try. Text of strangers. */
  reason: string | undefined
}

export type QueueName = 'incoming' | 'active' | 'deferred' | 'hold' | 'maildrop' | 'corrupt'

export interface QueuedMessage {
  /** As Postfix writes it; see isQueueId. */
  id: string
  queue: QueueName
  arrivedAt: Date
  bytes: number
  /** Empty of a bounce. */
  sender: string
  /** The first of them in a list; whoever looks which are wanted sees all that one line holds, some thousands. */
  recipients: readonly QueuedRecipient[]
  recipientCount: number
}

/** Postfix's queue, by its own tools. Reject with AdapterError mail-server-unavailable. What is no id of a message is none that is there. */
export interface MailQueue {
  /** At most `limit` of those that are wanted, oldest first, and how many there are of them. Takes seconds where the queue is long. */
  list(
    limit: number,
    isWanted?: (message: QueuedMessage) => boolean
  ): Promise<{ messages: readonly QueuedMessage[]; total: number }>
  /** As fast in a long queue as in a short one. */
  find(id: string): Promise<Pick<QueuedMessage, 'queue' | 'sender'> | undefined>
  /** Ids of those on hold, by the directory alone. */
  listHeld(): Promise<ReadonlySet<string>>
  /** Resolves with false where it is gone. */
  delete(id: string): Promise<boolean>
  flushAll(): Promise<void>
  /** Tries it now; nothing happens to one that is on hold. */
  flush(id: string): Promise<void>
  /** Resolves with false where it is gone, or on hold already. */
  hold(id: string): Promise<boolean>
  /** Resolves with false where it is gone, or not on hold. */
  release(id: string): Promise<boolean>
}
