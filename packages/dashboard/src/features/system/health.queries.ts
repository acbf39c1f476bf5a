import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'

type Health = Schema<'Health'>
/** Those without which pages can only show what the store knows. */
export type Part = 'containerEngine' | 'mysql' | 'nameServer' | 'postgresql' | 'sftpServer' | 'worker'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** What the acts of a page need of the server: where it is away, that is said above the page. */
    parts?: readonly Part[]
  }
}

const againMs = 30_000

/** What this server runs, and whether each part of it answers. What is not installed is not in it. */
export const healthQuery = queryOptions({
  queryKey: ['health'],
  staleTime: 60_000,
  queryFn: () => data(api.GET('/api/health')),
  // There is no event when a part is back or has started.
  refetchInterval: ({ state }) =>
    unavailableParts(state.data).length > 0 || state.data?.status === 'starting' ? againMs : false
})

/** Whether somebody has to do something about a part in this state. */
export const isUnavailable = (part: Health['parts'][string] | undefined): boolean =>
  part?.status === 'missing' || part?.status === 'unreachable'

const unavailableParts = (health: Health | undefined): string[] =>
  Object.entries(health?.parts ?? {})
    .filter(([, part]) => isUnavailable(part))
    .map(([name]) => name)

/** A worker that is away says nothing of the programs, so all that counts as installed then. */
const runsMail = (health: Health | undefined): boolean =>
  health?.parts.worker?.status !== 'ok' || 'mailTransfer' in health.parts

/** Whether this server runs mail at all; true while that is not known. */
export const useRunsMail = (): boolean => runsMail(useQuery(healthQuery).data)

export const findRunsMail = async (client: QueryClient): Promise<boolean> =>
  runsMail(await client.ensureQueryData(healthQuery).catch(() => undefined))

/** Whether all of these are away: what needs one of them is off. */
export function useIsUnavailable(...parts: readonly Part[]): boolean {
  const { data: health } = useQuery(healthQuery)
  const unavailable = unavailableParts(health)
  return parts.every((part) => unavailable.includes(part))
}
