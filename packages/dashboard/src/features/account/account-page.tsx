import { Outlet, useRouterState } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { accountMessages } from './account.messages.ts'

const tabs = [
  { label: 'profile', to: '/account/profile' },
  { label: 'security', to: '/account/security' },
  { label: 'tokens', to: '/account/tokens' },
  { label: 'variableGroups', to: '/account/variable-groups' },
  { label: 'registries', to: '/account/registries' },
  { label: 'usage', to: '/account/usage' },
  { label: 'activity', to: '/account/activity' },
  { label: 'notifications', to: '/account/notifications' }
] as const

export function AccountPage() {
  const t = useMessages(accountMessages)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const tab = tabs.find(({ to }) => path.startsWith(to))
  return (
    <>
      <PageHeader title={t(tab?.label ?? 'account')} />
      <Tabs label={t('tabs')} items={tabs.map(({ label, to }) => ({ label: t(label), link: { to } }))} />
      <Outlet />
    </>
  )
}
