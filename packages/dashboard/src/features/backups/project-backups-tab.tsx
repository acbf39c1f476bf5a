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
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Time } from '../../ui/time.tsx'
import type { Tone } from '../../ui/tone.ts'
import { useAction } from '../../ui/use-action.ts'
import { BackupTable } from './backup-table.tsx'
import { backupMessages } from './backups.messages.ts'
import {
  type Backup,
  backupsPerPage,
  projectBackupsQuery,
  type Restore,
  restoresQuery,
  startProjectBackup,
  undoRestore
} from './backups.queries.ts'

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

const tones: Record<Restore['status'], Tone> = {
  QUEUED: 'idle',
  RUNNING: 'info',
  COMPLETED: 'ok',
  FAILED: 'bad',
  UNDONE: 'idle'
}

function Restores({ projectId }: { projectId: string }) {
  const t = useMessages(backupMessages)
  const { data } = useQuery(restoresQuery(projectId))
  const undo = useAction({
    run: (id: string) => undoRestore(projectId, id),
    invalidates: [['projects', projectId]],
    done: () => t('undone')
  })
  if (!data || data.restores.length === 0) return null
  return (
    <Section title={t('restores')} hint={t('restores.hint')}>
      <table className={`${card.table} ${card.cards}`}>
        <thead>
          <tr>
            <th scope="col">{t('column.when')}</th>
            <th scope="col">{t('column.what')}</th>
            <th scope="col">{t('column.state')}</th>
            <th scope="col" className={card.end}>
              {t('column.action')}
            </th>
          </tr>
        </thead>
        <tbody>
          {data.restores.map((restore) => (
            <tr key={restore.id}>
              <td>
                <Time at={restore.createdAt} />
              </td>
              <td>
                {restore.kind === 'DATABASE' ? t('what.database') : t(restore.path ? 'what.path' : 'what.files')}{' '}
                <Foreign>{restore.databaseName ?? restore.path ?? ''}</Foreign>
              </td>
              <td>
                <StatusBadge tone={tones[restore.status]} isBusy={restore.status === 'RUNNING'}>
                  {t(`restore.${restore.status}`)}
                </StatusBadge>
                {restore.problem !== null && (
                  <div className={card.sub}>
                    <Foreign>{restore.problem}</Foreign>
                  </div>
                )}
              </td>
              <td className={card.end}>
                {restore.undoUntil !== null && (
                  <Button variant="default" size="xs" loading={undo.isPending} onClick={() => undo.start(restore.id)}>
                    {t('undo')}
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}
