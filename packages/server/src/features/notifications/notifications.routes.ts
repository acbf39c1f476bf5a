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
        summary: 'List your notifications, newest first, with the number of unread ones',
        description:
          'Includes all notifications, whether or not they were sent to a channel. The latest 1,000 of an account are kept, for 90 days.',
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
        summary: 'Mark a notification as read',
        description: 'Has no effect if it was read before.',
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
        summary: 'Mark all notifications as read',
        response: { 200: UnreadCount }
      }
    },
    async (request) => readNotifications(deps, sessionOf(request).userId)
  )
}
