import { lazy, startTransition, Suspense, useCallback, useState } from 'react'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { focusAction, neighbourOf } from '../../ui/focus-row.ts'
import { useDelayedAction } from '../../ui/use-delayed-action.ts'
import { useRowsInSight } from '../../ui/use-rows-in-sight.ts'
import { useSame } from '../../ui/use-same.ts'
import { dnsRecordMessages } from './dns-records.messages.ts'
import { type DnsRecord, isDeletable, recordsKey } from './dns-records.queries.ts'
import { RecordForm } from './record-form.tsx'
import { RecordRow } from './record-row.tsx'
import classes from './record-table.module.css'

const Propagation = lazy(() => import('./propagation.tsx').then((module) => ({ default: module.Propagation })))

/** Must match the CSS. */
const height = { row: 41, card: 96 }

export function RecordTable({ domainId, records }: { domainId: string; records: readonly DnsRecord[] }) {
  const t = useMessages(dnsRecordMessages)
  const [editing, setEditing] = useState<DnsRecord>()
  const [requested, setRequested] = useState<DnsRecord>()
  const remove = useDelayedAction({
    run: ({ id }: DnsRecord) =>
      data(api.DELETE('/api/domains/{id}/dns/{recordId}', { params: { path: { id: domainId, recordId: id } } })),
    invalidates: [recordsKey(domainId)],
    doneMessage: ({ name, type }) => t('deleted', { name, type })
  })
  const visible = records.filter(({ id }) => !remove.pending.has(id))
  const { body, shown, before, after } = useRowsInSight(visible, height)
  const leave = (id: string) => {
    setEditing(undefined)
    focusAction('edit', id)
  }
  // Shows the pressed state before rendering the inputs.
  const edit = useCallback((record: DnsRecord) => startTransition(() => setEditing(record)), [])
  const onDelete = useSame((record: DnsRecord) => {
    focusAction('delete', neighbourOf(visible.filter(isDeletable), record.id)?.id)
    remove.start(record)
  })
  return (
    <>
      <table className={`${card.table} ${card.cards} ${classes.table}`} aria-rowcount={visible.length + 1}>
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
        <tbody ref={body}>
          {before > 0 && <tr style={{ height: before }} />}
          {shown.map((record) =>
            record.id === editing?.id ? (
              <tr key={record.id}>
                <td colSpan={5} className={classes.editor}>
                  <RecordForm domainId={domainId} record={record} onDone={() => leave(record.id)} />
                </td>
              </tr>
            ) : (
              <RecordRow key={record.id} record={record} onEdit={edit} onDelete={onDelete} onCheck={setRequested} />
            )
          )}
          {after > 0 && <tr style={{ height: after }} />}
        </tbody>
      </table>
      {requested && (
        <Suspense fallback={null}>
          <Propagation domainId={domainId} record={requested} onClose={() => setRequested(undefined)} />
        </Suspense>
      )}
    </>
  )
}
