import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MachineStatus } from '@panel/contract/machines'
import type { NodeUsage, PlaceableNode } from './placement.policy.ts'
import { isReplaced, isUneven, leaves, placesOf, type SpreadableProject, standbysOf } from './spread.policy.ts'

const node = (id: string, values: Partial<PlaceableNode> = {}): PlaceableNode => ({
  id,
  name: id,
  roles: ['SITES'],
  labels: [],
  status: 'ACTIVE',
  isFit: true,
  ...values
})
const paused = { status: 'PAUSED' as const }
const away = { status: 'AWAY' as const }
const shares = (values: Record<string, number>): NodeUsage =>
  new Map(Object.entries(values).map(([id, promisedBytes]) => [id, { promisedBytes, totalBytes: 100 }]))
const none: NodeUsage = new Map()
/** With so many instances as it has containers. */
const on = (places: string[], values: Partial<SpreadableProject> = {}): SpreadableProject => ({
  at: { nodeId: places[0]!, filesNodeId: 'a' },
  stays: null,
  labels: [],
  instances: places.length,
  on: places,
  ...values
})

test.each<[string, SpreadableProject, PlaceableNode[], NodeUsage, string[]]>([
  ['one stays alone', on(['b']), [node('a'), node('b')], shares({ a: 0, b: 90 }), ['b']],
  ['two are spread', on(['a'], { instances: 2 }), [node('a'), node('b')], none, ['a', 'b']],
  ['the most free machine first', on(['a'], { instances: 2 }), [node('a'), node('b'), node('c')], shares({ a: 0, b: 50, c: 20 }), ['a', 'c']], // oxfmt-ignore
  ['those with files are not', on(['a'], { instances: 2, stays: 'VOLUMES' }), [node('a'), node('b')], none, ['a', 'a']],
  ['more than there are machines', on(['a'], { instances: 5 }), [node('a'), node('b')], none, ['a', 'b', 'a', 'b', 'a']], // oxfmt-ignore
  ['no machine without its labels', on(['a', 'a'], { labels: ['ssd'] }), [node('a', { labels: ['ssd'] }), node('b')], none, ['a', 'a']], // oxfmt-ignore
  ['no paused machine', on(['a', 'b']), [node('a'), node('b', paused)], none, ['a', 'a']],
  ['no machine with problems', on(['a', 'b']), [node('a'), node('b', { isFit: false }), node('c')], none, ['a', 'c']],
  ['all stay on a paused machine without another', on(['b', 'b']), [node('a', paused), node('b', paused)], none, ['b', 'b']], // oxfmt-ignore
  ['a new machine takes none that needs none', on(['a', 'b']), [node('a'), node('b'), node('c')], shares({ a: 90, b: 90, c: 0 }), ['a', 'b']], // oxfmt-ignore
  ['a new machine takes one of four', on(['a', 'a', 'b', 'b']), [node('a'), node('b'), node('c')], none, ['a', 'b', 'c', 'a']], // oxfmt-ignore
  ['the first one goes to a requested machine', on(['a', 'b'], { wanted: 'b' }), [node('a'), node('b')], none, ['b', 'a']] // oxfmt-ignore
])('places: %s', (_, project, nodes, usage, places) => {
  expect(placesOf(project, nodes, usage)).toMatchObject({ places })
})

test.each<[string, SpreadableProject, PlaceableNode[], { leaves: boolean; isReplaced: boolean }]>([
  ['a further instance, with a spare machine', on(['a', 'b']), [node('a'), node('b'), node('c')], { leaves: true, isReplaced: true }], // oxfmt-ignore
  ['a further instance, without one', on(['a', 'b']), [node('a'), node('b')], { leaves: true, isReplaced: false }],
  ['the first instance', on(['b', 'a']), [node('a'), node('b')], { leaves: true, isReplaced: true }],
  ['the only instance', on(['b']), [node('a'), node('b')], { leaves: true, isReplaced: true }],
  ['without another machine', on(['b']), [node('b')], { leaves: false, isReplaced: false }],
  ['with files', on(['a'], { stays: 'FILES', at: { nodeId: 'b', filesNodeId: 'b' } }), [node('a'), node('b')], { leaves: false, isReplaced: false }] // oxfmt-ignore
])('what is on b: %s', (_, project, nodes, expected) => {
  const without = nodes.map((each) => (each.id === 'b' ? { ...each, ...away } : each))
  expect({ leaves: leaves(project, 'b', nodes, none), isReplaced: isReplaced(project, 'b', without, none) }).toEqual(expected) // oxfmt-ignore
})

test.each<[string, SpreadableProject, PlaceableNode[], boolean]>([
  ['two on one of two', on(['a', 'a']), [node('a'), node('b')], true],
  ['one on each', on(['a', 'b']), [node('a'), node('b'), node('c')], false],
  ['three on two', on(['a', 'b', 'a']), [node('a'), node('b')], false],
  ['the other is paused', on(['a', 'a']), [node('a'), node('b', paused)], false],
  ['one waits for its machine', on(['a', 'b']), [node('a'), node('b', away)], false],
  ['with files', on(['a', 'a'], { stays: 'FILES' }), [node('a'), node('b')], false],
  ['a change was not deployed', on(['a', 'a'], { instances: 3 }), [node('a'), node('b')], false],
  ['no machine', on(['a', 'a']), [], false]
])('uneven: %s', (_, project, nodes, expected) => {
  expect(isUneven(project, nodes)).toBe(expected)
})

describe('always', () => {
  const labels = fc.subarray(['ssd', 'gpu'])
  const ids = ['a', 'b', 'c', 'd']
  const anyId = fc.constantFrom(...ids)
  const nodes = fc.tuple(
    ...ids.map((id) =>
      fc.record({
        id: fc.constant(id),
        name: fc.constant(id),
        roles: fc.subarray<PlaceableNode['roles'][number]>(['SITES', 'FILES']),
        labels,
        status: fc.constantFrom<MachineStatus>('JOINING', 'ACTIVE', 'ACTIVE', 'PAUSED', 'AWAY'),
        isFit: fc.boolean()
      })
    )
  )
  const usage = fc
    .tuple(...ids.map(() => fc.record({ promisedBytes: fc.nat(200), totalBytes: fc.nat(100) })))
    .map((all) => new Map(all.map((each, index) => [ids[index]!, each])))
  const project = fc
    .record({
      places: fc.array(anyId, { minLength: 1, maxLength: 10 }),
      filesNodeId: anyId,
      instances: fc.integer({ min: 1, max: 10 }),
      stays: fc.option(fc.constantFrom('FILES' as const, 'SLEEP' as const)),
      labels
    })
    .map(({ places, filesNodeId, ...rest }) => on(places, { ...rest, at: { nodeId: places[0]!, filesNodeId } }))
  const countsOf = (places: readonly string[], among: readonly string[]) =>
    among.map((id) => places.filter((place) => place === id).length)
  const ableFor = (one: SpreadableProject, all: readonly PlaceableNode[]) =>
    all.filter(({ roles, status, isFit, labels: own }) => status === 'ACTIVE' && isFit && roles.includes('SITES') && one.labels.every((label) => own.includes(label))) // oxfmt-ignore

  test('on able machines alone, spread within one; with their files if they must', () => {
    fc.assert(
      fc.property(project, nodes, usage, (one, all, used) => {
        const decision = placesOf(one, all, used)
        if ('refusal' in decision) return
        const { places } = decision
        expect(places).toHaveLength(one.instances)
        const able = one.stays === null ? ableFor(one, all).map(({ id }) => id) : []
        if (one.stays !== null) expect(new Set(places)).toEqual(new Set([one.at!.filesNodeId]))
        if (able.length === 0) {
          expect(new Set(places).size).toBe(1)
          return
        }
        const counts = countsOf(places, able)
        expect(counts.reduce((sum, n) => sum + n, 0)).toBe(one.instances)
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
        // So that spreading again ends.
        expect(isUneven({ ...one, on: places }, all)).toBe(false)
      })
    )
  })

  test('few move: what is spread stays, and a machine that is added or lost moves only what it must', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10 }),
        fc.integer({ min: 1, max: 3 }),
        usage,
        (instances, machines, used) => {
          const all = ids.map((id) => node(id))
          const place = (places: readonly string[], among: readonly PlaceableNode[]) => {
            const decision = placesOf(on([...places], { instances }), among, used)
            if ('refusal' in decision) throw new Error('refused')
            return decision.places
          }
          const before = place(['a'], all.slice(0, machines))
          expect(place(before, all.slice(0, machines)).toSorted()).toEqual(before.toSorted())
          const moved = (after: readonly string[]) =>
            countsOf(after, ids).reduce((sum, n, at) => sum + Math.max(0, n - countsOf(before, ids)[at]!), 0)
          const added = place(before, all.slice(0, machines + 1))
          expect(moved(added)).toBe(added.filter((id) => id === ids[machines]).length)
          if (machines === 1) return
          const lost = ids[machines - 1]!
          const left = place(before, all.slice(0, machines - 1))
          expect(moved(left)).toBe(before.filter((id) => id === lost).length)
        }
      )
    )
  })

  test('no project that needs its files leaves their machine', () => {
    fc.assert(
      fc.property(project, nodes, usage, (one, all, used) => {
        const { at, stays } = one
        if (at === null || stays === null || at.nodeId !== at.filesNodeId) return
        expect(leaves(one, at.nodeId, all, used)).toBe(false)
      })
    )
  })
})

test('projects of a machine have their standby on the others, as evenly as if they left, and keep it', () => {
  const nodes = ['a', 'b', 'c'].map((id) => node(id))
  const usage = shares({ a: 40, b: 40, c: 30 })
  const sites = ['1', '2', '3', '4'].map((id) => ({ id, project: on(['b']), earlier: undefined }))
  const first = standbysOf(sites, 'b', nodes, usage)
  expect([...first]).toEqual([['1', ['c']], ['2', ['a']], ['3', ['c']], ['4', ['a']]]) // oxfmt-ignore
  const again = sites.map((site) => ({ ...site, earlier: first.get(site.id)![0] }))
  expect(standbysOf(again, 'b', nodes, shares({ a: 90, b: 40, c: 30 }))).toEqual(first)
  const withoutC = nodes.map((each) => (each.id === 'c' ? { ...each, ...paused } : each))
  expect([...standbysOf(again, 'b', withoutC, usage).values()]).toEqual([['a'], ['a'], ['a'], ['a']])
  const staying = [
    { id: '1', project: on(['b'], { stays: 'FILES', at: { nodeId: 'b', filesNodeId: 'b' } }), earlier: undefined }
  ]
  expect(standbysOf(staying, 'b', nodes, usage).size).toBe(0)
})
