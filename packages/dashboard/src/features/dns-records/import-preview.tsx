import type { ReactNode } from 'react'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { ChangeList } from '../../ui/change-list.tsx'
import { Foreign } from '../../ui/foreign.tsx'
import { SentenceText } from '../../ui/sentence-text.tsx'
import type { Tone } from '../../ui/tone.ts'
import { dnsRecordMessages } from './dns-records.messages.ts'

const message = { why: dnsRecordMessages }

type Preview = Schema<'ImportPreview'>
type Kind = keyof Preview['counts']

const kinds: readonly { kind: Kind; tone: Tone }[] = [
  { kind: 'added', tone: 'ok' },
  { kind: 'removed', tone: 'warn' },
  { kind: 'conflicts', tone: 'warn' },
  { kind: 'refused', tone: 'bad' },
  { kind: 'same', tone: 'idle' }
]

const recordText = ({ name, ttl, type, priority, weight, port, value }: Preview['removed'][number]): string =>
  [name, ttl, type, priority, weight, port, value].filter((part) => part !== null).join(' ')

export function ImportPreview({ preview }: { preview: Preview }) {
  const t = useMessages(dnsRecordMessages)
  const why = ({ line, reason, sentences }: Preview['same'][number]) => ({
    line,
    text: (
      <SentenceText by={message} sentences={sentences}>
        {reason}
      </SentenceText>
    )
  })
  const rowsOf: Record<Kind, readonly { line: number; text: ReactNode }[]> = {
    added: preview.added.map((record) => ({ line: record.line, text: <Foreign>{recordText(record)}</Foreign> })),
    removed: preview.removed.map((record) => ({ line: 0, text: <Foreign>{recordText(record)}</Foreign> })),
    conflicts: preview.conflicts.map(why),
    refused: preview.refused.map(why),
    same: preview.same.map(why)
  }
  if (kinds.every(({ kind }) => preview.counts[kind] === 0)) return <p>{t('preview.empty')}</p>
  return (
    <ChangeList
      label={t('preview')}
      changes={kinds.map(({ kind, tone }) => ({
        name: t(`preview.${kind}`),
        tone,
        count: preview.counts[kind],
        rows: rowsOf[kind].map(({ line, text }) => (line > 0 ? { where: t('preview.line', { line }), text } : { text }))
      }))}
    />
  )
}
