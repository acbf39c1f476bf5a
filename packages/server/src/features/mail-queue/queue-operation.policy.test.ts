import { expect, test } from 'vitest'
import type { QueueOperation } from '@panel/contract/mail-queue'
import type { QueueName } from '../../infra/mail-server/mail-queue.ts'
import { queueStep } from './queue-operation.policy.ts'

const queues: readonly (QueueName | undefined)[] = ['incoming', 'active', 'deferred', 'hold', 'maildrop', undefined]

test.each<[QueueOperation, ...ReturnType<typeof queueStep>[]]>([
  ['delete', 'do', 'do', 'do', 'do', 'entering', 'gone'],
  ['flush', 'done', 'done', 'do', 'held', 'done', 'gone'],
  ['hold', 'do', 'do', 'do', 'done', 'entering', 'gone'],
  ['release', 'done', 'done', 'done', 'do', 'done', 'gone']
])('%s, by the queue that the message is in', (operation, ...expected) => {
  expect(queues.map((queue) => queueStep(operation, queue))).toEqual(expected)
})
