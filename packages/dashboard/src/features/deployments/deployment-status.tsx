import { useMessages } from '../../i18n/i18n.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import type { Tone } from '../../ui/tone.ts'
import { deploymentMessages } from './deployments.messages.ts'
import type { Deployment } from './deployments.queries.ts'

/** Of one that came up and does not serve any more: another has taken its place. */
const tones: Record<Deployment['status'], { tone: Tone; isBusy?: true }> = {
  QUEUED: { tone: 'info', isBusy: true },
  BUILDING: { tone: 'info', isBusy: true },
  DEPLOYING: { tone: 'info', isBusy: true },
  RUNNING: { tone: 'idle' },
  FAILED: { tone: 'bad' },
  CANCELLED: { tone: 'idle' }
}

export function DeploymentStatus({ status, isLive }: { status: Deployment['status']; isLive: boolean }) {
  const t = useMessages(deploymentMessages)
  if (isLive) return <StatusBadge tone="ok">{t('live')}</StatusBadge>
  const { tone, isBusy = false } = tones[status]
  return (
    <StatusBadge tone={tone} isBusy={isBusy}>
      {t(`status.${status}`)}
    </StatusBadge>
  )
}
