import { useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { RowsSkeleton } from '../../ui/states.tsx'
import { FolderView } from './folder-view.tsx'

const OpenFile = lazy(() => import('./open-file.tsx').then((module) => ({ default: module.OpenFile })))

export function FilesTab() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/files' })
  const { path = '', open } = useSearch({ from: '/signed-in/projects/$projectId/files' })
  if (open === undefined) return <FolderView key={path} projectId={projectId} path={path} />
  return (
    <Suspense fallback={<RowsSkeleton rows={12} height={20} />}>
      <OpenFile key={open} projectId={projectId} path={open} />
    </Suspense>
  )
}
