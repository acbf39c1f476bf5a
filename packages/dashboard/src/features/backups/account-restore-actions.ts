import { api, data } from '../../api/client.ts'

const of = (id: string) => ({ params: { path: { id } } })

export const startAccountRestore = (id: string, skip: string[]) =>
  data(api.POST('/api/backups/account-restores/{id}/start', { ...of(id), body: { skip } }))
export const undoAccountRestore = (id: string) => data(api.POST('/api/backups/account-restores/{id}/undo', of(id)))
export const keepAccountRestore = (id: string) => data(api.POST('/api/backups/account-restores/{id}/keep', of(id)))
