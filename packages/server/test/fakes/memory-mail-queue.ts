import { isQueueId } from '@panel/contract/mail-queue'
import { AdapterError } from '../../src/infra/adapter-error.ts'
import type { MailQueue, QueuedMessage } from '../../src/infra/mail-server/mail-queue.ts'

export interface MemoryMailQueue extends MailQueue {
  readonly messages: Map<string, QueuedMessage>
  /** Ids of attempted messages in order; `all` for flushAll. */
  readonly tried: string[]
  isUnavailable: boolean
}

export function createMemoryMailQueue(): MemoryMailQueue {
  const find = (id: string): QueuedMessage | undefined => {
    if (queue.isUnavailable)
      throw new AdapterError('mail-server-unavailable', 'The mail server (Postfix) is not responding')
    return isQueueId(id) ? queue.messages.get(id) : undefined
  }
  const move = (id: string, isFit: (queue: QueuedMessage['queue']) => boolean, to: QueuedMessage['queue']): boolean => {
    const message = find(id)
    if (!message || !isFit(message.queue)) return false
    queue.messages.set(id, { ...message, queue: to })
    return true
  }
  const queue: MemoryMailQueue = {
    messages: new Map(),
    tried: [],
    isUnavailable: false,
    async list(limit, isWanted = () => true) {
      find('')
      const all = [...queue.messages.values()]
        .filter(isWanted)
        .sort((a, b) => a.arrivedAt.getTime() - b.arrivedAt.getTime())
      return { messages: all.slice(0, limit), total: all.length }
    },
    async find(id) {
      const message = find(id)
      return message && { queue: message.queue, sender: message.sender }
    },
    async listHeld() {
      find('')
      return new Set([...queue.messages.values()].filter((one) => one.queue === 'hold').map(({ id }) => id))
    },
    async delete(id) {
      return find(id) !== undefined && queue.messages.delete(id)
    },
    async flushAll() {
      find('')
      queue.tried.push('all')
    },
    async flush(id) {
      const message = find(id)
      if (message && message.queue !== 'hold') queue.tried.push(id)
    },
    hold: async (id) => move(id, (name) => name !== 'hold', 'hold'),
    release: async (id) => move(id, (name) => name === 'hold', 'deferred')
  }
  return queue
}
