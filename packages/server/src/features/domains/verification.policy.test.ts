import { describe, expect, test } from 'vitest'
import type { Lookup } from '../../infra/public-dns/public-dns.ts'
import {
  challengeName,
  challengeValue,
  evaluateDelegation,
  evaluateVerification,
  type VerificationFacts
} from './verification.policy.ts'

const token = `panel-verify-${'ab12'.repeat(8)}`
const wanted = `panel-verification=${token}`
const old = `panel-verification=panel-verify-${'0'.repeat(32)}`
const publicIp = '203.0.113.5'

const lookups = (...answers: (string[] | string)[]): Lookup[] =>
  answers.map((one, index) => ({
    resolver: `192.0.2.${index + 1}`,
    values: typeof one === 'string' ? [] : one,
    error: typeof one === 'string' ? one : null,
    latencyMs: 1
  }))
const evaluate = (facts: Partial<VerificationFacts>) =>
  evaluateVerification({
    hostname: 'shop.example.com',
    token,
    txtLookups: lookups('NXDOMAIN', 'NXDOMAIN', 'NXDOMAIN'),
    hostTxtLookups: lookups('NODATA', 'NODATA', 'NODATA'),
    addressLookups: [],
    publicIp,
    ...facts
  })

describe('names and value', () => {
  test.each([
    ['shop.example.com', '_panel-challenge.shop.example.com'],
    ['*.shop.example.com', '_panel-challenge.shop.example.com']
  ])('challenge name of %s', (hostname, challenge) => expect(challengeName(hostname)).toBe(challenge))
  test('the value has a prefix', () => expect(challengeValue(token)).toBe(wanted))
})

describe('evaluateVerification', () => {
  test.each<[string, Partial<VerificationFacts>]>([
    ['every resolver has it', { txtLookups: lookups([wanted], [wanted], [wanted]) }],
    ['one resolver suffices', { txtLookups: lookups('NXDOMAIN', 'TIMEOUT', [wanted]) }],
    ['among others', { txtLookups: lookups([old, 'v=spf1 -all', wanted]) }],
    ['at the hostname', { hostTxtLookups: lookups('NODATA', ['v=spf1 -all', wanted]) }],
    ['with the quotes that were pasted', { txtLookups: lookups([`"${wanted}"`]) }],
    ['with blanks around it', { txtLookups: lookups([` " ${wanted} "\t`]) }],
    ['a wildcard', { hostname: '*.shop.example.com', txtLookups: lookups([wanted]) }]
  ])('verified: %s', (_what, facts) => {
    expect(evaluate(facts)).toMatchObject({ verified: true, message: 'Ownership is verified.' })
  })

  test.each<[string, Partial<VerificationFacts>, RegExp[]]>([
    ['nothing there', {}, [/No TXT record found at _panel-challenge\.shop\.example\.com/, /TTL/]],
    ['how it must read', {}, [new RegExp(`"${wanted}"`)]],
    ['a name without TXT', { txtLookups: lookups('NODATA', 'NXDOMAIN') }, [/exists but has no TXT/, /CNAME/]],
    ['an earlier token', { txtLookups: lookups([old], [old]) }, [/to another verification/, /replace it with/]],
    ['resolvers disagree', { txtLookups: lookups([old], 'NXDOMAIN') }, [/to another verification/, /disagree/]],
    ['an earlier token at the hostname', { hostTxtLookups: lookups([old]) }, [/record shop\.example\.com belongs to/]],
    ['the token alone', { txtLookups: lookups([token]) }, [/only the token/]],
    [
      'the token alone at the hostname',
      { hostTxtLookups: lookups([token]) },
      [/record shop\.example\.com .*only the token/]
    ],
    ['text around it', { txtLookups: lookups([`TXT ${wanted}`]) }, [/more than the value/]],
    ['in capitals', { txtLookups: lookups([wanted.toUpperCase()]) }, [/instead of/]],
    ['something else', { txtLookups: lookups(['v=spf1 -all']) }, [/is "v=spf1 -all" instead of/, /CNAME/]],
    ['SPF at the hostname is no guess', { hostTxtLookups: lookups(['v=spf1 -all']) }, [/No TXT record found/]],
    [
      'no resolver answers',
      { txtLookups: lookups('TIMEOUT', 'UNREACHABLE') },
      [/\(TIMEOUT and UNREACHABLE\)/, /network/]
    ],
    ['no resolver is configured', { txtLookups: [] }, [/No resolver was available/]],
    [
      'the domain’s servers fail',
      { txtLookups: lookups('SERVFAIL', 'TIMEOUT') },
      [/name servers of shop/, /DS record/]
    ],
    ['one resolver answers', { txtLookups: lookups('NXDOMAIN', 'SERVFAIL') }, [/No TXT record found/]],
    ['a wildcard', { hostname: '*.example.com' }, [/record found at _panel-challenge\.example\.com/]]
  ])('not verified: %s', (_what, facts, guidance) => {
    const { verified, message } = evaluate(facts)
    expect(verified).toBe(false)
    for (const part of guidance) expect(message).toMatch(part)
  })

  test('without a token nothing verifies', () => {
    expect(evaluate({ token: '', txtLookups: lookups(['panel-verification=', '']) }).verified).toBe(false)
    expect(evaluate({ token: '', hostTxtLookups: lookups(['']) }).verified).toBe(false)
  })

  test('truncates a long value in the message', () => {
    expect(evaluate({ txtLookups: lookups(['x'.repeat(2000)]) }).message.length).toBeLessThan(600)
  })

  test.each<[string, Partial<VerificationFacts>, string]>([
    ['here', { addressLookups: lookups('TIMEOUT', [publicIp]) }, 'The domain points to this server.'],
    [
      'elsewhere',
      { addressLookups: lookups(['198.51.100.9', '198.51.100.8'], ['198.51.100.9']) },
      'The domain points to 198.51.100.9 and 198.51.100.8: change the A record shop.example.com to 203.0.113.5.'
    ],
    [
      'nowhere',
      { addressLookups: lookups('NODATA', 'TIMEOUT') },
      'To point the domain to this server, add an A record shop.example.com with the value 203.0.113.5.'
    ],
    ['unknown', { addressLookups: lookups('TIMEOUT') }, ''],
    ['unknown where to', { addressLookups: lookups(['198.51.100.9']), publicIp: null }, '']
  ])('traffic guidance after verification: %s', (_where, facts, text) => {
    const { message } = evaluate({ txtLookups: lookups([wanted]), ...facts })
    expect(message).toBe(`Ownership is verified. ${text}`.trim())
  })

  test('lists detected records by resolver, type and name', () => {
    const { detectedRecords } = evaluate({
      hostname: '*.example.com',
      txtLookups: lookups(['a', 'b'], 'NXDOMAIN'),
      hostTxtLookups: lookups('TIMEOUT'),
      addressLookups: lookups([publicIp])
    })
    expect(detectedRecords).toEqual([
      {
        resolver: '192.0.2.1',
        recordType: 'TXT',
        recordName: '_panel-challenge.example.com',
        values: ['a', 'b'],
        error: null
      },
      {
        resolver: '192.0.2.2',
        recordType: 'TXT',
        recordName: '_panel-challenge.example.com',
        values: [],
        error: 'NXDOMAIN'
      },
      { resolver: '192.0.2.1', recordType: 'TXT', recordName: 'example.com', values: [], error: 'TIMEOUT' },
      { resolver: '192.0.2.1', recordType: 'A', recordName: 'panel-probe.example.com', values: [publicIp], error: null }
    ])
  })
})

describe('evaluateDelegation', () => {
  const expected = ['ns1.panel.example', 'ns2.panel.example']
  const old1 = ['ns1.old.example', 'ns2.old.example']
  test.each<[string, (string[] | string)[], string[], boolean, RegExp]>([
    [
      'all resolvers name them',
      [expected, expected],
      [],
      true,
      /delegated to ns1\.panel\.example and ns2\.panel\.example\.$/
    ],
    ['one resolver does', ['SERVFAIL', expected, old1], [], true, /is delegated/],
    ['in any case, order and with dots', [['NS2.Panel.Example.', 'NS1.panel.example']], [], true, /is delegated/],
    ['the parent zone does', ['SERVFAIL', 'SERVFAIL'], expected, true, /is delegated/],
    ['beside others', [[...expected, 'ns1.old.example']], [], true, /also to ns1\.old\.example, .*remove/],
    ['one is missing', [expected.slice(0, 1)], [], false, /Add ns2\.panel\.example at /],
    [
      'others are named',
      [old1],
      [],
      false,
      /Add ns1\.panel.* and ns2\.panel\.example and remove ns1\.old.* and ns2\.old/
    ],
    ['each resolver names one', [['ns1.panel.example'], ['ns2.panel.example']], [], false, /do not all return/],
    ['the parent zone names one', ['SERVFAIL'], ['ns1.panel.example'], false, /Add ns2\.panel\.example at /],
    ['no name servers found', ['NXDOMAIN', 'NODATA'], [], false, /not delegated.*Set ns1\.panel\.example and ns2/],
    ['servers that do not serve it', ['SERVFAIL'], [], false, /not delegated/],
    ['no resolver answers', ['TIMEOUT', 'UNREACHABLE'], [], false, /network/],
    ['a stranger names many', [Array.from({ length: 40 }, (_, i) => `n${i}.example`)], [], false, /and 32 more/]
  ])('%s', (_what, answers, delegated, isDelegated, message) => {
    const check = evaluateDelegation({ expected, lookups: lookups(...answers), delegated })
    expect(check).toMatchObject({ delegated: isDelegated, expectedNameservers: expected })
    expect(check.message).toMatch(message)
  })

  test('reports for each resolver whether it lists all name servers', () => {
    const { resolvers } = evaluateDelegation({ expected, lookups: lookups(expected, old1, 'TIMEOUT'), delegated: [] })
    expect(resolvers).toEqual([
      { resolver: '192.0.2.1', nameservers: expected, matches: true, error: null },
      { resolver: '192.0.2.2', nameservers: old1, matches: false, error: null },
      { resolver: '192.0.2.3', nameservers: [], matches: false, error: 'TIMEOUT' }
    ])
  })

  test('not delegated without expected name servers', () => {
    expect(evaluateDelegation({ expected: [], lookups: lookups(old1), delegated: old1 }).delegated).toBe(false)
  })
})
