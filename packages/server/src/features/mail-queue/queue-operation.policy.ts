import type { QueueOperation } from '@panel/contract/mail-queue'
import type { QueueName } from '../../infra/mail-server/mail-queue.ts'

/**
 * `do`: by the mail server's tool. `done`: there is nothing left to do. What else there is keeps it from being done: `held`, on hold; `entering`, handed
 * over a moment ago, and out of the tools' reach; `gone`.
 */
export type QueueStep = 'do' | 'done' | 'held' | 'entering' | 'gone'

const steps: Readonly<Record<QueueOperation, Readonly<Record<QueueName, QueueStep>>>> = {
  delete: { incoming: 'do', active: 'do', deferred: 'do', hold: 'do', maildrop: 'entering', corrupt: 'gone' },
  // The tool does nothing about one on hold, and says nothing.
  flush: { incoming: 'done', active: 'done', deferred: 'do', hold: 'held', maildrop: 'done', corrupt: 'gone' },
  hold: { incoming: 'do', active: 'do', deferred: 'do', hold: 'done', maildrop: 'entering', corrupt: 'gone' },
  release: { incoming: 'done', active: 'done', deferred: 'done', hold: 'do', maildrop: 'done', corrupt: 'gone' }
}

/** What is to be done about a message that is in this queue, or in none. */
export const queueStep = (operation: QueueOperation, queue: QueueName | undefined): QueueStep =>
  queue === undefined ? 'gone' : steps[operation][queue]
