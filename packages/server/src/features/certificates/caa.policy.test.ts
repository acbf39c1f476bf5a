import { certificateProblemTexts } from '@panel/contract/certificate-texts'
import { sentenceText } from '@panel/contract/sentences'
import { expect, test } from 'vitest'
import { caaNames, caaProblem } from './caa.policy.ts'

test.each([
  ['www.shop.example.com', ['www.shop.example.com', 'shop.example.com', 'example.com', 'com']],
  ['*.example.com', ['example.com', 'com']],
  ['example.com', ['example.com', 'com']]
])('%s searches %j', (hostname, names) => expect(caaNames(hostname)).toEqual(names))

test('limits a name with many labels to the nearest ten', () => {
  const labels = [...Array.from({ length: 40 }, (_, index) => `l${index}`), 'example', 'com']
  const names = caaNames(`*.${labels.join('.')}`)
  expect(names).toHaveLength(10)
  expect([names[0], names[9]]).toEqual([labels.join('.'), labels.slice(9).join('.')])
})

const problemOf = (hostname: string, sets: string[][], identities = ['letsencrypt.org', 'le.example']) => {
  const problem = caaProblem({
    hostname,
    challengeType: hostname.startsWith('*.') ? 'dns-01' : 'http-01',
    identities,
    records: { name: 'example.com', sets }
  })
  return problem && sentenceText(certificateProblemTexts, problem)
}

test.each<[string, string, string[], RegExp | undefined]>([
  ['none that issue', 'a.example.com', ['0 iodef "mailto:a@example.com"'], undefined],
  ['ours', 'a.example.com', ['0 issue "letsencrypt.org"'], undefined],
  ['ours by its other name', 'a.example.com', ['0 issue "le.example"'], undefined],
  ['ours in capitals, with parameters', 'a.example.com', ['0 issue " LetsEncrypt.org ; accounturi=x"'], undefined],
  ['ours among others', 'a.example.com', ['0 issue "ca.example.net"', '0 issue "letsencrypt.org"'], undefined],
  ['others only', 'a.example.com', ['0 issue "ca.example.net"'], /CAA record 0 issue "letsencrypt.org"/],
  ['no issuer', 'a.example.com', ['0 issue ";"'], /do not allow/],
  ['no issuer, empty', 'a.example.com', ['0 issue ""'], /do not allow/],
  ['one that ends as ours', 'a.example.com', ['0 issue "notletsencrypt.org"'], /do not allow/],
  ['a wildcard by issue', '*.example.com', ['0 issue "letsencrypt.org"'], undefined],
  [
    'a wildcard by issuewild',
    '*.example.com',
    ['0 issue "ca.example.net"', '0 issuewild "letsencrypt.org"'],
    undefined
  ],
  ['no wildcards', '*.example.com', ['0 issue "letsencrypt.org"', '0 issuewild ";"'], /0 issuewild "letsencrypt.org"/],
  ['issuewild is nothing to others', 'a.example.com', ['0 issuewild "ca.example.net"'], undefined],
  ['an unknown tag', 'a.example.com', ['0 tbs "unknown"', '0 issue "letsencrypt.org"'], undefined],
  ['a critical one', 'a.example.com', ['128 tbs "unknown"', '0 issue "letsencrypt.org"'], /critical.*"tbs".*remove/],
  ['a critical one that is known', 'a.example.com', ['128 issue "letsencrypt.org"'], undefined],
  ['our method', 'a.example.com', ['0 issue "letsencrypt.org; validationmethods=dns-01,http-01"'], undefined],
  ['another method', 'a.example.com', ['0 issue "letsencrypt.org; validationmethods=dns-01"'], /http-01/],
  ['text that is none', 'a.example.com', ['nonsense', ''], undefined],
  ['quotes within', 'a.example.com', ['0 issue "lets\\"encrypt.org"'], /do not allow/]
])('%s', (_name, hostname, set, problem) => {
  if (problem === undefined) expect(problemOf(hostname, [set])).toBeUndefined()
  else expect(problemOf(hostname, [set])).toMatch(problem)
})

test('skips a CA without CAA identities', () =>
  expect(problemOf('a.example.com', [['0 issue "ca.example.net"']], [])).toBeUndefined())

test('one resolver that allows it is enough', () => {
  expect(problemOf('a.example.com', [['0 issue "ca.example.net"'], ['0 issue "letsencrypt.org"']])).toBeUndefined()
  expect(problemOf('a.example.com', [['0 issue "ca.example.net"'], ['0 issue "ca.example.net"']])).toMatch(/allow/)
})

test('no records allow every CA', () =>
  expect(
    caaProblem({ hostname: 'a.b', challengeType: 'http-01', identities: ['x'], records: undefined })
  ).toBeUndefined())

test('truncates a long tag in the message', () =>
  expect(problemOf('a.example.com', [[`128 ${'x'.repeat(250)} "y"`]])!.length).toBeLessThan(200))
