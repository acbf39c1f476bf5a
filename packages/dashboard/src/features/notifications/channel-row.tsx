import { Button, Switch } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Foreign } from '../../ui/foreign.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import classes from './notifications.module.css'
import { notificationMessages } from './notifications.messages.ts'

interface ChannelRowProps {
  channel: Schema<'NotificationChannel'>
  onEdit(): void
  onDelete(): void
}

export function ChannelRow({ channel, onEdit, onDelete }: ChannelRowProps) {
  const t = useMessages(notificationMessages)
  const { id, type, name, target, isEnabled, problem, lastSentAt } = channel
  // Shown in the row, because a toast closes before a long error is read.
  const [tested, setTested] = useState<Schema<'NotificationChannelTest'>>()
  const params = { path: { id } }
  const test = useAction({
    run: () => data(api.POST('/api/notifications/channels/{id}/test', { params })),
    invalidates: [['notifications']],
    onDone: setTested
  })
  const change = useAction({
    run: (isOn: boolean) => data(api.PATCH('/api/notifications/channels/{id}', { params, body: { isEnabled: isOn } })),
    invalidates: [['notifications']]
  })
  const isEmail = type === 'EMAIL'
  return (
    <tr>
      <td className={classes.channel}>
        <Foreign>{isEmail ? t('type.EMAIL') : name}</Foreign>
        {problem !== null && <span className={classes.problem}>{problem}</span>}
        {tested && (
          <span role="status">
            <StatusBadge tone={tested.isDelivered ? 'ok' : 'bad'}>
              {tested.isDelivered ? t('test.ok') : t('test.failed', { error: tested.message })}
            </StatusBadge>
          </span>
        )}
      </td>
      <td className={card.sub}>
        {isEmail ? (
          t('target.email')
        ) : (
          <>
            {t(`type.${type}`)}, <Foreign dir="ltr">{target}</Foreign>
          </>
        )}
      </td>
      <td className={card.sub}>
        <StatusBadge tone={!isEnabled ? 'idle' : problem === null ? 'ok' : 'warn'}>
          {t(!isEnabled ? 'state.off' : problem === null ? 'state.on' : 'state.failing')}
        </StatusBadge>{' '}
        {lastSentAt !== null && <Time at={lastSentAt} />}
      </td>
      <td>
        <div className={classes.acts}>
          <Switch
            size="sm"
            aria-label={t('channel.use', { name })}
            checked={isEnabled}
            disabled={change.isPending}
            onChange={({ currentTarget }) => change.start(currentTarget.checked)}
          />
          <Button size="xs" variant="default" loading={test.isPending} onClick={() => test.start()}>
            {t('test')}
          </Button>
          {!isEmail && (
            <>
              <IconButton label={t('channel.edit', { name })} onClick={onEdit}>
                <IconPencil size={16} aria-hidden />
              </IconButton>
              <IconButton label={t('channel.delete', { name })} onClick={onDelete}>
                <IconTrash size={16} aria-hidden />
              </IconButton>
            </>
          )}
        </div>
      </td>
    </tr>
  )
}
