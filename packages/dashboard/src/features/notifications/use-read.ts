import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'

/** Marks one notification as read, or all if called without an id. Errors are ignored. */
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
