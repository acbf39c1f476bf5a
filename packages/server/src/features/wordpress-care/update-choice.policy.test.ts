import type { WordpressComponent } from '@panel/contract/wordpress-care'
import { expect, test } from 'vitest'
import { automaticUpdates, availableUpdates } from './update-choice.policy.ts'

const component = (kind: WordpressComponent['kind'], id: string, version: string, newVersion: string | null) => ({
  kind,
  id,
  name: id,
  version,
  newVersion,
  isActive: true
})
const known = {
  components: [
    component('CORE', 'core', '6.8.1', '6.9'),
    component('PLUGIN', 'a/a.php', '1.0', '1.1'),
    component('PLUGIN', 'b/b.php', '1.0', null),
    component('THEME', 'c', '2.0', '3.0')
  ],
  coreOffers: ['6.9', '6.8.3', '6.8.2', '6.7.9', 'x']
}
const chosen = (items: { id: string; to: string }[]) => items.map(({ id, to }) => `${id} ${to}`)

test('offers what has a newer version', () => {
  expect(chosen(availableUpdates(known))).toEqual(['core 6.9', 'a/a.php 1.1', 'c 3.0'])
  expect(chosen(availableUpdates(known, [{ kind: 'PLUGIN', id: 'a/a.php' }, { kind: 'PLUGIN', id: 'b/b.php' }]))).toEqual(['a/a.php 1.1']) // oxfmt-ignore
})

test('each policy updates its part, but not to a version that was rolled back', () => {
  expect(automaticUpdates(known, 'OFF', [])).toEqual([])
  expect(chosen(automaticUpdates(known, 'SECURITY', []))).toEqual(['core 6.8.3'])
  expect(automaticUpdates({ ...known, coreOffers: ['6.9'] }, 'SECURITY', [])).toEqual([])
  const [core, plugin] = automaticUpdates(known, 'ALL', [])
  expect(chosen(automaticUpdates(known, 'ALL', [plugin!]))).toEqual(['core 6.9', 'c 3.0'])
  expect(chosen(automaticUpdates(known, 'ALL', [{ ...core!, to: '6.8.9' }]))).toHaveLength(3)
})
