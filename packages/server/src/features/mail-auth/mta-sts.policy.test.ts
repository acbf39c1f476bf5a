import { mtaStsModes } from '@panel/contract/mail-auth'
import { expect, test } from 'vitest'
import { enforceProblem, isMtaStsRecord, mtaStsValue, renderMtaStsPolicy } from './mta-sts.policy.ts'

test.each([
  ['testing', 'version: STSv1\r\nmode: testing\r\nmx: mail.shop.test\r\nmax_age: 86400\r\n'],
  ['enforce', 'version: STSv1\r\nmode: enforce\r\nmx: mail.shop.test\r\nmax_age: 604800\r\n'],
  ['none', 'version: STSv1\r\nmode: none\r\nmx: mail.shop.test\r\nmax_age: 86400\r\n']
] as const)('the policy in mode %s', (mode, policy) => expect(renderMtaStsPolicy('shop.test', mode)).toBe(policy))

test('each policy has its own record id', () => {
  const values = mtaStsModes.flatMap((mode) => ['shop.test', 'other.test'].map((domain) => mtaStsValue(domain, mode)))
  expect(new Set(values).size).toBe(6)
  // RFC 8461 §3.1.
  for (const value of values) {
    expect(value).toMatch(/^v=STSv1; id=[a-zA-Z0-9]{1,32};$/)
    expect(isMtaStsRecord(value)).toBe(true)
  }
})

test.each([
  ['v=STSv1; id=1', true],
  ['v=STSv1;id=1;', true],
  ['v=STSv10; id=1', false],
  ['id=1; v=STSv1', false],
  ['', false]
])('%j is an MTA-STS record: %s', (text, is) => expect(isMtaStsRecord(text)).toBe(is))

test.each([
  [['mail.shop.test'], true, undefined],
  [['mail.shop.test', 'mx.other.test'], true, /also point to mx\.other\.test/],
  [['mx.other.test'], true, /also point to/],
  [[], true, /no MX record/],
  [['mail.shop.test'], false, /no trusted certificate/]
])('enforce with MX %j and certificate %s: %s', (mx, isTrusted, problem) => {
  const found = enforceProblem('shop.test', mx, isTrusted)
  if (problem === undefined) expect(found).toBeUndefined()
  else expect(found).toMatch(problem)
})
