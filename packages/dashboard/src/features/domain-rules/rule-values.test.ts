import type { DomainRule } from '@panel/contract/domain-rules'
import { expect, test } from 'vitest'
import { otherNameOf } from './other-name.ts'
import { ruleSchema, valuesOf } from './rule-values.ts'

const place = { id: 'a', enabled: true, match: 'PREFIX', path: '/app', note: '' } as const
const rules: readonly DomainRule[] = [
  { ...place, kind: 'ACCESS', mode: 'DENY', networks: ['203.0.113.0/24'] },
  { ...place, kind: 'MAINTENANCE' },
  { ...place, kind: 'REDIRECT', to: 'https://example.com', status: 308 },
  { ...place, kind: 'LOGIN', users: [{ username: 'ann' }, { username: 'bob', password: 'correct horse' }] },
  { ...place, kind: 'REWRITE', to: '/new' },
  { ...place, kind: 'MAX_BODY', bytes: 1 },
  { ...place, kind: 'TIMEOUT', seconds: 5 },
  { ...place, kind: 'HEADER', name: 'Referrer-Policy', value: 'no-referrer' },
  { ...place, kind: 'HSTS', maxAgeSeconds: 1, includeSubdomains: true, preload: true }
]

test.each(rules)('the form keeps a rule of kind $kind', (rule) => {
  expect(ruleSchema(['ann']).parse(valuesOf(rule))).toEqual(rule)
})

test('a user who is not saved needs a password', () => {
  const [login] = rules.filter(({ kind }) => kind === 'LOGIN')
  const { error } = ruleSchema([]).safeParse(valuesOf(login))
  expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(['users.0.password'])
})

test.each([
  ['example.com', 'www.example.com'],
  ['www.example.com', 'example.com'],
  ['*.example.com', undefined]
])('the other name of %s is %s', (hostname, other) => {
  expect(otherNameOf(hostname)).toBe(other)
})
