import { useQuery } from '@tanstack/react-query'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { meQuery } from '../auth/me.queries.ts'
import { useRunsMail } from '../system/health.queries.ts'
import { mailboxMessages } from './mailboxes.messages.ts'
import { ServerNotice } from './server-notice.tsx'

const tabs = [
  { label: 'tab.mailboxes', to: '/mail' },
  { label: 'tab.aliases', to: '/mail/aliases' },
  { label: 'tab.deleted', to: '/mail/deleted' }
] as const
const adminTabs = [
  { label: 'tab.queue', to: '/mail/queue' },
  { label: 'tab.log', to: '/mail/log' }
] as const

export function MailPage() {
  const t = useMessages(mailboxMessages)
  const { data: me } = useQuery(meQuery)
  const runsMail = useRunsMail()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const needsMail = adminTabs.some(({ to }) => to === path)
  const shown = me?.role === 'ADMIN' ? [...tabs, ...adminTabs] : tabs
  return (
    <>
      <PageHeader title={t('title')} />
      <Tabs
        label={t('tabs')}
        of={t('title')}
        items={shown.map(({ label, to }) => ({
          label: t(label),
          link: { to, activeOptions: { exact: true, includeSearch: false } }
        }))}
      />
      <ServerNotice />
      {needsMail && !runsMail ? <EmptyState title={t('noMail')} hint={t('noMail.hint')} /> : <Outlet />}
    </>
  )
}
