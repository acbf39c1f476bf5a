import { type Notification, notificationKinds } from '@panel/contract/notifications'
import type { NotificationRow } from './notifications.repository.ts'

/** Nothing of a kind that this version does not know. */
export function notificationView(row: NotificationRow): Notification[] {
  const facts = Object.hasOwn(notificationKinds, row.kind) ? notificationKinds[row.kind] : undefined
  if (!facts) return []
  const { id, kind, state, text, link } = row
  return [
    {
      id,
      kind,
      severity: state === 'recovered' ? 'good' : facts.severity,
      title: facts.title,
      subject: { type: row.subjectType, id: row.subjectId, name: row.subjectName },
      state,
      text,
      link,
      readAt: row.readAt?.toISOString() ?? null,
      createdAt: row.createdAt.toISOString()
    }
  ]
}
