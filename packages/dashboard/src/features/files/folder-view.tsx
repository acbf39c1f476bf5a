import { Button, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconFolderUp, IconSearch } from '@tabler/icons-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type DragEvent, useRef, useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { useSearchText } from '../../ui/use-search-text.ts'
import { droppedFiles } from './dropped-files.ts'
import { FileTable } from './file-table.tsx'
import { FilesToolbar } from './files-toolbar.tsx'
import { fileMessages } from './files.messages.ts'
import classes from './files.module.css'
import { folderQuery } from './files.queries.ts'
import { FolderPath } from './folder-path.tsx'
import { FoundFiles } from './found-files.tsx'
import { UploadBar } from './upload-bar.tsx'
import { type UploadQueue, uploadsOf } from './upload-queue.ts'

export function FolderView({ projectId, path, q }: { projectId: string; path: string; q: string | undefined }) {
  const t = useMessages(fileMessages)
  const queue = uploadsOf(useQueryClient(), projectId)
  const { isOver, target } = useDrop(queue, path)
  return (
    <section
      className={`${card.card} ${classes.drop}`}
      aria-label={t('title')}
      data-over={isOver || undefined}
      {...target}
    >
      <div className={card.toolbar}>
        <FolderPath path={path} />
        <FilesToolbar projectId={projectId} path={path} queue={queue} />
      </div>
      <div className={card.toolbar}>
        <Search text={q} />
      </div>
      <UploadBar queue={queue} />
      {q === undefined ? (
        <Entries projectId={projectId} path={path} />
      ) : (
        <FoundFiles projectId={projectId} path={path} text={q} />
      )}
    </section>
  )
}

function Search({ text }: { text: string | undefined }) {
  const t = useMessages(fileMessages)
  const navigate = useNavigate({ from: '/projects/$projectId/files' })
  const setSearch = useSearchText(
    (typed) => void navigate({ search: (search) => ({ ...search, q: typed || undefined }), replace: true })
  )
  return (
    <TextInput
      className={card.search!}
      aria-label={t('search')}
      placeholder={t('search')}
      defaultValue={text ?? ''}
      maxLength={255}
      onChange={({ target }) => setSearch(target.value)}
      leftSection={<IconSearch size={16} aria-hidden />}
    />
  )
}

function Entries({ projectId, path }: { projectId: string; path: string }) {
  const t = useMessages(fileMessages)
  const {
    data: nodes,
    error,
    refetch,
    hasNextPage,
    fetchNextPage,
    isFetchingNextPage
  } = useInfiniteQuery(folderQuery(projectId, path))
  if (error && !nodes) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!nodes) return <RowsSkeleton rows={8} height={41} />
  if (nodes.length === 0)
    return (
      <EmptyState
        icon={<IconFolderUp size={28} stroke={1.5} aria-hidden />}
        title={t('empty')}
        hint={t('empty.hint')}
      />
    )
  return (
    <>
      <FileTable projectId={projectId} folder={path} nodes={nodes} />
      {hasNextPage && (
        <div className={classes.more}>
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('more')}
          </Button>
        </div>
      )}
    </>
  )
}

function useDrop(queue: UploadQueue, path: string) {
  // dragenter of a child fires before dragleave of its parent.
  const depth = useRef(0)
  const [isOver, setOver] = useState(false)
  const enter = (by: 1 | -1) => {
    depth.current += by
    setOver(depth.current > 0)
  }
  const target = {
    onDragEnter: () => enter(1),
    onDragLeave: () => enter(-1),
    onDragOver: (event: DragEvent) => event.preventDefault(),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      depth.current = 0
      setOver(false)
      droppedFiles(event.dataTransfer).then(
        (found) => queue.add(found, path),
        ({ message }: Error) => notifications.show({ color: 'red', autoClose: false, message, role: 'alert' })
      )
    }
  }
  return { isOver, target }
}
