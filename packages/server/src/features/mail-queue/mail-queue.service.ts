import type { AuditAction } from '@panel/contract/audit'
import { pagination } from '@panel/contract/common'
import { isQueueId, type MailQueueList, MailQueueQuery, QueueId, QueueOperation } from '@panel/contract/mail-queue'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import type { MailQueue } from '../../infra/mail-server/mail-queue.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { type AuditOrigin, recordAuditAlone } from '../audit/recording.service.ts'
import { queueFilter, queueMessage } from './queue-message.policy.ts'
import { queueStep, type QueueStep } from './queue-operation.policy.ts'

/** Rejects invalid queue ids before they reach a command line. */
export function requireQueueId(id: string): void {
  if (!isQueueId(id)) throw refusals.gone()
}

type Deps = Pick<Dependencies, 'mailQueue'>
type ListDeps = Pick<Dependencies, 'mailFilter' | 'mailQueue'>

export const listMailQueue = workerVerb(
  'mail-queue.list',
  [MailQueueQuery],
  async ({ mailFilter, mailQueue }: ListDeps, query: MailQueueQuery): Promise<MailQueueList> => {
    const { page, limit } = query
    const { messages, total } = await mailQueue.list(page * limit, queueFilter(query))
    const shown = messages.slice((page - 1) * limit)
    const held = await mailFilter.readHeld(shown.flatMap(({ id, queue }) => (queue === 'hold' ? [id] : [])))
    return {
      messages: shown.map((message) => queueMessage(message, held.get(message.id))),
      pagination: pagination(page, limit, total)
    }
  }
)

const operations: Readonly<
  Record<
    QueueOperation,
    { run(queue: MailQueue, id: string): Promise<boolean | void>; action: AuditAction; result: string }
  >
> = {
  delete: { run: (queue, id) => queue.delete(id), action: 'mail_queue.message_deleted', result: 'is deleted' },
  flush: { run: (queue, id) => queue.flush(id), action: 'mail_queue.message_flushed', result: 'is being retried' },
  hold: { run: (queue, id) => queue.hold(id), action: 'mail_queue.message_held', result: 'is on hold' },
  release: { run: (queue, id) => queue.release(id), action: 'mail_queue.message_released', result: 'is not on hold' }
}

const operate = workerVerb(
  'mail-queue.operate',
  [QueueOperation, QueueId],
  async (
    { mailQueue }: Deps,
    operation: QueueOperation,
    id: string
  ): Promise<{ isChanged: boolean; sender: string }> => {
    const found = await mailQueue.find(id)
    const step = queueStep(operation, found?.queue)
    if (!found) throw refusals.gone()
    if (step === 'done') return { isChanged: false, sender: found.sender }
    if (step !== 'do') throw refusals[step]()
    // Delivered or deleted in the meantime.
    if ((await operations[operation].run(mailQueue, id)) === false) throw refusals.gone()
    return { isChanged: true, sender: found.sender }
  }
)

const refusals: Readonly<Record<Exclude<QueueStep, 'do' | 'done'>, () => AppError>> = {
  gone: () => new AppError('NOT_FOUND', 'Message not found in the queue: it was delivered, bounced or deleted'),
  held: () => new AppError('CONFLICT', 'The message is on hold. Release it first.'),
  entering: () => new AppError('CONFLICT', 'The message is entering the queue. Try again in a moment.')
}

export async function operateOnMessage(
  deps: Deps & Pick<Dependencies, 'config' | 'db' | 'now'>,
  origin: AuditOrigin,
  actorId: string,
  operation: QueueOperation,
  id: string
): Promise<string> {
  const { isChanged, sender } = await operate(deps, operation, id)
  const { action, result } = operations[operation]
  if (isChanged) await recordAuditAlone(deps, origin, { action, actorId, targetId: id, metadata: { sender } })
  return `Message ${id} ${result}`
}

const flushAll = workerVerb('mail-queue.flush', [], ({ mailQueue }: Deps) => mailQueue.flushAll())

export async function flushMailQueue(
  deps: Deps & Pick<Dependencies, 'config' | 'db' | 'now'>,
  origin: AuditOrigin,
  actorId: string
): Promise<void> {
  await flushAll(deps)
  await recordAuditAlone(deps, origin, { action: 'mail_queue.flushed', actorId, targetId: null })
}
