import { queryOptions } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'

export type Backup = Schema<'Backup'>
export type BackupTarget = Schema<'BackupTarget'>
export type Restore = Schema<'Restore'>
export type BackupDrill = Schema<'BackupDrill'>

export interface BackupSearch {
  page?: number | undefined
}

export const backupsPerPage = 20
const busyPollMs = 2_000

const isOpen = ({ status }: { status: Backup['status'] | Restore['status'] }) =>
  status === 'QUEUED' || status === 'RUNNING'

export const pollWhile = <Data>(isBusy: (data: Data) => boolean) => ({
  refetchInterval: ({ state }: { state: { data: Data | undefined } }) =>
    state.data !== undefined && isBusy(state.data) ? busyPollMs : (false as const)
})

export const targetsQuery = queryOptions({
  queryKey: ['backups', 'targets'],
  queryFn: () => data(api.GET('/api/backups/targets'))
})

export const scheduleQuery = queryOptions({
  queryKey: ['backups', 'schedule'],
  queryFn: () => data(api.GET('/api/backups/schedule'))
})

export const serverBackupsQuery = ({ page = 1 }: BackupSearch) =>
  queryOptions({
    queryKey: ['backups', 'list', { page }],
    queryFn: () => data(api.GET('/api/backups', { params: { query: { page, limit: backupsPerPage } } })),
    ...pollWhile(({ backups }: { backups: Backup[] }) => backups.some(isOpen))
  })

export const projectBackupsQuery = (projectId: string, { page = 1 }: BackupSearch) =>
  queryOptions({
    queryKey: ['projects', projectId, 'backups', { page }],
    queryFn: () =>
      data(
        api.GET('/api/projects/{id}/backups', {
          params: { path: { id: projectId }, query: { page, limit: backupsPerPage } }
        })
      ),
    ...pollWhile(({ backups }: { backups: Backup[] }) => backups.some(isOpen))
  })

const shownDrills = 10

export const drillsQuery = queryOptions({
  queryKey: ['backups', 'drills'],
  queryFn: () => data(api.GET('/api/backups/drills', { params: { query: { limit: shownDrills } } })),
  ...pollWhile(({ drills }: { drills: BackupDrill[] }) => drills.some(isOpen))
})

export const projectDrillQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['projects', projectId, 'backup-drills'],
    queryFn: () =>
      data(api.GET('/api/projects/{id}/backup-drills', { params: { path: { id: projectId }, query: { limit: 1 } } })),
    ...pollWhile(({ drills }: { drills: BackupDrill[] }) => drills.some(isOpen))
  })

export const restoresQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['projects', projectId, 'restores'],
    queryFn: () => data(api.GET('/api/projects/{id}/restores', { params: { path: { id: projectId } } })),
    ...pollWhile(({ restores }: { restores: Restore[] }) => restores.some(isOpen))
  })

export const mailboxBackupsQuery = (mailboxId: string) =>
  queryOptions({
    queryKey: ['mailboxes', mailboxId, 'backups'],
    queryFn: () => data(api.GET('/api/mailboxes/{id}/backups', { params: { path: { id: mailboxId } } }))
  })

export const mailboxRestoresQuery = (mailboxId: string) =>
  queryOptions({
    queryKey: ['mailboxes', mailboxId, 'restores'],
    queryFn: () => data(api.GET('/api/mailboxes/{id}/restores', { params: { path: { id: mailboxId } } })),
    ...pollWhile(({ restores }: { restores: Restore[] }) => restores.some(isOpen))
  })

export const projectSettingsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['projects', projectId, 'backup-settings'],
    queryFn: () => data(api.GET('/api/projects/{id}/backup-settings', { params: { path: { id: projectId } } }))
  })
