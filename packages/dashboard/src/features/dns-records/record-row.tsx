import { IconPencil, IconTrash, IconWorldSearch } from '@tabler/icons-react'
import { memo } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { CutName } from '../../ui/cut-name.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { spelledOut } from '../../ui/plain-text.ts'
import { dnsRecordMessages } from './dns-records.messages.ts'
import { type DnsRecord, isDeletable } from './dns-records.queries.ts'
import classes from './record-table.module.css'
import { ttlText } from './ttl.ts'

interface RecordRowProps {
  record: DnsRecord
  onEdit(record: DnsRecord): void
  onDelete(record: DnsRecord): void
  onCheck(record: DnsRecord): void
}

/** Memoized, so that editing one record does not render all. */
export const RecordRow = memo(function RecordRow({ record, onEdit, onDelete, onCheck }: RecordRowProps) {
  const { id, name, type, value, ttl, priority, weight, port, managedBy } = record
  const t = useMessages(dnsRecordMessages)
  const numbers = [priority, weight, port].filter((number) => number !== null)
  return (
    <tr>
      <td className={classes.name}>
        <CutName name={name} tail={12} />
      </td>
      <td className={classes.type}>{type}</td>
      <td className={classes.value}>
        <code dir="ltr" title={spelledOut(value)}>
          {spelledOut([...numbers, value].join(' '))}
        </code>
        {managedBy !== null && <span className={classes.managed}>{t(`managed.${managedBy}`)}</span>}
      </td>
      <td className={`${card.end} ${classes.ttl}`} title={t('seconds', { count: ttl })}>
        {ttlText(ttl)}
      </td>
      <td className={`${card.end} ${classes.acts}`}>
        <IconButton label={t('propagation', { name, type })} onClick={() => onCheck(record)}>
          <IconWorldSearch size={16} aria-hidden />
        </IconButton>
        {managedBy === null && (
          <IconButton label={t('edit', { name, type })} data-edit={id} onClick={() => onEdit(record)}>
            <IconPencil size={16} aria-hidden />
          </IconButton>
        )}
        {isDeletable(record) && (
          <IconButton label={t('delete', { name, type })} data-delete={id} onClick={() => onDelete(record)}>
            <IconTrash size={16} aria-hidden />
          </IconButton>
        )}
      </td>
    </tr>
  )
})
