import { api, ApiError, data } from '../../api/client.ts'
import type { FileNode } from './files.queries.ts'

export const downloadUrl = (projectId: string, { path, type }: Pick<FileNode, 'path' | 'type'>): string =>
  `/api/files/${projectId}/${type === 'dir' ? 'archive' : 'download'}?${new URLSearchParams({ path }).toString()}`

type FileOperation = 'rename' | 'move' | 'copy'

export const transfer = (projectId: string, operation: FileOperation, from: string, to: string) =>
  data(api.POST(`/api/files/{id}/${operation}`, { params: { path: { id: projectId } }, body: { from, to } }))

export async function makeFolder(projectId: string, path: string): Promise<void> {
  try {
    await data(api.POST('/api/files/{id}/mkdir', { params: { path: { id: projectId } }, body: { path } }))
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'FILE_ALREADY_EXISTS')) throw error
  }
}
