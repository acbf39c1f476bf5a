import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import { VolumeTable } from './volume-table.tsx'
import { volumeMessages } from './volumes.messages.ts'
import { deleteVolume, type ProjectVolume, volumesKey, volumesQuery } from './volumes.queries.ts'

const VolumeForm = lazy(() => import('./volume-form.tsx').then((module) => ({ default: module.VolumeForm })))
const ResizeVolumeForm = lazy(() =>
  import('./resize-volume.tsx').then((module) => ({ default: module.ResizeVolumeForm }))
)
const ConfirmName = lazy(() => import('../../ui/confirm-name.tsx').then((module) => ({ default: module.ConfirmName })))

export function VolumesTab() {
  const t = useMessages(volumeMessages)
  const { bytes } = useI18n()
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/volumes' })
  const { data: list, error, refetch } = useQuery(volumesQuery(projectId))
  const [isAdding, setAdding] = useState(false)
  const [resizing, setResizing] = useState<ProjectVolume>()
  const [deleting, setDeleting] = useState<ProjectVolume>()
  const remove = useAction({
    run: (name: string) => deleteVolume(projectId, name),
    invalidates: [volumesKey(projectId)],
    done: () => t('deleted', { name: deleting?.name ?? '' }),
    onDone: () => setDeleting(undefined)
  })
  if (error && !list) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!list) return <RowsSkeleton />
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
      {t('add')}
    </Button>
  )
  const isEmpty = list.volumes.length === 0
  return (
    <Section title={t('title')} hint={t('hint')} actions={!isEmpty && add}>
      {isEmpty ? (
        <EmptyState title={t('none')} hint={t('none.hint')} action={add} />
      ) : (
        <VolumeTable projectId={projectId} volumes={list.volumes} onResize={setResizing} onDelete={setDeleting} />
      )}
      <Suspense fallback={null}>
        {isAdding && <VolumeForm projectId={projectId} onClose={() => setAdding(false)} />}
        {resizing && (
          <ResizeVolumeForm projectId={projectId} volume={resizing} onClose={() => setResizing(undefined)} />
        )}
        {deleting && (
          <ConfirmName
            title={t('delete.title', { name: deleting.name })}
            name={deleting.name}
            action={t('delete.action')}
            isPending={remove.isPending}
            onConfirm={() => remove.start(deleting.name)}
            onClose={() => setDeleting(undefined)}
          >
            {t('delete.hint', { used: bytes(deleting.usedBytes) })}
          </ConfirmName>
        )}
      </Suspense>
    </Section>
  )
}
