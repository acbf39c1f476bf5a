import { useQuery } from '@tanstack/react-query'
import { useMessages } from '../../i18n/i18n.tsx'
import { NoAccess } from '../../ui/no-access.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { meQuery } from '../auth/me.queries.ts'
import { FileSection } from './file-section.tsx'
import { firewallMessages } from './firewall.messages.ts'
import { firewallQuery, type FirewallState } from './firewall.queries.ts'
import { mayManageFirewall } from './may-manage-firewall.ts'
import { PendingNotice } from './pending-notice.tsx'
import { RulesSection } from './rules-section.tsx'

export function FirewallPage() {
  const t = useMessages(firewallMessages)
  const { data: me } = useQuery(meQuery)
  if (!me || !mayManageFirewall(me)) return <NoAccess hint={t('noAccess')} />
  return <Firewall />
}

function Firewall() {
  const t = useMessages(firewallMessages)
  const { data: state, error, refetch } = useQuery(firewallQuery)
  return (
    <>
      <PageHeader
        title={t('title')}
        badge={state && <StateBadge state={state} />}
        facts={state?.yourAddress && <span>{t('yourAddress', { address: state.yourAddress })}</span>}
      />
      {error && !state && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!state && !error && <RowsSkeleton rows={8} />}
      {state?.pending && <PendingNotice key={state.pending.id} pending={state.pending} />}
      {state && (
        <>
          <RulesSection key={state.version} state={state} />
          <FileSection state={state} />
        </>
      )}
    </>
  )
}

function StateBadge({ state }: { state: FirewallState }) {
  const t = useMessages(firewallMessages)
  if (state.pending) return <StatusBadge tone="warn">{t('pending')}</StatusBadge>
  return <StatusBadge tone={state.enabled ? 'ok' : 'idle'}>{t(state.enabled ? 'on' : 'off')}</StatusBadge>
}
