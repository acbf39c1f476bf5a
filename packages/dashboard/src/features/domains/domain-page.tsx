import { useQuery } from '@tanstack/react-query'
import { Outlet, useParams } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { DomainStatus } from './domain-status.tsx'
import { domainMessages } from './domains.messages.ts'
import { domainQuery } from './domains.queries.ts'

const tabs = [
  { label: 'tab.overview', to: '/domains/$domainId' },
  { label: 'tab.dns', to: '/domains/$domainId/dns' },
  { label: 'tab.certificate', to: '/domains/$domainId/certificate' }
] as const

/** What all pages of one domain have above them. */
export function DomainPage() {
  const t = useMessages(domainMessages)
  const { domainId } = useParams({ from: '/signed-in/domains/$domainId' })
  const { data: domain, error, refetch } = useQuery(domainQuery(domainId))
  if (error && !domain) return <ErrorState isPage error={error} onRetry={() => void refetch()} />
  if (!domain) return <RowsSkeleton />
  return (
    <>
      <PageHeader
        title={`${domain.hostname}${domain.pathPrefix ?? ''}`}
        crumbs={[{ label: t('title'), link: { to: '/domains' } }]}
        badge={<DomainStatus status={domain.status} />}
        facts={<span>{t(`mode.${domain.dnsMode}`)}</span>}
      />
      <Tabs
        label={t('tabs')}
        items={tabs.map(({ label, to }) => ({
          label: t(label),
          link: { to, params: { domainId }, activeOptions: { exact: label === 'tab.overview' } }
        }))}
      />
      <Outlet />
    </>
  )
}
