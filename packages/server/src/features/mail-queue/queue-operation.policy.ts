import type { QueueOperation } from '@panel/contract/mail-queue'
import type { QueueName } from '../../infra/mail-server/mail-queue.ts'

/**
 * `do`: run the Postfix command. `done`: nothing to do. `held`: on hold. `entering`: still in maildrop, where the
 * commands cannot reach it. `gone`: not in the queue.
 */
export type QueueStep = 'do' | 'done' | 'held' | 'entering' | 'gone'

const steps: Readonly<Record<QueueOperation, Readonly<Record<QueueName, QueueStep>>>> = {
  delete: { incoming: 'do', active: 'do', deferred: 'do', hold: 'do', maildrop: 'entering', corrupt: 'gone' },
  // Postfix silently ignores a flush of a held message.
  flush: { incoming: 'done', active: 'done', deferred: 'do', hold: 'held', maildrop: 'done', corrupt: 'gone' },
  hold: { incoming: 'do', active: 'do', deferred: 'do', hold: 'done', maildrop: 'entering', corrupt: 'gone' },
  release: { incoming: 'done', active: 'done', deferred: 'done', hold: 'do', maildrop: 'done', corrupt: 'gone' }
}

export const queueStep = (operation: QueueOperation, queue: QueueName | undefined): QueueStep =>
  queue === undefined ? 'gone' : steps[operation][queue]
