import { useMessages } from '../../i18n/i18n.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { machineMessages } from './machines.messages.ts'
import { type Machine, statusTones } from './machines.queries.ts'

export function MachineStatus({ status, isDraining, problems }: Pick<Machine, 'status' | 'isDraining' | 'problems'>) {
  const t = useMessages(machineMessages)
  if (status === 'PAUSED' && isDraining) return <StatusBadge tone="idle">{t('status.draining')}</StatusBadge>
  if (status === 'ACTIVE' && problems.length > 0)
    return <StatusBadge tone="warn">{t('problems', { count: problems.length })}</StatusBadge>
  return <StatusBadge tone={statusTones[status]}>{t(`status.${status}`)}</StatusBadge>
}
