import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import type { Tone } from '../../ui/tone.ts'
import classes from './import-preview.module.css'
import { dnsRecordMessages } from './dns-records.messages.ts'

type Preview = Schema<'ImportPreview'>
type Kind = keyof Preview['counts']

/** What changes comes first. */
const kinds: readonly { kind: Kind; tone: Tone }[] = [
  { kind: 'added', tone: 'ok' },
  { kind: 'removed', tone: 'warn' },
  { kind: 'conflicts', tone: 'warn' },
  { kind: 'refused', tone: 'bad' },
  { kind: 'same', tone: 'idle' }
]

const recordText = ({ name, ttl, type, priority, weight, port, value }: Preview['removed'][number]): string =>
  [name, ttl, type, priority, weight, port, value].filter((part) => part !== null).join(' ')

/** What an import would add, take away, leave and refuse, each with its line of the file. */
export function ImportPreview({ preview }: { preview: Preview }) {
  const t = useMessages(dnsRecordMessages)
  const rowsOf: Record<Kind, readonly { line?: number; text: string }[]> = {
    added: preview.added.map((record) => ({ line: record.line, text: recordText(record) })),
    removed: preview.removed.map((record) => ({ text: recordText(record) })),
    conflicts: preview.conflicts.map(({ line, reason }) => ({ line, text: reason })),
    refused: preview.refused.map(({ line, reason }) => ({ line, text: reason })),
    same: preview.same.map(({ line, reason }) => ({ line, text: reason }))
  }
  const shown = kinds.filter(({ kind }) => preview.counts[kind] > 0)
  if (shown.length === 0) return <p>{t('preview.empty')}</p>
  return (
    <div className={classes.preview} role="region" aria-label={t('preview')} tabIndex={0}>
      {shown.map(({ kind, tone }) => (
        <section key={kind} aria-label={t(`preview.${kind}`)}>
          <h3>
            <StatusBadge tone={tone}>{t(`preview.${kind}`)}</StatusBadge> <span>{preview.counts[kind]}</span>
          </h3>
          <ul>
            {rowsOf[kind].map(({ line, text }, at) => (
              <li key={at}>
                {line !== undefined && line > 0 && <span className={classes.line}>{t('preview.line', { line })}</span>}
                <bdi>{text}</bdi>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
