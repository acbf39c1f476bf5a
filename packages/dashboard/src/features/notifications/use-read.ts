import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'

/** Marks one as read, or all. A mark that does not come about is no loss: it is tried with the next look. */
export function useRead() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string | undefined) =>
      id === undefined
        ? data(api.POST('/api/notifications/read-all'))
        : data(api.PATCH('/api/notifications/{id}', { params: { path: { id } }, body: { isRead: true } })),
    onSettled: () => client.invalidateQueries({ queryKey: ['notifications'] })
  })
}
