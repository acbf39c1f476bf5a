import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { NoAccess } from '../../ui/no-access.tsx'
import { NothingMatches } from '../../ui/nothing-matches.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { meQuery } from '../auth/me.queries.ts'
import { AuditFilters } from './audit-filters.tsx'
import { auditMessages } from './audit.messages.ts'
import { auditQuery, csvAddress, entriesPerPage } from './audit.queries.ts'
import { AuditTable } from './audit-table.tsx'
import { ChainState } from './chain-state.tsx'

const EntryDrawer = lazy(() => import('./entry-drawer.tsx').then((module) => ({ default: module.EntryDrawer })))

// The server stops counting filtered entries here.
const countedAtMost = 10_001

export function AuditPage() {
  const t = useMessages(auditMessages)
  const { data: me } = useQuery(meQuery)
  if (me?.role !== 'ADMIN') return <NoAccess hint={t('noAccess')} />
  return <Explorer />
}

function Explorer() {
  const t = useMessages(auditMessages)
  const search = useSearch({ from: '/signed-in/server/audit' })
  const { data } = useQuery(auditQuery(search))
  const total = data?.pagination.total ?? 0
  const open = search.d === undefined ? undefined : data?.entries.find(({ id }) => id === search.d)
  return (
    <>
      <PageHeader
        title={t('title')}
        facts={
          data && (
            <span>{total === countedAtMost ? t('many', { count: total - 1 }) : t('count', { count: total })}</span>
          )
        }
        actions={
          <Button
            component="a"
            href={csvAddress(search)}
            download="audit.csv"
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            {t('export')}
          </Button>
        }
      />
      <ChainState />
      <section className={card.card} aria-label={t('title')}>
        <AuditFilters search={search} />
        <Rows />
      </section>
      {open && (
        <Suspense fallback={null}>
          <EntryDrawer entry={open} />
        </Suspense>
      )}
    </>
  )
}

function Rows() {
  const t = useMessages(auditMessages)
  const search = useSearch({ from: '/signed-in/server/audit' })
  const { data, error, refetch, isPlaceholderData } = useQuery(auditQuery(search))
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <RowsSkeleton rows={12} height={41} />
  if (data.entries.length === 0) return <NothingMatches hint={t('none.hint')} />
  return (
    <div aria-busy={isPlaceholderData}>
      <AuditTable entries={data.entries} />
      <Pagination page={search.page ?? 1} limit={entriesPerPage} total={data.pagination.total} />
    </div>
  )
}
