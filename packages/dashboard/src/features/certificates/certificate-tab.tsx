import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import { CertificateFacts } from './certificate-facts.tsx'
import { CertificateSettings } from './certificate-settings.tsx'
import { certificateMessages } from './certificates.messages.ts'
import { certificateQuery } from './certificates.queries.ts'
import { RemoveCertificate } from './remove-certificate.tsx'
import { UploadCertificate } from './upload-certificate.tsx'

const orderings = {
  issue: (id: string) => data(api.POST('/api/domains/{id}/ssl/provision', { params: { path: { id } } })),
  renew: (id: string) => data(api.POST('/api/domains/{id}/ssl/renew', { params: { path: { id } } }))
}

export function CertificateTab() {
  const t = useMessages(certificateMessages)
  const { domainId } = useParams({ from: '/signed-in/domains/$domainId' })
  const { data: certificate, error, refetch } = useQuery(certificateQuery(domainId))
  const order = useAction({
    run: (ordering: keyof typeof orderings) => orderings[ordering](domainId),
    invalidates: [['domains', domainId]],
    done: () => t('issued')
  })
  if (error && certificate === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (certificate === undefined) return <RowsSkeleton />
  const orderButton = (ordering: keyof typeof orderings) => (
    <Button loading={order.isPending} onClick={() => order.start(ordering)}>
      {t(ordering)}
    </Button>
  )
  if (certificate === null)
    return (
      <>
        <EmptyState title={t('none')} hint={t('none.hint')} action={orderButton('issue')} />
        <UploadCertificate domainId={domainId} />
      </>
    )
  // Uploaded certificates cannot be renewed here.
  const canRenew = certificate.type === 'LETS_ENCRYPT' && certificate.status !== 'PENDING'
  return (
    <>
      <Section title={t('title')} actions={canRenew && orderButton('renew')}>
        <CertificateFacts certificate={certificate} />
      </Section>
      <CertificateSettings domainId={domainId} certificate={certificate} />
      <UploadCertificate domainId={domainId} />
      <RemoveCertificate domainId={domainId} name={certificate.commonName} />
    </>
  )
}
