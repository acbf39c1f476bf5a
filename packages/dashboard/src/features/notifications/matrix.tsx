import { Checkbox } from '@mantine/core'
import { type NotificationKind, notificationKindNames, notificationKinds } from '@panel/contract/notifications'
import { useQuery } from '@tanstack/react-query'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Foreign } from '../../ui/foreign.tsx'
import { Section } from '../../ui/section.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { meQuery } from '../auth/me.queries.ts'
import classes from './notifications.module.css'
import { notificationMessages } from './notifications.messages.ts'
import { channelsQuery, preferencesQuery } from './notifications.queries.ts'
import { useSavePreferences } from './use-save-preferences.ts'

export function Matrix() {
  const t = useMessages(notificationMessages)
  const { data: me } = useQuery(meQuery)
  const { data: channels } = useQuery(channelsQuery)
  const { data: preferences, error, refetch } = useQuery(preferencesQuery)
  const kinds = notificationKindNames.filter(
    (kind) => notificationKinds[kind].audience === 'owner' || me?.role === 'ADMIN'
  )
  return (
    <Section title={t('matrix')} hint={t('matrix.hint')}>
      {error && !preferences && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !(channels && preferences) && <RowsSkeleton rows={8} height={36} />}
      {channels && preferences && (
        // Focusable, so that a wide table can be scrolled with the keyboard.
        <div className={classes.matrix} role="group" aria-label={t('matrix')} tabIndex={0}>
          <table className={card.table}>
            <thead>
              <tr>
                <th scope="col">{t('matrix.kind')}</th>
                {channels.map(({ id, type, name }) => (
                  <th key={id} scope="col">
                    <Foreign>{type === 'EMAIL' ? t('type.EMAIL') : name}</Foreign>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {kinds.map((kind) => (
                <Row key={kind} kind={kind} channels={channels} preferences={preferences} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  )
}

interface RowProps {
  kind: NotificationKind
  channels: readonly Schema<'NotificationChannel'>[]
  preferences: Schema<'NotificationPreferences'>
}

function Row({ kind, channels, preferences }: RowProps) {
  const t = useMessages(notificationMessages)
  const { save } = useSavePreferences()
  const selectedChannels = ({ channels: chosen }: Schema<'NotificationPreferences'>): readonly string[] =>
    chosen[kind] ??
    (notificationKinds[kind].byEmail ? channels.filter(({ type }) => type === 'EMAIL').map(({ id }) => id) : [])
  const chosen = selectedChannels(preferences)
  const toggle = (id: string, isOn: boolean) =>
    save((before) => ({
      ...before,
      channels: {
        ...before.channels,
        [kind]: [...selectedChannels(before).filter((each) => each !== id), ...(isOn ? [id] : [])]
      }
    }))
  return (
    <tr>
      <th scope="row">
        {t(`kind.${kind}`)}
        {notificationKinds[kind].isUrgent && <span className={card.sub}> {t('matrix.urgent')}</span>}
      </th>
      {channels.map(({ id, type, name }) => (
        <td key={id}>
          <Checkbox
            aria-label={t('matrix.cell', {
              kind: t(`kind.${kind}`),
              channel: type === 'EMAIL' ? t('type.EMAIL') : name
            })}
            checked={chosen.includes(id)}
            onChange={({ currentTarget }) => toggle(id, currentTarget.checked)}
          />
        </td>
      ))}
    </tr>
  )
}
