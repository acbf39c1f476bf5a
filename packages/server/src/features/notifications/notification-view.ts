import { notificationTexts } from '@panel/contract/notification-texts'
import { notificationTitles } from '@panel/contract/notification-titles'
import { type Notification, notificationKinds } from '@panel/contract/notifications'
import { knownSentences } from '@panel/contract/sentences'
import type { NotificationRow } from './notifications.repository.ts'

/** Another version of the panel may have added other kinds. */
export const isOfKnownKind = ({ kind }: Pick<NotificationRow, 'kind'>): boolean =>
  Object.hasOwn(notificationKinds, kind)

/** Ignores kinds added by newer versions. */
export function notificationView(row: NotificationRow): Notification[] {
  if (!isOfKnownKind(row)) return []
  const { id, kind, state, text, sentences, link } = row
  const facts = notificationKinds[kind]
  return [
    {
      id,
      kind,
      severity: state === 'recovered' ? 'good' : facts.severity,
      title: notificationTitles[kind],
      subject: { type: row.subjectType, id: row.subjectId, name: row.subjectName },
      state,
      text,
      sentences: knownSentences(notificationTexts, sentences),
      link,
      readAt: row.readAt?.toISOString() ?? null,
      createdAt: row.createdAt.toISOString()
    }
  ]
}
