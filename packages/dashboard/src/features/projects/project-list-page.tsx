import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useDeferredValue } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Filter } from '../../ui/filter.tsx'
import { NothingMatches } from '../../ui/nothing-matches.tsx'
import { OrderFilter } from '../../ui/order-filter.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { useQuotaNote } from '../../ui/use-quota-note.tsx'
import { useResources } from '../overview/overview.queries.ts'
import { projectGroups } from './project-state.ts'
import { ProjectTable } from './project-table.tsx'
import { projectMessages } from './projects.messages.ts'
import { projectOrders, projectsPerPage, projectsQuery } from './projects.queries.ts'

export function ProjectListPage() {
  const t = useMessages(projectMessages)
  const quota = useQuotaNote(useResources()?.maxProjects)
  const { data } = useQuery(projectsQuery(useSearch({ from: '/signed-in/projects' })))
  return (
    <>
      <PageHeader
        title={t('title')}
        facts={<span>{data && t('count', { count: data.pagination.total })}</span>}
        actions={
          <Button
            component={Link}
            to="/projects/new"
            onClick={quota.ask}
            leftSection={<IconPlus size={16} aria-hidden />}
          >
            {t('new')}
          </Button>
        }
      />
      {quota.note}
      <section className={card.card} aria-label={t('title')}>
        <Toolbar />
        <Rows />
      </section>
    </>
  )
}

function Toolbar() {
  const t = useMessages(projectMessages)
  const { state = 'all', order } = useSearch({ from: '/signed-in/projects' })
  return (
    <div className={card.toolbar}>
      <SearchBox label={t('search')} />
      <Filter
        label={t('filter')}
        name="state"
        options={projectGroups.map((group) => ({ value: group, label: t(`group.${group}`) }))}
        selected={state}
      />
      <OrderFilter orders={projectOrders} selected={order} />
    </div>
  )
}

function Rows() {
  const t = useMessages(projectMessages)
  const search = useSearch({ from: '/signed-in/projects' })
  const { state, q, page = 1 } = search
  const { data, error, refetch } = useQuery(projectsQuery(search))
  // Rendered in slices.
  const list = useDeferredValue(data)
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!list) return <RowsSkeleton rows={8} height={64} />
  const { projects, pagination } = list
  if (pagination.total === 0 && q === undefined && state === undefined)
    return <EmptyState title={t('first')} hint={t('first.hint')} />
  return (
    <>
      {projects.length === 0 ? (
        <NothingMatches filters={[state && t(`group.${state}`)]} />
      ) : (
        <ProjectTable projects={projects} />
      )}
      <Pagination page={page} limit={projectsPerPage} total={pagination.total} />
    </>
  )
}
