import { type NotificationKind, notificationKindNames, notificationKinds } from '@panel/contract/notifications'
import type { NotificationRow } from './notifications.repository.ts'

/** A message before it is formatted for a channel. Its texts are unescaped and may be attacker-controlled. */
export interface ChannelMessage {
  /** The delivery's id, the same for every attempt. */
  id: string
  at: string
  severity: 'problem' | 'warning' | 'info' | 'good'
  title: string
  text: string
  url: string | null
  count: number
  notifications: {
    id: string
    kind: NotificationKind
    state: 'problem' | 'recovered' | null
    subject: { type: string; id: string; name: string }
    text: string
    createdAt: string
  }[]
}

interface Facts {
  id: string
  at: Date
  dueAt: Date
  panelUrl: string
  count: number
  kinds: Partial<Record<NotificationKind, number>>
  note: string | null
}

const rank = ['problem', 'warning', 'info', 'good'] as const
const shownInDigest = 5

const severityOf = ({ state, kind }: Pick<NotificationRow, 'state' | 'kind'>) =>
  state === 'recovered' ? 'good' : notificationKinds[kind].severity

/** One notification as it is; of several, the counts by kind and the first few. */
export function renderMessage(rows: readonly NotificationRow[], facts: Facts): ChannelMessage {
  const [first] = rows
  if (!first) throw new Error('a message needs a notification')
  const single = facts.count === 1
  const counts = notificationKindNames.flatMap((kind) =>
    facts.kinds[kind] === undefined ? [] : [`${facts.kinds[kind]} × ${notificationKinds[kind].title}`]
  )
  const shown = rows
    .slice(0, shownInDigest)
    .map((row) => `- ${timeOf(row)}, ${headline(row)}: ${row.text.split('\n')[0]}`)
  const more = facts.count - shown.length
  const lines = single
    ? [first.text, ...(isLate(first, facts.dueAt) ? [`Time: ${timeOf(first)}.`] : [])]
    : [counts.join(', '), ...shown, ...(more > 0 ? [`and ${more} more in the panel`] : [])]
  return {
    id: facts.id,
    at: facts.at.toISOString(),
    severity: rank.find((each) => rows.some((row) => severityOf(row) === each)) ?? 'info',
    title: single ? headline(first) : `${facts.count} notifications`,
    text: [...lines, ...(facts.note === null ? [] : [facts.note])].join('\n'),
    url: `${facts.panelUrl}${single ? (first.link ?? '') : ''}`,
    count: facts.count,
    notifications: rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      state: row.state,
      subject: { type: row.subjectType, id: row.subjectId, name: row.subjectName },
      text: row.text,
      createdAt: row.createdAt.toISOString()
    }))
  }
}

const headline = (row: NotificationRow): string => `${notificationKinds[row.kind].title}: ${row.subjectName}`

const lateMs = 5 * 60_000
/** Whether it is sent much later than it happened: after quiet hours, failed attempts or flapping. */
const isLate = ({ createdAt }: NotificationRow, dueAt: Date): boolean => dueAt.getTime() - createdAt.getTime() >= lateMs

const timeOf = ({ createdAt }: NotificationRow): string =>
  `${createdAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
