import { queryOptions } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'
import { pollWhile } from './backups.queries.ts'

export type AccountRestore = Schema<'AccountRestore'>
export type AccountRestoreItem = Schema<'AccountRestoreItem'>

const isBusy = ({ status }: AccountRestore) => status === 'PLANNING' || status === 'STARTING' || status === 'RUNNING'

export const accountRestoresQuery = queryOptions({
  queryKey: ['backups', 'account-restores'],
  queryFn: () => data(api.GET('/api/backups/account-restores')),
  ...pollWhile(({ restores }: { restores: AccountRestore[] }) => restores.some(isBusy))
})

const searched = 100

/** The latest good backups of the panel. */
export const panelBackupsQuery = queryOptions({
  queryKey: ['backups', 'panel'],
  queryFn: async () => {
    const { backups } = await data(api.GET('/api/backups', { params: { query: { limit: searched } } }))
    return backups.filter(({ subject, status }) => subject === 'PANEL' && status === 'GOOD')
  }
})
