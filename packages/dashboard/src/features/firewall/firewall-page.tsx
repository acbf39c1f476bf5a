import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { NoAccess } from '../../ui/no-access.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { meQuery } from '../auth/me.queries.ts'
import { firewallMessages } from './firewall.messages.ts'
import { firewallQuery, type FirewallState } from './firewall.queries.ts'
import { mayManageFirewall } from './may-manage-firewall.ts'
import { PendingNotice } from './pending-notice.tsx'

export function FirewallPage() {
  const t = useMessages(firewallMessages)
  const { data: me } = useQuery(meQuery)
  if (!me || !mayManageFirewall(me)) return <NoAccess hint={t('noAccess')} />
  return <Firewall />
}

function Firewall() {
  const t = useMessages(firewallMessages)
  const { data: state } = useQuery(firewallQuery)
  const tabs = [
    { label: t('tab.rules'), to: '/server/firewall' },
    { label: t('tab.bans'), to: '/server/firewall/bans' }
  ] as const
  return (
    <>
      <PageHeader
        title={t('title')}
        badge={state && <StateBadge state={state} />}
        facts={state?.yourAddress && <span>{t('yourAddress', { address: state.yourAddress })}</span>}
      />
      <Tabs
        label={t('tabs')}
        of={t('title')}
        items={tabs.map(({ label, to }) => ({
          label,
          link: { to, activeOptions: { exact: true, includeSearch: false } }
        }))}
      />
      {state?.pending && <PendingNotice key={state.pending.id} pending={state.pending} />}
      <Outlet />
    </>
  )
}

function StateBadge({ state }: { state: FirewallState }) {
  const t = useMessages(firewallMessages)
  if (state.pending) return <StatusBadge tone="warn">{t('pending')}</StatusBadge>
  return <StatusBadge tone={state.enabled ? 'ok' : 'idle'}>{t(state.enabled ? 'on' : 'off')}</StatusBadge>
}
