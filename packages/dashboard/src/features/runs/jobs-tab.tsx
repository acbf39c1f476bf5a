import { Button } from '@mantine/core'
import { IconPlayerPlay, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { JobTable } from './job-table.tsx'
import { RunDetail } from './run-detail.tsx'
import { RunTable } from './run-table.tsx'
import { runMessages } from './runs.messages.ts'
import { jobsPerPage, runsPerPage, runsQuery, type ScheduledJob, scheduledJobsQuery } from './runs.queries.ts'

const JobForm = lazy(() => import('./job-form.tsx').then((module) => ({ default: module.JobForm })))
const CommandForm = lazy(() => import('./command-form.tsx').then((module) => ({ default: module.CommandForm })))

const from = '/signed-in/projects/$projectId/jobs'

export function JobsTab() {
  const { projectId } = useParams({ from })
  const { d } = useSearch({ from })
  return (
    <>
      <Jobs projectId={projectId} />
      {d !== undefined && <RunDetail key={d} projectId={projectId} runId={d} />}
      <Runs projectId={projectId} />
    </>
  )
}

function Jobs({ projectId }: { projectId: string }) {
  const t = useMessages(runMessages)
  const { jobs: page = 1 } = useSearch({ from })
  const { data: list, error, refetch } = useQuery(scheduledJobsQuery(projectId, page))
  const [edited, setEdited] = useState<ScheduledJob | 'new'>()
  if (error && !list) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!list) return <RowsSkeleton />
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited('new')}>
      {t('add')}
    </Button>
  )
  const isEmpty = list.pagination.total === 0
  return (
    <Section title={t('title')} hint={t('hint')} actions={!isEmpty && add}>
      {isEmpty ? (
        <EmptyState title={t('none')} hint={t('none.hint')} action={add} />
      ) : (
        <JobTable projectId={projectId} jobs={list.scheduledJobs} onEdit={setEdited} />
      )}
      <Pagination name="jobs" page={page} limit={jobsPerPage} total={list.pagination.total} />
      {edited !== undefined && (
        <Suspense fallback={null}>
          <JobForm
            projectId={projectId}
            job={edited === 'new' ? undefined : edited}
            onClose={() => setEdited(undefined)}
          />
        </Suspense>
      )}
    </Section>
  )
}

function Runs({ projectId }: { projectId: string }) {
  const t = useMessages(runMessages)
  const { page = 1 } = useSearch({ from })
  const { data: list, error, refetch } = useQuery(runsQuery(projectId, page))
  const [isStarting, setStarting] = useState(false)
  if (error && !list) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!list) return <RowsSkeleton />
  const start = (
    <Button variant="default" leftSection={<IconPlayerPlay size={16} aria-hidden />} onClick={() => setStarting(true)}>
      {t('command.start')}
    </Button>
  )
  return (
    <Section title={t('runs')} hint={t('runs.hint')} actions={start}>
      {list.pagination.total === 0 ? (
        <EmptyState title={t('runs.none')} hint={t('runs.none.hint')} />
      ) : (
        <RunTable projectId={projectId} runs={list.runs} />
      )}
      <Pagination page={page} limit={runsPerPage} total={list.pagination.total} />
      {isStarting && (
        <Suspense fallback={null}>
          <CommandForm projectId={projectId} onClose={() => setStarting(false)} />
        </Suspense>
      )}
    </Section>
  )
}
