import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { listOrders } from '../../routes/search.ts'
import card from '../../ui/card.module.css'
import { CutName } from '../../ui/cut-name.tsx'
import { Filter } from '../../ui/filter.tsx'
import { NothingMatches } from '../../ui/nothing-matches.tsx'
import { OrderFilter } from '../../ui/order-filter.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { useQuotaNote } from '../../ui/use-quota-note.tsx'
import { useResources } from '../overview/overview.queries.ts'
import { useIsUnavailable } from '../system/health.queries.ts'
import classes from './databases.module.css'
import { databaseMessages } from './databases.messages.ts'
import { databasesPerPage, databasesQuery, databaseTypes } from './databases.queries.ts'

const AddDatabase = lazy(() => import('./add-database.tsx').then((module) => ({ default: module.AddDatabase })))

export function DatabaseListPage() {
  const t = useMessages(databaseMessages)
  const quota = useQuotaNote(useResources()?.maxDatabases)
  const { data } = useQuery(databasesQuery(useSearch({ from: '/signed-in/databases' })))
  const isUnavailable = useIsUnavailable('postgresql', 'mysql')
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <PageHeader
        title={t('title')}
        facts={<span>{data && t('count', { count: data.pagination.total })}</span>}
        actions={
          <Button
            disabled={isUnavailable}
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={(event) => quota.ask(event, () => setAdding(true))}
          >
            {t('add')}
          </Button>
        }
      />
      <section className={card.card} aria-label={t('title')}>
        <Toolbar />
        <Rows />
      </section>
      {quota.note}
      {isAdding && (
        <Suspense fallback={null}>
          <AddDatabase onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </>
  )
}

function Toolbar() {
  const t = useMessages(databaseMessages)
  const { type, order } = useSearch({ from: '/signed-in/databases' })
  return (
    <div className={card.toolbar}>
      <SearchBox label={t('search')} />
      <Filter
        label={t('filter')}
        name="type"
        options={[
          { value: 'all', label: t('all') },
          ...databaseTypes.map((value) => ({ value, label: t(`engine.${value}`) }))
        ]}
        selected={type ?? 'all'}
      />
      <OrderFilter orders={listOrders} selected={order} />
    </div>
  )
}

function Rows() {
  const t = useMessages(databaseMessages)
  const { bytes } = useI18n()
  const search = useSearch({ from: '/signed-in/databases' })
  const { data, error, refetch } = useQuery(databasesQuery(search))
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <RowsSkeleton rows={8} height={41} />
  const { databases, pagination } = data
  const isFiltered = search.q !== undefined || search.type !== undefined
  if (pagination.total === 0 && !isFiltered) return <EmptyState title={t('first')} hint={t('first.hint')} />
  if (databases.length === 0) return <NothingMatches filters={[search.type && t(`engine.${search.type}`)]} />
  return (
    <>
      <table className={`${card.table} ${card.cards} ${classes.table}`}>
        <thead>
          <tr>
            <th scope="col">{t('column.name')}</th>
            <th scope="col">{t('column.engine')}</th>
            <th scope="col">{t('column.account')}</th>
            <th scope="col" className={card.end}>
              {t('column.size')}
            </th>
          </tr>
        </thead>
        <tbody>
          {databases.map(({ id, name, type, username, sizeBytes }) => (
            <tr key={id}>
              <td className={classes.name}>
                <Link to="/databases/$databaseId" params={{ databaseId: id }} className={card.rowLink!}>
                  <CutName name={name} tail={8} />
                </Link>
              </td>
              <td className={card.sub}>{t(`engine.${type}`)}</td>
              <td className={card.sub} dir="ltr">
                {username}
              </td>
              <td className={`${card.end} ${card.sub}`}>{sizeBytes === null ? '–' : bytes(sizeBytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Pagination page={search.page ?? 1} limit={databasesPerPage} total={pagination.total} />
    </>
  )
}
