/** One recipient of a message in the queue. */
export interface QueuedRecipient {
  address: string
  /** What the next server said, or why it could not be asked; undefined before the first try. Text of strangers. */
  reason: string | undefined
}

export interface QueuedMessage {
  /** As Postfix writes it; see isQueueId. */
  id: string
  queue: 'incoming' | 'active' | 'deferred' | 'hold' | 'maildrop' | 'corrupt'
  arrivedAt: Date
  bytes: number
  /** Empty of a bounce. */
  sender: string
  recipients: readonly QueuedRecipient[]
}

/**
 * Postfix's queue, by its own tools. Reject with AdapterError mail-server-unavailable. Those on one message resolve with false where the queue
 * has none of this id (or not in a state in which the verb does something).
 */
export interface MailQueue {
  /** At most `limit`, oldest first, and whether there are more. */
  list(limit: number): Promise<{ messages: readonly QueuedMessage[]; isCut: boolean }>
  delete(id: string): Promise<boolean>
  flushAll(): Promise<void>
  /** Tries it now. */
  flush(id: string): Promise<boolean>
  hold(id: string): Promise<boolean>
  release(id: string): Promise<boolean>
}
