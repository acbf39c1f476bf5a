import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api, data, page, type Schema } from '../../api/client.ts'
import { stored } from '../../ui/stored.ts'

export const stepNames = ['domain', 'certificate', 'records', 'project'] as const
export type StepName = (typeof stepNames)[number]

interface Welcome {
  /** Until somebody has said that it is enough. */
  isOpen: boolean
  skipped: readonly StepName[]
}

const storageKey = 'welcome'

function readWelcome(): Welcome | null {
  try {
    const { isOpen, skipped } = JSON.parse(stored.read(storageKey) ?? 'null') as Welcome
    return { isOpen, skipped: stepNames.filter((name) => skipped.includes(name)) }
  } catch {
    return null
  }
}

/** How far somebody came on this browser; null where nobody began. */
export const welcomeQuery = queryOptions({ queryKey: ['welcome'], staleTime: Infinity, queryFn: readWelcome })

export function saveWelcome(client: QueryClient, welcome: Welcome): void {
  stored.write(storageKey, JSON.stringify(welcome))
  client.setQueryData(welcomeQuery.queryKey, welcome)
}

export function beginWelcome(client: QueryClient): void {
  if (readWelcome() === null) saveWelcome(client, { isOpen: true, skipped: [] })
}

const againMs = 10_000

export type CheckedRecord = Schema<'DnsInfoVerification'>['records'][number]
export const isLive = ({ state }: CheckedRecord): boolean => state === 'Live'

/** The records that lead here, as public resolvers see them now; looked up again until all are there. */
export const dnsCheckQuery = queryOptions({
  queryKey: ['dns-info'],
  queryFn: () => data(api.POST('/api/system/dns-info/verify')),
  refetchInterval: ({ state }) =>
    state.data && state.data.records.length > 0 && state.data.records.every(isLive) ? false : againMs
})

/** The panel's own name among the account's domains, for its certificate; null where it is not there yet. */
export const panelDomainQuery = (hostname: string | null) =>
  queryOptions({
    queryKey: ['domains', 'list', 'panel', hostname],
    enabled: hostname !== null,
    queryFn: async () => {
      const { items } = await page(api.GET('/api/domains', { params: { query: { search: hostname!, limit: 50 } } }))
      return items.find((domain) => domain.hostname === hostname && domain.pathPrefix === null) ?? null
    }
  })
