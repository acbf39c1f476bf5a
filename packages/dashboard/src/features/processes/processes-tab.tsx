import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Fragment, lazy, Suspense, useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { Section } from '../../ui/section.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { CrashLoop, OutOfMemory } from './crash-loop.tsx'
import { ProcessTable } from './process-table.tsx'
import { processMessages } from './processes.messages.ts'
import { processesQuery, type ProjectProcess } from './processes.queries.ts'

const ProcessForm = lazy(() => import('./process-form.tsx').then((module) => ({ default: module.ProcessForm })))

export function ProcessesTab() {
  const t = useMessages(processMessages)
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/processes' })
  const { data: list, error, refetch } = useQuery(processesQuery(projectId))
  const [edited, setEdited] = useState<ProjectProcess | 'new'>()
  if (error && !list) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!list) return <RowsSkeleton />
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited('new')}>
      {t('add')}
    </Button>
  )
  return (
    <>
      {list.processes.map((process) => (
        <Fragment key={process.name}>
          <OutOfMemory process={process} />
          <CrashLoop process={process} />
        </Fragment>
      ))}
      <Section title={t('title')} hint={t('hint')} actions={add}>
        <ProcessTable projectId={projectId} processes={list.processes} onEdit={setEdited} />
        {edited !== undefined && (
          <Suspense fallback={null}>
            <ProcessForm
              projectId={projectId}
              process={edited === 'new' ? undefined : edited}
              onClose={() => setEdited(undefined)}
            />
          </Suspense>
        )}
      </Section>
    </>
  )
}
