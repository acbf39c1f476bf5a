import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import { domainQuery } from '../domains/domains.queries.ts'
import { DkimKeys } from './dkim-keys.tsx'
import { DmarcReports } from './dmarc-reports.tsx'
import { mailAuthMessages } from './mail-auth.messages.ts'
import { mailAuthKey, mailDomainQuery } from './mail-auth.queries.ts'
import { MtaStsPolicy } from './mta-sts-policy.tsx'
import { RequiredRecords } from './required-records.tsx'
import { Score } from './score.tsx'

const SpamSettings = lazy(() => import('./spam-settings.tsx').then((module) => ({ default: module.SpamSettings })))

export function DomainMailTab() {
  const t = useMessages(mailAuthMessages)
  const { domainId } = useParams({ from: '/signed-in/domains/$domainId/mail' })
  const { data: domain } = useQuery(domainQuery(domainId))
  if (!domain) return <RowsSkeleton />
  if (domain.status !== 'ACTIVE')
    return (
      <EmptyState
        title={t('verifyFirst')}
        hint={t('verifyFirst.hint')}
        action={
          <Link to="/domains/$domainId" params={{ domainId }}>
            {t('verifyFirst.go')}
          </Link>
        }
      />
    )
  return <DomainMail domain={domain} />
}

function DomainMail({ domain: { id, hostname } }: { domain: Schema<'Domain'> }) {
  const t = useMessages(mailAuthMessages)
  const { data: mail, error, refetch } = useQuery(mailDomainQuery(id, hostname))
  const switchOn = useAction({
    run: () => data(api.POST('/api/mail/auth/{domainId}/regenerate', { params: { path: { domainId: id } } })),
    invalidates: [mailAuthKey(id)],
    done: () => t('on.done')
  })
  if (error && mail === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (mail === undefined) return <RowsSkeleton />
  if (mail === null)
    return (
      <Section title={t('off')}>
        <EmptyState
          title={t('off')}
          hint={t('off.hint')}
          action={
            <Button loading={switchOn.isPending} onClick={() => switchOn.start()}>
              {t('on')}
            </Button>
          }
        />
      </Section>
    )
  return (
    <>
      <Score mail={mail} />
      {mail.requiredRecords.length > 0 && <RequiredRecords records={mail.requiredRecords} />}
      <DkimKeys domainId={id} />
      <MtaStsPolicy domainId={id} />
      <Suspense fallback={<RowsSkeleton rows={3} />}>
        <SpamSettings key={id} domainId={id} />
      </Suspense>
      <DmarcReports domainId={id} />
    </>
  )
}
