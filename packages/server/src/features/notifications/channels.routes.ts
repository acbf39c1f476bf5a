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
          'Up to 20. Addresses, tokens and webhook secrets are stored encrypted and never shown again. Messages are sent over HTTPS to the ports 443 and 8443 ' +
          'of public addresses only; an administrator can allow others (NOTIFICATION_ALLOW). Redirects are not followed.',
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
        summary: 'Rename, enable or disable a channel',
        description: 'A channel whose deliveries have failed for three days is disabled automatically.',
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
        summary: 'Change the destination of a channel',
        description:
          'Send the whole destination again: stored addresses and tokens are never returned. The type cannot be changed. A webhook keeps its secret. Resets the failure state.',
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
        description: 'The email channel cannot be deleted.',
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
        summary: 'Send a test message to a channel and return the result',
        description: 'Up to 30 per hour.',
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
        summary: 'Get your channels per kind of notification, and your quiet hours',
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
        summary: 'Set channels per kind of notification, and quiet hours',
        description:
          'Replaces all settings; omitted kinds use their default. During quiet hours, notifications that are not urgent wait until they end.',
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
        summary: 'List deliveries to your channels with their results',
        description:
          'A failed delivery is tried eight times within a day. A message can arrive twice with the same id if the panel is killed during delivery. Kept for 90 days.',
        querystring: DeliveryQuery,
        response: { 200: NotificationDeliveryList }
      }
    },
    async (request) => listOwnDeliveries(deps, sessionOf(request).userId, request.query)
  )
}
