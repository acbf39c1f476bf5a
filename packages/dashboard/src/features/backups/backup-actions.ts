import { api, data, type Schema } from '../../api/client.ts'

export const startServerBackups = () => data(api.POST('/api/backups', { body: {} }))
export const startDrill = () => data(api.POST('/api/backups/drills', { body: {} }))
export const startProjectBackup = (id: string) =>
  data(api.POST('/api/projects/{id}/backups', { params: { path: { id } }, body: {} }))
export const confirmKey = (id: string, key: string) =>
  data(api.POST('/api/backups/targets/{id}/confirm', { params: { path: { id } }, body: { key } }))
export const removeTarget = (id: string) => data(api.DELETE('/api/backups/targets/{id}', { params: { path: { id } } }))
export const startRestore = (projectId: string, backupId: string, body: Schema<'StartRestore'>) =>
  data(api.POST('/api/projects/{id}/backups/{backupId}/restore', { params: { path: { id: projectId, backupId } }, body })) // oxfmt-ignore
export const undoRestore = (projectId: string, restoreId: string) =>
  data(api.POST('/api/projects/{id}/restores/{restoreId}/undo', { params: { path: { id: projectId, restoreId } } }))
export const startMailboxRestore = (id: string, backupId: string) =>
  data(api.POST('/api/mailboxes/{id}/backups/{backupId}/restore', { params: { path: { id, backupId } } }))
export const undoMailboxRestore = (id: string, restoreId: string) =>
  data(api.POST('/api/mailboxes/{id}/restores/{restoreId}/undo', { params: { path: { id, restoreId } } }))
