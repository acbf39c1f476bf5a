import { Button } from '@mantine/core'
import { IconFilePlus, IconFolderPlus, IconFolderUp, IconUpload } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { lazy, type RefObject, Suspense, useRef, useState } from 'react'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { IconButton } from '../../ui/icon-button.tsx'
import { chosenFiles } from './dropped-files.ts'
import { fileMessages } from './files.messages.ts'
import classes from './files.module.css'
import { joinPath } from './paths.ts'
import type { UploadQueue } from './upload-queue.ts'

const AskText = lazy(() => import('./ask-text.tsx').then((module) => ({ default: module.AskText })))

interface FilesToolbarProps {
  projectId: string
  path: string
  queue: UploadQueue
}

export function FilesToolbar({ projectId, path, queue }: FilesToolbarProps) {
  const t = useMessages(fileMessages)
  const navigate = useNavigate({ from: '/projects/$projectId/files' })
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const [requested, setRequested] = useState<'file' | 'folder'>()
  const at = { params: { path: { id: projectId } } }
  const make = (name: string): Promise<unknown> => {
    const made = joinPath(path, name)
    return requested === 'folder'
      ? data(api.POST('/api/files/{id}/mkdir', { ...at, body: { path: made } }))
      : data(api.POST('/api/files/{id}/create', { ...at, body: { path: made, content: '' } }))
  }
  const onMade = (name: string) => {
    if (requested === 'file') void navigate({ search: { path: path || undefined, open: joinPath(path, name) } })
  }
  const chooser = (ref: RefObject<HTMLInputElement | null>, label: string, isFolder: boolean) => (
    <input
      ref={ref}
      type="file"
      multiple
      hidden
      aria-label={label}
      {...(isFolder && { webkitdirectory: '' })}
      onChange={({ currentTarget }) => {
        queue.add(chosenFiles(currentTarget.files ?? []), path)
        // Allows selecting the same file again.
        currentTarget.value = ''
      }}
    />
  )
  return (
    <div className={`${classes.acts} ${card.push}`}>
      <IconButton label={t('newFile')} onClick={() => setRequested('file')}>
        <IconFilePlus size={18} aria-hidden />
      </IconButton>
      <IconButton label={t('newFolder')} onClick={() => setRequested('folder')}>
        <IconFolderPlus size={18} aria-hidden />
      </IconButton>
      <IconButton label={t('uploadFolder')} onClick={() => folder.current?.click()}>
        <IconFolderUp size={18} aria-hidden />
      </IconButton>
      <Button size="xs" leftSection={<IconUpload size={16} aria-hidden />} onClick={() => files.current?.click()}>
        {t('upload')}
      </Button>
      {chooser(files, t('upload.files'), false)}
      {chooser(folder, t('upload.folder'), true)}
      {requested && (
        <Suspense fallback={null}>
          <AskText
            projectId={projectId}
            title={t(requested === 'file' ? 'newFile' : 'newFolder')}
            label={t('name')}
            hint={t('name.hint')}
            action={t('make')}
            send={make}
            onDone={onMade}
            onClose={() => setRequested(undefined)}
          />
        </Suspense>
      )}
    </div>
  )
}
