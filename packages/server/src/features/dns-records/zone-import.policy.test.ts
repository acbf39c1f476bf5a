import { describe, expect, test } from 'vitest'
import { parseZoneFile, type ZoneFileRecord } from './zone-file-parser.policy.ts'
import { bounded, toImport } from './zone-import.policy.ts'
import { errorOf, zoneLine } from './zone-line.policy.ts'

async function imported(content: string, hostname = 'example.com', zoneName = 'example.com') {
  const nameservers = ['ns1.panel.net', 'ns2.panel.net']
  return toImport(parseZoneFile(content, hostname.replace('*.', '')), hostname, zoneName, nameservers)
}

const file = `$ORIGIN example.com.
$TTL 1h
@ IN SOA ns1.old.net. hostmaster.example.com. ( 1 2h 1h 2w 1h )
  NS ns1.old.net.
  NS NS1.panel.net.
  NS ns2.panel.net.
@ A 192.0.2.1
www 60 CNAME @
@ MX 10 mail
_sip._tcp SRV 0 5 5060 sip.example.net.
@ TXT "v=spf1 " "-all"
@ CAA 0 issue "ca.example.net"
s1._domainkey TXT "\\195" "\\169"
sub NS ns.sub
ns.sub A 192.0.2.2
v6 AAAA 2001:DB8:0::1
none MX 0 .
b PTR www
_25._tcp.mail TLSA 3 1 1 ( ${'ab '.repeat(32)} ) ; a key
host SSHFP 4 2 ${'0F'.repeat(32)}
@ HTTPS 1 . ipv4hint=192.0.2.1 alpn="h2,h3"
_8443._foo SVCB 0 svc
@ NAPTR 100 10 "u" E2U+sip "!^.*$!sip:a@b!" .
`

test("a whole zone except this server's own records", async () => {
  const { records, skipped, errors } = await imported(file)
  expect(errors).toEqual([])
  expect(skipped).toEqual([
    {
      line: 4,
      reason: 'the name servers of the zone itself cannot be changed',
      sentences: [{ code: 'APEX_SERVERS' }]
    }
  ])
  const none = { priority: null, weight: null, port: null }
  expect(records).toEqual([
    { line: 7, name: '@', type: 'A', value: '192.0.2.1', ttl: 3600, ...none },
    { line: 8, name: 'www', type: 'CNAME', value: 'example.com', ttl: 60, ...none },
    { line: 9, name: '@', type: 'MX', value: 'mail.example.com', ttl: 3600, ...none, priority: 10 },
    {
      line: 10,
      name: '_sip._tcp',
      type: 'SRV',
      value: 'sip.example.net',
      ttl: 3600,
      priority: 0,
      weight: 5,
      port: 5060
    },
    { line: 11, name: '@', type: 'TXT', value: 'v=spf1 -all', ttl: 3600, ...none },
    { line: 12, name: '@', type: 'CAA', value: '0 issue "ca.example.net"', ttl: 3600, ...none },
    { line: 13, name: 's1._domainkey', type: 'TXT', value: 'é', ttl: 3600, ...none },
    { line: 14, name: 'sub', type: 'NS', value: 'ns.sub.example.com', ttl: 3600, ...none },
    { line: 15, name: 'ns.sub', type: 'A', value: '192.0.2.2', ttl: 3600, ...none },
    { line: 16, name: 'v6', type: 'AAAA', value: '2001:db8::1', ttl: 3600, ...none },
    { line: 17, name: 'none', type: 'MX', value: '.', ttl: 3600, ...none, priority: 0 },
    { line: 18, name: 'b', type: 'PTR', value: 'www.example.com', ttl: 3600, ...none },
    { line: 19, name: '_25._tcp.mail', type: 'TLSA', value: `3 1 1 ${'AB'.repeat(32)}`, ttl: 3600, ...none },
    { line: 20, name: 'host', type: 'SSHFP', value: `4 2 ${'0F'.repeat(32)}`, ttl: 3600, ...none },
    { line: 21, name: '@', type: 'HTTPS', value: '. alpn=h2,h3 ipv4hint=192.0.2.1', ttl: 3600, ...none, priority: 1 },
    { line: 22, name: '_8443._foo', type: 'SVCB', value: 'svc.example.com', ttl: 3600, ...none, priority: 0 },
    {
      line: 23,
      name: '@',
      type: 'NAPTR',
      value: '100 10 "u" "E2U+sip" "!^.*$!sip:a@b!" .',
      ttl: 3600,
      ...none
    }
  ])
})

test("a domain in its parent's zone imports only its own records", async () => {
  const { records, skipped, errors } = await imported(
    '@ NS ns1.panel.net.\n@ NS a.net.\n@ A 192.0.2.1\nexample.com. A 192.0.2.2\nx TXT x\n',
    'shop.example.com'
  )
  expect(records.map(({ name }) => name)).toEqual(['@', 'x'])
  expect(skipped.map(({ line }) => line)).toEqual([2])
  expect(errors.map(({ line }) => line)).toEqual([4])
})

test('a wildcard domain imports only itself', async () => {
  const { records, errors } = await imported('* A 192.0.2.1\n@ A 192.0.2.1\nwww A 192.0.2.1\n', '*.example.com')
  expect(records).toMatchObject([{ line: 1, name: '@' }])
  expect(errors).toHaveLength(2)
})

describe('reports the reason for a line', () => {
  test.each([
    ['x DNAME www', /^line 1: DNAME records are not supported$/],
    ['x TYPE65280 1', /TYPE65280 records are not supported/],
    ['x DS 1 13 2 AB', /DS records are not supported/],
    ['x constructor y', /CONSTRUCTOR records are not supported/],
    ['x __proto__ y', /type/],
    ['x A 1.1.1.1 1.1.1.2', /values for A: 2 instead of 1/],
    ['x A \\# 4 01020304', /unknown types/],
    ['x A 01.1.1.1', /value must be an IPv4 address/],
    ['x MX mail', /values for MX: 1 instead of 2/],
    ['x MX ten mail', /priority must be a whole number/],
    ['x MX 70000 mail', /priority must be/],
    ['x MX 1 .', /priority must be 0/],
    ['x SRV 1 1 0 a.net.', /port must be/],
    ['x SRV 0x1 1 1 a.net.', /priority must be/],
    ['_x A 1.1.1.1', /name must be a hostname for A records/],
    ['x CNAME localhost.', /value must be a full hostname/],
    ['x CNAME a\\.b.net.', /value must be a full hostname/],
    ['a\\032b A 1.1.1.1', /name must be/],
    ['@ CNAME a.net.', /not allowed at the apex/],
    ['* NS a.net.', /wildcard/],
    ['x CAA 0 issue "ü"', /printable ASCII/],
    ['x CAA 0 issue "a\\"\\000"', /printable ASCII/],
    ['x TXT \\256', /escape/],
    ['x TXT \\1', /escape/],
    ['x TXT "\ud800"', /well-formed/],
    ['x TXT \\255', /is not UTF-8 text/],
    ['x TXT "\\237\\160\\128"', /is not UTF-8 text/],
    ['x TXT "\\010@ IN NS evil."', /single line/],
    ['x TXT "\\000"', /single line/],
    [`x TXT ${'a'.repeat(2_049)}`, /at most 2048/],
    ['x PTR www mail', /values for PTR: 2 instead of 1/],
    ['x PTR localhost.', /value must be a full hostname/],
    ['x SSHFP 4 2', /value must be an algorithm, a type/],
    ['x SSHFP 4 2 AB', /64 hexadecimal digits with the type 2/],
    ['x SSHFP 4 3 ABC', /even number/],
    ['x TLSA 3 1 256 AB', /0 to 255 as its matching type/],
    ['x TLSA 3 1 1 "AB"', /even number/],
    ['x SVCB svc alpn=h2', /priority must be a whole number/],
    ['x HTTPS 0 svc.example.net. alpn=h2', /priority 0/],
    ['x HTTPS 1 . alpn=h2 alpn=h3', /must have alpn once/],
    ['x HTTPS 1 . ALPN=h2', /where a parameter/],
    ['x HTTPS 1 _svc', /hostname as its target/],
    ['x NAPTR 1 1 "S" "SIP+D2U" ""', /values for NAPTR: 5 instead of 6/],
    ['x NAPTR 1 1 "U" "E2U" "!a!b!" mail', /not both/],
    ['x NAPTR 1 1 "U" "E2U" "a\\255" .', /printable ASCII/],
    ['evil. A 1.1.1.1', /not in example.com/],
    ['$INCLUDE /etc/passwd', /not supported/],
    ['$GENERATE 1-9999999 h$ A 1.1.1.1', /not supported/]
  ])('%s', async (line, message) => {
    const { records, errors } = await imported(`${line}\nok A 192.0.2.1\n`)
    expect(errors.map(errorOf)).toEqual([expect.stringMatching(message)])
    expect(records).toMatchObject([{ name: 'ok' }])
  })
})

test('reports DNSSEC records once', async () => {
  const { records, skipped, errors } = await imported(
    '@ DNSKEY 257 3 13 AA==\n@ RRSIG A 13 2 60 1 1 1 x. AA==\n@ NSEC x A\n@ NSEC3PARAM 1 0 0 -\n@ CDS 1 13 2 AA\n'
  )
  expect(records).toEqual([])
  expect(errors).toEqual([])
  expect(skipped).toMatchObject([{ line: 1, reason: expect.stringMatching(/^DNSSEC/) }])
})

test('uses the first TTL for a name and type', async () => {
  const { records } = await imported('x 60 A 192.0.2.1\nx 30 A 192.0.2.2\nx 30 TXT x\n')
  expect(records.map(({ ttl }) => ttl)).toEqual([60, 60, 30])
})

test('errors are in file order and limited', () => {
  const records = Array.from({ length: 3_000 }, (_, index): ZoneFileRecord => ({
    line: index * 2 + 1,
    owner: 'x.example.com',
    type: 'DNAME',
    ttl: 1,
    rdata: [{ text: 'x.', isQuoted: false }]
  }))
  const bad = zoneLine(2, { code: 'TYPE_MISSING' })
  const { errors } = toImport({ records, errors: [bad] }, 'example.com', 'example.com')
  const reported = bounded(errors.map(errorOf))
  expect(reported.slice(0, 2)).toEqual(['line 1: DNAME records are not supported', 'line 2: has no type'])
  expect(reported).toHaveLength(1_001)
  expect(reported.at(-1)).toBe('and 2001 more')
})
