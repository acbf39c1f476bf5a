import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { PageHeader } from '../../ui/page-header.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { useSearchText } from '../../ui/use-search-text.ts'
import { domainMessages } from './domains.messages.ts'
import { routesPerPage, routesQuery } from './domains.queries.ts'
import { RouteMap } from './route-map.tsx'
import classes from './route-map.module.css'

export function RouteMapPage() {
  const t = useMessages(domainMessages)
  const { q } = useSearch({ from: '/signed-in/domains/routes' })
  const navigate = useNavigate({ from: '/domains/routes' })
  const setSearch = useSearchText((text) => void navigate({ search: { q: text || undefined }, replace: true }))
  return (
    <>
      <PageHeader
        title={t('routes')}
        crumbs={[{ label: t('title'), link: { to: '/domains' } }]}
        facts={t('routes.hint')}
      />
      <div className={classes.search}>
        <TextInput
          className={card.search!}
          aria-label={t('search')}
          placeholder={t('search')}
          defaultValue={q ?? ''}
          onChange={({ target }) => setSearch(target.value)}
          leftSection={<IconSearch size={16} aria-hidden />}
        />
      </div>
      <Routes />
    </>
  )
}

function Routes() {
  const t = useMessages(domainMessages)
  const search = useSearch({ from: '/signed-in/domains/routes' })
  const { data, error, refetch } = useQuery(routesQuery(search))
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <RowsSkeleton rows={6} height={41} />
  if (data.total === 0 && search.q === undefined) return <EmptyState title={t('first')} hint={t('first.hint')} />
  if (data.items.length === 0) return <EmptyState title={t('none')} hint={t('none.hint')} />
  return (
    <>
      <RouteMap domains={data.items} />
      <Pagination page={search.page ?? 1} limit={routesPerPage} total={data.total} />
    </>
  )
}
