import type fc from 'fast-check'
import { acceptedRecords } from '../../packages/server/test/fixtures/dns-record.fixture.ts'
import { conflictOf } from '../../packages/server/src/features/dns-zones/record.policy.ts'
import type { ZoneRecord } from '../../packages/server/src/features/dns-zones/zone-record.types.ts'

export const zoneName = 'example.com'

/** Random sets of records that the API would take, complete as checkers want zones. */
export function acceptedZones(maxLength: number): fc.Arbitrary<ZoneRecord[]> {
  return acceptedRecords(zoneName, maxLength).map(withAddresses)
}

/**
 * An NS record within the zone needs the address of its server there: both checkers demand it, BIND of the zone's own, Knot of each.
 * Where none can stand, the NS record goes.
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
