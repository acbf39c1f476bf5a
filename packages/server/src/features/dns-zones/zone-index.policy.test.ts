import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ZoneRecord } from './zone-record.types.ts'
import { conflictOf } from './record-conflict.policy.ts'
import { acceptedRecords } from '../../../test/fixtures/dns-record.fixture.ts'
import { indexZone } from './zone-index.policy.ts'

const zoneName = 'example.com'

test('finds the same conflicts as a comparison with all records', () => {
  const records = acceptedRecords(zoneName)
  fc.assert(
    fc.property(records, records, fc.nat(), (standing, candidates, seed) => {
      const gone = standing.filter((_, position) => (seed >> (position % 16)) & 1)
      const left = standing.filter((record) => !gone.includes(record))
      const index = indexZone(standing, zoneName)
      index.remove(gone)
      for (const candidate of candidates)
        expect(index.conflictOf(candidate)?.code).toBe(conflictOf(candidate, left, zoneName)?.code)
      index.add(gone)
      for (const candidate of candidates)
        expect(index.conflictOf(candidate)?.code).toBe(conflictOf(candidate, standing, zoneName)?.code)
    }),
    { numRuns: 500 }
  )
})

test.each<[string, (index: number) => Pick<ZoneRecord, 'owner' | 'type'>]>([
  ['many names', (index) => ({ owner: `h${index}.example.com`, type: 'TXT' })],
  ['deep names', (index) => ({ owner: `h${index}.${'a.'.repeat(110)}example.com`, type: 'TXT' })],
  ['addresses below a delegation', (index) => ({ owner: `h${index}.sub.example.com`, type: 'A' })],
  ['delegations', (index) => ({ owner: `h${index}.example.com`, type: 'NS' })],
  ['name servers of few names', (index) => ({ owner: `h${index % 20}.example.com`, type: 'NS' })]
])('adds 10,000 records without pairwise comparison: %s', (_case, shapeOf) => {
  let reads = 0
  const counted = (position: number): ZoneRecord => {
    const { owner, type } = shapeOf(position)
    const numbers = { ttl: 60, priority: null, weight: null, port: null }
    return Object.defineProperty<ZoneRecord>({ owner, type, value: `v${position}.example.net`, ...numbers }, 'owner', {
      get() {
        reads++
        return owner
      }
    })
  }
  const delegation: ZoneRecord = { ...counted(0), owner: 'sub.example.com', type: 'NS', value: 'ns.example.net' }
  const index = indexZone([delegation], zoneName)
  for (let position = 0; position < 10_000; position++) {
    const record = counted(position)
    expect(index.conflictOf(record)).toBeUndefined()
    index.add([record])
  }
  expect(reads).toBeLessThan(10_000 * 30)
})
