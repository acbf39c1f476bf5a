import fc from 'fast-check'
import type { DnsRecordType } from '@panel/contract/dns-records'
import type { ZoneRecord } from '../dns-zones/zone-record.ts'
import { conflictOf, normalizeRecord, ownerOf, type RecordInput } from './record.policy.ts'

/** Random records as people may write them, from few names, so that they meet. */
export function recordInput(): fc.Arbitrary<RecordInput> {
  const label = fc.oneof(
    fc.constantFrom('www', 'mail', 'sub', 'ns1', 'A', '60', 'in', '_dmarc', 'xn--bcher-kva', 'bücher', 'a-b', '_tcp'),
    fc.stringMatching(/^[a-z0-9_]([a-z0-9_-]{0,8}[a-z0-9])?$/)
  )
  const name = fc.oneof(
    { weight: 3, arbitrary: fc.constant('@') },
    { weight: 6, arbitrary: fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => labels.join('.')) },
    { weight: 1, arbitrary: fc.constantFrom('*', '*.dev', '*.sub') }
  )
  const host = fc.oneof(
    name.filter((text) => !text.includes('*')),
    fc.constantFrom(
      'mail.example.net',
      'Mail.Example.NET.',
      'ns1.example.com',
      'a.sub.example.com',
      '_x.example.net',
      '.'
    )
  )
  const uint16 = fc.integer({ min: 0, max: 65_535 })
  const caa = fc
    .tuple(fc.constantFrom(0, 128, 7), fc.constantFrom('issue', 'IODEF', 'x1'), fc.stringMatching(/^[ -~]{0,40}$/))
    .map(([flags, tag, text]) => `${flags} ${tag} "${text.replaceAll(/["\\]/g, '\\$&')}"`)
  const values: Record<DnsRecordType, fc.Arbitrary<string>> = {
    A: fc.ipV4(),
    AAAA: fc.ipV6(),
    CNAME: host,
    MX: host,
    NS: host,
    SRV: host,
    CAA: caa,
    TXT: fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: 'grapheme', minLength: 200, maxLength: 600 }),
      fc.constantFrom(
        '',
        ' ',
        '"',
        '\\',
        ';',
        '(',
        '\\000',
        'a " b\\" ; ( ) $INCLUDE',
        'é'.repeat(1024),
        'x'.repeat(2048)
      )
    )
  }
  const types = Object.keys(values) as DnsRecordType[]
  const record = (type: DnsRecordType) =>
    fc.record({
      type: fc.constant(type),
      name,
      value: values[type],
      ttl: fc.oneof(fc.constantFrom(0, 60, 3600, 2_147_483_647), fc.nat(100_000)),
      priority: fc.oneof(uint16, fc.constant(0)),
      weight: uint16,
      port: uint16
    })
  return fc.oneof(...types.map(record))
}

/** What of random inputs can stand together in the zone. */
export function acceptedRecords(zoneName: string, maxLength = 30): fc.Arbitrary<ZoneRecord[]> {
  return fc.array(recordInput(), { maxLength, size: 'max' }).map((inputs) => {
    const accepted: ZoneRecord[] = []
    for (const input of inputs) {
      const result = normalizeRecord(input, zoneName)
      if (!('record' in result)) continue
      const { name, ...values } = result.record
      const candidate = { ...values, owner: ownerOf(name, zoneName) }
      if (!conflictOf(candidate, accepted, zoneName)) accepted.push(candidate)
    }
    return withSharedTtls(accepted)
  })
}

/** As the service keeps them: one TTL for a name and type. */
function withSharedTtls(records: readonly ZoneRecord[]): ZoneRecord[] {
  return records.map((record) => ({
    ...record,
    ttl: records.find(({ owner, type }) => owner === record.owner && type === record.type)!.ttl
  }))
}
