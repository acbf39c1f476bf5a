import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DnsRecordType, dnsRecordTypes } from '@panel/contract/dns-records'
import { recordInput } from '../../../test/fixtures/dns-record.fixture.ts'
import { isNormalRecord, normalizeRecord, ownerOf, type RecordInput } from './record.policy.ts'

const domain = 'example.com'

function normalize(input: Partial<RecordInput>, hostname = domain) {
  const result = normalizeRecord({ type: 'TXT', name: 'x', value: 'x', ttl: 300, ...input }, hostname)
  return 'record' in result ? result.record : result.problems.map(({ path }) => path)
}

const fill = (character: string, length: number) => character.repeat(length)

const rest = { priority: 10, weight: 20, port: 30 }

describe('values', () => {
  test.each<[DnsRecordType, string, string]>([
    ['A', '192.0.2.1', '192.0.2.1'],
    ['A', '0.0.0.0', '0.0.0.0'],
    ['AAAA', '2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['AAAA', '::', '::'],
    ['AAAA', '::1', '::1'],
    ['AAAA', '1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
    ['AAAA', '1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
    ['AAAA', '::ffff:1.2.3.4', '::ffff:1.2.3.4'],
    ['AAAA', '::FFFF:0102:0304', '::ffff:1.2.3.4'],
    ['AAAA', '::1.2.3.4', '::1.2.3.4'],
    ['AAAA', '64:ff9b::1.2.3.4', '64:ff9b::102:304'],
    ['CNAME', 'Target.Example.NET.', 'target.example.net'],
    ['CNAME', 'target.example.net', 'target.example.net'],
    ['CNAME', '@', 'example.com'],
    ['CNAME', 'www', 'www.example.com'],
    ['CNAME', 'a_b._tcp.example.net', 'a_b._tcp.example.net'],
    ['CNAME', 'bücher.example', 'xn--bcher-kva.example'],
    ['CNAME', '1', '1.example.com'],
    ['MX', 'mail', 'mail.example.com'],
    ['NS', 'ns1.example.net.', 'ns1.example.net'],
    ['SRV', '.', '.'],
    ['SRV', 'sip', 'sip.example.com'],
    ['TXT', '', ''],
    ['TXT', ' "v=spf1" \\000;( ', ' "v=spf1" \\000;( '],
    ['TXT', fill('😀', 2048), fill('😀', 2048)],
    ['CAA', '0 issue "ca.example.net"', '0 issue "ca.example.net"'],
    ['CAA', ' 128  IssueWild\tca.example.net; ', '128 issuewild "ca.example.net;"'],
    ['CAA', '0 issue ";"', '0 issue ";"'],
    ['CAA', '0 iodef "mailto:a@b"', '0 iodef "mailto:a@b"'],
    ['CAA', '000 x ""', '0 x ""'],
    ['CAA', '0 x "\\"\\\\"', '0 x "\\"\\\\"']
  ])('%s %j is stored as %j', (type, value, stored) => {
    expect(normalize({ type, value, ...rest })).toMatchObject({ value: stored })
  })

  test.each<[DnsRecordType, string]>([
    ['A', ''],
    ['A', '01.2.3.4'],
    ['A', '1.2.3'],
    ['A', '1.2.3.256'],
    ['A', '1.2.3.4.5'],
    ['A', '0x7f.1'],
    ['A', '2130706433'],
    ['A', ' 1.2.3.4'],
    ['A', '1.2.3.4\n'],
    ['A', '1.2.3.4\n$INCLUDE /etc/passwd'],
    ['A', '::1'],
    ['A', '１.2.3.4'],
    ['AAAA', '1.2.3.4'],
    ['AAAA', 'fe80::1%eth0'],
    ['AAAA', '[::1]'],
    ['AAAA', '1::2::3'],
    ['AAAA', '1:2:3:4:5:6:7:8::'],
    ['AAAA', '::01.2.3.4'],
    ['AAAA', '00001::'],
    ['AAAA', '::1\n'],
    ['AAAA', '1/..'],
    ...(['CNAME', 'MX', 'NS', 'SRV'] as const).flatMap((type) =>
      [
        '',
        ' ',
        '..',
        '.a',
        'a..b',
        'a.b..',
        '*',
        '*.a.net',
        '-a.net',
        'a b.net',
        'a.net;',
        'a.net\n@ NS evil.',
        'a.net\0',
        '"a.net"'
      ]
        .concat([
          '$ORIGIN',
          'a%2eb.net',
          'a\\.b.net',
          'localhost.',
          '192.0.2.1',
          '192.0.2.1.',
          '010.1.1.1',
          '1.2.3',
          'a.1'
        ])
        .concat([
          '::1',
          '[::1]',
          '2001:db8::1',
          'http://a.net',
          'a.net/',
          'a.net:80',
          'a@b.net',
          'ｗｗｗ.net',
          `${fill('a', 64)}.net`
        ])
        .concat([`${fill('a.', 126)}net`, `a.${fill('ü', 4000)}`])
        .map((value): [DnsRecordType, string] => [type, value])
    ),
    ['CNAME', '.'],
    ['CNAME', 'x'],
    ['CNAME', 'x.example.com.'],
    ['NS', '.'],
    ['NS', 'a_b.net'],
    ['MX', '_a.net'],
    ['SRV', 'a_b.net'],
    ['TXT', 'a\nb'],
    ['TXT', 'a\rb'],
    ['TXT', 'x\n@ IN NS evil.'],
    ['TXT', '\0'],
    ['TXT', '\t'],
    ['TXT', '\x7f'],
    ['TXT', '\x85'],
    ['TXT', '\ud800'],
    ['TXT', fill('a', 2049)],
    ['TXT', fill('😀', 2049)],
    ['CAA', ''],
    ['CAA', 'issue "ca"'],
    ['CAA', '256 issue "ca"'],
    ['CAA', '-1 issue "ca"'],
    ['CAA', '0 is_sue "ca"'],
    ['CAA', '0 abcdefghijklmnop "ca"'],
    ['CAA', '0 issue ca b'],
    ['CAA', '0 issue "ca'],
    ['CAA', '0 issue "ca" x'],
    ['CAA', '0 issue "a"b"'],
    ['CAA', '0 issue "\\000"'],
    ['CAA', '0 issue "ca"\n@ NS evil.'],
    ['CAA', '0 issue "c\na"'],
    ['CAA', '0 issue "ü"'],
    ['CAA', `0 issue "${fill('a', 256)}"`],
    ['CAA', `0 issue "${fill('\\"', 100_000)}`]
  ])('rejects %s %j', (type, value) => expect(normalize({ type, value, ...rest })).toEqual(['value']))

  test('an address instead of a hostname gets a hint', () => {
    const result = normalizeRecord({ type: 'NS', name: 'sub', value: '192.0.2.1', ttl: 60 }, domain)
    expect(result).toMatchObject({ problems: [{ path: 'value', message: expect.stringMatching(/A or AAAA record/) }] })
  })
  test("a single label is relative to the wildcard's parent", () => {
    expect(normalize({ type: 'CNAME', name: '@', value: 'www' }, '*.example.com')).toMatchObject({
      value: 'www.example.com'
    })
  })
})

describe('numbers', () => {
  const host = { value: 'host.example.net' }
  test('numbers that a type does not use are null', () => {
    expect(normalize({ type: 'A', name: '@', value: '192.0.2.1', ...rest })).toEqual({
      type: 'A',
      name: '@',
      value: '192.0.2.1',
      ttl: 300,
      priority: null,
      weight: null,
      port: null
    })
    expect(normalize({ type: 'MX', ...host, ...rest })).toMatchObject({ priority: 10, weight: null, port: null })
    expect(normalize({ type: 'SRV', ...host, ...rest })).toMatchObject(rest)
  })
  test.each<[Partial<RecordInput>, string[]]>([
    [{ type: 'MX', ...host }, ['priority']],
    [{ type: 'MX', ...host, priority: null }, ['priority']],
    [{ type: 'MX', ...host, priority: 65_536 }, ['priority']],
    [{ type: 'MX', ...host, priority: -1 }, ['priority']],
    [{ type: 'MX', ...host, priority: 1.5 }, ['priority']],
    [{ type: 'MX', ...host, priority: NaN }, ['priority']],
    [{ type: 'MX', value: '.', priority: 10 }, ['priority']],
    [{ type: 'SRV', ...host }, ['priority', 'weight', 'port']],
    [{ type: 'SRV', ...host, priority: 0, weight: 0, port: 0 }, ['port']],
    [{ type: 'TXT', ttl: -1 }, ['ttl']],
    [{ type: 'TXT', ttl: 2 ** 31 }, ['ttl']],
    [{ type: 'TXT', ttl: 0.5 }, ['ttl']],
    [{ type: 'A', name: '..', value: 'x', ttl: NaN }, ['name', 'value', 'ttl']]
  ])('%j: %j', (input, paths) => expect(normalize(input)).toEqual(paths))
  test('no mail', () =>
    expect(normalize({ type: 'MX', value: '.', priority: 0 })).toMatchObject({ value: '.', priority: 0 }))
})

test('normalization is idempotent', () => {
  fc.assert(
    fc.property(recordInput(), fc.constantFrom(domain, 'shop.example.com', '*.example.com'), (input, hostname) => {
      const result = normalizeRecord(input, hostname)
      if (!('record' in result)) return
      expect(normalizeRecord(result.record, hostname)).toEqual(result)
      const { name, ...values } = result.record
      if (name !== '@' || values.type !== 'CNAME') {
        expect(isNormalRecord({ ...values, owner: ownerOf(name, hostname) }, 'example.com')).toBe(true)
      }
    }),
    { numRuns: 5_000 }
  )
})

test('never throws, and accepted values are plain', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.constantFrom('@', 'a', 'a.example.com'))
  const type = fc.constantFrom(...dnsRecordTypes)
  fc.assert(
    fc.property(type, text, text, (type, name, value) => {
      const result = normalizeRecord({ type, name, value, ttl: 60, ...rest }, domain)
      if (!('record' in result)) return
      expect(result.record.name).toMatch(/^(@|[a-z0-9_*.-]+)$/)
      if (type === 'TXT') expect(result.record.value).toBe(value)
      else expect(result.record.value).toMatch(/^[ -~]+$/)
    }),
    { numRuns: 5_000 }
  )
})
