import { z } from 'zod'
import { Id, Message } from '@panel/contract/common'
import {
  ChangeChannel,
  ChannelTest,
  CreateChannel,
  CreatedChannel,
  DeliveryQuery,
  NotificationChannel,
  NotificationChannelList,
  NotificationDeliveryList,
  NotificationPreferences
} from '@panel/contract/notifications'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import {
  changeChannel,
  createChannel,
  getOwnChannel,
  listOwnChannels,
  listOwnDeliveries,
  readPreferences,
  removeChannel,
  replaceChannel,
  setPreferences,
  testChannel
} from './channels.service.ts'

const tags = ['Notifications']
const config = { access: sessionAccess }
const params = z.object({ id: Id })

export function channelRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/notifications/channels',
    {
      config,
      schema: {
        tags,
        operationId: 'listNotificationChannels',
        summary: 'List your notification channels',
        response: { 200: NotificationChannelList }
      }
    },
    async (request) => listOwnChannels(deps, sessionOf(request).userId)
  )
  app.post(
    '/api/notifications/channels',
    {
      config: { ...config, admission: 'apart' },
      schema: {
        tags,
        operationId: 'createNotificationChannel',
        summary: 'Add a channel',
        description:
          'At most 20. Addresses, tokens and the secret of a webhook are sealed, and shown never again. Services are asked by https at the ports 443 and 8443, ' +
          'at addresses of the Internet alone; the administrator may list others (NOTIFICATION_ALLOW). Redirects are not followed.',
        body: CreateChannel,
        errors: ['CONFLICT'],
        response: { 201: CreatedChannel }
      }
    },
    async (request, reply) => reply.status(201).send(await createChannel(deps, sessionOf(request).userId, request.body))
  )
  app.patch(
    '/api/notifications/channels/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'changeNotificationChannel',
        summary: 'Rename a channel, or switch it on or off',
        description: 'One at which nothing has arrived for three days is switched off by itself.',
        params,
        body: ChangeChannel,
        response: { 200: NotificationChannel }
      }
    },
    async (request) => changeChannel(deps, sessionOf(request).userId, request.params.id, request.body)
  )
  app.put(
    '/api/notifications/channels/:id',
    {
      config: { ...config, admission: 'apart' },
      schema: {
        tags,
        operationId: 'replaceNotificationChannel',
        summary: 'Send a channel elsewhere',
        description:
          'Addresses and tokens are never shown, so all of them are given again, for a channel of the same type. A webhook keeps its secret; what failed is forgotten.',
        params,
        body: CreateChannel,
        errors: ['CONFLICT'],
        response: { 200: NotificationChannel }
      }
    },
    async (request) => replaceChannel(deps, sessionOf(request).userId, request.params.id, request.body)
  )
  app.delete(
    '/api/notifications/channels/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'deleteNotificationChannel',
        summary: 'Remove a channel',
        description: 'That of e-mail stays.',
        params,
        errors: ['CONFLICT'],
        response: { 200: Message }
      }
    },
    async (request) => removeChannel(deps, sessionOf(request).userId, request.params.id)
  )
  app.post(
    '/api/notifications/channels/:id/test',
    {
      config: { ...config, admission: 'apart' },
      schema: {
        tags,
        operationId: 'testNotificationChannel',
        summary: 'Send a message to a channel now, and say what came of it',
        description: 'Thirty in an hour.',
        params,
        errors: ['RATE_LIMITED'],
        response: { 200: ChannelTest }
      }
    },
    async (request) => {
      const { id } = await getOwnChannel(deps, request.params.id, sessionOf(request).userId)
      return testChannel(deps, id)
    }
  )
  app.get(
    '/api/notifications/preferences',
    {
      config,
      schema: {
        tags,
        operationId: 'readNotificationPreferences',
        summary: 'Which channels you chose for what, and your quiet hours',
        response: { 200: NotificationPreferences }
      }
    },
    async (request) => readPreferences(deps, sessionOf(request).userId)
  )
  app.put(
    '/api/notifications/preferences',
    {
      config,
      schema: {
        tags,
        operationId: 'setNotificationPreferences',
        summary: 'Choose channels for each kind, and quiet hours',
        description:
          'Replaces what was chosen; a kind that is left out goes by its default. In quiet hours what is not urgent waits for their end.',
        body: NotificationPreferences,
        errors: ['NOT_FOUND'],
        response: { 200: NotificationPreferences }
      }
    },
    async (request) => setPreferences(deps, sessionOf(request).userId, request.body)
  )
  app.get(
    '/api/notifications/deliveries',
    {
      config,
      schema: {
        tags,
        operationId: 'listNotificationDeliveries',
        summary: 'What was sent to your channels, and whether it arrived',
        description:
          'A message that did not arrive is tried eight times within a day. It may arrive twice where the panel was killed just then; its id is the same. Kept for 90 days.',
        querystring: DeliveryQuery,
        response: { 200: NotificationDeliveryList }
      }
    },
    async (request) => listOwnDeliveries(deps, sessionOf(request).userId, request.query)
  )
}
