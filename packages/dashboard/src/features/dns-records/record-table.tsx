import { IconPencil, IconTrash, IconWorldSearch } from '@tabler/icons-react'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { lazy, Suspense, useState } from 'react'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { IconButton } from '../../ui/icon-button.tsx'
import { useDelayedAct } from '../../ui/use-delayed-act.ts'
import classes from './dns-records.module.css'
import { dnsRecordMessages } from './dns-records.messages.ts'
import { type DnsRecord, recordsKey } from './dns-records.queries.ts'
import { RecordForm } from './record-form.tsx'

const Propagation = lazy(() => import('./propagation.tsx').then((module) => ({ default: module.Propagation })))

/** From so many on only those in sight are drawn; below that the browser's own search finds all. */
const manyRows = 150

/** The rows of a zone; each is edited where it stands. */
export function RecordTable({ domainId, records }: { domainId: string; records: readonly DnsRecord[] }) {
  const t = useMessages(dnsRecordMessages)
  const [editing, setEditing] = useState<string>()
  const [asked, setAsked] = useState<DnsRecord>()
  const remove = useDelayedAct({
    run: ({ id }: DnsRecord) =>
      data(api.DELETE('/api/domains/{id}/dns/{recordId}', { params: { path: { id: domainId, recordId: id } } })),
    stale: [recordsKey(domainId)],
    said: ({ name, type }) => t('deleted', { name, type })
  })
  const there = records.filter(({ id }) => !remove.pending.has(id))
  const [body, setBody] = useState<HTMLTableSectionElement | null>(null)
  const isWindowed = there.length >= manyRows
  const rows = useWindowVirtualizer({
    count: there.length,
    enabled: isWindowed,
    estimateSize: () => 41,
    overscan: 10,
    scrollMargin: body?.offsetTop ?? 0
  })
  const inSight = isWindowed ? rows.getVirtualItems().map(({ index }) => there[index]!) : there
  const first = rows.getVirtualItems()[0]
  const last = rows.getVirtualItems().at(-1)
  const before = isWindowed && first ? first.start - rows.options.scrollMargin : 0
  const after = isWindowed && last ? rows.getTotalSize() - (last.end - rows.options.scrollMargin) : 0
  return (
    <div className={card.scroll}>
      <table className={card.table} aria-rowcount={there.length + 1}>
        <thead>
          <tr>
            <th scope="col">{t('name')}</th>
            <th scope="col">{t('type')}</th>
            <th scope="col">{t('value')}</th>
            <th scope="col" className={card.end}>
              {t('ttl')}
            </th>
            <td />
          </tr>
        </thead>
        <tbody ref={setBody}>
          {before > 0 && <tr style={{ height: before }} />}
          {inSight.map((record) =>
            record.id === editing ? (
              <tr key={record.id}>
                <td colSpan={5}>
                  <RecordForm domainId={domainId} record={record} onDone={() => setEditing(undefined)} />
                </td>
              </tr>
            ) : (
              <Row
                key={record.id}
                record={record}
                onEdit={() => setEditing(record.id)}
                onDelete={() => remove.start(record)}
                onAsk={() => setAsked(record)}
              />
            )
          )}
          {after > 0 && <tr style={{ height: after }} />}
        </tbody>
      </table>
      {asked && (
        <Suspense fallback={null}>
          <Propagation domainId={domainId} record={asked} onClose={() => setAsked(undefined)} />
        </Suspense>
      )}
    </div>
  )
}

interface RowProps {
  record: DnsRecord
  onEdit(): void
  onDelete(): void
  onAsk(): void
}

function Row({ record, onEdit, onDelete, onAsk }: RowProps) {
  const { name, type, value, ttl, priority, weight, port, managedBy } = record
  const t = useMessages(dnsRecordMessages)
  const numbers = [priority, weight, port].filter((number) => number !== null)
  return (
    <tr>
      <td className={classes.name} dir="ltr">
        {name}
      </td>
      <td>{type}</td>
      <td className={classes.value}>
        <code dir="ltr" title={value}>
          {[...numbers, value].join(' ')}
        </code>
        {managedBy !== null && <span className={classes.managed}>{t(`managed.${managedBy}`)}</span>}
      </td>
      <td className={card.end}>{ttl}</td>
      <td className={`${card.end} ${classes.acts}`}>
        <IconButton label={t('propagation', { name, type })} onClick={onAsk}>
          <IconWorldSearch size={16} aria-hidden />
        </IconButton>
        {managedBy === null && (
          <IconButton label={t('edit', { name, type })} onClick={onEdit}>
            <IconPencil size={16} aria-hidden />
          </IconButton>
        )}
        {managedBy !== 'NAME_SERVER' && (
          <IconButton label={t('delete', { name, type })} onClick={onDelete}>
            <IconTrash size={16} aria-hidden />
          </IconButton>
        )}
      </td>
    </tr>
  )
}
