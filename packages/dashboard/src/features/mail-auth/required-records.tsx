import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Section } from '../../ui/section.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import classes from './mail-auth.module.css'
import { mailAuthMessages } from './mail-auth.messages.ts'

export function RequiredRecords({ records }: { records: readonly Schema<'RequiredRecord'>[] }) {
  const t = useMessages(mailAuthMessages)
  const found = records.filter(({ isFound }) => isFound)
  const missing = records.filter(({ isFound }) => !isFound)
  const isWhole = missing.every(({ isOptional }) => isOptional)
  return (
    <Section title={t('records')} hint={t(isWhole ? 'records.all' : 'records.hint')}>
      <List records={missing} />
      {found.length > 0 && (
        <details>
          <summary className={classes.summary}>{t('records.there', { count: found.length })}</summary>
          <List records={found} />
        </details>
      )}
    </Section>
  )
}

function List({ records }: { records: readonly Schema<'RequiredRecord'>[] }) {
  const t = useMessages(mailAuthMessages)
  return (
    <ul className={classes.records}>
      {records.map((record) => (
        <li key={`${record.type} ${record.name} ${record.value}`}>
          <div className={classes.recordHead}>
            <strong>{t(`purpose.${record.purpose}`)}</strong>
            <span className={classes.type}>{record.type}</span>
            <RecordState record={record} />
          </div>
          <div className={classes.copies}>
            <CopyField label={t('record.name')} value={record.name} />
            <CopyField label={t('record.value')} value={valueOf(record)} />
          </div>
        </li>
      ))}
    </ul>
  )
}

function RecordState({ record: { isFound, isOptional } }: { record: Schema<'RequiredRecord'> }) {
  const t = useMessages(mailAuthMessages)
  if (isFound) return <StatusBadge tone="ok">{t('record.found')}</StatusBadge>
  if (isOptional) return <StatusBadge tone="idle">{t('record.optional')}</StatusBadge>
  return <StatusBadge tone="warn">{t('record.missing')}</StatusBadge>
}

const valueOf = ({ priority, weight, port, value }: Schema<'RequiredRecord'>) =>
  [...[priority, weight, port].filter((number) => number !== null), value].join(' ')
