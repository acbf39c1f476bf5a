import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Section } from '../../ui/section.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { useDelayedAction } from '../../ui/use-delayed-action.ts'
import { ChannelRow } from './channel-row.tsx'
import classes from './notifications.module.css'
import { notificationMessages } from './notifications.messages.ts'
import { channelsQuery } from './notifications.queries.ts'

const ChannelDialog = lazy(() => import('./channel-dialog.tsx').then((module) => ({ default: module.ChannelDialog })))
const NewSecret = lazy(() => import('./new-secret.tsx').then((module) => ({ default: module.NewSecret })))

type Channel = Schema<'NotificationChannel'>

export function ChannelsSection() {
  const t = useMessages(notificationMessages)
  const { data: channels, error, refetch } = useQuery(channelsQuery)
  const [opened, setOpened] = useState<'add' | { edit: Channel } | { secret: string }>()
  const remove = useDelayedAction<Channel>({
    run: ({ id }) => data(api.DELETE('/api/notifications/channels/{id}', { params: { path: { id } } })),
    invalidates: [['notifications']],
    doneMessage: ({ name }) => t('channel.deleted', { name })
  })
  const close = () => setOpened(undefined)
  return (
    <Section
      title={t('channels')}
      hint={t('channels.hint')}
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpened('add')}>
          {t('channel.add')}
        </Button>
      }
    >
      {error && !channels && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!channels && !error && <RowsSkeleton rows={2} />}
      {channels && (
        <table className={`${card.table} ${card.cards} ${classes.channels}`}>
          <thead>
            <tr>
              <th scope="col">{t('channel.name')}</th>
              <th scope="col">{t('channel.target')}</th>
              <th scope="col">{t('channel.state')}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {channels
              .filter(({ id }) => !remove.pending.has(id))
              .map((channel) => (
                <ChannelRow
                  key={channel.id}
                  channel={channel}
                  onEdit={() => setOpened({ edit: channel })}
                  onDelete={() => remove.start(channel)}
                />
              ))}
          </tbody>
        </table>
      )}
      <Suspense fallback={null}>
        {opened === 'add' && (
          <ChannelDialog onSecret={(secret) => setOpened({ secret })} onDone={close} onClose={close} />
        )}
        {typeof opened === 'object' && 'edit' in opened && (
          <ChannelDialog channel={opened.edit} onDone={close} onClose={close} />
        )}
        {typeof opened === 'object' && 'secret' in opened && <NewSecret secret={opened.secret} onClose={close} />}
      </Suspense>
    </Section>
  )
}
