import { queryOptions } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'

export type ServerDisk = Schema<'ServerDisk'>
export type FileSystem = Schema<'ServerDiskFileSystem'>
export type DiskCleanup = Schema<'DiskCleanup'>
export type CleanupGroup = Schema<'DiskCleanupGroup'>
export type CleanupKind = CleanupGroup['kind']

const busyPollMs = 2_000
const pollMs = 60_000

export const isRunning = ({ status }: DiskCleanup): boolean => status === 'QUEUED' || status === 'RUNNING'

export const serverDiskQuery = queryOptions({
  queryKey: ['server-disk'],
  queryFn: () => data(api.GET('/api/system/disk')),
  refetchInterval: ({ state }) => {
    const { cleanup = null, measuredAt = null } = state.data ?? {}
    return measuredAt === null || (cleanup && isRunning(cleanup)) ? busyPollMs : pollMs
  }
})

/** Always new: the dialog shows what would go now. */
export const cleanupPreviewQuery = queryOptions({
  queryKey: ['server-disk', 'cleanup'],
  queryFn: () => data(api.GET('/api/system/disk/cleanup')),
  staleTime: 0,
  gcTime: 0
})

export const measureDisks = () => data(api.POST('/api/system/disk/measure'))
export const startCleanup = (kinds: CleanupKind[]) => data(api.POST('/api/system/disk/cleanup', { body: { kinds } }))
