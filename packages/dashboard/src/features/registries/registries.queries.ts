import { queryOptions } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'

export const registriesQuery = queryOptions({
  queryKey: ['registries'],
  queryFn: () => data(api.GET('/api/registries'))
})

export const saveRegistry = (body: Schema<'SetRegistry'>) => data(api.PUT('/api/registries', { body }))

export const removeRegistry = ({ id }: Pick<Schema<'Registry'>, 'id'>) =>
  data(api.DELETE('/api/registries/{id}', { params: { path: { id } } }))
