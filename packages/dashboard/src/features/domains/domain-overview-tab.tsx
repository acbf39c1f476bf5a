import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { ConfirmName } from '../../ui/confirm-name.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Section } from '../../ui/section.tsx'
import { Time } from '../../ui/time.tsx'
import { useAct } from '../../ui/use-act.ts'
import { domainMessages } from './domains.messages.ts'
import { domainQuery } from './domains.queries.ts'
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
      <DomainFacts domain={domain} />
      <DangerZone domain={domain} />
    </>
  )
}

function DomainFacts({ domain }: { domain: Schema<'Domain'> }) {
  const t = useMessages(domainMessages)
  const project =
    domain.projectId === null ? (
      t('fact.project.none')
    ) : (
      <Link to="/projects/$projectId" params={{ projectId: domain.projectId }}>
        {t('fact.project')}
      </Link>
    )
  return (
    <Section title={t('facts')}>
      <Facts
        rows={[
          { name: t('fact.project'), value: project },
          { name: t('column.dns'), value: t(`mode.${domain.dnsMode}`) },
          { name: t('fact.path'), value: domain.pathPrefix ?? '/' },
          { name: t('fact.added'), value: <Time at={domain.createdAt} /> }
        ]}
      />
    </Section>
  )
}

function DangerZone({ domain: { id, hostname } }: { domain: Schema<'Domain'> }) {
  const t = useMessages(domainMessages)
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const remove = useAct({
    run: () => data(api.DELETE('/api/domains/{id}', { params: { path: { id } } })),
    stale: [['domains', 'list']],
    onDone: () => void navigate({ to: '/domains' })
  })
  return (
    <Section
      isDanger
      title={t('danger')}
      hint={t('danger.hint')}
      actions={
        <Button color="red" variant="light" onClick={() => setAsking(true)}>
          {t('remove')}
        </Button>
      }
    >
      {isAsking && (
        <ConfirmName
          title={t('danger')}
          name={hostname}
          action={t('remove')}
          isPending={remove.isPending}
          onConfirm={() => remove.start()}
          onClose={() => setAsking(false)}
        >
          {t('danger.hint')}
        </ConfirmName>
      )}
    </Section>
  )
}
