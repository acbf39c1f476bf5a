import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { listOrders } from '../../routes/search.ts'
import card from '../../ui/card.module.css'
import { Filter } from '../../ui/filter.tsx'
import { NothingMatches } from '../../ui/nothing-matches.tsx'
import { OrderFilter } from '../../ui/order-filter.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { useAfterFirstPicture } from '../../ui/use-after-first-picture.ts'
import { useQuotaNote } from '../../ui/use-quota-note.tsx'
import { useResources } from '../overview/overview.queries.ts'
import { CertificateAlerts } from './certificate-alerts.tsx'
import { DomainTable } from './domain-table.tsx'
import { domainMessages } from './domains.messages.ts'
import { domainsPerPage, domainsQuery, domainStatuses } from './domains.queries.ts'

const AddDomain = lazy(() => import('./add-domain.tsx').then((module) => ({ default: module.AddDomain })))

export function DomainListPage() {
  const t = useMessages(domainMessages)
  const quota = useQuotaNote(useResources()?.maxDomains)
  const { data } = useQuery(domainsQuery(useSearch({ from: '/signed-in/domains' })))
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <PageHeader
        title={t('title')}
        facts={<span>{data && t('count', { count: data.total })}</span>}
        actions={
          <>
            <Button component={Link} to="/domains/routes" variant="default">
              {t('routes')}
            </Button>
            <Button
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={(event) => quota.ask(event, () => setAdding(true))}
            >
              {t('add')}
            </Button>
          </>
        }
      />
      <CertificateAlerts />
      <section className={card.card} aria-label={t('title')}>
        <Toolbar />
        <Rows />
      </section>
      {quota.note}
      {isAdding && (
        <Suspense fallback={null}>
          <AddDomain onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </>
  )
}

function Toolbar() {
  const t = useMessages(domainMessages)
  const { status, order } = useSearch({ from: '/signed-in/domains' })
  const { data: waiting } = useQuery({ ...domainsQuery({ status: 'PENDING' }), enabled: useAfterFirstPicture() })
  const labelOf = (value: (typeof domainStatuses)[number]) =>
    value === 'PENDING' && waiting && waiting.total > 0
      ? t('status.count', { status: t('status.PENDING'), amount: waiting.total })
      : t(`status.${value}`)
  const options = [
    { value: 'all', label: t('all') },
    ...domainStatuses.map((value) => ({ value, label: labelOf(value) }))
  ] as const
  return (
    <div className={card.toolbar}>
      <SearchBox label={t('search')} />
      <Filter label={t('status')} name="status" options={options} selected={status ?? 'all'} />
      <OrderFilter orders={listOrders} selected={order} />
    </div>
  )
}

function Rows() {
  const t = useMessages(domainMessages)
  const search = useSearch({ from: '/signed-in/domains' })
  const { data, error, refetch } = useQuery(domainsQuery(search))
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <RowsSkeleton rows={8} height={41} />
  const isFiltered = search.q !== undefined || search.status !== undefined
  if (data.total === 0 && !isFiltered) return <EmptyState title={t('first')} hint={t('first.hint')} />
  if (data.items.length === 0) return <NothingMatches filters={[search.status && t(`status.${search.status}`)]} />
  return (
    <>
      <DomainTable domains={data.items} />
      <Pagination page={search.page ?? 1} limit={domainsPerPage} total={data.total} />
    </>
  )
}
