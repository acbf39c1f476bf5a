import { Button } from '@mantine/core'
import { useState } from 'react'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { ConfirmName } from '../../ui/confirm-name.tsx'
import { useAction } from '../../ui/use-action.ts'
import { careMessages } from './care.messages.ts'
import { startUndo, type Task, tasksKey } from './care.queries.ts'
import classes from './wordpress.module.css'

/** Of a copy or an update whose saved state is kept. */
export function UndoChange({ task, name, isBusy }: { task: Task; name: string; isBusy: boolean }) {
  const t = useMessages(careMessages)
  const { dateTime } = useI18n()
  const [isConfirming, setConfirming] = useState(false)
  const undo = useAction({
    run: () => startUndo(task),
    invalidates: [tasksKey(task.projectId)],
    onDone: () => setConfirming(false),
    done: () => t('undo.started')
  })
  if (task.undoUntil === null) return null
  const { files, database } = task.copy ?? { files: true, database: true }
  const parts = files && database ? 'both' : files ? 'files' : 'database'
  return (
    <div className={classes.row}>
      <Button variant="default" disabled={isBusy || undo.isPending} onClick={() => setConfirming(true)}>
        {t('undo')}
      </Button>
      <span className={classes.word}>{t('undo.until', { at: dateTime(task.undoUntil) })}</span>
      {isConfirming && (
        <ConfirmName
          title={t(task.kind === 'COPY' ? 'undo.title.COPY' : 'undo.title.UPDATE')}
          name={name}
          action={t('undo')}
          isPending={undo.isPending}
          onConfirm={() => undo.start()}
          onClose={() => setConfirming(false)}
        >
          {t(`undo.hint.${parts}`, { at: dateTime(task.updatedAt) })}
        </ConfirmName>
      )}
    </div>
  )
}
