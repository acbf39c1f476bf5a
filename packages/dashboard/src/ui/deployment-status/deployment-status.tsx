import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { StatusBadge } from '../status-badge.tsx'
import type { Tone } from '../tone.ts'
import { deploymentStatusMessages } from './deployment-status.messages.ts'

type Status = Schema<'DeploymentStatus'>

/** A RUNNING deployment that is not live was replaced by a newer one. */
const tones: Record<Status, { tone: Tone; isBusy?: true }> = {
  QUEUED: { tone: 'info', isBusy: true },
  BUILDING: { tone: 'info', isBusy: true },
  DEPLOYING: { tone: 'info', isBusy: true },
  RUNNING: { tone: 'idle' },
  FAILED: { tone: 'bad' },
  CANCELLED: { tone: 'idle' }
}

export function DeploymentStatus({ status, isLive }: { status: Status; isLive: boolean }) {
  const t = useMessages(deploymentStatusMessages)
  if (isLive) return <StatusBadge tone="ok">{t('live')}</StatusBadge>
  const { tone, isBusy = false } = tones[status]
  return (
    <StatusBadge tone={tone} isBusy={isBusy}>
      {t(status)}
    </StatusBadge>
  )
}
