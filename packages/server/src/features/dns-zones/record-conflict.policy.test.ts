import { describe, expect, test } from 'vitest'
import type { DnsRecordType } from '@panel/contract/dns-records'
import type { ZoneRecord } from './zone-record.types.ts'
import { conflictOf } from './record.policy.ts'

const zone = 'example.com'

/** `www A 192.0.2.1`; names are relative to the zone. */
function record(text: string, more: Partial<ZoneRecord> = {}): ZoneRecord {
  const [name = '', type, ...value] = text.split(' ')
  return {
    owner: name === '@' ? zone : `${name}.${zone}`,
    type: type as DnsRecordType,
    value: value.join(' '),
    ttl: 300,
    priority: null,
    weight: null,
    port: null,
    ...more
  }
}

const codeOf = (candidate: ZoneRecord, others: ZoneRecord[]) => conflictOf(candidate, others, zone)?.code

describe('in both orders', () => {
  test.each([
    ['www CNAME a.net', 'www A 192.0.2.1'],
    ['www CNAME a.net', 'www TXT x'],
    ['www CNAME a.net', 'www CNAME b.net'],
    ['* CNAME a.net', '* A 192.0.2.1'],
    ['sub NS a.net', 'sub A 192.0.2.1'],
    ['sub NS a.net', 'sub TXT x'],
    ['sub NS a.net', 'sub CNAME b.net'],
    ['sub NS a.net', 'x.sub TXT x'],
    ['sub NS a.net', 'a.b.sub CNAME x.net'],
    ['sub NS a.net', 'x.sub NS a.net'],
    ['sub NS a.net', '*.sub MX a.net']
  ])('%s conflicts with %s', (one, other) => {
    expect(codeOf(record(one), [record(other)])).toBe('DNS_RECORD_CONFLICT')
    expect(codeOf(record(other), [record(one)])).toBe('DNS_RECORD_CONFLICT')
  })
  test.each([
    ['www CNAME a.net', 'x.www A 192.0.2.1'],
    ['* CNAME a.net', 'www A 192.0.2.1'],
    ['* CNAME a.net', '*.dev A 192.0.2.1'],
    ['_acme-challenge CNAME a.net', 'www TXT x'],
    ['sub NS a.net', 'sub NS b.net'],
    ['sub NS a.net', 'ns.sub A 192.0.2.1'],
    ['sub NS a.net', 'ns.sub AAAA ::1'],
    ['sub NS a.net', 'xsub TXT x'],
    ['@ NS a.net', '@ TXT x'],
    ['@ NS a.net', 'www TXT x'],
    ['@ A 192.0.2.1', '@ A 192.0.2.2'],
    ['@ TXT x', '@ TXT X']
  ])('%s is allowed next to %s', (one, other) => {
    expect(conflictOf(record(one), [record(other)], zone)).toBeUndefined()
    expect(conflictOf(record(other), [record(one)], zone)).toBeUndefined()
  })
})

describe('duplicates', () => {
  test('regardless of the TTL', () => {
    const one = record('@ MX mail.example.com', { priority: 10 })
    expect(codeOf({ ...one, ttl: 60 }, [one])).toBe('DNS_RECORD_EXISTS')
    expect(codeOf({ ...one, priority: 20 }, [one])).toBeUndefined()
    expect(codeOf(record('www CNAME a.net'), [record('www CNAME a.net')])).toBe('DNS_RECORD_EXISTS')
  })
  test('compares every number', () => {
    const one = record('_sip._tcp SRV a.net', { priority: 1, weight: 2, port: 3 })
    expect(codeOf({ ...one }, [one])).toBe('DNS_RECORD_EXISTS')
    for (const member of ['priority', 'weight', 'port'] as const) {
      expect(codeOf({ ...one, [member]: 9 }, [one])).toBeUndefined()
    }
  })
})

test.each([
  ['www A 192.0.2.1', 'example.org'],
  ['@ CNAME a.net', zone],
  ['sub NS sub.example.com', zone]
])('%s is never in %s', (text, zoneName) => {
  expect(conflictOf(record(text), [], zoneName)?.code).toBe('VALIDATION_ERROR')
})
test('the apex may be its own name server', () => expect(codeOf(record('@ NS example.com'), [])).toBeUndefined())
test("apex rules do not apply to a domain in its parent's zone", () => {
  const apex = { ...record('@ NS a.net'), owner: 'shop.example.com' }
  expect(codeOf(apex, [record('shop A 192.0.2.1')])).toBe('DNS_RECORD_CONFLICT')
})

test('null MX and MX exclude each other', () => {
  const none = record('@ MX .', { priority: 0 })
  const some = record('@ MX mail.example.com', { priority: 10 })
  expect(codeOf(none, [some])).toBe('DNS_RECORD_CONFLICT')
  expect(codeOf(some, [none])).toBe('DNS_RECORD_CONFLICT')
  expect(codeOf(none, [record('@ A 192.0.2.1')])).toBeUndefined()
})

test('a record set must fit in one DNS message', () => {
  const texts = Array.from({ length: 28 }, (_, index) => record(`@ TXT ${'x'.repeat(2_040)}${index}`))
  expect(codeOf(record('@ TXT x'), texts)).toBeUndefined()
  expect(codeOf(record(`@ TXT ${'y'.repeat(2_048)}`), [...texts, texts[0]!])).toBe('VALIDATION_ERROR')
  expect(codeOf(record(`www TXT ${'y'.repeat(2_048)}`), texts)).toBeUndefined()
})

test('a record set has at most 500 records', () => {
  const addresses = Array.from({ length: 500 }, (_, index) => record(`@ A 192.0.${index >> 8}.${index & 255}`))
  expect(codeOf(record('@ A 198.51.100.1'), addresses.slice(1))).toBeUndefined()
  expect(codeOf(record('@ A 198.51.100.1'), addresses)).toBe('VALIDATION_ERROR')
  expect(codeOf(record('@ AAAA ::1'), addresses)).toBeUndefined()
})
