import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { Schema } from '../../api/client.ts'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { auditMessages } from '../../ui/audit-action/audit-action.messages.ts'
import card from '../../ui/card.module.css'
import { Foreign } from '../../ui/foreign.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { meQuery } from '../auth/me.queries.ts'
import classes from './account.module.css'
import { accountMessages } from './account.messages.ts'
import { activityQuery, entriesPerPage } from './account.queries.ts'

export function ActivityTab() {
  const t = useMessages(accountMessages)
  const { page = 1 } = useSearch({ from: '/signed-in/account/activity' })
  const { data: list, error, refetch } = useQuery(activityQuery(page))
  if (error && !list) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!list) return <RowsSkeleton rows={10} height={41} />
  if (list.entries.length === 0) return <EmptyState title={t('activity.none')} hint={t('activity.none.hint')} />
  return (
    <section className={card.card} aria-label={t('activity')}>
      <table className={`${card.table} ${card.cards} ${classes.entries}`}>
        <thead>
          <tr>
            <th scope="col">{t('activity.what')}</th>
            <th scope="col">{t('activity.detail')}</th>
            <th scope="col">{t('activity.from')}</th>
            <th scope="col" className={card.end}>
              {t('activity.when')}
            </th>
          </tr>
        </thead>
        <tbody>
          {list.entries.map((entry) => (
            <Row key={entry.id} entry={entry} />
          ))}
        </tbody>
      </table>
      <Pagination page={page} limit={entriesPerPage} total={list.pagination.total} />
    </section>
  )
}

function Row({ entry: { action, actorId, ip, userAgent, metadata, createdAt } }: { entry: Schema<'AuditEntry'> }) {
  const t = useMessages(accountMessages)
  const actionText = useMessages(auditMessages)
  const { dateTime } = useI18n()
  const { data: me } = useQuery(meQuery)
  // Unknown actions of a newer server show their code.
  const sentence = actionText(action as Parameters<typeof actionText>[0])
  const isAnothers = actorId !== null && actorId !== me?.id
  return (
    <tr>
      <td className={classes.what}>
        {sentence}
        {isAnothers && <span className={card.sub}> {t('activity.byAnother')}</span>}
      </td>
      <td className={`${card.sub} ${classes.detail}`}>
        <Foreign>{detailOf(metadata)}</Foreign>
      </td>
      <td className={card.sub}>
        <Foreign dir="ltr" title={userAgent ?? undefined}>
          {ip ?? '–'}
        </Foreign>
      </td>
      <td className={`${card.sub} ${card.end} ${classes.when}`}>
        <time dateTime={createdAt}>{dateTime(createdAt)}</time>
      </td>
    </tr>
  )
}

function detailOf(metadata: Readonly<Record<string, unknown>>): string {
  return Object.entries(metadata)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(', ')
    .slice(0, 200)
}
