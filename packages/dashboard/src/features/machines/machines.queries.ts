import { queryOptions } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'
import type { Tone } from '../../ui/tone.ts'

export type Machine = Schema<'Machine'>
export type MachineSite = Schema<'MachineSite'>

const sitesPerPage = 50
const pollMs = 30_000

export const machinesKey = ['machines'] as const

export const machinesQuery = queryOptions({
  queryKey: machinesKey,
  queryFn: () => data(api.GET('/api/machines')),
  refetchInterval: pollMs
})

export const machineQuery = (id: string, page = 1) =>
  queryOptions({
    queryKey: [...machinesKey, id, page],
    queryFn: () =>
      data(api.GET('/api/machines/{id}', { params: { path: { id }, query: { page, limit: sitesPerPage } } })),
    placeholderData: (previous) => previous,
    refetchInterval: pollMs
  })

export const machineKeyQuery = queryOptions({
  queryKey: [...machinesKey, 'key'],
  queryFn: () => data(api.GET('/api/machine-key')),
  staleTime: Infinity
})

const at = (id: string) => ({ params: { path: { id } } })
export const addMachine = (body: Schema<'CreateMachine'>) => data(api.POST('/api/machines', { body }))
export const updateMachine = (id: string, body: Schema<'UpdateMachine'>) =>
  data(api.PATCH('/api/machines/{id}', { ...at(id), body }))
export const checkMachine = (id: string) => data(api.POST('/api/machines/{id}/check', at(id)))
export const removeMachine = (id: string) => data(api.DELETE('/api/machines/{id}', at(id)))

export const statusTones: Readonly<Record<Machine['status'], Tone>> = {
  JOINING: 'idle',
  ACTIVE: 'ok',
  PAUSED: 'idle',
  AWAY: 'bad'
}
