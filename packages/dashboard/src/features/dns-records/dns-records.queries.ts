import { queryOptions } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'

export type DnsRecord = Schema<'DnsRecord'>
export type RecordType = Schema<'DnsRecordType'>

// Importing the contract’s list would add zod to this page.
export const recordTypes = ['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS', 'SRV', 'CAA', 'PTR', 'SSHFP', 'TLSA', 'SVCB', 'HTTPS', 'NAPTR'] as const satisfies readonly RecordType[] // oxfmt-ignore

export const recordsKey = (domainId: string) => ['domains', domainId, 'dns']

export const recordsQuery = (domainId: string) =>
  queryOptions({
    queryKey: recordsKey(domainId),
    queryFn: () => data(api.GET('/api/domains/{id}/dns', { params: { path: { id: domainId } } }))
  })

export const defaultsQuery = (domainId: string) =>
  queryOptions({
    queryKey: [...recordsKey(domainId), 'defaults'],
    queryFn: () => data(api.GET('/api/domains/{id}/dns/defaults', { params: { path: { id: domainId } } })),
    staleTime: 0
  })

export const isDeletable = ({ managedBy }: DnsRecord): boolean => managedBy !== 'NAME_SERVER'

export const dnssecQuery = (domainId: string) =>
  queryOptions({
    queryKey: [...recordsKey(domainId), 'dnssec'],
    queryFn: () => data(api.GET('/api/domains/{id}/dnssec', { params: { path: { id: domainId } } }))
  })

export const numbersOf = (type: RecordType): readonly ('priority' | 'weight' | 'port')[] =>
  type === 'MX' ? ['priority'] : type === 'SRV' ? ['priority', 'weight', 'port'] : []

export function matching(
  records: readonly DnsRecord[],
  { q, type }: { q?: string | undefined; type?: string | undefined }
) {
  const text = q?.toLowerCase()
  return records
    .filter((record) => type === undefined || record.type === type)
    .filter(({ name, value }) => text === undefined || `${name} ${value}`.toLowerCase().includes(text))
    .sort((a, b) => Number(a.name !== '@') - Number(b.name !== '@') || a.name.localeCompare(b.name))
}
