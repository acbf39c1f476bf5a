import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DnsRecordType, dnsRecordTypes } from '@panel/contract/dns-records'
import { bytesOf, escapeBytes, fieldsOf } from './character-string.ts'
import { createRdataReader, readName } from './rdata-reader.ts'
import { ValueProblem } from './record-type.ts'
import { presentationOf, rdataOf, recordTypes } from './record-types.ts'
import { recordValues } from '../../test/fixtures/record-values.fixture.ts'
import { readParams } from './service-params.ts'

const foo = '03666f6f076578616d706c6503636f6d00'
const fooOrg = '03666f6f076578616d706c65036f726700'
const digest = '0123456789abcdef'.repeat(4)

const forms: [DnsRecordType, string, string, string, string][] = [
  ['A', '192.0.2.1', '192.0.2.1', '192.0.2.1', 'c0000201'],
  ['AAAA', '2001:DB8:0::1', '2001:db8::1', '2001:db8::1', '20010db8000000000000000000000001'],
  ['AAAA', '::FFFF:1.2.3.4', '::ffff:1.2.3.4', '::ffff:1.2.3.4', '00000000000000000000ffff01020304'],
  ['CNAME', 'Foo.example.com.', 'foo.example.com', 'foo.example.com.', foo],
  ['MX', '10 foo', '10 foo.example.com', '10 foo.example.com.', `000a${foo}`],
  ['MX', '0 .', '0 .', '0 .', '000000'],
  ['TXT', 'é "x"', 'é "x"', '"\\195\\169 \\"x\\""', '06c3a920227822'],
  ['NS', 'foo.example.com', 'foo.example.com', 'foo.example.com.', foo],
  ['SRV', '1 2 3 foo', '1 2 3 foo.example.com', '1 2 3 foo.example.com.', `000100020003${foo}`],
  ['CAA', '0 Issue "ca;\\""', '0 issue "ca;\\""', '0 issue "ca;\\""', '00056973737565' + '63613b22'],
  ['PTR', 'foo', 'foo.example.com', 'foo.example.com.', foo],
  // RFC 4255 §3.2, RFC 6594 §4, RFC 7479 §2.
  ['SSHFP', `2 1 ${'aB'.repeat(20)}`, `2 1 ${'AB'.repeat(20)}`, `2 1 ${'AB'.repeat(20)}`, `0201${'ab'.repeat(20)}`],
  ['SSHFP', `04 2 ${digest}`, `4 2 ${digest.toUpperCase()}`, `4 2 ${digest.toUpperCase()}`, `0402${digest}`],
  ['SSHFP', '9 77 0 1', '9 77 01', '9 77 01', '094d01'],
  ['TLSA', `3 1 1 ${digest}`, `3 1 1 ${digest.toUpperCase()}`, `3 1 1 ${digest.toUpperCase()}`, `030101${digest}`],
  ['TLSA', '255 0 0 3082 01', '255 0 0 308201', '255 0 0 308201', 'ff0000308201'],
  [
    'NAPTR',
    '100 50 "a" z3950+N2L+N2C "" cidserver.example.com.',
    '100 50 "a" "z3950+N2L+N2C" "" cidserver.example.com',
    '100 50 "a" "z3950+N2L+N2C" "" cidserver.example.com.',
    '00640032' + '0161' + '0d7a333935302b4e324c2b4e3243' + '00' + '09636964736572766572076578616d706c6503636f6d00'
  ],
  [
    'NAPTR',
    '100 10 "" "" "!^urn:cid:.+@([^\\\\.]+\\\\.)(.*)$!\\\\2!i" .',
    '100 10 "" "" "!^urn:cid:.+@([^\\\\.]+\\\\.)(.*)$!\\\\2!i" .',
    '100 10 "" "" "!^urn:cid:.+@([^\\\\.]+\\\\.)(.*)$!\\\\2!i" .',
    '0064000a0000' + '21' + Buffer.from('!^urn:cid:.+@([^\\.]+\\.)(.*)$!\\2!i').toString('hex') + '00'
  ],
  // RFC 9460, appendix D.
  ['HTTPS', '0 foo.example.com.', '0 foo.example.com', '0 foo.example.com.', `0000${foo}`],
  ['SVCB', '1 .', '1 .', '1 .', '000100'],
  ['SVCB', '16 foo port=53', '16 foo.example.com port=53', '16 foo.example.com. port=53', `0010${foo}000300020035`],
  [
    'SVCB',
    '1 foo key667=hello',
    '1 foo.example.com key667=hello',
    '1 foo.example.com. key667=hello',
    `0001${foo}029b000568656c6c6f`
  ],
  [
    'SVCB',
    '1 foo key667="hello\\210qoo"',
    '1 foo.example.com key667=hello\\210qoo',
    '1 foo.example.com. key667=hello\\210qoo',
    `0001${foo}029b000968656c6c6fd2716f6f`
  ],
  [
    'SVCB',
    '1 foo ipv6hint="2001:db8::1,2001:db8::53:1"',
    '1 foo.example.com ipv6hint=2001:db8::1,2001:db8::53:1',
    '1 foo.example.com. ipv6hint=2001:db8::1,2001:db8::53:1',
    `0001${foo}0006002020010db800000000000000000000000120010db8000000000000000000530001`
  ],
  [
    'SVCB',
    '1 foo ipv6hint="2001:db8:122:344::192.0.2.33"',
    '1 foo.example.com ipv6hint=2001:db8:122:344::c000:221',
    '1 foo.example.com. ipv6hint=2001:db8:122:344::c000:221',
    `0001${foo}0006001020010db80122034400000000c0000221`
  ],
  [
    'SVCB',
    '16 foo.example.org. alpn=h2,h3-19 mandatory=ipv4hint,alpn ipv4hint=192.0.2.1',
    '16 foo.example.org mandatory=alpn,ipv4hint alpn=h2,h3-19 ipv4hint=192.0.2.1',
    '16 foo.example.org. mandatory=alpn,ipv4hint alpn=h2,h3-19 ipv4hint=192.0.2.1',
    `0010${fooOrg}0000000400010004000100090268320568332d313900040004c0000201`
  ],
  ...['alpn="f\\\\\\\\oo\\\\,bar,h2"', 'alpn=f\\\\\\092oo\\092,bar,h2'].map(
    (alpn): [DnsRecordType, string, string, string, string] => [
      'SVCB',
      `16 foo.example.org. ${alpn}`,
      '16 foo.example.org alpn=f\\\\\\\\oo\\\\,bar,h2',
      '16 foo.example.org. alpn=f\\\\\\\\oo\\\\,bar,h2',
      `0010${fooOrg}0001000c08665c6f6f2c626172026832`
    ]
  ),
  [
    'HTTPS',
    '1 . key65534 no-default-alpn ech=AAAA key1="\\002 ;" dohpath=/dns-query{?dns}',
    '1 . alpn=\\032\\059 no-default-alpn ech=AAAA key7=/dns-query{?dns} key65534',
    '1 . alpn=\\032\\059 no-default-alpn ech=AAAA key7=/dns-query{?dns} key65534',
    '0001000001000302203b0002000000050003000000000700102f646e732d71756572797b3f646e737dfffe0000'
  ]
]

function contentOf(type: DnsRecordType, text: string) {
  const parts = text.split(' ')
  const content = { value: '', priority: null, weight: null, port: null } as Parameters<typeof presentationOf>[0]
  for (const member of recordTypes[type].members) content[member] = Number(parts.shift())
  return { ...content, value: recordTypes[type].normalize(parts.join(' '), 'example.com') }
}

const fromWire = (type: DnsRecordType, hex: string) => {
  const bytes = Buffer.from(hex, 'hex')
  return recordTypes[type].fromWire(createRdataReader(bytes, 0, bytes.length))
}

describe('the formats of a record', () => {
  test('every type has one here', () => expect(new Set(forms.map(([type]) => type))).toEqual(new Set(dnsRecordTypes)))
  test.each(forms)('%s %s', (type, written, normal, inFile, wire) => {
    const content = contentOf(type, written)
    expect(presentationOf(content)).toBe(normal)
    expect(rdataOf(type, content)).toBe(inFile)
    expect(fromWire(type, wire)).toBe(normal)
    const numbers = recordTypes[type].members.length * 2
    expect(recordTypes[type].wireBytes(content.value)).toBeGreaterThanOrEqual(wire.length / 2 - numbers)
  })
  test('encodes the parameters of a service as in DNS messages', () => {
    for (const [type, , normal, , wire] of forms.filter(([type]) => type === 'SVCB' || type === 'HTTPS')) {
      const params = readParams(fieldsOf(contentOf(type, normal).value).slice(1))
      const hex = params.map(
        ({ key, value }) =>
          [key, value.length].map((n) => n.toString(16).padStart(4, '0')).join('') + value.toString('hex')
      )
      expect(wire.endsWith(hex.join(''))).toBe(true)
    }
  })
})

describe('invalid values', () => {
  const hex = 'ab'.repeat(32)
  test.each<[DnsRecordType, string, RegExp]>([
    ['PTR', '.', /full hostname/],
    ['PTR', '192.0.2.1', /not an IP address/],
    ['SSHFP', '', /^must be an algorithm, a type/],
    ['SSHFP', '4', /^must be/],
    ['SSHFP', '4 2', /^must be/],
    ['SSHFP', `256 2 ${hex}`, /0 to 255 as its algorithm/],
    ['SSHFP', `x 2 ${hex}`, /as its algorithm/],
    ['SSHFP', `4 1 ${hex}`, /40 hexadecimal digits with the type 1/],
    ['SSHFP', '4 3 abc', /even number/],
    ['SSHFP', '4 3 zz', /hexadecimal/],
    ['SSHFP', '4 3 "ab"', /hexadecimal/],
    ['SSHFP', '4 3 ab;cd', /only in quoted text/],
    ['SSHFP', '4 3 ab\n@ NS evil.', /single line/],
    ['TLSA', `3 1 ${hex}`, /matching type/],
    ['TLSA', `3 1 2 ${hex}`, /128 hexadecimal digits/],
    ['TLSA', '3 1 -1 ab', /matching type/],
    ['NAPTR', '', /^must be an order/],
    ['NAPTR', '1 1 "" "" ""', /^must be an order/],
    ['NAPTR', '1 1 "" "" "" "."', /^must be an order/],
    ['NAPTR', '1 1 "" "" "" . .', /^must be an order/],
    ['NAPTR', '65536 1 "" "" "" .', /as its order/],
    ['NAPTR', '1 x "" "" "" .', /as its preference/],
    ['NAPTR', '1 1 "a-b" "" "" .', /letters and digits as its flags/],
    ['NAPTR', '1 1 "" "\\255" "" .', /printable/],
    ['NAPTR', `1 1 "" "${'x'.repeat(256)}" "" .`, /255/],
    ['NAPTR', '1 1 "" "" "" 192.0.2.1', /not an IP address/],
    ['NAPTR', '1 1 "" "" "!a!b!" a.net', /not both/],
    ['NAPTR', '1 1 "" "" "iaibi" .', /delimiter/],
    ['NAPTR', '1 1 "" "" "!a!b" .', /two parts/],
    ['NAPTR', '1 1 "" "" "!a!b!!" .', /two parts/],
    ['NAPTR', '1 1 "" "" "!a!b!x" .', /only have the flag i/],
    ['NAPTR', '1 1 "" "" "!(a!b!" .', /POSIX/],
    ['NAPTR', '1 1 "" "" "!!b!" .', /POSIX/],
    ['NAPTR', '1 1 "" "" "!a**!b!" .', /POSIX/],
    ['NAPTR', '1 1 "" "" "![]!b!" .', /POSIX/],
    ['NAPTR', '1 1 "" "" "![b-a]!b!" .', /POSIX/],
    ['NAPTR', '1 1 "" "" "!a{3,2}!b!" .', /POSIX/],
    ['NAPTR', '1 1 "" "" "!(a)!\\\\2!" .', /groups/],
    ['NAPTR', '1 1 "" "" "!(a)!\\\\0!" .', /groups/],
    ['SVCB', '', /^must be a hostname or a dot/],
    ['SVCB', '"."', /^must be a hostname or a dot/],
    ['SVCB', 'a..b', /full hostname/],
    ['SVCB', '. "alpn=h2"', /where a parameter/],
    ['SVCB', '. alpn = h2', /protocols/],
    ['SVCB', '. Alpn=h2', /where a parameter/],
    ['SVCB', '. key65535=x', /known are mandatory, alpn/],
    ['SVCB', '. key01=x', /known are/],
    ['SVCB', '. nonsense', /known are/],
    ['SVCB', '. ech', /base64/],
    ['SVCB', '. key7', /path with the variable dns/],
    ['HTTPS', '. dohpath=/dns-query', /path with the variable dns/],
    ['SVCB', '. ech=AAA', /base64/],
    ['SVCB', '. ech=!', /base64/],
    ['SVCB', '. port=65536', /after port=/],
    ['SVCB', '. port=\\056', /after port=/],
    ['SVCB', '. key3=a', /one number after port=/],
    ['SVCB', '. ipv4hint=192.0.2.1,', /IPv4/],
    ['SVCB', '. ipv4hint=\\049.0.2.1', /no escapes/],
    ['SVCB', '. ipv6hint=192.0.2.1', /IPv6/],
    ['SVCB', '. key4=abc', /addresses after ipv4hint=/],
    ['SVCB', '. alpn=h2,', /protocols/],
    ['SVCB', '. alpn="h2\\\\x"', /backslash/],
    ['SVCB', `. alpn=${'x'.repeat(256)}`, /255/],
    ['SVCB', '. key1=\\003h2', /protocols/],
    ['SVCB', '. no-default-alpn', /alpn together with/],
    // RFC 9460, appendix D.3.
    ['SVCB', 'foo key123=abc key123=def', /key123 once/],
    ['SVCB', 'foo mandatory', /parameter/],
    ['SVCB', 'foo alpn', /protocols/],
    ['SVCB', 'foo port', /after port=/],
    ['SVCB', 'foo ipv4hint', /IPv4/],
    ['SVCB', 'foo ipv6hint', /IPv6/],
    ['SVCB', 'foo alpn=h2 no-default-alpn=abc', /no value/],
    ['SVCB', 'foo mandatory=key123', /must have key123, which mandatory lists/],
    ['SVCB', 'foo mandatory=mandatory', /not mandatory itself/],
    ['SVCB', 'foo mandatory=key123,key123 key123=abc', /each key once/]
  ])('%s %j', (type, value, message) => {
    const normalize = () => recordTypes[type].normalize(value, 'example.com')
    expect(normalize).toThrow(ValueProblem)
    expect(normalize).toThrow(message)
  })
})

describe('conflicts', () => {
  const none = { priority: null, weight: null, port: null }
  const problemOf = (type: DnsRecordType, value: string, priority: number | null, owner = 'www.example.com') =>
    recordTypes[type].contentProblem?.({ ...none, owner, value, priority })?.path
  test.each<[DnsRecordType, string, number | null, string | undefined]>([
    ['HTTPS', 'a.net', 0, undefined],
    ['HTTPS', '_a.net', 0, undefined],
    ['HTTPS', '.', 0, undefined],
    ['HTTPS', '. alpn=h2', 0, 'value'],
    ['HTTPS', 'www.example.com', 0, 'value'],
    ['HTTPS', 'www.example.com', 1, undefined],
    ['HTTPS', '_a.net alpn=h2', 1, 'value'],
    ['PTR', '_a.net', null, undefined]
  ])('%s %j with priority %j: %j', (type, value, priority, path) => expect(problemOf(type, value, priority)).toBe(path))
  test('a reverse name points to a hostname', () => {
    expect(problemOf('PTR', '_a.net', null, '1.2.0.192.in-addr.arpa')).toBe('value')
    expect(problemOf('PTR', 'a.net', null, '1.2.0.192.in-addr.arpa')).toBeUndefined()
  })
  test('an alias and services at the same name', () => {
    const [alias, service] = [0, 1].map((priority) => ({ ...none, owner: 'a.net', value: '.', priority }))
    expect(recordTypes.HTTPS.conflict!(alias!, service!)).toEqual({ code: 'ALIAS_ALONE', values: { owner: 'a.net' } })
    expect(recordTypes.HTTPS.conflict!(alias!, alias!)).toBeUndefined()
    expect(recordTypes.HTTPS.conflict!(service!, service!)).toBeUndefined()
  })
})

test.each(dnsRecordTypes)('%s: normalising is idempotent for any input', (type) => {
  const { normalize, file } = recordTypes[type]
  fc.assert(
    fc.property(fc.oneof(recordValues[type], fc.string(), fc.string({ unit: 'binary' })), (value) => {
      let normal: string
      try {
        normal = normalize(value, 'example.com')
      } catch (error) {
        expect(error).toBeInstanceOf(ValueProblem)
        return
      }
      expect(normalize(normal, 'example.org')).toBe(normal)
      expect(file.write(normal)).toMatch(/^[\x20-\x7e]+$/)
      expect(recordTypes[type].wireBytes(normal)).toBeLessThan(65_000)
    }),
    { numRuns: 1_000 }
  )
})

test.each(dnsRecordTypes)('%s: invalid bytes are refused and never read beyond the end', (type) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (array) => {
      const bytes = Buffer.from(array)
      try {
        expect(typeof recordTypes[type].fromWire(createRdataReader(bytes, 0, bytes.length))).toBe('string')
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError)
      }
    }),
    { numRuns: 1_000 }
  )
})

test('any bytes survive escaping', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (array) => {
      const bytes = Buffer.from(array)
      expect(bytesOf(escapeBytes(bytes))).toEqual(bytes)
    })
  )
})

describe('names in DNS messages', () => {
  const read = (...bytes: (number | string)[]) =>
    readName(
      Buffer.concat(bytes.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part])))),
      0
    )
  test.each([
    [[0], { name: '.', next: 1 }],
    [[1, 'A', 3, 'net', 0], { name: 'a.net', next: 7 }],
    [[3, 'a.b', 0], { name: 'a\\046b', next: 5 }],
    [[1, 255, 0], { name: '\\255', next: 3 }]
  ])('%j', (bytes, name) => expect(read(...bytes)).toEqual(name))
  test('decodes compression pointers', () => {
    const message = Buffer.from([3, 110, 101, 116, 0, 1, 97, 0xc0, 0])
    expect(readName(message, 5)).toEqual({ name: 'a.net', next: 9 })
  })
  test.each([
    [[]],
    [[3, 'ab']],
    [[0xc0]],
    [[0xc0, 0]],
    [[0xc0, 5]],
    [[0x40, 'a', 0]],
    [Array.from({ length: 130 }, () => [1, 'a']).flat()]
  ])('%j is none', (bytes) => expect(() => read(...bytes)).toThrow(RangeError))
})
