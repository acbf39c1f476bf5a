import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Filter } from '../../ui/filter.tsx'
import { Foreign } from '../../ui/foreign.tsx'
import { NothingMatches } from '../../ui/nothing-matches.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import type { Tone } from '../../ui/tone.ts'
import classes from './delivery-log.module.css'
import { deliveryLogMessages } from './delivery-log.messages.ts'
import { deliveriesPerPage, deliveriesQuery, type Delivery, deliveryStatuses } from './delivery-log.queries.ts'

const tones: Record<Delivery['status'], Tone> = { success: 'ok', deferred: 'warn', bounced: 'bad', rejected: 'bad' }

export function LogPage() {
  const t = useMessages(deliveryLogMessages)
  const search = useSearch({ from: '/signed-in/mail/log' })
  const { isFetching, refetch } = useQuery(deliveriesQuery(search))
  const options = [
    { value: 'all', label: t('all') },
    ...deliveryStatuses.map((value) => ({ value, label: t(`status.${value}`) }))
  ] as const
  return (
    <section className={card.card} aria-label={t('title')}>
      <div className={card.toolbar}>
        <SearchBox label={t('search')} />
        <Filter label={t('result')} name="status" options={options} selected={search.status ?? 'all'} />
        <span className={card.push} />
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden />}
          loading={isFetching}
          onClick={() => void refetch()}
        >
          {t('again')}
        </Button>
      </div>
      <Rows />
    </section>
  )
}

function Rows() {
  const t = useMessages(deliveryLogMessages)
  const search = useSearch({ from: '/signed-in/mail/log' })
  const { data: log, error, refetch } = useQuery(deliveriesQuery(search))
  if (error && !log) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!log) return <RowsSkeleton rows={8} height={64} />
  const isFiltered = search.q !== undefined || search.status !== undefined
  const count = log.scannedLines
  if (log.deliveries.length === 0 && !isFiltered)
    return <EmptyState title={t('empty')} hint={t('empty.hint', { count })} />
  if (log.deliveries.length === 0)
    return <NothingMatches hint={t('none.hint', { count })} filters={[search.status && t(`status.${search.status}`)]} />
  return (
    <>
      <table className={`${card.table} ${card.cards} ${classes.table}`}>
        <thead>
          <tr>
            <th scope="col">{t('recipient')}</th>
            <th scope="col">{t('result')}</th>
            <th scope="col">{t('said')}</th>
            <th scope="col" className={card.end}>
              {t('when')}
            </th>
          </tr>
        </thead>
        <tbody>
          {log.deliveries.map((delivery, at) => (
            <Row key={`${at} ${delivery.at} ${delivery.queueId} ${delivery.recipient}`} delivery={delivery} />
          ))}
        </tbody>
      </table>
      <Pagination page={search.page ?? 1} limit={deliveriesPerPage} total={log.pagination.total} />
    </>
  )
}

function Row({ delivery }: { delivery: Delivery }) {
  const t = useMessages(deliveryLogMessages)
  const { dateTime } = useI18n()
  const { at, status, sender, recipient, originalRecipient, queueId, relay, reason } = delivery
  return (
    <tr>
      <td className={classes.message}>
        <strong className={classes.line}>
          {recipient === null ? t('recipient.none') : <Foreign dir="ltr">{recipient}</Foreign>}
        </strong>
        {originalRecipient !== null && <span className={card.sub}>{t('by', { alias: originalRecipient })}</span>}
        <span className={`${card.sub} ${classes.line}`}>
          {sender === null ? t('sender.unknown') : sender === '' ? t('bounce') : t('from', { sender })}
        </span>
      </td>
      <td>
        <StatusBadge tone={tones[status]}>{t(`status.${status}`)}</StatusBadge>
      </td>
      <td className={classes.reason}>
        <Foreign>{reason}</Foreign>
        <span className={card.sub} dir="ltr">
          {[relay, queueId].filter((part) => part !== null).join(' · ')}
        </span>
      </td>
      <td className={`${card.end} ${card.sub} ${classes.when}`}>
        <time dateTime={at}>{dateTime(at)}</time>
      </td>
    </tr>
  )
}
