import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api, data, page, type Schema } from '../../api/client.ts'
import { stored } from '../../ui/stored.ts'

export const stepNames = ['twoFactor', 'domain', 'certificate', 'project', 'nameServers', 'mail'] as const
export type StepName = (typeof stepNames)[number]

interface Welcome {
  /** Until it is dismissed. */
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

/** Progress in this browser; null before the start. */
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

/** The records of the panel as public resolvers see them; polled until all are live. */
export const dnsCheckQuery = queryOptions({
  queryKey: ['dns-info'],
  queryFn: () => data(api.POST('/api/system/dns-info/verify')),
  refetchInterval: ({ state }) =>
    state.data && state.data.records.length > 0 && state.data.records.every(isLive) ? false : againMs
})

/** The panel's domain in the account, for its certificate; null until it is added. */
export const panelDomainQuery = (hostname: string | null) =>
  queryOptions({
    queryKey: ['domains', 'list', 'panel', hostname],
    enabled: hostname !== null,
    queryFn: async () => {
      const { items } = await page(api.GET('/api/domains', { params: { query: { search: hostname!, limit: 50 } } }))
      return items.find((domain) => domain.hostname === hostname && domain.pathPrefix === null) ?? null
    }
  })
