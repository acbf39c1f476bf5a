import { Button } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { Progress } from '../../ui/progress.tsx'
import { shownName } from '../../ui/shown-name.ts'
import { uiMessages } from '../../ui/ui.messages.ts'
import { fileMessages } from './files.messages.ts'
import classes from './files.module.css'
import { firstOf, type UploadQueue } from './upload-queue.ts'

export function UploadBar({ queue }: { queue: UploadQueue }) {
  const t = useMessages(fileMessages)
  const ui = useMessages(uiMessages)
  const { bytes } = useI18n()
  const uploads = useSyncExternalStore(queue.subscribe, queue.state)
  const { done, total, open, missing, sentBytes } = uploads
  if (total === 0) return null
  const isOver = open === 0
  return (
    <div className={classes.bar}>
      <span role="status">
        {isOver
          ? t('sent', { done, count: total })
          : t('sending', { done, count: total, sent: bytes(sentBytes), size: bytes(uploads.bytes) })}
      </span>
      <Progress label={t('progress')} value={uploads.bytes === 0 ? done / total : sentBytes / uploads.bytes} />
      <div className={classes.acts}>
        {!isOver && (
          <Button size="compact-sm" variant="default" onClick={() => queue.stop(t('stopped'))}>
            {ui('cancel')}
          </Button>
        )}
        {isOver && missing.length > 0 && (
          <Button size="compact-sm" onClick={() => queue.sendMissing()}>
            {t('sendMissing', { count: missing.length })}
          </Button>
        )}
        {isOver && (
          <Button size="compact-sm" variant="default" onClick={() => queue.forget()}>
            {ui('close')}
          </Button>
        )}
      </div>
      {missing.length > 0 && (
        <ul className={classes.missing}>
          {firstOf(uploads).map(({ path, problem }) => (
            <li key={path}>
              <bdi dir="ltr">{shownName(path)}</bdi>: {problem}
            </li>
          ))}
          {missing.length > firstOf(uploads).length && (
            <li>{t('missing.more', { count: missing.length - firstOf(uploads).length })}</li>
          )}
        </ul>
      )}
    </div>
  )
}
