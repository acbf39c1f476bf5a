import { Button, NativeSelect } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { NothingMatches } from '../../ui/nothing-matches.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { domainQuery } from '../domains/domains.queries.ts'
import { useIsUnavailable } from '../system/health.queries.ts'
import { DnsMode } from './dns-mode.tsx'
import classes from './dns-records.module.css'
import { dnsRecordMessages } from './dns-records.messages.ts'
import { matching, recordsQuery, recordTypes } from './dns-records.queries.ts'
import { Dnssec } from './dnssec.tsx'
import { RecordForm } from './record-form.tsx'
import { RecordTable } from './record-table.tsx'

const UsualRecords = lazy(() => import('./usual-records.tsx').then((module) => ({ default: module.UsualRecords })))
const ImportZone = lazy(() => import('./import-zone.tsx').then((module) => ({ default: module.ImportZone })))

export function DnsTab() {
  const { domainId } = useParams({ from: '/signed-in/domains/$domainId/dns' })
  const { data: domain } = useQuery(domainQuery(domainId))
  if (!domain) return <RowsSkeleton />
  return (
    <>
      {domain.dnsMode === 'MANAGED' && <Records domain={domain} />}
      <DnsMode domain={domain} />
      {domain.dnsMode === 'MANAGED' && <Dnssec key={domainId} domainId={domainId} hostname={domain.hostname} />}
    </>
  )
}

function Records({ domain }: { domain: Schema<'Domain'> }) {
  const t = useMessages(dnsRecordMessages)
  const { id: domainId } = domain
  const isUnavailable = useIsUnavailable('nameServer')
  const [dialog, setDialog] = useState<'import' | 'usual'>()
  const close = () => setDialog(undefined)
  return (
    <>
      <Section title={t('add')} hint={t('add.hint')}>
        <RecordForm domainId={domainId} />
      </Section>
      <section className={`${card.card} ${classes.records}`} aria-label={t('records')}>
        <div className={card.toolbar}>
          <Search />
          <span className={card.push} />
          <Button variant="default" size="xs" disabled={isUnavailable} onClick={() => setDialog('usual')}>
            {t('usual')}
          </Button>
          <Button variant="default" size="xs" disabled={isUnavailable} onClick={() => setDialog('import')}>
            {t('import')}
          </Button>
          <Button
            component="a"
            variant="default"
            size="xs"
            href={`/api/domains/${domainId}/dns/export`}
            download
            leftSection={<IconDownload size={14} aria-hidden />}
          >
            {t('export')}
          </Button>
        </div>
        <Rows domainId={domainId} />
      </section>
      {dialog && (
        <Suspense fallback={null}>
          {dialog === 'import' ? (
            <ImportZone domain={domain} onClose={close} />
          ) : (
            <UsualRecords domainId={domainId} onClose={close} />
          )}
        </Suspense>
      )}
    </>
  )
}

function Search() {
  const t = useMessages(dnsRecordMessages)
  const { type } = useSearch({ from: '/signed-in/domains/$domainId/dns' })
  const navigate = useNavigate({ from: '/domains/$domainId/dns' })
  return (
    <>
      <SearchBox label={t('search')} />
      <NativeSelect
        aria-label={t('type')}
        value={type ?? ''}
        data={[{ value: '', label: t('type.all') }, ...recordTypes]}
        onChange={({ target }) =>
          void navigate({ search: (search) => ({ ...search, type: target.value || undefined }), replace: true })
        }
      />
    </>
  )
}

function Rows({ domainId }: { domainId: string }) {
  const t = useMessages(dnsRecordMessages)
  const search = useSearch({ from: '/signed-in/domains/$domainId/dns' })
  const { data: records, error, refetch } = useQuery(recordsQuery(domainId))
  if (error && !records) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!records) return <RowsSkeleton rows={8} height={41} />
  const shown = matching(records, search)
  if (records.length === 0) return <EmptyState title={t('first')} hint={t('first.hint')} />
  if (shown.length === 0) return <NothingMatches filters={[search.type]} />
  return <RecordTable domainId={domainId} records={shown} />
}
