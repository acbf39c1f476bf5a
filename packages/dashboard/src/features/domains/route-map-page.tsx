import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { NothingMatches } from '../../ui/nothing-matches.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { domainMessages } from './domains.messages.ts'
import { routesPerPage, routesQuery } from './domains.queries.ts'
import { RouteMap } from './route-map.tsx'
import classes from './route-map.module.css'

export function RouteMapPage() {
  const t = useMessages(domainMessages)
  return (
    <>
      <PageHeader
        title={t('routes')}
        crumbs={[{ label: t('title'), link: { to: '/domains' } }]}
        facts={t('routes.hint')}
      />
      <div className={classes.search}>
        <SearchBox label={t('search')} />
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
  if (data.items.length === 0) return <NothingMatches />
  return (
    <>
      <RouteMap domains={data.items} />
      <Pagination page={search.page ?? 1} limit={routesPerPage} total={data.total} />
    </>
  )
}
