import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'
import { meQuery } from '../auth/me.queries.ts'

type Preference = Partial<Pick<Schema<'User'>, 'locale' | 'timezone' | 'theme'>>

export function usePreference(): (preference: Preference) => void {
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: (body: Preference) => data(api.PATCH('/api/users/me', { body })),
    onMutate: (preference) => {
      const before = client.getQueryData(meQuery.queryKey)
      if (before) client.setQueryData(meQuery.queryKey, { ...before, ...preference })
      return before
    },
    onSuccess: (me) => client.setQueryData(meQuery.queryKey, me),
    onError: ({ message }, _preference, before) => {
      if (before) client.setQueryData(meQuery.queryKey, before)
      notifications.show({ color: 'red', autoClose: false, message, role: 'alert' })
    }
  })
  return mutate
}
