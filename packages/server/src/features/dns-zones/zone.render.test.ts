import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { acceptedRecords } from '../../../test/fixtures/dns-record.fixture.ts'
import { parseZoneFile } from '../dns-records/zone-file-parser.policy.ts'
import { bytesOf, quoteText } from '../../record-types/character-string.ts'
import { ownerOf } from './record.policy.ts'
import { toImport } from '../dns-records/zone-import.policy.ts'
import type { ZoneRecord } from './zone-record.types.ts'
import { renderZone, type Zone } from './zone.render.ts'

const none = { priority: null, weight: null, port: null }

function zone(records: Partial<ZoneRecord>[], more: Partial<Zone> = {}): Zone {
  const full = records.map((record): ZoneRecord => {
    return { owner: 'example.com', type: 'TXT', value: 'x', ttl: 3600, ...none, ...record }
  })
  const nameservers = ['ns2.panel.net', 'ns1.panel.net']
  return {
    name: 'example.com',
    serial: 2026030101,
    nameservers,
    hostmaster: 'host.master@panel.net',
    records: full,
    ...more
  }
}

const recordLines = (given: Zone) => renderZone(given).trimEnd().split('\n').slice(3)

test('a zone', () => {
  const records: Partial<ZoneRecord>[] = [
    { owner: 'www.example.com', type: 'CNAME', value: 'example.com' },
    { type: 'TXT', value: 'v=spf1 "a" \\ é -all' },
    { type: 'A', value: '192.0.2.9' },
    { type: 'A', value: '192.0.2.1', ttl: 60 },
    { type: 'MX', value: 'mail.example.com', priority: 10 },
    { type: 'CAA', value: '0 issue "ca.example.net"' },
    { type: 'AAAA', value: '2001:db8::1' },
    { owner: '*.dev.example.com', type: 'A', value: '192.0.2.3' },
    { owner: '_sip._tcp.example.com', type: 'SRV', value: 'sip.example.net', priority: 0, weight: 5, port: 5060 },
    { owner: 'sub.example.com', type: 'NS', value: 'ns.sub.example.com' },
    { owner: 'ns.sub.example.com', type: 'A', value: '192.0.2.4' },
    { owner: 'quiet.example.com', type: 'MX', value: '.', priority: 0 }
  ]
  const text = `$ORIGIN example.com.
$TTL 3600
@ 3600 IN SOA ns2.panel.net. host\\.master.panel.net. 2026030101 7200 3600 1209600 3600
@ 3600 IN NS ns1.panel.net.
@ 3600 IN NS ns2.panel.net.
@ 60 IN A 192.0.2.1
@ 60 IN A 192.0.2.9
@ 3600 IN AAAA 2001:db8::1
@ 3600 IN MX 10 mail.example.com.
@ 3600 IN TXT "v=spf1 \\"a\\" \\\\ \\195\\169 -all"
@ 3600 IN CAA 0 issue "ca.example.net"
_sip._tcp 3600 IN SRV 0 5 5060 sip.example.net.
*.dev 3600 IN A 192.0.2.3
quiet 3600 IN MX 0 .
sub 3600 IN NS ns.sub.example.com.
ns.sub 3600 IN A 192.0.2.4
www 3600 IN CNAME example.com.
`
  expect(renderZone(zone(records))).toBe(text)
  expect(renderZone(zone(records.toReversed()))).toBe(text)
})

test('uses the default name servers unless the records contain NS at the apex', () => {
  expect(recordLines(zone([]))).toEqual(['@ 3600 IN NS ns1.panel.net.', '@ 3600 IN NS ns2.panel.net.'])
  const text = renderZone(zone([{ type: 'NS', value: 'ns9.other.net', ttl: 60 }]))
  expect(text).toContain('SOA ns9.other.net.')
  expect(text).toMatch(/3600\n@ 60 IN NS ns9\.other\.net\.\n$/)
})

test("a domain in another domain's zone, as its own file", () => {
  const text = renderZone(
    zone([{ owner: 'x.shop.example.com' }, { owner: '_panel-challenge.shop.example.com' }], {
      name: 'shop.example.com'
    })
  )
  expect(text).toContain('$ORIGIN shop.example.com.\n')
  expect(text).toContain('\n_panel-challenge 3600 IN TXT "x"\nx 3600 IN TXT "x"\n')
})

test("a domain whose name repeats its parent's", () => {
  expect(recordLines(zone([{ owner: 'www.example.com.example.com' }])).at(-1)).toBe('www.example.com 3600 IN TXT "x"')
})

describe('ACME challenges', () => {
  const owner = '_acme-challenge.example.com'
  const challenge = (more: Partial<ZoneRecord>[], ...values: string[]) =>
    recordLines(zone(more, { extraTxt: values.map((value) => ({ owner, value })) })).slice(2)

  test('adds each value once, next to existing records', () => {
    expect(challenge([{ owner, value: 'a' }], 'a', 'b', 'b')).toEqual([
      '_acme-challenge 60 IN TXT "a"',
      '_acme-challenge 60 IN TXT "b"'
    ])
  })
  test('skips delegated and CNAME names', () => {
    expect(challenge([{ owner, type: 'CNAME', value: 'a.net' }], 'a')).toEqual(['_acme-challenge 3600 IN CNAME a.net.'])
    const extraTxt = [{ owner: '_acme-challenge.sub.example.com', value: 'a' }]
    expect(
      recordLines(zone([{ owner: 'sub.example.com', type: 'NS', value: 'a.net' }], { extraTxt })).slice(2)
    ).toEqual(['sub 3600 IN NS a.net.'])
  })
  test('rejects invalid challenges', () => {
    for (const extra of [
      { owner, value: 'a\nb' },
      { owner: 'evil.org', value: 'a' },
      { owner: `${owner} x`, value: 'a' }
    ]) {
      expect(() => renderZone(zone([], { extraTxt: [extra] }))).toThrow(RangeError)
    }
  })
})

describe('rejects invalid records', () => {
  test.each<Partial<ZoneRecord>>([
    { value: 'x\n$INCLUDE /etc/passwd' },
    { value: 'x\r@ IN NS evil.' },
    { value: '\0' },
    { value: '\ud800' },
    { value: 'x'.repeat(2_049) },
    { owner: 'evil.org' },
    { owner: 'notexample.com' },
    { owner: 'www.example.com\n@ NS evil.example.com' },
    { owner: 'a b.example.com' },
    { owner: 'a..example.com' },
    { owner: '.example.com' },
    { owner: '$include.example.com' },
    { owner: ';.example.com' },
    { owner: '"a.example.com' },
    { owner: '(.example.com' },
    { owner: 'WWW.example.com' },
    { owner: '*.*.example.com' },
    { owner: `${'a'.repeat(64)}.example.com` },
    { owner: `${'a.'.repeat(125)}example.com` },
    { owner: '' },
    { type: 'A', value: '192.0.2.1\n' },
    { type: 'A', value: '192.0.2.1 ; x' },
    { type: 'AAAA', value: '2001:DB8::1' },
    { type: 'CNAME', owner: 'x.example.com', value: 'a.net.' },
    { type: 'CNAME', owner: 'x.example.com', value: 'A.net' },
    { type: 'CNAME', owner: 'x.example.com', value: '@' },
    { type: 'CNAME', owner: 'x.example.com', value: 'label' },
    { type: 'CNAME', value: 'a.net' },
    { type: 'NS', owner: '*.example.com', value: 'a.net' },
    { type: 'NS', value: '192.0.2.1' },
    { type: 'MX', value: 'a.net' },
    { type: 'MX', value: 'a.net', priority: 1, port: 1 },
    { type: 'MX', value: 'a.net', priority: 1.5 },
    { type: 'MX', value: 'a.net', priority: '1\n$INCLUDE x' as unknown as number },
    { type: 'SRV', value: 'a.net', priority: 1, weight: 1, port: 0 },
    { type: 'CAA', value: '0 issue ca' },
    { type: 'DNAME' as ZoneRecord['type'], value: 'a.net' },
    { type: 'constructor' as ZoneRecord['type'], value: 'a.net' },
    { ttl: -1 },
    { ttl: 2 ** 31 },
    { ttl: 1.5 },
    { ttl: '60\n' as unknown as number }
  ])('%j', (record) => expect(() => renderZone(zone([record]))).toThrow(RangeError))

  test.each<Partial<Zone>>([
    { name: 'example.com\n$INCLUDE x' },
    { name: '*.example.com' },
    { name: '' },
    { serial: -1 },
    { serial: 2 ** 32 },
    { serial: NaN },
    { nameservers: [] },
    { nameservers: ['ns1.panel.net\n'] },
    { nameservers: ['192.0.2.1'] },
    { hostmaster: 'nobody' },
    { hostmaster: 'a b@panel.net' },
    { hostmaster: 'a@panel.net\n' },
    { hostmaster: 'a@b@panel.net' },
    { hostmaster: 'a\\@panel.net' }
  ])('%j', (more) => expect(() => renderZone(zone([], more))).toThrow(RangeError))
})

describe('text', () => {
  test.each([
    ['', '""'],
    ['a;b', '"a;b"'],
    ['"\\', '"\\"\\\\"'],
    ['é', '"\\195\\169"'],
    ['x'.repeat(256), `"${'x'.repeat(255)}" "x"`]
  ])('%j is %j', (text, quoted) => expect(quoteText(text)).toBe(quoted))
  test('round-trips any text, in strings of at most 255 bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 700 }), (text) => {
        const [record] = parseZoneFile(`x TXT ${quoteText(text)}`, 'example.com').records
        const strings = record!.rdata.map((field) => bytesOf(field.text))
        expect(strings.every((string) => string.length <= 255)).toBe(true)
        expect(Buffer.concat(strings).equals(Buffer.from(text))).toBe(true)
      }),
      { numRuns: 2_000 }
    )
  })
})

test('domains that point here point to edges too; other names and addresses stay', () => {
  const a = (owner: string, value: string): ZoneRecord => ({ owner, type: 'A', value, ttl: 3_600, priority: null, weight: null, port: null }) // oxfmt-ignore
  const records = [a('example.com', '192.0.2.1'), a('mail.example.com', '192.0.2.1'), a('x.example.com', '192.0.2.9')]
  const edges = { publicIp: '192.0.2.1', addresses: ['192.0.2.2'], hostnames: ['example.com', 'x.example.com'] }
  const lines = renderZone({ ...zone(records), edges }).split('\n').filter((line) => line.includes(' IN A ')) // oxfmt-ignore
  expect(lines).toEqual([
    '@ 60 IN A 192.0.2.1',
    '@ 60 IN A 192.0.2.2',
    'mail 3600 IN A 192.0.2.1',
    'x 3600 IN A 192.0.2.9'
  ])
})

test('every accepted record round-trips through the zone file', () => {
  fc.assert(
    fc.property(acceptedRecords('example.com'), (records) => {
      const text = renderZone(zone(records))
      expect(text).toMatch(/^[\x20-\x7e\n]*$/)
      const parsed = parseZoneFile(text, 'example.com')
      const apex = records.filter(({ owner, type }) => type === 'NS' && owner === 'example.com')
      expect(parsed.errors).toEqual([])
      expect(parsed.records).toHaveLength(1 + records.length + (apex.length > 0 ? 0 : 2))
      expect(text.trimEnd().split('\n')).toHaveLength(2 + parsed.records.length)
      const nameservers = ['ns1.panel.net', 'ns2.panel.net', ...apex.map(({ value }) => value)]
      const back = toImport(parsed, 'example.com', 'example.com', nameservers)
      expect(back.errors).toEqual([])
      const found = back.records.map(({ line: _line, name, ...values }) => ({
        ...values,
        owner: ownerOf(name, 'example.com')
      }))
      const shown = (list: ZoneRecord[]) =>
        list
          .map(({ owner, type, ttl, ...rest }) =>
            JSON.stringify([owner, type, ttl, rest.value, rest.priority, rest.weight, rest.port])
          )
          .sort()
      expect(shown(found)).toEqual(shown(records.filter((record) => !apex.includes(record))))
    }),
    { numRuns: 1_000 }
  )
})
