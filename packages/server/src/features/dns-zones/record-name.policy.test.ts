import { describe, expect, test } from 'vitest'
import { normalizeRecord, ownerOf, type RecordInput } from './record.policy.ts'

const domain = 'example.com'

function normalize(input: Partial<RecordInput>, hostname = domain) {
  const result = normalizeRecord({ type: 'TXT', name: 'x', value: 'x', ttl: 300, ...input }, hostname)
  return 'record' in result ? result.record : result.problems.map(({ path }) => path)
}

const fill = (character: string, length: number) => character.repeat(length)

describe('names', () => {
  test.each([
    ['@', '@'],
    ['www', 'www'],
    ['WWW.Dev', 'www.dev'],
    ['example.com', '@'],
    ['Example.COM.', '@'],
    ['www.example.com', 'www'],
    ['www.example.com.', 'www'],
    ['notexample.com', 'notexample.com'],
    ['*', '*'],
    ['*.dev', '*.dev'],
    ['_dmarc', '_dmarc'],
    ['s1._domainkey', 's1._domainkey'],
    ['_acme-challenge.www', '_acme-challenge.www'],
    ['a--b', 'a--b'],
    ['60', '60'],
    ['1h', '1h'],
    ['in', 'in'],
    ['bücher', 'xn--bcher-kva'],
    ['BÜCHER', 'xn--bcher-kva'],
    ['b\u0075\u0308cher', 'xn--bcher-kva'],
    ['straße', 'xn--strae-oqa'],
    ['ΣΑΣ', 'xn--mxa9ab'],
    ['xn--bcher-kva', 'xn--bcher-kva'],
    [fill('a', 63), fill('a', 63)],
    [`${fill('a.', 31)}b`, `${fill('a.', 31)}b`],
    [`${fill('a.', 31)}b.example.com.`, `${fill('a.', 31)}b`],
    ['__proto__', '__proto__'],
    ['_panel-challenge.example.com', '_panel-challenge']
  ])('%j is %j', (name, relative) => expect(normalize({ name })).toMatchObject({ name: relative }))

  test.each([
    '',
    '.',
    '..',
    'a..b',
    '.a',
    'a..',
    '@.a',
    'a.@',
    '@@',
    'a b',
    ' a',
    'a\n',
    'a\n@ IN NS evil.',
    'x\n$INCLUDE /etc/passwd',
    'a\0',
    'a\t',
    'a;b',
    'a"b',
    '"a"',
    'a(',
    'a\\.b',
    '\\097',
    'a%2eb',
    'b%C3%BCcher',
    'bü%2e',
    '$ORIGIN',
    '$ttl',
    'a/b',
    'a:b',
    '-a',
    'a-',
    '*.*',
    'a.*',
    'a*',
    '*a',
    '**',
    'evil.org.',
    'example.org.',
    'notexample.com.',
    'com.',
    'a.example.com.example.com',
    fill('a', 64),
    fill('a.', 122) + 'b',
    fill('a', 100_000),
    // IDNA would map these to other names.
    'ｗｗｗ',
    'a。b',
    '①',
    'ü\u00ad',
    'a\u200db',
    'Ⅷ',
    '℀',
    'xn--ü',
    '\ud800'
  ])('%j is invalid', (name) => expect(normalize({ name })).toEqual(['name']))

  test('have at most 32 labels below the domain, however deep that is', () => {
    const domains = ['example.com', `${fill('a.', 80)}example.com`]
    for (const hostname of domains) {
      expect(normalize({ name: fill('a.', 31) + 'b' }, hostname)).toMatchObject({ name: fill('a.', 31) + 'b' })
      expect(normalize({ name: '@' }, hostname)).toMatchObject({ name: '@' })
      for (const name of [fill('a.', 32) + 'b', `*.${fill('a.', 31)}b`, `${fill('a.', 32)}b.${hostname}.`])
        expect(normalizeRecord({ type: 'TXT', name, value: 'x', ttl: 300 }, hostname), name).toEqual({
          problems: [
            {
              path: 'name',
              message: `must have at most 32 labels below ${hostname}`,
              code: 'NAME_LABELS',
              values: { count: 32, hostname }
            }
          ]
        })
    }
  })

  test('a wildcard domain has only its own name', () => {
    const wildcard = '*.example.com'
    for (const name of ['@', '*.example.com', '*.EXAMPLE.com.']) {
      expect(normalize({ name }, wildcard)).toMatchObject({ name: '@' })
    }
    for (const name of ['www', '*', 'example.com', 'www.example.com.', '_panel-challenge.example.com']) {
      expect(normalize({ name }, wildcard)).toEqual(['name'])
    }
  })

  test.each([
    ['@', domain, domain],
    ['www', domain, 'www.example.com'],
    ['*.dev', domain, '*.dev.example.com'],
    ['@', '*.example.com', '*.example.com'],
    ['_panel-challenge.example.com', domain, '_panel-challenge.example.com'],
    ['_panel-challenge.example.com', '*.example.com', '_panel-challenge.example.com'],
    ['_panel-challenge.shop.example.com', 'shop.example.com', '_panel-challenge.shop.example.com'],
    ['notexample.com', domain, 'notexample.com.example.com']
  ])('the owner of %s in %s is %s', (name, hostname, owner) => expect(ownerOf(name, hostname)).toBe(owner))

  test.each(['A', 'AAAA', 'MX'] as const)('%s is allowed at hostnames and wildcards only', (type) => {
    const value = { A: '192.0.2.1', AAAA: '2001:db8::1', MX: 'mail.example.net' }[type]
    for (const name of ['_a', 'a_b', 'a._tcp', '_a.example.com.']) {
      expect(normalize({ type, name, value, priority: 0 })).toEqual(['name'])
    }
    for (const name of ['@', 'a-1', '*', '*.dev']) {
      expect(normalize({ type, name, value, priority: 0 })).toMatchObject({ name })
    }
  })
  test.each(['CNAME', 'SRV', 'NS'] as const)('%s is allowed at names with underscores', (type) => {
    const input = { type, value: 'host.example.net', priority: 0, weight: 0, port: 1 }
    expect(normalize({ ...input, name: '_sip._tcp' })).toMatchObject({ name: '_sip._tcp' })
  })
  test("a CNAME is not allowed at the apex or at a domain in another domain's zone", () => {
    expect(normalize({ type: 'CNAME', name: '@', value: 'a.net' })).toEqual(['name'])
    expect(normalize({ type: 'CNAME', name: 'example.com.', value: 'a.net' })).toEqual(['name'])
    expect(normalize({ type: 'CNAME', name: '@', value: 'a.net' }, 'shop.example.com')).toEqual(['name'])
    expect(normalize({ type: 'CNAME', name: '@', value: 'a.net' }, '*.example.com')).toMatchObject({ value: 'a.net' })
    expect(normalize({ type: 'CNAME', name: '*', value: 'a.net' })).toMatchObject({ name: '*' })
  })
  test('an NS is not allowed at a wildcard', () => {
    expect(normalize({ type: 'NS', name: '*', value: 'a.net' })).toEqual(['name'])
    expect(normalize({ type: 'NS', name: '@', value: 'a.net' }, '*.example.com')).toEqual(['name'])
  })
})
