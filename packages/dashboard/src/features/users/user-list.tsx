import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { NothingMatches } from '../../ui/nothing-matches.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { useQuotaNote } from '../../ui/use-quota-note.tsx'
import { useResources } from '../overview/overview.queries.ts'
import type { Area } from './user-area.ts'
import { UserTable } from './user-table.tsx'
import { UserToolbar } from './user-toolbar.tsx'
import { userMessages } from './users.messages.ts'
import { type UserSearch, usersPerPage, usersQuery } from './users.queries.ts'

const AddUser = lazy(() => import('./add-user.tsx').then((module) => ({ default: module.AddUser })))

interface UserListProps {
  area: Area
  search: UserSearch
  children?: ReactNode
}

export function UserList({ area, search, children }: UserListProps) {
  const t = useMessages(userMessages)
  const quota = useQuotaNote(useResources()?.maxSubAccounts)
  const { data } = useQuery(usersQuery(search))
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <PageHeader
        title={t(area)}
        facts={<span>{data && t('count', { count: data.pagination.total })}</span>}
        actions={
          <Button
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={(event) => quota.ask(event, () => setAdding(true))}
          >
            {t(`${area}.add`)}
          </Button>
        }
      />
      {children}
      <section className={card.card} aria-label={t(area)}>
        <UserToolbar search={search} withRoles={area === 'users'} />
        <Rows area={area} search={search} />
      </section>
      {quota.note}
      {isAdding && (
        <Suspense fallback={null}>
          <AddUser area={area} onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </>
  )
}

function Rows({ area, search }: { area: Area; search: UserSearch }) {
  const t = useMessages(userMessages)
  const { data, error, refetch, isPlaceholderData } = useQuery(usersQuery(search))
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <RowsSkeleton rows={8} height={57} />
  const { q, role, state, below } = search
  const isFiltered = q !== undefined || role !== undefined || state !== undefined
  if (data.pagination.total === 0 && !isFiltered && area === 'customers')
    return <EmptyState title={t('first')} hint={t('first.hint')} />
  if (data.users.length === 0)
    return (
      <NothingMatches
        filters={[
          role && t(`role.${role}`),
          state && t(`state.${state}`),
          below !== undefined && area === 'users' && t('none.below')
        ]}
      />
    )
  return (
    <div aria-busy={isPlaceholderData}>
      <UserTable area={area} users={data.users} />
      <Pagination page={search.page ?? 1} limit={usersPerPage} total={data.pagination.total} />
    </div>
  )
}
