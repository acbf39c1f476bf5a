import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'

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
