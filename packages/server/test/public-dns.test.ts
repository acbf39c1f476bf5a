import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Answer } from 'dns-packet'
import fc from 'fast-check'
import { dnsRecordTypes } from '@panel/contract/dns-records'
import { type Lookup, type LookupType } from '../src/infra/public-dns/public-dns.ts'
import { createPublicDns } from '../src/infra/public-dns/resolvers.ts'
import { type FakeResolver, type Forgery, type Rcode, startFakeResolver } from './support/fake-resolver.ts'

const name = 'shop.example'
const digest = Buffer.from('ab12'.repeat(16), 'hex')

let fakes: FakeResolver[]
let first: FakeResolver
beforeAll(async () => {
  fakes = await Promise.all(['127.0.0.11', '127.0.0.12', '127.0.0.13'].map((host) => startFakeResolver(host)))
  first = fakes[0]!
})
beforeEach(() => fakes.forEach((fake) => fake.reset()))
afterAll(() => Promise.all(fakes.map((fake) => fake.close())))

/** dns-packet knows some types only by number. */
const numberOf: Partial<Record<LookupType, string>> = { SVCB: 'UNKNOWN_64', HTTPS: 'UNKNOWN_65' }

const ask = async (type: LookupType, requested = name, timeoutMs = 2_000): Promise<Lookup> =>
  (await createPublicDns({ resolvers: [first.address], timeoutMs }).lookUp(requested, type))[0]!

describe('values', () => {
  test.each<[LookupType, unknown[], string[]]>([
    ['A', ['192.0.2.1', '192.0.2.2'], ['192.0.2.1', '192.0.2.2']],
    ['AAAA', ['2001:DB8:0:0:1:0:0:1'], ['2001:db8::1:0:0:1']],
    ['CNAME', ['_Target.Example.NET'], ['_target.example.net']],
    ['NS', ['NS1.example.net', 'ns2.example.net'], ['ns1.example.net', 'ns2.example.net']],
    [
      'MX',
      [
        { preference: 10, exchange: 'Mail.Example.net' },
        { preference: 0, exchange: '.' }
      ],
      ['10 mail.example.net', '0 .']
    ],
    ['SRV', [{ priority: 0, weight: 5, port: 5060, target: 'SIP.example.net' }], ['0 5 5060 sip.example.net']],
    ['SRV', [{ priority: 0, weight: 0, port: 0, target: '.' }], ['0 0 0 .']],
    ['TXT', ['v=spf1 -all', ['a', 'b']], ['v=spf1 -all', 'ab']],
    [
      'CAA',
      [
        { flags: 0, tag: 'issue', value: 'ca.example.net' },
        { flags: 128, tag: 'ISSUEWILD', value: ';' },
        { flags: 0, tag: 'critical', value: 'say "hi"' },
        { flags: 0, tag: '__proto__', value: '' }
      ],
      ['0 issue "ca.example.net"', '128 issuewild ";"', '0 critical "say \\"hi\\""', '0 __proto__ ""']
    ],
    ['PTR', ['WWW.example.net'], ['www.example.net']],
    ['SSHFP', [{ algorithm: 4, hash: 2, fingerprint: 'ab'.repeat(32) }], [`4 2 ${'AB'.repeat(32)}`]],
    ['TLSA', [{ usage: 3, selector: 1, matchingType: 1, certificate: digest }], [`3 1 1 ${'AB12'.repeat(16)}`]],
    [
      'NAPTR',
      [{ order: 1, preference: 2, flags: 'U', services: 'E2U+sip', regexp: '!^"(.*)$!\\1!', replacement: '.' }],
      ['1 2 "U" "E2U+sip" "!^\\"(.*)$!\\\\1!" .']
    ],
    ['SVCB', [Buffer.from('0010' + '01610362636400' + '000300020035', 'hex')], ['16 a.bcd port=53']],
    [
      'HTTPS',
      [
        Buffer.from('000000', 'hex'),
        Buffer.from('000100' + '00010003026832', 'hex'),
        Buffer.from('00010000030001ff', 'hex')
      ],
      ['0 .', '1 . alpn=h2', '1 . port=\\# ff']
    ],
    ['DS', [{ keyTag: 12345, algorithm: 13, digestType: 2, digest }], [`12345 13 2 ${'AB12'.repeat(16)}`]]
  ])('%s %j', async (type, data, values) => {
    first.set(name, numberOf[type] ?? type, { values: data })
    expect(await ask(type)).toEqual({
      resolver: first.address,
      values,
      error: null,
      latencyMs: expect.toSatisfy(Number.isInteger)
    })
    expect(first.queries[0]).toMatchObject({
      name,
      type: numberOf[type] ?? type,
      protocol: 'udp',
      recursionDesired: true
    })
  })

  test.each<LookupType>(['A', 'TXT'])('%s behind a CNAME belongs to the name', async (type) => {
    const data = type === 'A' ? '192.0.2.1' : 'text'
    const alias = { type: 'CNAME', name, data: 'target.example' } as const
    first.set(name, type, { answers: [alias, { type, name: 'target.example', data } as Answer] })
    expect((await ask(type)).values).toEqual([data])
    first.set(name, type, { answers: [alias] })
    expect((await ask(type)).error).toBe('NODATA')
  })

  test('queries are lowercase without a trailing dot', async () => {
    first.set('_dmarc.shop.example', 'TXT', { values: ['v=DMARC1; p=none'] })
    expect((await ask('TXT', '_DMARC.Shop.Example.')).values).toEqual(['v=DMARC1; p=none'])
  })
})

test.each(['', '0001', '000101', '000100' + '00010009026832'])('truncated data (%s) is ignored', async (hex) => {
  first.set(name, 'UNKNOWN_65', { values: [Buffer.from(hex, 'hex')] })
  expect(await ask('HTTPS')).toMatchObject({ values: [], error: 'BAD_RESPONSE' })
})

describe('TXT', () => {
  const euro = Buffer.from('€')
  test.each<[string, (string | Buffer)[], string]>([
    ['UTF-8', ['grüße 😀'], 'grüße 😀'],
    ['a character that lies in two strings', [euro.subarray(0, 1), euro.subarray(1)], '€'],
    ['bytes that are no UTF-8', [Buffer.from([0x61, 0xff, 0x62])], 'a\ufffdb'],
    ['a zero byte', [Buffer.from([0x61, 0x00, 0x62])], 'a\0b'],
    ['an empty string', [''], ''],
    ['many strings', Array(30).fill('ab'), 'ab'.repeat(30)]
  ])('%s', async (_what, chunks, text) => {
    first.set(name, 'TXT', { values: [chunks] })
    expect(await ask('TXT')).toMatchObject({ values: [text], error: null })
  })

  test('of 2044 bytes uses TCP', async () => {
    const text = 'v=DKIM1; p='.padEnd(2044, 'aB3+')
    first.set(name, 'TXT', { values: [text.match(/.{1,255}/g)!] })
    expect((await ask('TXT')).values).toEqual([text])
    expect(first.queries.map(({ protocol }) => protocol)).toEqual(['udp', 'tcp'])
  })
})

describe('no values', () => {
  test.each(
    (['A', 'MX', 'TXT', 'DS'] as const).flatMap((type) =>
      (['FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED'] as const).map((rcode): [LookupType, Rcode] => [
        type,
        rcode
      ])
    )
  )('%s: %s', async (type, rcode) => {
    first.set(name, type, { rcode })
    expect(await ask(type)).toMatchObject({ values: [], error: rcode })
  })

  test.each<LookupType>(['A', 'TXT'])('%s: NODATA and NXDOMAIN are told apart', async (type) => {
    first.set(name, 'NS', { values: ['ns1.example.net'] })
    expect(await ask(type)).toMatchObject({ values: [], error: 'NODATA' })
    expect(await ask(type, 'other.example')).toMatchObject({ values: [], error: 'NXDOMAIN' })
  })

  test.each<LookupType>(['A', 'TXT'])('%s: no response after two queries', async (type) => {
    first.set(name, type, { drop: true })
    expect(await ask(type, name, 100)).toMatchObject({ values: [], error: 'TIMEOUT' })
    expect(first.queries).toHaveLength(2)
  })

  test.each<LookupType>(['A', 'TXT'])('%s: truncated without a TCP response', async (type) => {
    first.set(name, type, { truncate: true, drop: 'tcp' })
    expect(await ask(type, name, 100)).toMatchObject({ values: [], error: 'TIMEOUT' })
  })

  test.each<LookupType>(['A', 'TXT'])('%s: nobody listens', async (type) => {
    const gone = await startFakeResolver('127.0.0.11')
    await gone.close()
    const [lookup] = await createPublicDns({ resolvers: [gone.address] }).lookUp(name, type)
    expect(lookup).toMatchObject({ resolver: gone.address, values: [], error: 'UNREACHABLE' })
  })

  test.each([
    '',
    '.',
    '..',
    'a..b',
    '.a',
    ' ',
    'a b',
    'a\0b',
    'a\\.b',
    'bücher.example',
    'a'.repeat(64),
    'a.'.repeat(130)
  ])('%j is not queried', async (requested) => {
    for (const type of ['A', 'TXT'] as const) expect((await ask(type, requested)).error).toBe('BAD_NAME')
    expect(first.queries).toEqual([])
  })
})

test.each<LookupType>(['A', 'NS', 'TXT', 'DS'])('%s: a truncated response is repeated over TCP', async (type) => {
  const data = { NS: 'ns1.example', DS: { keyTag: 1, algorithm: 13, digestType: 2, digest } }
  first.set(name, type, { truncate: true, values: [data[type as 'NS'] ?? '192.0.2.1'] })
  expect(await ask(type)).toMatchObject({ values: [expect.any(String)], error: null })
  expect(first.queries.map(({ protocol }) => protocol)).toEqual(['udp', 'tcp'])
})

describe('forged responses are ignored', () => {
  const own: Forgery[] = ['id', 'question', 'no answer', 'garbage', 'empty']
  test.each<[LookupType, Forgery]>([
    ['A', 'id'],
    ['A', 'question'],
    ...own.map((forgery): [LookupType, Forgery] => ['TXT', forgery]),
    ...own.map((forgery): [LookupType, Forgery] => ['DS', forgery])
  ])('%s: %s', async (type, forgery) => {
    const data = type === 'DS' ? { keyTag: 1, algorithm: 13, digestType: 2, digest } : '192.0.2.1'
    first.set(name, type, { forged: [forgery, forgery], delayMs: 50, values: [data] })
    const text = type === 'DS' ? `1 13 2 ${'AB12'.repeat(16)}` : '192.0.2.1'
    expect(await ask(type)).toMatchObject({ values: [text], error: null })
  })
})

describe('several resolvers', () => {
  test('respond independently in configuration order', async () => {
    fakes[0]!.set(name, 'A', { drop: true })
    fakes[1]!.set(name, 'A', { values: ['192.0.2.2'], delayMs: 30 })
    fakes[2]!.set(name, 'A', { rcode: 'SERVFAIL' })
    const dns = createPublicDns({ resolvers: fakes.map(({ address }) => address), timeoutMs: 200 })
    expect(await dns.lookUp(name, 'A')).toMatchObject([
      { resolver: fakes[0]!.address, values: [], error: 'TIMEOUT' },
      { resolver: fakes[1]!.address, values: ['192.0.2.2'], error: null },
      { resolver: fakes[2]!.address, values: [], error: 'SERVFAIL' }
    ])
  })

  test('no input throws', async () => {
    const dns = createPublicDns({ resolvers: [first.address, 'no address'], timeoutMs: 1_000 })
    const types: LookupType[] = [...dnsRecordTypes, 'DS']
    const names = fc.oneof(fc.string({ unit: 'binary' }), fc.domain(), fc.string({ maxLength: 300 }))
    await fc.assert(
      fc.asyncProperty(names, fc.constantFrom(...types), async (requested, type) => {
        const lookups = await dns.lookUp(requested, type)
        expect(lookups.map(({ values }) => values)).toEqual([[], []])
        expect(['BAD_NAME', 'NXDOMAIN']).toContain(lookups[0]!.error)
        expect(await dns.delegatedNameservers(requested)).toEqual([])
      }),
      { numRuns: 60 }
    )
  })
})
