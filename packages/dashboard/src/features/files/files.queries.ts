import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, ApiError, data, type Schema } from '../../api/client.ts'
import { headBytes, type PictureType, pictureTypeOf } from './picture-type.ts'

export type FileNode = Schema<'FileNode'>

export const foldersKey = (projectId: string) => ['projects', projectId, 'files'] as const

const entriesPerPage = 5_000

/** By name, with folders first within each loaded page. */
export const folderQuery = (projectId: string, path: string) =>
  infiniteQueryOptions({
    queryKey: [...foldersKey(projectId), path],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: after }) =>
      data(
        api.GET('/api/files/{id}/list', {
          params: {
            path: { id: projectId },
            query: { path, limit: entriesPerPage, ...(after !== undefined && { after }) }
          }
        })
      ),
    getNextPageParam: ({ next }) => next ?? undefined,
    select: ({ pages }) => {
      const nodes = pages.flatMap((page) => page.nodes)
      return [...nodes.filter(({ type }) => type === 'dir'), ...nodes.filter(({ type }) => type === 'file')]
    }
  })

export const foundQuery = (projectId: string, path: string, name: string) =>
  queryOptions({
    queryKey: [...foldersKey(projectId), path, 'found', name],
    queryFn: ({ signal }) =>
      data(
        api.GET('/api/files/{id}/search', {
          params: { path: { id: projectId }, query: { path, name, limit: 200 } },
          signal
        })
      ),
    placeholderData: (previous) => previous
  })

type OpenedFile =
  { kind: 'text'; content: string; etag: string } | { kind: 'picture'; picture: Blob } | { kind: 'other' }

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
