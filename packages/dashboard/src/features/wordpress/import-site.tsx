import { Button } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { lazy, Suspense, useRef, useState } from 'react'
import type { Schema } from '../../api/client.ts'
import { sendForm } from '../../api/send-form.ts'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Progress } from '../../ui/progress.tsx'
import { shownName } from '../../ui/shown-name.ts'
import { useOnce } from '../../ui/use-once.ts'
import { wordpressMessages } from './wordpress.messages.ts'
import classes from './wordpress.module.css'
import { importKey, importUrl } from './wordpress.queries.ts'

const ConfirmName = lazy(() => import('../../ui/confirm-name.tsx').then((module) => ({ default: module.ConfirmName })))

interface ImportSiteProps {
  project: Schema<'Project'>
  latest: Schema<'WordpressImport'> | null
}

export function ImportSite({ project, latest }: ImportSiteProps) {
  const t = useMessages(wordpressMessages)
  const { bytes } = useI18n()
  const chooser = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<File>()
  const { send, sent, isPending, error } = useSending(project.id)
  const isUploading = isPending && sent !== undefined && chosen !== undefined && sent < chosen.size
  useBlocker({ shouldBlockFn: () => false, enableBeforeUnload: () => isUploading })
  const isRunning = isPending || latest?.status === 'RUNNING'
  const start = (archive: File) => send(archive, () => setChosen(undefined))
  const choose = (archive: File | undefined) => {
    setChosen(archive)
    // No confirmation: the site has never been deployed, so nothing is overwritten.
    if (archive && project.deployedAt === null) start(archive)
  }
  return (
    <>
      {error && error.message !== latest?.errorMessage && <Notice tone="bad">{error.message}</Notice>}
      {isUploading && (
        <div className={classes.progress}>
          <p role="status" className={classes.word}>
            {t('uploading', { name: shownName(chosen.name), sent: bytes(sent), size: bytes(chosen.size) })}
          </p>
          <Progress label={t('upload.progress')} value={sent / chosen.size} />
        </div>
      )}
      <input
        ref={chooser}
        type="file"
        hidden
        accept=".zip,.tar,.gz,.tgz"
        aria-label={t('archive')}
        onChange={({ currentTarget }) => {
          choose(currentTarget.files?.[0])
          currentTarget.value = ''
        }}
      />
      <Button
        variant="default"
        disabled={isRunning}
        loading={isPending}
        leftSection={<IconUpload size={16} aria-hidden />}
        onClick={() => chooser.current?.click()}
      >
        {t('choose')}
      </Button>
      {chosen && project.deployedAt !== null && !isPending && (
        <Suspense fallback={null}>
          <ConfirmName
            title={t('replace')}
            name={project.name}
            action={t('replace')}
            isPending={isPending}
            onConfirm={() => start(chosen)}
            onClose={() => setChosen(undefined)}
          >
            {t('replace.hint', { name: shownName(chosen.name) })}
          </ConfirmName>
        </Suspense>
      )}
    </>
  )
}

function useSending(projectId: string) {
  const client = useQueryClient()
  const [sent, setSent] = useState<number>()
  const check = () => client.invalidateQueries({ queryKey: importKey(projectId) })
  const { mutate, isPending, error } = useOnce({
    mutationFn: (archive: File) => {
      const form = new FormData()
      form.append('archive', archive, archive.name)
      let isStarted = false
      const onProgress = (bytes: number) => {
        setSent(bytes)
        if (!isStarted || bytes >= archive.size) void check()
        isStarted = true
      }
      return sendForm(importUrl(projectId), { form, onProgress })
    },
    onMutate: () => setSent(0),
    onSettled: () => client.invalidateQueries({ queryKey: ['projects', projectId] })
  })
  return {
    isPending,
    error,
    sent,
    send: (archive: File, onEnd: () => void) => (isPending ? undefined : mutate(archive, { onSettled: onEnd }))
  }
}
