import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'

type Health = Schema<'Health'>
export type Part = 'containerEngine' | 'mysql' | 'nameServer' | 'postgresql' | 'sftpServer' | 'worker'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Server components that the page needs; a notice above the page names those that are down. */
    parts?: readonly Part[]
  }
}

const refetchMs = 30_000

/** Status of each installed component. */
export const healthQuery = queryOptions({
  queryKey: ['health'],
  staleTime: 60_000,
  queryFn: () => data(api.GET('/api/health')),
  // No live event announces that a component recovered.
  refetchInterval: ({ state }) =>
    unavailableParts(state.data).length > 0 || state.data?.status === 'starting' ? refetchMs : false
})

/** Down; "starting" and similar states are not. */
export const isUnavailable = (part: Health['parts'][string] | undefined): boolean =>
  part?.status === 'missing' || part?.status === 'unreachable'

const unavailableParts = (health: Health | undefined): string[] =>
  Object.entries(health?.parts ?? {})
    .filter(([, part]) => isUnavailable(part))
    .map(([name]) => name)

/** Without the worker, installed programs are unknown and assumed present. */
const runsMail = (health: Health | undefined): boolean =>
  health?.parts.worker?.status !== 'ok' || 'mailTransfer' in health.parts

/** True until the health status is loaded. */
export const useRunsMail = (): boolean => runsMail(useQuery(healthQuery).data)

export const findRunsMail = async (client: QueryClient): Promise<boolean> =>
  runsMail(await client.ensureQueryData(healthQuery).catch(() => undefined))

/** True if all given components are down. */
export function useIsUnavailable(...parts: readonly Part[]): boolean {
  const { data: health } = useQuery(healthQuery)
  const unavailable = unavailableParts(health)
  return parts.every((part) => unavailable.includes(part))
}
