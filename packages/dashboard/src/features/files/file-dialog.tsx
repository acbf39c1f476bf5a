import { notifications } from '@mantine/notifications'
import { lazy, Suspense } from 'react'
import { api, data } from '../../api/client.ts'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { shownName } from '../../ui/shown-name.ts'
import { useAction } from '../../ui/use-action.ts'
import { fileMessages } from './files.messages.ts'
import { makeFolder, transfer } from './file-actions.ts'
import { type FileNode, foldersKey } from './files.queries.ts'
import { joinPath, nameOf, parentOf } from './paths.ts'

const AskText = lazy(() => import('./ask-text.tsx').then((module) => ({ default: module.AskText })))
const ChangeMode = lazy(() => import('./change-mode.tsx').then((module) => ({ default: module.ChangeModeDialog })))
const ConfirmName = lazy(() => import('../../ui/confirm-name.tsx').then((module) => ({ default: module.ConfirmName })))

export type FileAction = 'rename' | 'move' | 'copy' | 'chmod' | 'unpack' | 'delete'

interface FileDialogProps {
  projectId: string
  node: FileNode
  onClose(): void
}

export function FileDialog({ action, ...props }: FileDialogProps & { action: FileAction }) {
  return (
    <Suspense fallback={null}>
      {action === 'delete' ? (
        <DeleteFolder {...props} />
      ) : action === 'chmod' ? (
        <ChangeMode {...props} />
      ) : action === 'unpack' ? (
        <Unpack {...props} />
      ) : (
        <Transfer {...props} operation={action} />
      )}
    </Suspense>
  )
}

function Transfer({
  projectId,
  node,
  operation,
  onClose
}: FileDialogProps & { operation: 'rename' | 'move' | 'copy' }) {
  const t = useMessages(fileMessages)
  const { name, path } = node
  const isRename = operation === 'rename'
  return (
    <AskText
      projectId={projectId}
      title={t(`${operation}.title`, { name: shownName(name) })}
      label={t(isRename ? 'newName' : 'target')}
      {...(!isRename && { hint: t('target.hint') })}
      initial={isRename ? name : path}
      action={t(operation)}
      send={(text) => transfer(projectId, operation, path, isRename ? joinPath(parentOf(path), text) : text)}
      onDone={(text) => {
        const to = shownName(isRename ? nameOf(text) : text)
        notifications.show({ message: t(`${operation}.done`, { name: shownName(name), to }), role: 'status' })
      }}
      onClose={onClose}
    />
  )
}

function Unpack({ projectId, node: { name, path }, onClose }: FileDialogProps) {
  const t = useMessages(fileMessages)
  const { bytes } = useI18n()
  const unpack = async (to: string) => {
    const at = { params: { path: { id: projectId } } }
    if (to !== '') await makeFolder(projectId, to)
    const unpacked = await data(api.POST('/api/files/{id}/extract', { ...at, body: { path, to } }))
    const message = t('unpack.done', { count: unpacked.files, size: bytes(unpacked.bytes) })
    notifications.show({ message, role: 'status' })
  }
  return (
    <AskText
      projectId={projectId}
      title={t('unpack.title', { name: shownName(name) })}
      label={t('unpack.to')}
      hint={t('unpack.hint')}
      initial={joinPath(parentOf(path), name.replace(/\.(zip|tar|tar\.gz|tgz)$/i, ''))}
      action={t('unpack')}
      send={unpack}
      onClose={onClose}
    />
  )
}

function DeleteFolder({ projectId, node: { name, path }, onClose }: FileDialogProps) {
  const t = useMessages(fileMessages)
  const remove = useAction({
    run: () => data(api.DELETE('/api/files/{id}/delete', { params: { path: { id: projectId } }, body: { path } })),
    invalidates: [foldersKey(projectId)],
    done: () => t('deleted', { name: shownName(name) }),
    onDone: onClose
  })
  return (
    <ConfirmName
      title={t('delete.title', { name: shownName(name) })}
      name={name}
      action={t('delete.folder')}
      isPending={remove.isPending}
      onConfirm={() => remove.start()}
      onClose={onClose}
    >
      {t('delete.hint')}
    </ConfirmName>
  )
}
