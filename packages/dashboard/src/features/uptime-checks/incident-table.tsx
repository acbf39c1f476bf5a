import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Pagination } from '../../ui/pagination.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { uptimeMessages } from './uptime-checks.messages.ts'
import { incidentsPerPage, incidentsQuery } from './uptime-checks.queries.ts'
import classes from './uptime-checks.module.css'

export function IncidentTable({ projectId, checkId }: { projectId: string; checkId: string }) {
  const t = useMessages(uptimeMessages)
  const { dateTime } = useI18n()
  const { page = 1 } = useSearch({ from: '/signed-in/projects/$projectId/uptime' })
  const { data: list, error, refetch } = useQuery(incidentsQuery(projectId, checkId, page))
  if (error && !list) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!list) return <RowsSkeleton rows={2} height={41} />
  if (list.pagination.total === 0) return <p className={classes.quiet}>{t('incidents.none')}</p>
  return (
    <>
      <table className={`${card.table} ${card.cards} ${classes.incidents}`}>
        <caption className="vh">{t('incidents')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('incident.from')}</th>
            <th scope="col">{t('incident.length')}</th>
            <th scope="col">{t('incident.reason')}</th>
          </tr>
        </thead>
        <tbody>
          {list.incidents.map(({ id, from, to, seconds, reason, status }) => (
            <tr key={id}>
              <td>
                <time dateTime={from}>{dateTime(from)}</time>
              </td>
              <td>
                {to === null && <StatusBadge tone="bad">{t('incident.open')}</StatusBadge>} {lengthOf(seconds, t)}
              </td>
              <td className={card.sub}>{t(`reason.${reason}`, { status: String(status ?? '') })}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Pagination page={page} limit={incidentsPerPage} total={list.pagination.total} />
    </>
  )
}

type Translate = (key: 'hours' | 'minutes' | 'seconds', values: { count: number }) => string

function lengthOf(seconds: number, t: Translate): string {
  if (seconds < 120) return t('seconds', { count: seconds })
  return seconds < 7_200
    ? t('minutes', { count: Math.round(seconds / 60) })
    : t('hours', { count: Math.round(seconds / 3_600) })
}
