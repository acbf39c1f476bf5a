import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'
import { channelsQuery, preferencesQuery } from './notifications.queries.ts'

type Preferences = Schema<'NotificationPreferences'>

const savingKey = ['notification-preferences']

/**
 * Saves all preferences at once, one request at a time. Changes are optimistic; each request sends the state at its start.
 */
export function useSavePreferences({ onSaved }: { onSaved?: () => void } = {}) {
  const client = useQueryClient()
  const { queryKey } = preferencesQuery
  const { mutate, isPending } = useMutation({
    mutationKey: savingKey,
    scope: { id: 'notification-preferences' },
    mutationFn: () => {
      const { quietHours, channels } = client.getQueryData(queryKey)!
      // The API rejects ids of deleted channels, which may still be selected here.
      const known = new Set(client.getQueryData(channelsQuery.queryKey)?.map(({ id }) => id))
      const chosen = Object.entries(channels).map(([kind, ids]) => [kind, ids.filter((id) => known.has(id))])
      return data(api.PUT('/api/notifications/preferences', { body: { quietHours, channels: Object.fromEntries(chosen) } })) // oxfmt-ignore
    },
    onSuccess: () => onSaved?.(),
    onError: ({ message }) => notifications.show({ color: 'red', autoClose: false, message, role: 'alert' }),
    // A refetch during an earlier save may hold old values, so refetch only after the last save.
    onSettled: () =>
      client.isMutating({ mutationKey: savingKey }) === 1 ? client.invalidateQueries({ queryKey }) : undefined
  })
  const save = (change: (before: Preferences) => Preferences) => {
    // A response in flight would undo the optimistic change.
    void client.cancelQueries({ queryKey })
    client.setQueryData(queryKey, (before) => before && change(before))
    mutate()
  }
  return { save, isPending }
}
