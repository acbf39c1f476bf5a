import { Button } from '@mantine/core'
import { IconDatabaseExport } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Foreign } from '../../ui/foreign.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { BackupTable } from './backup-table.tsx'
import { backupMessages } from './backups.messages.ts'
import { startProjectBackup, undoRestore } from './backup-actions.ts'
import {
  type Backup,
  backupsPerPage,
  projectBackupsQuery,
  projectDrillQuery,
  restoresQuery
} from './backups.queries.ts'
import { DrillResult } from './drill-result.tsx'
import { RestoreTable } from './restore-table.tsx'

const ProjectSettingsSection = lazy(() =>
  import('./project-settings-section.tsx').then((module) => ({ default: module.ProjectSettingsSection }))
)
const RestoreDialog = lazy(() => import('./restore-dialog.tsx').then((module) => ({ default: module.RestoreDialog })))
const from = '/signed-in/projects/$projectId/backups'

export function ProjectBackupsTab() {
  const t = useMessages(backupMessages)
  const { projectId } = useParams({ from })
  const search = useSearch({ from })
  const { data, error, refetch } = useQuery(projectBackupsQuery(projectId, search))
  const [restoring, setRestoring] = useState<Backup>()
  const start = useAction({
    run: () => startProjectBackup(projectId),
    invalidates: [['projects', projectId, 'backups']],
    done: ({ queued }) => t('started', { count: queued })
  })
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <RowsSkeleton rows={4} height={41} />
  return (
    <>
      <Section
        title={t('title')}
        hint={t('project.hint')}
        actions={
          <Button
            leftSection={<IconDatabaseExport size={16} aria-hidden />}
            loading={start.isPending}
            onClick={() => start.start()}
          >
            {t('start')}
          </Button>
        }
      >
        {data.pagination.total === 0 ? (
          <EmptyState title={t('none')} hint={t('none.hint')} />
        ) : (
          <>
            <BackupTable backups={data.backups} onRestore={setRestoring} />
            <Pagination page={search.page ?? 1} limit={backupsPerPage} total={data.pagination.total} />
          </>
        )}
      </Section>
      <LastDrill projectId={projectId} />
      <Restores projectId={projectId} />
      <Suspense fallback={null}>
        <ProjectSettingsSection projectId={projectId} />
      </Suspense>
      {restoring && (
        <Suspense fallback={null}>
          <RestoreDialog projectId={projectId} backup={restoring} onClose={() => setRestoring(undefined)} />
        </Suspense>
      )}
    </>
  )
}

function LastDrill({ projectId }: { projectId: string }) {
  const t = useMessages(backupMessages)
  const { data } = useQuery(projectDrillQuery(projectId))
  const drill = data?.drills[0]
  if (!drill) return null
  return (
    <Section title={t('drill.last')} hint={t('drill.last.hint')}>
      <p className={card.sub}>
        {t('column.backup')} <Time at={drill.backupTakenAt} />, <Foreign>{drill.targetName}</Foreign>
      </p>
      <DrillResult drill={drill} />
    </Section>
  )
}

function Restores({ projectId }: { projectId: string }) {
  const t = useMessages(backupMessages)
  const { data } = useQuery(restoresQuery(projectId))
  return (
    <RestoreTable
      hint={t('restores.hint')}
      undone={t('undone')}
      restores={data?.restores ?? []}
      undo={(id) => undoRestore(projectId, id)}
      invalidates={['projects', projectId]}
    />
  )
}
