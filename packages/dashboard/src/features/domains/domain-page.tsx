import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useParams } from '@tanstack/react-router'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { meQuery } from '../auth/me.queries.ts'
import { healthQuery } from '../system/health.queries.ts'
import { DomainStatus } from './domain-status.tsx'
import { domainMessages } from './domains.messages.ts'
import { domainQuery } from './domains.queries.ts'

const tabs = [
  { label: 'tab.overview', to: '/domains/$domainId' },
  { label: 'tab.dns', to: '/domains/$domainId/dns' },
  { label: 'tab.certificate', to: '/domains/$domainId/certificate' },
  { label: 'tab.rules', to: '/domains/$domainId/rules' },
  { label: 'tab.mail', to: '/domains/$domainId/mail' }
] as const

export function DomainPage() {
  const t = useMessages(domainMessages)
  const { domainId } = useParams({ from: '/signed-in/domains/$domainId' })
  const { data: domain, error, refetch } = useQuery(domainQuery(domainId))
  const canHaveMail = useCanHaveMail(domain)
  if (error && !domain) return <ErrorState isPage error={error} onRetry={() => void refetch()} />
  if (!domain) return <RowsSkeleton />
  const name = `${domain.hostname}${domain.pathPrefix ?? ''}`
  return (
    <>
      <PageHeader
        title={name}
        crumbs={[{ label: t('title'), link: { to: '/domains' } }]}
        badge={<DomainStatus status={domain.status} />}
        facts={<span>{t(`mode.${domain.dnsMode}`)}</span>}
        actions={
          <Button
            variant="default"
            renderRoot={(props) => <Link {...props} to="/site-check" search={{ host: domain.hostname }} />}
          >
            {t('checkSite')}
          </Button>
        }
      />
      <Tabs
        label={t('tabs')}
        of={name}
        items={tabs
          .filter(({ label }) => label !== 'tab.mail' || canHaveMail)
          .map(({ label, to }) => ({
            label: t(label),
            link: { to, params: { domainId }, activeOptions: { exact: label === 'tab.overview' } }
          }))}
      />
      <Outlet />
    </>
  )
}

/** Whole hostnames only, on a server with mail, for accounts with a mailbox quota. */
function useCanHaveMail(domain: Schema<'Domain'> | undefined): boolean {
  const { data: me } = useQuery(meQuery)
  const { data: health } = useQuery(healthQuery)
  if (!domain || domain.pathPrefix !== null || domain.hostname.startsWith('*.')) return false
  return me?.maxMailboxes !== 0 && (health === undefined || 'mailTransfer' in health.parts)
}
