import { expect, test } from 'vitest'
import type { Lookup } from '../../infra/public-dns/public-dns.ts'
import { checkReverseDns, claimedNames } from './reverse-dns.policy.ts'

const address = '198.51.100.7'
const hostname = 'mail.panel.test'
const says = (...values: string[]): Lookup => ({ resolver: '192.0.2.1', values, error: null, latencyMs: 1 })
const fails = (error: string): Lookup => ({ resolver: '192.0.2.2', values: [], error, latencyMs: 1 })

test.each<[string, Lookup[], Record<string, Lookup[]>, 'pass' | 'fail' | 'unknown', RegExp]>([
  [
    'its own name, which leads back',
    [says(hostname)],
    { [hostname]: [says(address)] },
    'pass',
    /and mail\.panel\.test resolves back to it$/
  ],
  [
    'also beside others',
    [says('a.test', hostname)],
    { 'a.test': [], [hostname]: [says(address)] },
    'pass',
    /^198\.51\.100\.7 resolves to mail/
  ],
  [
    'also where one resolver knows it alone',
    [fails('TIMEOUT'), says(hostname)],
    { [hostname]: [fails('NXDOMAIN'), says(address)] },
    'pass',
    /./
  ],
  [
    'another name that leads back',
    [says('h7.rent.test')],
    { 'h7.rent.test': [says(address)] },
    'pass',
    /resolves to h7\.rent\.test.*greets as mail\.panel\.test: ask/
  ],
  [
    'a name that leads elsewhere',
    [says('h7.rent.test')],
    { 'h7.rent.test': [says('198.51.100.8')] },
    'fail',
    /does not resolve back/
  ],
  [
    'a name that is none',
    [says('h7.rent.test')],
    { 'h7.rent.test': [fails('NXDOMAIN')] },
    'fail',
    /does not resolve back/
  ],
  ['no name', [fails('NXDOMAIN'), fails('TIMEOUT')], {}, 'fail', /has no reverse DNS: ask the provider/],
  ['nobody answers', [fails('TIMEOUT'), fails('SERVFAIL')], {}, 'unknown', /\(TIMEOUT, SERVFAIL\)/],
  [
    'nobody answers about the name',
    [says('h7.rent.test')],
    { 'h7.rent.test': [fails('TIMEOUT')] },
    'unknown',
    /\(TIMEOUT\)/
  ],
  ['no resolver is queried', [], {}, 'unknown', /no resolver was queried/]
])('%s', (_, pointers, forward, status, detail) => {
  const check = checkReverseDns({ address, hostname, pointers, forward: new Map(Object.entries(forward)) })
  expect(check.status).toBe(status)
  expect(check.detail).toMatch(detail)
})

test('only a few of many names are queried, each once', () => {
  const many = Array.from({ length: 50 }, (_, index) => `h${index}.test`)
  expect(claimedNames([says('h0.test'), says(...many)])).toEqual(['h0.test', 'h1.test', 'h2.test'])
})

test('names of strangers are shown on one line', () => {
  const pointers = [says('evil\u001b[31m\u202e.test')]
  const { names, detail } = checkReverseDns({
    address,
    hostname,
    pointers,
    forward: new Map([[pointers[0]!.values[0]!, [fails('NXDOMAIN')]]])
  })
  expect([...names, detail].join('')).not.toMatch(/[\u0000-\u001f\u202e]/)
})
