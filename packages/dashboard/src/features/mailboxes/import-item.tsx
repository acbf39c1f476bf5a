import { Button } from '@mantine/core'
import { api, data, type Schema } from '../../api/client.ts'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Foreign } from '../../ui/foreign.tsx'
import { Meter } from '../../ui/meter.tsx'
import { Notice } from '../../ui/notice.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Time } from '../../ui/time.tsx'
import type { Tone } from '../../ui/tone.ts'
import { useAction } from '../../ui/use-action.ts'
import { importMessages } from './imports.messages.ts'
import classes from './mailboxes.module.css'
import { isImporting } from './mailboxes.queries.ts'

const tones: Record<Schema<'MailboxImport'>['status'], { tone: Tone; isBusy?: true }> = {
  QUEUED: { tone: 'info', isBusy: true },
  RUNNING: { tone: 'info', isBusy: true },
  COMPLETED: { tone: 'ok' },
  FAILED: { tone: 'bad' },
  CANCELLED: { tone: 'idle' }
}

export function ImportItem({ one }: { one: Schema<'MailboxImport'> }) {
  const t = useMessages(importMessages)
  const { id, mailboxId, status, host, username, reason, leftOut, createdAt } = one
  const cancel = useAction({
    run: () => data(api.POST('/api/mailboxes/{id}/imports/{importId}/cancel', { params: { path: { id: mailboxId, importId: id } } })), // oxfmt-ignore
    invalidates: [['mailboxes', mailboxId, 'imports']],
    done: () => t('cancelled')
  })
  return (
    <li>
      <div className={classes.importHead}>
        <StatusBadge {...tones[status]}>{t(`status.${status}`)}</StatusBadge>
        <Foreign dir="ltr" className={classes.targets}>{`${username}@${host}`}</Foreign>
        <span className={card.sub}>
          <Time at={createdAt} />
        </span>
        {isImporting(one) && (
          <Button size="xs" variant="default" loading={cancel.isPending} onClick={() => cancel.start()}>
            {t('cancel')}
          </Button>
        )}
      </div>
      <Progress one={one} />
      {reason !== null && (
        <Notice tone={status === 'FAILED' ? 'bad' : 'warn'}>
          <Foreign>{reason}</Foreign>
        </Notice>
      )}
      {leftOut.map((left) => (
        <p key={left.folder + left.reason} className={card.sub}>
          {t('leftOut', left)}
        </p>
      ))}
    </li>
  )
}

function Progress({ one: { progress, host } }: { one: Schema<'MailboxImport'> }) {
  const t = useMessages(importMessages)
  const i18n = useI18n()
  const { done, total } = progress.messages
  const bytes = i18n.bytes(progress.bytes.done)
  if (total === null) return <span className={card.sub}>{t('progress.unknown', { count: done, bytes })}</span>
  return (
    <Meter label={t('progress.of', { host })} used={done} of={total} isProgress>
      {t('progress', { done, count: total, bytes })}
    </Meter>
  )
}
