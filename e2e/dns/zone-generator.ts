import type fc from 'fast-check'
import { acceptedRecords } from '../../packages/server/test/fixtures/dns-record.fixture.ts'
import { conflictOf } from '../../packages/server/src/features/dns-zones/record.policy.ts'
import type { ZoneRecord } from '../../packages/server/src/features/dns-zones/zone-record.types.ts'

export const zoneName = 'example.com'

/** Random record sets that the API accepts and that zone checkers consider complete. */
export function acceptedZones(maxLength: number): fc.Arbitrary<ZoneRecord[]> {
  return acceptedRecords(zoneName, maxLength).map(withAddresses)
}

/**
 * Adds glue for NS records inside the zone, which BIND and Knot require; drops an NS record if no address can be added.
 */
function withAddresses(records: readonly ZoneRecord[]): ZoneRecord[] {
  const kept = [...records]
  for (const record of records) {
    if (record.type !== 'NS' || !record.value.endsWith(zoneName)) continue
    if (kept.some(({ owner, type }) => owner === record.value && (type === 'A' || type === 'AAAA'))) continue
    const none = { priority: null, weight: null, port: null }
    const address: ZoneRecord = { owner: record.value, type: 'A', value: '192.0.2.53', ttl: 3600, ...none }
    if (conflictOf(address, kept, zoneName)) kept.splice(kept.indexOf(record), 1)
    else kept.push(address)
  }
  return kept
}
