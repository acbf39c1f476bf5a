import { Button, TextInput } from '@mantine/core'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Filter } from '../../ui/filter.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { useSearchText } from '../../ui/use-search-text.ts'
import { DomainTable } from './domain-table.tsx'
import { domainMessages } from './domains.messages.ts'
import { domainsPerPage, domainsQuery, domainStatuses } from './domains.queries.ts'

const AddDomain = lazy(() => import('./add-domain.tsx').then((module) => ({ default: module.AddDomain })))

export function DomainListPage() {
  const t = useMessages(domainMessages)
  const { data } = useQuery(domainsQuery(useSearch({ from: '/signed-in/domains' })))
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <PageHeader
        title={t('title')}
        facts={data && <span>{t('count', { count: data.total })}</span>}
        actions={
          <>
            <Button component={Link} to="/domains/routes" variant="default">
              {t('routes')}
            </Button>
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
              {t('add')}
            </Button>
          </>
        }
      />
      <section className={card.card} aria-label={t('title')}>
        <Toolbar />
        <Rows />
      </section>
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
  const { q, status } = useSearch({ from: '/signed-in/domains' })
  const navigate = useNavigate({ from: '/domains' })
  const setSearch = useSearchText(
    (text) =>
      void navigate({ search: (search) => ({ ...search, page: undefined, q: text || undefined }), replace: true })
  )
  // How many wait for their owner, seen before they are looked for.
  const { data: waiting } = useQuery(domainsQuery({ status: 'PENDING' }))
  const labelOf = (value: (typeof domainStatuses)[number]) =>
    value === 'PENDING' && waiting && waiting.total > 0
      ? t('status.count', { status: t('status.PENDING'), count: waiting.total })
      : t(`status.${value}`)
  const options = [
    { value: 'all', label: t('all') },
    ...domainStatuses.map((value) => ({ value, label: labelOf(value) }))
  ] as const
  return (
    <div className={card.toolbar}>
      <TextInput
        className={card.search!}
        aria-label={t('search')}
        placeholder={t('search')}
        defaultValue={q ?? ''}
        onChange={({ target }) => setSearch(target.value)}
        leftSection={<IconSearch size={16} aria-hidden />}
      />
      <Filter label={t('status')} name="status" options={options} selected={status ?? 'all'} />
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
  if (data.items.length === 0) return <EmptyState title={t('none')} hint={t('none.hint')} />
  return (
    <>
      <DomainTable domains={data.items} />
      <Pagination page={search.page ?? 1} limit={domainsPerPage} total={data.total} />
    </>
  )
}
