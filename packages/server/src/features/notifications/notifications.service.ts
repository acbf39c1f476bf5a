import { pagination } from '@panel/contract/common'
import type { NotificationList, NotificationQuery, UnreadCount } from '@panel/contract/notifications'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { notificationView } from './notification-view.ts'
import { countUnread, findNotification, listNotifications, markRead } from './notifications.repository.ts'

type Deps = Pick<Dependencies, 'db' | 'events' | 'now'>

export async function listOwnNotifications(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  query: NotificationQuery
): Promise<NotificationList> {
  const [{ rows, total }, unread] = await Promise.all([listNotifications(db, userId, query), countUnread(db, userId)])
  return {
    notifications: rows.flatMap(notificationView),
    unread,
    pagination: pagination(query.page, query.limit, total)
  }
}

export async function getOwnNotification({ db }: Pick<Deps, 'db'>, id: string, userId: string): Promise<void> {
  if (!(await findNotification(db, id, userId)))
    throw new AppError('NOT_FOUND', 'Notification not found, or no longer kept')
}

/** Marks one notification, or all without an ID, as read. The account's other windows are updated. */
export async function readNotifications(deps: Deps, userId: string, id?: string): Promise<UnreadCount> {
  if (id !== undefined) await getOwnNotification(deps, id, userId)
  return deps.db.transaction(async (trx) => {
    await markRead(trx, userId, deps.now(), id)
    const unread = await countUnread(trx, userId)
    await deps.events.publish(trx, {
      to: { userId },
      name: 'notification',
      data: { id: id ?? null, kind: null, unread }
    })
    return { unread }
  })
}
