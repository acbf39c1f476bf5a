import { queryOptions } from '@tanstack/react-query'
import { api, ApiError, data } from '../../api/client.ts'
import { headBytes, type PictureType, pictureTypeOf } from './picture-type.ts'

type OpenedFile =
  | { kind: 'text'; content: string; etag: string }
  | { kind: 'picture'; picture: Blob }
  | { kind: 'other' }

const pictureBytes = 20 * 1024 * 1024

export const readFile = (projectId: string, path: string) =>
  data(api.GET('/api/files/{id}/read', { params: { path: { id: projectId }, query: { path } } }))

export const theirsKey = (projectId: string, path: string) => ['file', projectId, path, 'theirs'] as const

/** Text, an image (by its first bytes) or neither. Not cached, because it may hold secrets. */
export const openedFileQuery = (projectId: string, path: string) =>
  queryOptions({
    queryKey: ['file', projectId, path],
    staleTime: 'static',
    gcTime: 0,
    queryFn: async (): Promise<OpenedFile> => {
      try {
        const { content, etag } = await readFile(projectId, path)
        return { kind: 'text', content, etag }
      } catch (error) {
        const isNoText = error instanceof ApiError && ['NOT_TEXT', 'PAYLOAD_TOO_LARGE'].includes(error.code ?? '')
        if (!isNoText) throw error
        const picture = await pictureAt(projectId, path)
        return picture ? { kind: 'picture', picture } : { kind: 'other' }
      }
    }
  })

async function pictureAt(projectId: string, path: string): Promise<Blob | undefined> {
  const type = await typeAt(projectId, path)
  if (type === undefined) return undefined
  const whole = await download(projectId, path)
  return new Blob([whole], { type })
}

async function typeAt(projectId: string, path: string): Promise<PictureType | undefined> {
  const answer = api.GET('/api/files/{id}/download', {
    params: { path: { id: projectId }, query: { path } },
    headers: { Range: `bytes=0-${headBytes - 1}` },
    parseAs: 'arrayBuffer'
  })
  const head = (await data(answer)) as ArrayBuffer
  const size = Number((await answer).response.headers.get('Content-Range')?.split('/')[1] ?? Infinity)
  return size > pictureBytes ? undefined : pictureTypeOf(new Uint8Array(head))
}

const download = async (projectId: string, path: string): Promise<ArrayBuffer> =>
  (await data(
    api.GET('/api/files/{id}/download', {
      params: { path: { id: projectId }, query: { path } },
      parseAs: 'arrayBuffer'
    })
  )) as ArrayBuffer
