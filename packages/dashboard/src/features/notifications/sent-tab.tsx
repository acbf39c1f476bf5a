import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Foreign } from '../../ui/foreign.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Time } from '../../ui/time.tsx'
import type { Tone } from '../../ui/tone.ts'
import { NotificationTabs } from './notification-tabs.tsx'
import classes from './notifications.module.css'
import { notificationMessages } from './notifications.messages.ts'
import { deliveriesPerPage, deliveriesQuery } from './notifications.queries.ts'

type Delivery = Schema<'NotificationDelivery'>

const tones: Readonly<Record<Delivery['status'], Tone>> = {
  WAITING: 'idle',
  SENDING: 'info',
  SENT: 'ok',
  FAILED: 'bad'
}

export function SentTab() {
  const t = useMessages(notificationMessages)
  return (
    <>
      <NotificationTabs />
      <section className={card.card} aria-label={t('tab.sent')}>
        <Rows />
      </section>
    </>
  )
}

function Rows() {
  const t = useMessages(notificationMessages)
  const { page = 1 } = useSearch({ from: '/signed-in/account/notifications/sent' })
  const { data: list, error, refetch } = useQuery(deliveriesQuery(page))
  if (error && !list) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!list) return <RowsSkeleton rows={8} height={41} />
  if (list.deliveries.length === 0) return <EmptyState title={t('sent.none')} hint={t('sent.none.hint')} />
  return (
    <>
      <table className={`${card.table} ${card.cards} ${classes.sent}`}>
        <thead>
          <tr>
            <th scope="col">{t('sent.to')}</th>
            <th scope="col">{t('sent.state')}</th>
            <th scope="col">{t('sent.answer')}</th>
            <th scope="col" className={card.end}>
              {t('sent.when')}
            </th>
          </tr>
        </thead>
        <tbody>
          {list.deliveries.map((each) => (
            <Row key={each.id} delivery={each} />
          ))}
        </tbody>
      </table>
      <Pagination page={page} limit={deliveriesPerPage} total={list.pagination.total} />
    </>
  )
}

function Row({ delivery }: { delivery: Delivery }) {
  const t = useMessages(notificationMessages)
  const { channelType, channelName, status, count, isTest, attempts, dueAt, lastError, createdAt } = delivery
  return (
    <tr>
      <td>
        <span className={classes.channel}>
          <Foreign>{channelType === 'EMAIL' ? t('type.EMAIL') : channelName}</Foreign>
        </span>{' '}
        <span className={card.sub}>{isTest ? t('sent.test') : t('sent.count', { count })}</span>
      </td>
      <td>
        <StatusBadge tone={tones[status]} isBusy={status === 'SENDING'}>
          {t(`status.${status}`)}
        </StatusBadge>
      </td>
      <td className={`${card.sub} ${classes.error}`}>
        {lastError !== null && (
          <Foreign lang="en" title={lastError}>
            {lastError}
          </Foreign>
        )}
        {attempts > 1 && ` ${t('sent.attempts', { count: attempts })}`}
        {status === 'WAITING' && (
          <>
            {' '}
            {t('sent.due')} <Time at={dueAt} />
          </>
        )}
      </td>
      <td className={`${card.sub} ${card.end}`}>
        <Time at={createdAt} />
      </td>
    </tr>
  )
}
