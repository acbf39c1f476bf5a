import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { api, data, type Schema } from '../../api/client.ts'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Time } from '../../ui/time.tsx'
import type { Tone } from '../../ui/tone.ts'
import { useAct } from '../../ui/use-act.ts'
import { domainMessages } from './domains.messages.ts'
import { certificateQuery } from './domains.queries.ts'

type Certificate = Omit<Schema<'Certificate'>, 'certPath' | 'keyPath'>

const tones: Record<Certificate['status'], { tone: Tone; isBusy?: true }> = {
  PENDING: { tone: 'info', isBusy: true },
  ACTIVE: { tone: 'ok' },
  EXPIRING_SOON: { tone: 'warn' },
  EXPIRED: { tone: 'bad' },
  ERROR: { tone: 'bad' }
}

const orderings = {
  issue: (id: string) => data(api.POST('/api/domains/{id}/ssl/provision', { params: { path: { id } } })),
  renew: (id: string) => data(api.POST('/api/domains/{id}/ssl/renew', { params: { path: { id } } }))
}

export function CertificateTab() {
  const t = useMessages(domainMessages)
  const { domainId } = useParams({ from: '/signed-in/domains/$domainId' })
  const { data: certificate, error, refetch } = useQuery(certificateQuery(domainId))
  const order = useAct({
    run: (ordering: keyof typeof orderings) => orderings[ordering](domainId),
    stale: [['domains', domainId]],
    done: () => t('certificate.issued')
  })
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (certificate === undefined) return <RowsSkeleton />
  const orderButton = (ordering: keyof typeof orderings) => (
    <Button loading={order.isPending} onClick={() => order.start(ordering)}>
      {t(`certificate.${ordering}`)}
    </Button>
  )
  if (certificate === null)
    return <EmptyState title={t('certificate.none')} hint={t('certificate.none.hint')} action={orderButton('issue')} />
  return (
    <Section title={t('tab.certificate')} actions={certificate.status !== 'PENDING' && orderButton('renew')}>
      <CertificateFacts certificate={certificate} />
    </Section>
  )
}

function CertificateFacts({ certificate }: { certificate: Certificate }) {
  const t = useMessages(domainMessages)
  const { dateTime } = useI18n()
  const { tone, isBusy = false } = tones[certificate.status]
  const status = (
    <StatusBadge tone={tone} isBusy={isBusy}>
      {t(`certificate.status.${certificate.status}`)}
    </StatusBadge>
  )
  const { validTo } = certificate
  const until =
    validTo === null ? (
      '–'
    ) : (
      <>
        {dateTime(validTo)} (<Time at={validTo} />)
      </>
    )
  return (
    <>
      {certificate.errorMessage !== null && <Notice tone="bad">{certificate.errorMessage}</Notice>}
      <Facts
        rows={[
          { name: t('column.state'), value: status },
          { name: t('certificate.issuer'), value: certificate.issuer ?? '–' },
          { name: t('certificate.until'), value: until },
          { name: t('certificate.names'), value: certificate.sans.join(', ') }
        ]}
      />
    </>
  )
}
