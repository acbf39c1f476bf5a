import { IconPlayerPause, IconPlayerPlay, IconSend, IconTrash } from '@tabler/icons-react'
import { api, data } from '../../api/client.ts'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Foreign } from '../../ui/foreign.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Time } from '../../ui/time.tsx'
import type { Tone } from '../../ui/tone.ts'
import { useAction } from '../../ui/use-action.ts'
import { useDelayedAction } from '../../ui/use-delayed-action.ts'
import classes from './mail-queue.module.css'
import { mailQueueMessages } from './mail-queue.messages.ts'
import type { QueueFlag, QueueMessage } from './mail-queue.queries.ts'

const tones: Record<QueueFlag, { tone: Tone; isBusy?: true }> = {
  held: { tone: 'warn' },
  active: { tone: 'info', isBusy: true },
  none: { tone: 'idle' }
}

const of = (queueId: string) => ({ params: { path: { queueId } } })
const operations = {
  flush: (id: string) => data(api.POST('/api/mail/queue/{queueId}/flush', of(id))),
  hold: (id: string) => data(api.POST('/api/mail/queue/{queueId}/hold', of(id))),
  release: (id: string) => data(api.POST('/api/mail/queue/{queueId}/release', of(id)))
}
type Operation = keyof typeof operations

export function QueueTable({ messages }: { messages: readonly QueueMessage[] }) {
  const t = useMessages(mailQueueMessages)
  const action = useAction({
    run: ({ operation, id }: { operation: Operation; id: string }) => operations[operation](id),
    invalidates: [['mail-queue']],
    done: (_answer, { operation }) => t(`${operation}.done`)
  })
  const remove = useDelayedAction({
    run: ({ id }: { id: string }) => data(api.POST('/api/mail/queue/{queueId}/delete', of(id))),
    invalidates: [['mail-queue']],
    doneMessage: ({ id }) => t('deleted', { id })
  })
  return (
    <table className={`${card.table} ${card.cards} ${classes.table}`}>
      <thead>
        <tr>
          <th scope="col">{t('message')}</th>
          <th scope="col">{t('state')}</th>
          <th scope="col">{t('recipients')}</th>
          <th scope="col" className={card.end}>
            {t('size')}
          </th>
          <td />
        </tr>
      </thead>
      <tbody>
        {messages
          .filter(({ queueId }) => !remove.pending.has(queueId))
          .map((message) => (
            <Row
              key={message.queueId}
              message={message}
              isPending={action.isPending}
              onAction={(operation) => action.start({ operation, id: message.queueId })}
              onDelete={() => remove.start({ id: message.queueId })}
            />
          ))}
      </tbody>
    </table>
  )
}

interface RowProps {
  message: QueueMessage
  isPending: boolean
  onAction(operation: Operation): void
  onDelete(): void
}

function Row({ message, isPending, onAction, onDelete }: RowProps) {
  const t = useMessages(mailQueueMessages)
  const { bytes } = useI18n()
  const { queueId: id, flagged, arrivedAt, size, sender, recipients, recipientCount, reason } = message
  const more = recipientCount - recipients.length
  return (
    <tr>
      <td className={classes.message}>
        <strong className={classes.sender}>
          {sender === '' ? t('bounce') : <Foreign dir="ltr">{sender}</Foreign>}
        </strong>
        <span className={card.sub}>
          <code dir="ltr">{id}</code> · <Time at={arrivedAt} />
        </span>
      </td>
      <td>
        <StatusBadge {...tones[flagged]}>{t(`flag.${flagged}`)}</StatusBadge>
      </td>
      <td className={classes.recipients}>
        <Foreign dir="ltr">{recipients.map(({ address }) => address).join(', ')}</Foreign>
        {more > 0 && <span> {t('more', { count: more })}</span>}
        {reason !== null && (
          <p className={card.sub}>
            <Foreign>{reason}</Foreign>
          </p>
        )}
      </td>
      <td className={`${card.end} ${card.sub} ${classes.acts}`}>{bytes(size)}</td>
      <td className={`${card.end} ${classes.acts}`}>
        {flagged === 'held' ? (
          <IconButton label={t('release', { id })} disabled={isPending} onClick={() => onAction('release')}>
            <IconPlayerPlay size={16} aria-hidden />
          </IconButton>
        ) : (
          <>
            <IconButton label={t('flush', { id })} disabled={isPending} onClick={() => onAction('flush')}>
              <IconSend size={16} aria-hidden />
            </IconButton>
            <IconButton label={t('hold', { id })} disabled={isPending} onClick={() => onAction('hold')}>
              <IconPlayerPause size={16} aria-hidden />
            </IconButton>
          </>
        )}
        <IconButton label={t('delete', { id })} onClick={onDelete}>
          <IconTrash size={16} aria-hidden />
        </IconButton>
      </td>
    </tr>
  )
}
