import { queryOptions } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'

export const backupFilesQuery = (projectId: string, backupId: string, path: string, volume?: string) =>
  queryOptions({
    queryKey: ['projects', projectId, 'backups', backupId, 'files', volume ?? '', path],
    queryFn: () =>
      data(
        api.GET('/api/projects/{id}/backups/{backupId}/files', {
          params: { path: { id: projectId, backupId }, query: { path, ...(volume !== undefined && { volume }) } }
        })
      )
  })
