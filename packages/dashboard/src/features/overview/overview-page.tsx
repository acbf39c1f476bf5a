import { Button } from '@mantine/core'
import { IconCircleCheck, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { useLive } from '../../live/use-live.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { useQuotaNote } from '../../ui/use-quota-note.tsx'
import { meQuery } from '../auth/me.queries.ts'
import { NeedsRow } from './needs-row.tsx'
import { LatestDeployments } from './latest-deployments.tsx'
import { ServerSection } from './server-section.tsx'
import { SitesSection } from './sites-section.tsx'
import classes from './overview.module.css'
import { overviewMessages } from './overview.messages.ts'
import { overviewQuery, usageQuery } from './overview.queries.ts'
import { UsageSection } from './usage-section.tsx'
import { WelcomeNotice } from './welcome-notice.tsx'

// Not part of the first screen of a phone.
const HealthSection = lazy(() =>
  import('../settings/health-section.tsx').then((module) => ({ default: module.HealthSection }))
)
const FirstDeployment = lazy(() =>
  import('./first-deployment.tsx').then((module) => ({ default: module.FirstDeployment }))
)

export function OverviewPage() {
  const t = useMessages(overviewMessages)
  const { data: usage } = useQuery(usageQuery)
  const { data: me } = useQuery(meQuery)
  const isAdmin = me?.role === 'ADMIN'
  const quota = useQuotaNote(usage?.resources.maxProjects)
  return (
    <>
      <PageHeader
        title={t('title')}
        actions={
          <Button
            component={Link}
            to="/projects/new"
            onClick={quota.ask}
            leftSection={<IconPlus size={16} aria-hidden />}
          >
            {t('newProject')}
          </Button>
        }
      />
      {quota.note}
      <WelcomeNotice />
      {isAdmin && <ServerSection />}
      <NeedsSection />
      <SitesSection />
      <div className={classes.columns}>
        <DeploymentsSection ask={quota.ask} />
        <div>
          {isAdmin && (
            <Suspense fallback={<RowsSkeleton rows={3} height={41} />}>
              <HealthSection />
            </Suspense>
          )}
          <UsageSection />
        </div>
      </div>
    </>
  )
}

// Polled, because no live event announces what only depends on time, such as the expiry of a certificate.
const againMs = { live: 60_000, else: 10_000 }

function useOverview() {
  const { state } = useLive()
  return useQuery({ ...overviewQuery, refetchInterval: state === 'live' ? againMs.live : againMs.else })
}

function NeedsSection() {
  const t = useMessages(overviewMessages)
  const { data, error, refetch } = useOverview()
  const more = data ? data.total - data.items.length : 0
  return (
    <Section title={t('needs')} {...(data && data.total > 0 && { hint: t('needs.count', { count: data.total }) })}>
      {data ? (
        data.total === 0 ? (
          <EmptyState
            title={t('well')}
            hint={t('well.hint')}
            icon={<IconCircleCheck className={classes.well!} size={28} stroke={1.5} aria-hidden />}
          />
        ) : (
          <ul className={classes.rows}>
            {data.items.map((item) => (
              <NeedsRow key={`${item.code} ${item.targetId}`} item={item} />
            ))}
          </ul>
        )
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <RowsSkeleton rows={3} height={56} />
      )}
      {more > 0 && <p className={classes.more}>{t('needs.more', { count: more })}</p>}
    </Section>
  )
}

function DeploymentsSection({ ask }: Pick<ReturnType<typeof useQuotaNote>, 'ask'>) {
  const t = useMessages(overviewMessages)
  const { data, error } = useOverview()
  // The section above shows the error and retries.
  if (error && !data) return null
  const first = (
    <Suspense fallback={<div className={classes.repository} />}>
      <FirstDeployment ask={ask} />
    </Suspense>
  )
  return (
    <Section title={t('newest')}>
      {data ? (
        <LatestDeployments deployments={data.deployments} first={first} />
      ) : (
        <RowsSkeleton rows={4} height={48} />
      )}
    </Section>
  )
}
