import { notificationTexts } from '@panel/contract/notification-texts'
import { germanNotificationTexts } from '@panel/contract/notification-texts.de'
import { notificationTitles } from '@panel/contract/notification-titles'
import { germanNotificationTitles } from '@panel/contract/notification-titles.de'
import { type NotificationKind, notificationKindNames, notificationKinds } from '@panel/contract/notifications'
import { knownSentences, sentenceText } from '@panel/contract/sentences'
import { type Language, textsIn } from '../../text/language.ts'
import type { DeliveryNote } from './damping.machine.ts'
import { messageTexts } from './message.texts.ts'
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
  note: DeliveryNote | null
  language: Language
}

const rank = ['problem', 'warning', 'info', 'good'] as const
const shownInDigest = 5

const severityOf = ({ state, kind }: Pick<NotificationRow, 'state' | 'kind'>) =>
  state === 'recovered' ? 'good' : notificationKinds[kind].severity

/** One notification as it is; of several, the counts by kind and the first few. */
export function renderMessage(rows: readonly NotificationRow[], facts: Facts): ChannelMessage {
  const [first] = rows
  if (!first) throw new Error('a message needs a notification')
  const { language } = facts
  const t = textsIn(messageTexts, language)
  const headline = (row: NotificationRow) => `${titleIn(language, row.kind)}: ${row.subjectName}`
  const single = facts.count === 1
  const counts = notificationKindNames.flatMap((kind) =>
    facts.kinds[kind] === undefined ? [] : [`${facts.kinds[kind]} × ${titleIn(language, kind)}`]
  )
  const shown = rows
    .slice(0, shownInDigest)
    .map((row) => `- ${timeOf(row)}, ${headline(row)}: ${textIn(language, row).split('\n')[0]}`)
  const more = facts.count - shown.length
  const lines = single
    ? [textIn(language, first), ...(isLate(first, facts.dueAt) ? [t('time', { time: timeOf(first) })] : [])]
    : [counts.join(', '), ...shown, ...(more > 0 ? [t('moreInPanel', { count: more })] : [])]
  return {
    id: facts.id,
    at: facts.at.toISOString(),
    severity: rank.find((each) => rows.some((row) => severityOf(row) === each)) ?? 'info',
    title: single ? headline(first) : t('count', { count: facts.count }),
    text: [...lines, ...(facts.note === null ? [] : [t(facts.note)])].join('\n'),
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

const titles = { en: notificationTitles, de: germanNotificationTitles }
const titleIn = (language: Language, kind: NotificationKind): string => titles[language][kind]

const germanLists = new Intl.ListFormat('de')

/** The stored text is English. It is also used where the sentences are unknown to this version. */
function textIn(language: Language, { text, sentences }: NotificationRow): string {
  const known = language === 'de' ? knownSentences(notificationTexts, sentences) : []
  if (known.length === 0) return text
  const more = (count: number) => textsIn(messageTexts, language)('more', { count })
  return sentenceText(germanNotificationTexts, known, { list: germanLists, more })
}

const lateMs = 5 * 60_000
/** Whether it is sent much later than it happened: after quiet hours, failed attempts or flapping. */
const isLate = ({ createdAt }: NotificationRow, dueAt: Date): boolean => dueAt.getTime() - createdAt.getTime() >= lateMs

const timeOf = ({ createdAt }: NotificationRow): string =>
  `${createdAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
