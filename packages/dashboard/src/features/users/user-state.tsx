import { useMessages } from '../../i18n/i18n.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { userMessages } from './users.messages.ts'
import type { Account } from './users.queries.ts'

export function UserState({ suspended }: Pick<Account, 'suspended'>) {
  const t = useMessages(userMessages)
  const state = suspended ? 'suspended' : 'active'
  return <StatusBadge tone={suspended ? 'bad' : 'ok'}>{t(`state.${state}`)}</StatusBadge>
}

export function TwoFactorState({ totpEnabled, role }: Pick<Account, 'totpEnabled' | 'role'>) {
  const t = useMessages(userMessages)
  const tone = totpEnabled ? 'ok' : role === 'ADMIN' ? 'warn' : 'idle'
  return <StatusBadge tone={tone}>{t(totpEnabled ? 'twoFactor.on' : 'twoFactor.off')}</StatusBadge>
}
