import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { NotificationList, NotificationQuery, ReadNotification, UnreadCount } from '@panel/contract/notifications'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { listOwnNotifications, readNotifications } from './notifications.service.ts'

const tags = ['Notifications']
const config = { access: sessionAccess }

export function notificationRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/notifications',
    {
      config: { ...config, compressed: true },
      schema: {
        tags,
        operationId: 'listNotifications',
        summary: 'What you were told, newest first, and how much of it is unread',
        description:
          'Each is here whatever channels it went to, those too that a channel was spared. The newest 1,000 of an account are kept, for 90 days.',
        querystring: NotificationQuery,
        response: { 200: NotificationList }
      }
    },
    async (request) => listOwnNotifications(deps, sessionOf(request).userId, request.query)
  )
  app.patch(
    '/api/notifications/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'readNotification',
        summary: 'Mark one as read',
        description: 'One that is read already stays so.',
        params: z.object({ id: Id }),
        body: ReadNotification,
        response: { 200: UnreadCount }
      }
    },
    async (request) => readNotifications(deps, sessionOf(request).userId, request.params.id)
  )
  app.post(
    '/api/notifications/read-all',
    {
      config,
      schema: {
        tags,
        operationId: 'readAllNotifications',
        summary: 'Mark all as read',
        response: { 200: UnreadCount }
      }
    },
    async (request) => readNotifications(deps, sessionOf(request).userId)
  )
}
