import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { api, ApiError, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { Editor } from '../../ui/editor/editor.tsx'
import { Notice } from '../../ui/notice.tsx'
import { shownName } from '../../ui/shown-name.ts'
import { useOnce } from '../../ui/use-once.ts'
import { FileFrame } from './file-frame.tsx'
import { fileMessages } from './files.messages.ts'
import classes from './files.module.css'
import { foldersKey } from './files.queries.ts'
import { theirsKey } from './opened-file.queries.ts'
import { LeaveGuard } from './leave-guard.tsx'
import { isProtected, nameOf } from './paths.ts'

const FileConflict = lazy(() => import('./file-conflict.tsx').then((module) => ({ default: module.FileConflict })))

interface FileEditorProps {
  projectId: string
  path: string
  opened: { content: string; etag: string }
}

/** Keeps the version that was opened, so that a refetch does not change the base of the edits. */
export function FileEditor({ projectId, path, opened }: FileEditorProps) {
  const t = useMessages(fileMessages)
  const client = useQueryClient()
  const [base, setBase] = useState(opened)
  const [shown, setShown] = useState({ content: opened.content, version: 0 })
  const [text, setText] = useState(opened.content)
  const [isConflict, setConflict] = useState(false)
  const isReadOnly = isProtected(path)
  const isDirty = text !== base.content
  const save = useOnce({
    /** ETag to replace; undefined if the file does not exist. */
    mutationFn: async ({ content, ifMatch }: { content: string; ifMatch: string | undefined }) => {
      const params = { path: { id: projectId } }
      // Creates a missing file without overwriting one that appeared meanwhile.
      const { etag } =
        ifMatch === undefined
          ? await data(api.POST('/api/files/{id}/create', { params, body: { path, content } }))
          : await data(api.POST('/api/files/{id}/write', { params, body: { path, content, ifMatch } }))
      return { content, etag }
    },
    onSuccess: (saved) => {
      setBase(saved)
      setConflict(false)
      notifications.show({ message: t('saved', { name: shownName(nameOf(path)) }), role: 'status' })
      void client.invalidateQueries({ queryKey: foldersKey(projectId) })
    },
    onError: (error) => {
      const isChanged = error instanceof ApiError && ['FILE_CHANGED', 'FILE_ALREADY_EXISTS'].includes(error.code ?? '')
      setConflict(isChanged)
      // Also if it changed again while the dialog was open.
      if (isChanged) void client.resetQueries({ queryKey: theirsKey(projectId, path) })
    }
  })
  const onSave = () => {
    if (isDirty && !save.isPending && !isReadOnly) save.mutate({ content: text, ifMatch: base.etag })
  }
  const takeTheirs = (theirs: { content: string; etag: string }) => {
    setBase(theirs)
    setText(theirs.content)
    setShown(({ version }) => ({ content: theirs.content, version: version + 1 }))
    setConflict(false)
  }
  const button = (
    <Button size="xs" disabled={!isDirty} loading={save.isPending} onClick={onSave}>
      {t('save')}
    </Button>
  )
  return (
    <FileFrame projectId={projectId} path={path} actions={!isReadOnly && button}>
      {isReadOnly && <Notice tone="info">{t('readOnly')}</Notice>}
      {save.error && !isConflict && <Notice tone="bad">{save.error.message}</Notice>}
      <div className={classes.editor}>
        <Editor
          key={shown.version}
          label={shownName(nameOf(path))}
          fileName={nameOf(path)}
          value={shown.content}
          isReadOnly={isReadOnly}
          onChange={setText}
          onSave={onSave}
        />
      </div>
      <p className={classes.keys}>{isDirty ? t('unsaved') : t('keys')}</p>
      <LeaveGuard isOn={isDirty} name={nameOf(path)} />
      {isConflict && (
        <Suspense fallback={null}>
          <FileConflict
            projectId={projectId}
            path={path}
            mine={text}
            isPending={save.isPending}
            onTheirs={takeTheirs}
            onOverwrite={(ifMatch) => save.mutate({ content: text, ifMatch })}
            onClose={() => setConflict(false)}
          />
        </Suspense>
      )}
    </FileFrame>
  )
}
