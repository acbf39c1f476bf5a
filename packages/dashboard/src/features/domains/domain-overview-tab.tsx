import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { CertificateStatus } from '../../ui/certificate-status/certificate-status.tsx'
import { DangerSection } from '../../ui/danger-section.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Section } from '../../ui/section.tsx'
import { Time } from '../../ui/time.tsx'
import { DomainReach } from './domain-reach.tsx'
import { domainMessages } from './domains.messages.ts'
import { domainQuery } from './domains.queries.ts'
import { Subdomains } from './subdomains.tsx'
import { VerifyDomain } from './verify-domain.tsx'

export function DomainOverviewTab() {
  const { domainId } = useParams({ from: '/signed-in/domains/$domainId' })
  const { data: domain } = useQuery(domainQuery(domainId))
  if (!domain) return null
  return (
    <>
      {domain.verificationInstructions && (
        <VerifyDomain domainId={domainId} instructions={domain.verificationInstructions} />
      )}
      <DomainReach key={domain.id} domain={domain} />
      <DomainFacts domain={domain} />
      {domain.pathPrefix === null && !domain.isWildcard && <Subdomains domain={domain} />}
      <DangerZone domain={domain} />
    </>
  )
}

function DomainFacts({ domain }: { domain: Schema<'Domain'> }) {
  const t = useMessages(domainMessages)
  return (
    <Section title={t('facts')}>
      <Facts
        rows={[
          { name: t('column.dns'), value: t(`mode.${domain.dnsMode}`) },
          { name: t('fact.path'), value: domain.pathPrefix ?? '/' },
          { name: t('column.https'), value: <CertificateStatus certificate={domain.certificate} /> },
          { name: t('fact.added'), value: <Time at={domain.createdAt} /> }
        ]}
      />
    </Section>
  )
}

function DangerZone({ domain: { id, hostname } }: { domain: Schema<'Domain'> }) {
  const t = useMessages(domainMessages)
  const navigate = useNavigate()
  return (
    <DangerSection
      title={t('danger')}
      hint={t('danger.hint')}
      action={t('remove')}
      name={hostname}
      run={() => data(api.DELETE('/api/domains/{id}', { params: { path: { id } } }))}
      invalidates={[['domains', 'list']]}
      onDone={() => void navigate({ to: '/domains' })}
    />
  )
}
