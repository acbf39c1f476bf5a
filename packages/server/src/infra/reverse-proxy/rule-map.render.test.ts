import { testRules } from '@panel/contract/domain-rule-test'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cidrPrefixes } from './cidr-prefixes.ts'
import type { StoredRule } from './reverse-proxy.ts'
import { parseRuleMap, renderRuleTable, ruleTableChanges } from './rule-map.render.ts'
import { renderRouteMap, type RouteTable } from './route-map.render.ts'

const place = { enabled: true, match: 'PREFIX', path: '/', note: '' } as const
const redirect = (id: string, changes: Partial<StoredRule> = {}): StoredRule =>
  ({ ...place, id, kind: 'REDIRECT', to: `/${id}`, status: 302, ...changes }) as StoredRule

/** What HAProxy's map_str and map_beg find. */
function find(table: RouteTable, letter: string, path: string): string | undefined {
  const exact = table.get(`${letter}=set${path}`)
  if (exact !== undefined) return exact
  const key = `${letter}~set${path}/`
  const prefixes = [...table.keys()].filter((each) => key.startsWith(each))
  const longest = prefixes.sort((a, b) => b.length - a.length)[0]
  return longest === undefined ? undefined : table.get(longest)
}

const segments = fc.constantFrom('a', 'b', 'ab')
const path = fc.array(segments, { maxLength: 4 }).map((parts) => `/${parts.join('/')}`)
const tables = fc
  .array(fc.tuple(path, fc.constantFrom('PREFIX' as const, 'EXACT' as const), fc.boolean()), { maxLength: 12 })
  .map((given) =>
    given.map(([path, match, enabled], index) => redirect(`r${index}`, { path, match, enabled } as Partial<StoredRule>))
  )

test('the map has the first rule of the table for every path', () => {
  fc.assert(
    fc.property(tables, path, (list, requested) => {
      const found = find(renderRuleTable([{ id: 'set', rules: list }]), 'p', requested)
      const { matches } = testRules(list, { isHttps: true, path: requested, isIn: () => false })
      const number = matches[0]?.number
      const rule = number === undefined ? undefined : list[number - 1]
      const target = found === undefined ? undefined : Buffer.from(found.split(':')[4]!, 'base64').toString()
      expect(target).toBe(rule?.kind === 'REDIRECT' ? rule.to : undefined)
    })
  )
})

test('networks that pass the logins of a set are entries of these rules alone', () => {
  const login: StoredRule = { ...place, id: 'l1', kind: 'LOGIN', users: [{ username: 'a', digest: 'd' }] }
  const table = renderRuleTable([{ id: 'set', rules: [login, redirect('r1')], passLogins: ['172.30.0.0/16'] }])
  expect([...table.keys()].filter((key) => key.startsWith('i~'))).toEqual(['i~l1.8.AC1E'])
  expect([...renderRuleTable([{ id: 'set', rules: [login] }]).keys()].filter((key) => key.startsWith('i~'))).toEqual([])
})

test('each header has the first rule of its name', () => {
  const header = (id: string, path: string, value: string): StoredRule => ({
    ...place,
    id,
    kind: 'HEADER',
    path,
    name: 'X-Frame-Options',
    value
  })
  const list = [header('r1', '/a/b', 'one'), header('r2', '/', 'two'), header('r3', '/c', 'three')]
  const table = renderRuleTable([{ id: 'set', rules: list }])
  const valuesAt = (requested: string) =>
    find(table, 'h', requested)!
      .split(':')
      .filter((field) => field !== '')
      .map((field) => Buffer.from(field, 'base64').toString())
  expect(valuesAt('/a/b/x')).toEqual(['one'])
  expect(valuesAt('/a')).toEqual(['two'])
  expect(valuesAt('/c')).toEqual(['two'])
})

test('the file has what the map has, and a change names only what differs', () => {
  const before = renderRuleTable([
    { id: 'set', rules: [redirect('r1', { path: '/a' }), redirect('r2', { path: '/b' })] }
  ])
  const after = renderRuleTable([{ id: 'set', rules: [redirect('r1', { path: '/a' })] }])
  expect(parseRuleMap(renderRouteMap(before))).toEqual(before)
  expect([...ruleTableChanges(before, after)]).toEqual([['p~set/b/', undefined]])
})

test.each(['/a b', '/a;clear map x', '/a\nz=other 1', '/"'])('refuses the path %j', (hostile) => {
  expect(() => renderRuleTable([{ id: 'set', rules: [redirect('r1', { path: hostile })] }])).toThrow('Invalid rule')
})

describe('networks as beginnings of addresses', () => {
  test.each([
    ['10.0.0.0/8', ['8.0A']],
    ['203.0.113.7', ['8.CB007107']],
    ['192.168.4.0/22', ['8.C0A804', '8.C0A805', '8.C0A806', '8.C0A807']],
    ['0.0.0.0/0', ['8.']],
    ['2001:db8::/32', ['32.20010DB8']],
    ['::1', [`32.${'0'.repeat(31)}1`]],
    ['2001:db8::/33', [...'01234567'].map((digit) => `32.20010DB8${digit}`)]
  ])('%s', (network, prefixes) => {
    expect(cidrPrefixes(network)).toEqual(prefixes)
  })
})
