import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { shownName } from '../../ui/shown-name.ts'
import { FileFrame } from './file-frame.tsx'
import { fileMessages } from './files.messages.ts'
import classes from './files.module.css'
import { openedFileQuery } from './opened-file.queries.ts'
import { nameOf } from './paths.ts'

const FileEditor = lazy(() => import('./file-editor.tsx').then((module) => ({ default: module.FileEditor })))

interface OpenFileProps {
  projectId: string
  path: string
}

export function OpenFile({ projectId, path }: OpenFileProps) {
  const t = useMessages(fileMessages)
  const { data: file, error, refetch } = useQuery(openedFileQuery(projectId, path))
  if (file?.kind === 'text')
    return (
      <Suspense fallback={<RowsSkeleton rows={12} height={20} />}>
        <FileEditor projectId={projectId} path={path} opened={file} />
      </Suspense>
    )
  return (
    <FileFrame projectId={projectId} path={path}>
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !file ? (
        <RowsSkeleton rows={12} height={20} />
      ) : file.kind === 'picture' ? (
        <Picture picture={file.picture} name={nameOf(path)} />
      ) : (
        <EmptyState title={t('notText')} hint={t('notText.hint')} />
      )}
    </FileFrame>
  )
}

function Picture({ picture, name }: { picture: Blob; name: string }) {
  const image = useRef<HTMLImageElement>(null)
  useEffect(() => {
    const url = URL.createObjectURL(picture)
    image.current!.src = url
    return () => URL.revokeObjectURL(url)
  }, [picture])
  return (
    <div className={classes.picture}>
      <img ref={image} alt={shownName(name)} />
    </div>
  )
}
