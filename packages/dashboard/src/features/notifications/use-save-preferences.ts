import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'
import { channelsQuery, preferencesQuery } from './notifications.queries.ts'

type Preferences = Schema<'NotificationPreferences'>

const savingKey = ['notification-preferences']

/**
 * They are saved as a whole, one after the other. A tick is seen at once, and what is sent is all that is ticked by then; where that is
 * refused, the page says so.
 */
export function useSavePreferences({ onSaved }: { onSaved?: () => void } = {}) {
  const client = useQueryClient()
  const { queryKey } = preferencesQuery
  const { mutate, isPending } = useMutation({
    mutationKey: savingKey,
    scope: { id: 'notification-preferences' },
    mutationFn: () => {
      const { quietHours, channels } = client.getQueryData(queryKey)!
      // A channel that is gone may still stand there, which is refused.
      const known = new Set(client.getQueryData(channelsQuery.queryKey)?.map(({ id }) => id))
      const chosen = Object.entries(channels).map(([kind, ids]) => [kind, ids.filter((id) => known.has(id))])
      return data(api.PUT('/api/notifications/preferences', { body: { quietHours, channels: Object.fromEntries(chosen) } })) // prettier-ignore
    },
    onSuccess: () => onSaved?.(),
    onError: ({ message }) => notifications.show({ color: 'red', autoClose: false, message, role: 'alert' }),
    // What was asked for meanwhile may have come from before: after the last one the page asks what counts.
    onSettled: () =>
      client.isMutating({ mutationKey: savingKey }) === 1 ? client.invalidateQueries({ queryKey }) : undefined
  })
  const save = (change: (before: Preferences) => Preferences) => {
    // An answer that is on its way would untick it again.
    void client.cancelQueries({ queryKey })
    client.setQueryData(queryKey, (before) => before && change(before))
    mutate()
  }
  return { save, isPending }
}
