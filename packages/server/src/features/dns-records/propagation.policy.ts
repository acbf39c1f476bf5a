import type { DnsPropagation, DnsRecordType } from '@panel/contract/dns-records'
import { recordTypes } from '../../record-types/record-types.ts'
import type { Lookup } from '../../infra/public-dns/public-dns.ts'

const maxShown = 100

export function evaluateLookup(
  type: DnsRecordType,
  expected: string,
  { resolver, values, latencyMs, error }: Lookup
): DnsPropagation['resolvers'][number] {
  const key = (value: string) => (recordTypes[type].isCaseSensitive ? value : value.toLowerCase())
  const isMatch = values.some((value) => key(value) === key(expected))
  const other = values.length > 0 ? 'MISMATCH' : 'NOT_FOUND'
  return {
    resolver,
    status: isMatch ? 'MATCH' : other,
    latencyMs,
    detectedRecords: values.slice(0, maxShown),
    error
  }
}
