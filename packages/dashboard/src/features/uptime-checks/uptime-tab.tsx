import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { CheckHistory } from './check-history.tsx'
import { CheckTable } from './check-table.tsx'
import { StatusPageSection } from './status-page-section.tsx'
import { uptimeMessages } from './uptime-checks.messages.ts'
import { checksPerPage, type UptimeCheck, uptimeChecksQuery } from './uptime-checks.queries.ts'

const CheckForm = lazy(() => import('./check-form.tsx').then((module) => ({ default: module.CheckForm })))

export function UptimeTab() {
  const t = useMessages(uptimeMessages)
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/uptime' })
  const { d, checks: page = 1 } = useSearch({ from: '/signed-in/projects/$projectId/uptime' })
  const { data: list, error, refetch } = useQuery(uptimeChecksQuery(projectId, page))
  const [edited, setEdited] = useState<UptimeCheck | 'new'>()
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited('new')}>
      {t('add')}
    </Button>
  )
  if (error && !list) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!list) return <RowsSkeleton />
  const isEmpty = list.pagination.total === 0
  return (
    <>
      <Section title={t('title')} hint={t('hint')} actions={!isEmpty && add}>
        {isEmpty ? (
          <EmptyState title={t('none')} hint={t('none.hint')} action={add} />
        ) : (
          <CheckTable projectId={projectId} checks={list.uptimeChecks} onEdit={setEdited} />
        )}
        <Pagination name="checks" page={page} limit={checksPerPage} total={list.pagination.total} />
      </Section>
      {d !== undefined && <CheckHistory key={d} projectId={projectId} checkId={d} />}
      <StatusPageSection projectId={projectId} />
      {edited !== undefined && (
        <Suspense fallback={null}>
          <CheckForm
            projectId={projectId}
            check={edited === 'new' ? undefined : edited}
            onClose={() => setEdited(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}
