import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SentenceText } from '../../ui/sentence-text.tsx'
import { wordpressTaskMessages } from '../../ui/shared-texts/wordpress-task.messages.ts'
import { careMessages } from './care.messages.ts'
import type { Task } from './care.queries.ts'

const message = { task: wordpressTaskMessages }
const tones = { RUNNING: 'info', SUCCEEDED: 'ok', ROLLED_BACK: 'bad', FAILED: 'bad' } as const

export function TaskNotice({ task }: { task: Task }) {
  const t = useMessages(careMessages)
  const { dateTime } = useI18n()
  const { status, step, kind, done, items, changed, skipped, problem, problemSentences, replacement, updatedAt } = task
  if (status === 'RUNNING')
    return (
      <Notice tone="info">
        {t(`task.${kind}`)}: {t(`step.${step}`)}
        {items.length > 0 && ` (${t('progress', { done, all: items.length })})`}
      </Notice>
    )
  return (
    <Notice tone={tones[status]}>
      {t(`task.${kind}`)}, {dateTime(updatedAt)}: {t(`status.${status}`)}{' '}
      {problem !== null && (
        <SentenceText by={message} sentences={problemSentences}>
          {problem}
        </SentenceText>
      )}
      {changed !== null && t(replacement?.dryRun ? 'counted' : 'changed', { count: changed })}
      {skipped !== null && skipped > 0 && ` ${t('skipped', { count: skipped })}`}
    </Notice>
  )
}
