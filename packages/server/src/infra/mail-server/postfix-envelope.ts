import type { QueueName, QueuedMessage } from './mail-queue.ts'

const queues: readonly QueueName[] = ['incoming', 'active', 'deferred', 'hold', 'maildrop', 'corrupt']

export function parseEnvelope(text: string): Pick<QueuedMessage, 'queue' | 'sender'> | undefined {
  const name = /^\*\*\* ENVELOPE RECORDS (\w+)\//.exec(text)?.[1]
  const queue = queues.find((each) => each === name)
  return queue && { queue, sender: /^sender: (.*)$/m.exec(text)?.[1] ?? '' }
}
