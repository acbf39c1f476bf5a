import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { StatusBadge } from '../status-badge.tsx'
import type { Tone } from '../tone.ts'
import { certificateStatusMessages } from './certificate-status.messages.ts'

const tones: Record<Schema<'CertificateStatus'>, { tone: Tone; isBusy?: true }> = {
  PENDING: { tone: 'info', isBusy: true },
  ACTIVE: { tone: 'ok' },
  EXPIRING_SOON: { tone: 'warn' },
  EXPIRED: { tone: 'bad' },
  ERROR: { tone: 'bad' }
}
const dayMs = 24 * 3_600_000

export function CertificateStatus({ certificate }: { certificate: Schema<'Domain'>['certificate'] }) {
  const t = useMessages(certificateStatusMessages)
  if (certificate === null) return <StatusBadge tone="idle">{t('none')}</StatusBadge>
  const { status, validTo } = certificate
  const { tone, isBusy = false } = tones[status]
  return (
    <StatusBadge tone={tone} isBusy={isBusy}>
      {t(status, { count: validTo === null ? 0 : daysUntil(validTo) })}
    </StatusBadge>
  )
}

const daysUntil = (time: string) => Math.max(0, Math.floor((Date.parse(time) - Date.now()) / dayMs))
