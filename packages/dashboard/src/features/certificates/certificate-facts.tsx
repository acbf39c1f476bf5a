import type { Schema } from '../../api/client.ts'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Foreign } from '../../ui/foreign.tsx'
import { Notice } from '../../ui/notice.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Time } from '../../ui/time.tsx'
import type { Tone } from '../../ui/tone.ts'
import { certificateMessages } from './certificates.messages.ts'

type Certificate = Omit<Schema<'Certificate'>, 'certPath' | 'keyPath'>

const tones: Record<Certificate['status'], { tone: Tone; isBusy?: true }> = {
  PENDING: { tone: 'info', isBusy: true },
  ACTIVE: { tone: 'ok' },
  EXPIRING_SOON: { tone: 'warn' },
  EXPIRED: { tone: 'bad' },
  ERROR: { tone: 'bad' }
}
const dayMs = 24 * 3_600_000

/** What there is, how long it holds, and what failed last. */
export function CertificateFacts({ certificate }: { certificate: Certificate }) {
  const t = useMessages(certificateMessages)
  const { dateTime } = useI18n()
  const { tone, isBusy = false } = tones[certificate.status]
  const { validTo, nextRenewalAt, lastRenewedAt } = certificate
  return (
    <>
      {certificate.errorMessage !== null && <Notice tone="bad">{certificate.errorMessage}</Notice>}
      <Facts
        rows={[
          {
            name: t('state'),
            value: (
              <StatusBadge tone={tone} isBusy={isBusy}>
                {t(`status.${certificate.status}`)}
              </StatusBadge>
            )
          },
          { name: t('kind'), value: t(`type.${certificate.type}`) },
          { name: t('issuer'), value: certificate.issuer === null ? '–' : <Foreign>{certificate.issuer}</Foreign> },
          {
            name: t('until'),
            value: validTo === null ? '–' : `${dateTime(validTo)} (${t('daysLeft', { count: daysUntil(validTo) })})`
          },
          ...(nextRenewalAt === null ? [] : [{ name: t('next'), value: <Time at={nextRenewalAt} /> }]),
          ...(lastRenewedAt === null ? [] : [{ name: t('renewed'), value: <Time at={lastRenewedAt} /> }]),
          { name: t('names'), value: <span dir="ltr">{certificate.sans.join(', ')}</span> }
        ]}
      />
    </>
  )
}

const daysUntil = (time: string) => Math.max(0, Math.floor((Date.parse(time) - Date.now()) / dayMs))
