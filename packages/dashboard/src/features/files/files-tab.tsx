import { useMediaQuery } from '@mantine/hooks'
import { useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { RowsSkeleton } from '../../ui/states.tsx'
import classes from './files.module.css'
import { FolderView } from './folder-view.tsx'
import { RootSelect } from './root-select.tsx'

const OpenFile = lazy(() => import('./open-file.tsx').then((module) => ({ default: module.OpenFile })))
const FolderTree = lazy(() => import('./folder-tree.tsx').then((module) => ({ default: module.FolderTree })))

/** From this width the tree fits beside the list. */
const hasTree = '(min-width: 75em)'

export function FilesTab() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/files' })
  const { path = '', open, q, volume } = useSearch({ from: '/signed-in/projects/$projectId/files' })
  const isWide = useMediaQuery(hasTree, false, { getInitialValueInEffect: false })
  // The API has the files of a volume at its id, as those of a project.
  const rootId = volume ?? projectId
  if (open !== undefined)
    return (
      <Suspense fallback={<RowsSkeleton rows={12} height={20} />}>
        <OpenFile key={`${rootId}/${open}`} projectId={rootId} path={open} />
      </Suspense>
    )
  return (
    <>
      <RootSelect projectId={projectId} volume={volume} />
      <div className={classes.sides} data-wide={isWide || undefined}>
        {isWide && (
          <Suspense fallback={<RowsSkeleton rows={3} height={20} />}>
            <FolderTree key={rootId} projectId={rootId} path={path} />
          </Suspense>
        )}
        <FolderView key={`${rootId}/${path}`} projectId={rootId} path={path} q={q} />
      </div>
    </>
  )
}
