import { type NotificationKind, notificationKinds, type NotificationSubjectType } from '@panel/contract/notifications'
import { type NotificationCode, notificationTexts } from '@panel/contract/notification-texts'
import { sentenceText, type Sentence } from '@panel/contract/sentences'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { newId } from '../../security/ids.ts'
import { oneLine } from '../../text/one-line.ts'
import { countUnread, insertNotification, listAdminIds } from './notifications.repository.ts'

export interface NewNotification {
  userId: string
  kind: NotificationKind
  subject: { type: NotificationSubjectType; id: string; name: string }
  /** Omitted if implied by the kind. */
  state?: 'problem' | 'recovered'
  /**
   * Codes that the dashboard translates, or plain text. Escaped when it is sent, because names in it are
   * attacker-controlled.
   */
  text: string | readonly Sentence<NotificationCode>[]
  link?: string
}

type Deps = Pick<Dependencies, 'events' | 'jobs' | 'now'>

const maxText = 1_000
const maxName = 200

/**
 * Notifies an account: a row, an event and a job in the caller's transaction. The job decides about channels, so the
 * caller never waits.
 */
export async function notify(deps: Deps, trx: Transaction, n: NewNotification): Promise<void> {
  const now = deps.now()
  const id = newId(now.getTime())
  const sentences = typeof n.text === 'string' ? [] : n.text.map(onOneLine)
  await insertNotification(trx, {
    id,
    userId: n.userId,
    kind: n.kind,
    subjectType: n.subject.type,
    subjectId: n.subject.id,
    subjectName: oneLine(n.subject.name, maxName),
    state: n.state ?? notificationKinds[n.kind].state ?? null,
    text: lines(typeof n.text === 'string' ? n.text : sentenceText(notificationTexts, sentences)),
    sentences,
    link: n.link?.startsWith('/') ? n.link : null,
    createdAt: now
  })
  const unread = await countUnread(trx, n.userId)
  await deps.events.publish(trx, { to: { userId: n.userId }, name: 'notification', data: { id, kind: n.kind, unread } })
  await deps.jobs.enqueue(trx, 'notifications.plan', { notificationId: id }, { key: id, account: n.userId })
}

export async function notifyAdmins(deps: Deps, trx: Transaction, n: Omit<NewNotification, 'userId'>): Promise<void> {
  for (const userId of await listAdminIds(trx)) await notify(deps, trx, { ...n, userId })
}

const onOneLine = <Code extends string>({ code, values = {} }: Sentence<Code>) => ({
  code,
  values: Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? oneLine(value, maxText) : value])
  )
})

const lines = (text: string): string =>
  text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => oneLine(line, maxText))
    .join('\n')
    .slice(0, maxText)
    .toWellFormed()
