import { z } from 'zod'
import { Message } from '@panel/contract/common'
import { MailQueueList, MailQueueQuery, QueueId, type QueueOperation } from '@panel/contract/mail-queue'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { requireRole, sessionOf } from '../../http/access.ts'
import { flushMailQueue, listMailQueue, operateOnMessage } from './mail-queue.service.ts'

const access = requireRole('ADMIN')
// Slow: waits for Postfix commands.
const changeConfig = { access, admission: 'apart' } as const
const tags = ['Mail']

const operations: Readonly<Record<QueueOperation, { operationId: string; summary: string; description: string }>> = {
  delete: {
    operationId: 'deleteQueuedMessage',
    summary: 'Delete a message from the queue',
    description: 'The sender is not notified. A delivery in progress may still succeed.'
  },
  flush: {
    operationId: 'flushQueuedMessage',
    summary: 'Retry a message now',
    description: 'Release a held message first.'
  },
  hold: {
    operationId: 'holdQueuedMessage',
    summary: 'Put a message on hold: it is not delivered until you release it',
    description: 'A held message stays until you release or delete it. Holding it again changes nothing.'
  },
  release: {
    operationId: 'releaseQueuedMessage',
    summary: 'Release a message from hold',
    description:
      'It is retried on schedule; flush it to retry it now. Releasing a message that is not on hold changes nothing.'
  }
}

export function mailQueueRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/mail/queue',
    {
      // Listing a long queue takes Postfix seconds.
      config: { access, admission: 'large', compressed: true },
      schema: {
        tags,
        operationId: 'listMailQueue',
        summary: 'List queued messages, oldest first, with the reason for the delay',
        description: 'All accounts. Each pending recipient has the last response of the next server.',
        querystring: MailQueueQuery,
        errors: ['MAIL_UNAVAILABLE'],
        response: { 200: MailQueueList }
      }
    },
    async (request) => listMailQueue(deps, request.query)
  )
  app.post(
    '/api/mail/queue/flush',
    {
      config: changeConfig,
      schema: {
        tags,
        operationId: 'flushMailQueue',
        summary: 'Retry all queued messages now, except those on hold',
        description: 'Returns once the mail server has scheduled the retries, before they complete.',
        errors: ['MAIL_UNAVAILABLE'],
        response: { 200: Message }
      }
    },
    async (request) => {
      await flushMailQueue(deps, request, sessionOf(request).userId)
      return { message: 'All messages that are not on hold are being retried' }
    }
  )
  for (const [name, words] of Object.entries(operations))
    app.post(
      `/api/mail/queue/:queueId/${name}`,
      {
        config: changeConfig,
        schema: {
          tags,
          ...words,
          params: z.object({ queueId: QueueId }),
          errors: ['NOT_FOUND', 'CONFLICT', 'MAIL_UNAVAILABLE'],
          response: { 200: Message }
        }
      },
      async (request) => ({
        message: await operateOnMessage(
          deps,
          request,
          sessionOf(request).userId,
          name as QueueOperation,
          request.params.queueId
        )
      })
    )
}
