import { expect, test } from 'vitest'
import type { Command, Group } from './command.ts'
import { matchScore, rank } from './rank.ts'

const command = (label: string, group: Group = 'project', hint?: string): Command => ({
  id: `${group} ${label}`,
  group,
  label,
  ...(hint !== undefined && { hint }),
  run: () => {}
})

test.each([
  ['Storefront', 'sto', 3],
  ['my-storefront', 'sto', 2],
  ['bistro stop', 'sto', 2],
  ['restore', 'sto', 1],
  ['axb', 'a.b', 0],
  ['a.b', 'a.b', 3],
  ['DNS-Einträge', 'eint', 2]
])('%s matches %s with score %i', (name, text, fit) => expect(matchScore(name, text)).toBe(fit))

test('sorts groups and commands by best match, and keeps the order without a search text', () => {
  const all = [
    command('Add domain', 'acts'),
    command('Domains', 'pages'),
    command('restore'),
    command('sto-domain'),
    command('plain', 'project', 'github.com/domain')
  ]
  expect(rank(all, 'dom').map(({ label }) => label)).toEqual(['Domains', 'Add domain', 'sto-domain', 'plain'])
  expect(rank(all, '  ').map(({ label }) => label)).toEqual(all.map(({ label }) => label))
})

test('shows at most 8 matches per group', () => {
  const many = Array.from({ length: 40 }, (_, at) => command(`shop-${at}`))
  expect(rank(many, 'shop')).toHaveLength(8)
})
