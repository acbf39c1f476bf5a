import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Foreign } from '../../ui/foreign.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { Section } from '../../ui/section.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { deviceOf } from './device.ts'
import classes from './security.module.css'
import { securityMessages } from './security.messages.ts'
import { sessionsPerPage, sessionsQuery } from './security.queries.ts'

export function Sessions() {
  const t = useMessages(securityMessages)
  const { page = 1 } = useSearch({ from: '/signed-in/account/security' })
  const { data: list, error, refetch } = useQuery(sessionsQuery(page))
  const endOthers = useAction({
    run: () => data(api.DELETE('/api/auth/sessions')),
    invalidates: [['sessions']],
    done: () => t('sessions.endedOthers')
  })
  const hasOthers = (list?.pagination.total ?? 0) > 1
  return (
    <Section
      title={t('sessions')}
      hint={t('sessions.hint')}
      actions={
        hasOthers && (
          <Button variant="default" loading={endOthers.isPending} onClick={() => endOthers.start()}>
            {t('sessions.endOthers')}
          </Button>
        )
      }
    >
      {error && !list && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!list && !error && <RowsSkeleton rows={3} />}
      {list && <Rows sessions={list.sessions} />}
      {list && <Pagination page={page} limit={sessionsPerPage} total={list.pagination.total} />}
    </Section>
  )
}

function Rows({ sessions }: { sessions: readonly Schema<'Session'>[] }) {
  const t = useMessages(securityMessages)
  const end = useAction({
    run: (id: string) => data(api.DELETE('/api/auth/sessions/{id}', { params: { path: { id } } })),
    invalidates: [['sessions']],
    done: () => t('sessions.ended')
  })
  return (
    <table className={`${card.table} ${card.cards} ${classes.sessions}`}>
      <thead>
        <tr>
          <th scope="col">{t('sessions.device')}</th>
          <th scope="col">{t('sessions.address')}</th>
          <th scope="col">{t('sessions.since')}</th>
          <th scope="col">{t('sessions.seen')}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {sessions.map(({ id, current, ip, userAgent, createdAt, lastSeenAt }) => (
          <tr key={id}>
            <td className={classes.device}>
              <DeviceName userAgent={userAgent} />
            </td>
            <td className={card.sub} dir="ltr">
              {ip ?? '–'}
            </td>
            <td className={card.sub}>
              <span className={classes.narrow}>{t('sessions.since')} </span>
              <Time at={createdAt} />
            </td>
            <td className={card.sub}>
              <span className={classes.narrow}>{t('sessions.seen')} </span>
              <Time at={lastSeenAt} />
            </td>
            <td className={card.end}>
              {current ? (
                <StatusBadge tone="ok">{t('sessions.this')}</StatusBadge>
              ) : (
                <Button size="xs" variant="default" loading={end.isPending} onClick={() => end.start(id)}>
                  {t('sessions.end')}
                </Button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function DeviceName({ userAgent }: { userAgent: string | null }) {
  const t = useMessages(securityMessages)
  const { browser, system } = deviceOf(userAgent ?? '')
  const isKnown = browser !== undefined && system !== undefined
  return (
    <Foreign title={userAgent ?? undefined}>
      {isKnown ? t('sessions.on', { browser, system }) : (browser ?? system ?? userAgent?.slice(0, 60) ?? '–')}
    </Foreign>
  )
}
