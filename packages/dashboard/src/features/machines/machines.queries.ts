import type { PlacementText } from '@panel/contract/machine-texts'
import { queryOptions } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'
import type { Tone } from '../../ui/tone.ts'

export type Machine = Schema<'Machine'>
export type MachineSite = Schema<'MachineSite'>
export type MachineDrain = Schema<'MachineDrain'>

const sitesPerPage = 50
const pollMs = 30_000
const drainPollMs = 5_000

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
    refetchInterval: ({ state: { data: found } }) =>
      found && ((isLeft(found.machine) && found.drain.moving > 0) || isUpgrading(found.machine)) ? drainPollMs : pollMs
  })

/** Whether projects are started on other machines. */
export const isLeft = ({ isDraining, status }: Machine): boolean => isDraining || status === 'AWAY'

export const isUpgrading = ({ upgrade }: Machine): boolean =>
  upgrade !== null && !upgrade.failure && upgrade.endedAt === null

const staysFor: ReadonlySet<string> = new Set(['FILES', 'VOLUMES', 'REACHABLE', 'SLEEP', 'AWAY'] satisfies PlacementText[]) // oxfmt-ignore
/** The API refuses to move the others. */
export const mayMove = ({ placement: { sentences } }: MachineSite): boolean =>
  sentences.every(({ code }) => !staysFor.has(code))

/** Those to which a site of a machine can move. */
export const targetsOf = (id: string, machines: readonly Machine[]): Machine[] =>
  machines.filter((each) => each.id !== id && each.status === 'ACTIVE' && each.roles.includes('SITES'))

export const machineKeyQuery = queryOptions({
  queryKey: [...machinesKey, 'key'],
  queryFn: () => data(api.GET('/api/machine-key')),
  staleTime: Infinity
})

const at = (id: string) => ({ params: { path: { id } } })
export const createJoinCommand = (body: Schema<'CreateJoinCommand'>) => data(api.POST('/api/machine-joins', { body }))
export const addMachine = (body: Schema<'CreateMachine'>) => data(api.POST('/api/machines', { body }))
export const updateMachine = (id: string, body: Schema<'UpdateMachine'>) =>
  data(api.PATCH('/api/machines/{id}', { ...at(id), body }))
export const checkMachine = (id: string) => data(api.POST('/api/machines/{id}/check', at(id)))
export const drainMachine = (id: string) => data(api.POST('/api/machines/{id}/drain', at(id)))
export const upgradeMachine = (id: string) => data(api.POST('/api/machines/{id}/upgrade', at(id)))
export const moveSite = (id: string, projectId: string) =>
  data(api.POST('/api/machines/{id}/sites', { ...at(id), body: { projectId } }))
/** `isLost`: with the containers of a machine that does not respond. */
export const removeMachine = (id: string, isLost: boolean) =>
  data(api.DELETE('/api/machines/{id}', { params: { path: { id }, query: isLost ? { lost: 'true' } : {} } }))

export const statusTones: Readonly<Record<Machine['status'], Tone>> = {
  JOINING: 'idle',
  ACTIVE: 'ok',
  PAUSED: 'idle',
  AWAY: 'bad'
}
