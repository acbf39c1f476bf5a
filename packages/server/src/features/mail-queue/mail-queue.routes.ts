import { z } from 'zod'
import { Message } from '@panel/contract/common'
import { MailQueueList, MailQueueQuery, QueueId, type QueueOperation } from '@panel/contract/mail-queue'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { requireRole, sessionOf } from '../../http/access.ts'
import { flushMailQueue, listMailQueue, operateOnMessage } from './mail-queue.service.ts'

const access = requireRole('ADMIN')
// They wait for the mail server's programs.
const changeConfig = { access, admission: 'apart' } as const
const tags = ['Mail']

const operations: Readonly<Record<QueueOperation, { operationId: string; summary: string; description: string }>> = {
  delete: {
    operationId: 'deleteQueuedMessage',
    summary: 'Delete a message from the queue',
    description: 'Its sender is not told. What is being delivered at this moment may arrive all the same.'
  },
  flush: {
    operationId: 'flushQueuedMessage',
    summary: 'Try a message now',
    description: 'One on hold is to be released first.'
  },
  hold: {
    operationId: 'holdQueuedMessage',
    summary: 'Put a message on hold: nothing is tried before it is released',
    description:
      'For as long as it takes; nothing ends it but a release or a deletion. To hold one that is on hold changes nothing.'
  },
  release: {
    operationId: 'releaseQueuedMessage',
    summary: 'Release a message from hold',
    description:
      'It is tried when its turn comes; flush it to have it tried at once. To release one that is not on hold changes nothing.'
  }
}

export function mailQueueRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/mail/queue',
    {
      // Of a long queue the mail server takes seconds to make a list.
      config: { access, admission: 'large', compressed: true },
      schema: {
        tags,
        operationId: 'listMailQueue',
        summary: 'List the messages that wait in the mail server, oldest first, with the reason',
        description:
          'Of all accounts. Each recipient that is still to be served is there with what the next server said of it at the last try.',
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
        summary: 'Try all messages of the queue now, but those on hold',
        description: 'Answers when the mail server has been told, not when they have been tried.',
        errors: ['MAIL_UNAVAILABLE'],
        response: { 200: Message }
      }
    },
    async (request) => {
      await flushMailQueue(deps, request, sessionOf(request).userId)
      return { message: 'All messages that are not on hold are being tried' }
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
