import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { meQuery } from '../auth/me.queries.ts'
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

/** What all lists of mail have above them. */
export function MailPage() {
  const t = useMessages(mailboxMessages)
  const { data: me } = useQuery(meQuery)
  const shown = me?.role === 'ADMIN' ? [...tabs, ...adminTabs] : tabs
  return (
    <>
      <PageHeader title={t('title')} />
      <Tabs
        label={t('tabs')}
        items={shown.map(({ label, to }) => ({
          label: t(label),
          link: { to, activeOptions: { exact: true, includeSearch: false } }
        }))}
      />
      <ServerNotice />
      <Outlet />
    </>
  )
}
