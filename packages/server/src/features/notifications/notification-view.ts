import { notificationTexts } from '@panel/contract/notification-texts'
import { type Notification, notificationKinds } from '@panel/contract/notifications'
import { knownSentences } from '@panel/contract/sentences'
import type { NotificationRow } from './notifications.repository.ts'

/** Another version of the panel, which has run on this store, may have told of others. */
export const isOfKnownKind = ({ kind }: Pick<NotificationRow, 'kind'>): boolean =>
  Object.hasOwn(notificationKinds, kind)

/** Nothing of a kind that this version does not know. */
export function notificationView(row: NotificationRow): Notification[] {
  if (!isOfKnownKind(row)) return []
  const { id, kind, state, text, sentences, link } = row
  const facts = notificationKinds[kind]
  return [
    {
      id,
      kind,
      severity: state === 'recovered' ? 'good' : facts.severity,
      title: facts.title,
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
