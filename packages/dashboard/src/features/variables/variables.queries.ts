import { queryOptions } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'

export const variablesKey = (id: string) => ['projects', id, 'variables']

export const variablesQuery = (id: string) =>
  queryOptions({
    queryKey: variablesKey(id),
    queryFn: () => data(api.GET('/api/projects/{id}/env', { params: { path: { id } } }))
  })
