import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MachineStatus } from '@panel/contract/machines'
import {
  type NodeUsage,
  type PlaceableNode,
  type PlaceableProject,
  placementOf,
  staysBecause
} from './placement.policy.ts'

const node = (id: string, values: Partial<PlaceableNode> = {}): PlaceableNode => ({
  id,
  name: id,
  roles: ['SITES'],
  labels: [],
  status: 'ACTIVE',
  isFit: true,
  ...values
})
const fresh: PlaceableProject = { at: null, stays: null, labels: [] }
const on = (nodeId: string, filesNodeId = 'a') => ({ ...fresh, at: { nodeId, filesNodeId } })
const shares = (values: Record<string, number>): NodeUsage =>
  new Map(Object.entries(values).map(([id, promisedBytes]) => [id, { promisedBytes, totalBytes: 100 }]))

describe('a project goes to', () => {
  test.each<[string, PlaceableProject, PlaceableNode[], NodeUsage, object]>([
    ['the only machine', fresh, [node('a')], new Map(), { nodeId: 'a', reason: { code: 'ONLY' } }],
    [
      'the only one for sites',
      fresh,
      [node('a', { roles: ['MAIL'] }), node('b')],
      new Map(),
      { nodeId: 'b', reason: { code: 'ONLY' } }
    ],
    [
      'the one with its labels',
      { ...fresh, labels: ['region=eu', 'ssd'] },
      [node('a', { labels: ['ssd'] }), node('b', { labels: ['region=eu', 'ssd'] })],
      new Map(),
      { nodeId: 'b', reason: { code: 'LABELS', values: { labels: ['region=eu', 'ssd'] } } }
    ],
    [
      'the one with the smallest share promised',
      fresh,
      [node('a'), node('b'), node('c')],
      shares({ a: 50, b: 20, c: 30 }),
      { nodeId: 'b', reason: { code: 'SPREAD' } }
    ],
    [
      'where its memory is known, before others',
      fresh,
      [node('a'), node('b')],
      shares({ b: 99 }),
      { nodeId: 'b', reason: { code: 'SPREAD' } }
    ],
    [
      'where it is, without a need to move',
      on('a'),
      [node('a'), node('b')],
      shares({ a: 90, b: 0 }),
      { nodeId: 'a', reason: { code: 'SPREAD' } }
    ],
    [
      'its files, whatever else',
      { ...on('b'), stays: 'FILES', labels: ['ssd'] },
      [node('a'), node('b', { labels: ['ssd'] })],
      shares({ a: 99, b: 0 }),
      { nodeId: 'a', reason: { code: 'FILES' } }
    ],
    [
      'nowhere without a machine for sites',
      fresh,
      [],
      new Map(),
      { refusal: { code: 'NONE', values: { machines: [] } } }
    ],
    [
      'nowhere while all are paused or away',
      fresh,
      [node('a', { status: 'PAUSED' }), node('b', { status: 'AWAY' })],
      new Map(),
      { refusal: { code: 'NONE', values: { machines: ['a (PAUSED)', 'b (AWAY)'] } } }
    ],
    [
      'nowhere without its labels',
      { ...fresh, labels: ['gpu'] },
      [node('a')],
      new Map(),
      { refusal: { code: 'NO_LABELS', values: { labels: ['gpu'] } } }
    ],
    [
      'nowhere while its files are away',
      { ...on('a'), stays: 'VOLUMES' },
      [node('a', { status: 'AWAY' }), node('b')],
      new Map(),
      { refusal: { code: 'AWAY', values: { machine: 'a' } } }
    ],
    [
      'its files on a paused machine',
      { ...on('a'), stays: 'SLEEP' },
      [node('a', { status: 'PAUSED' }), node('b')],
      new Map(),
      { nodeId: 'a', reason: { code: 'SLEEP' } }
    ],
    [
      'a machine for files, if it is new and keeps some',
      { ...fresh, stays: 'FILES' },
      [node('a', { roles: ['SITES', 'FILES'] }), node('b')],
      shares({ a: 99, b: 0 }),
      { nodeId: 'a', reason: { code: 'ONLY' } }
    ],
    [
      'nowhere if only machines without files have its labels',
      { ...fresh, stays: 'FILES', labels: ['ssd'] },
      [node('a', { roles: ['SITES', 'FILES'] }), node('b', { labels: ['ssd'] })],
      new Map(),
      { refusal: { code: 'FILES_LABELS', values: { labels: ['ssd'] } } }
    ],
    [
      'another one than the paused one that it is on',
      on('b'),
      [node('a'), node('b', { status: 'PAUSED' }), node('c')],
      shares({ a: 10, c: 5 }),
      { nodeId: 'c', reason: { code: 'SPREAD' } }
    ],
    [
      'the paused one that it is on, without another',
      on('b'),
      [node('a', { status: 'PAUSED' }), node('b', { status: 'PAUSED' })],
      new Map(),
      { nodeId: 'b', reason: { code: 'PAUSED' } }
    ],
    [
      'no machine with problems',
      fresh,
      [node('a'), node('b', { isFit: false })],
      shares({ a: 90, b: 0 }),
      { nodeId: 'a', reason: { code: 'ONLY' } }
    ],
    [
      'the one that was asked for',
      { ...on('a'), wanted: 'b' },
      [node('a'), node('b')],
      shares({ a: 0, b: 90 }),
      { nodeId: 'b', reason: { code: 'ASKED' } }
    ],
    [
      'not to a requested one that does not respond',
      { ...on('a'), wanted: 'b' },
      [node('a'), node('b', { status: 'AWAY' })],
      new Map(),
      { refusal: { code: 'NOT_ABLE', values: { machine: 'b' } } }
    ],
    [
      'not away from its files, if asked',
      { ...on('a'), stays: 'FILES', wanted: 'b' },
      [node('a'), node('b', { roles: ['SITES', 'FILES'] })],
      new Map(),
      { refusal: { code: 'NOT_ABLE', values: { machine: 'b' } } }
    ]
  ])('%s', (_, project, nodes, usage, decision) => {
    expect(placementOf(project, nodes, usage)).toEqual(decision)
  })
})

describe('always', () => {
  const labels = fc.subarray(['ssd', 'region=eu', 'gpu'])
  const anyNode = (id: string) =>
    fc.record({
      id: fc.constant(id),
      name: fc.constant(id),
      roles: fc.subarray<PlaceableNode['roles'][number]>(['SITES', 'FILES', 'MAIL']),
      labels,
      status: fc.constantFrom<MachineStatus>('JOINING', 'ACTIVE', 'PAUSED', 'AWAY'),
      isFit: fc.boolean()
    })
  const ids = ['a', 'b', 'c', 'd']
  const nodes = fc.tuple(...ids.map(anyNode))
  const anyId = fc.constantFrom(...ids)
  const project = fc.record({
    at: fc.option(fc.record({ nodeId: anyId, filesNodeId: anyId })),
    stays: fc.option(fc.constantFrom('FILES' as const, 'SLEEP' as const)),
    labels,
    wanted: fc.option(anyId, { nil: undefined })
  })
  const usage = fc
    .tuple(...ids.map(() => fc.record({ promisedBytes: fc.nat(200), totalBytes: fc.nat(100) })))
    .map((all) => new Map(all.map((each, index) => [ids[index]!, each])))

  test('with its files if it needs them, else on an able machine with its labels, or where it is', () => {
    fc.assert(
      fc.property(project, nodes, usage, (one, all, used) => {
        const decision = placementOf(one, all, used)
        if ('refusal' in decision) return
        const chosen = all.find(({ id }) => id === decision.nodeId)!
        expect(['ACTIVE', 'PAUSED']).toContain(chosen.status)
        if (one.stays !== null && one.at !== null) expect(chosen.id).toBe(one.at.filesNodeId)
        else {
          expect(chosen.roles).toContain(one.stays === null ? 'SITES' : 'FILES')
          expect(chosen.labels).toEqual(expect.arrayContaining(one.labels))
          if (chosen.id !== one.at?.nodeId) expect(chosen).toMatchObject({ status: 'ACTIVE', isFit: true })
        }
      })
    )
  })

  test('somewhere, if a machine is able', () => {
    fc.assert(
      fc.property(project, nodes, usage, (one, all, used) => {
        const isAble = ({ roles, status, isFit, labels: own }: PlaceableNode) =>
          status === 'ACTIVE' && isFit && roles.includes('SITES') && one.labels.every((label) => own.includes(label))
        if (one.stays === null && one.wanted === undefined && all.some(isAble))
          expect(placementOf(one, all, used)).toHaveProperty('nodeId')
      })
    )
  })

  test('equal projects are spread over equal machines within one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 4 }), fc.integer({ min: 1, max: 30 }), (machines, projects) => {
        const equal = ids.slice(0, machines).map((id) => node(id))
        const used = new Map(equal.map(({ id }) => [id, { promisedBytes: 0, totalBytes: 10 }]))
        for (let n = 0; n < projects; n++) {
          const decision = placementOf(fresh, equal, used)
          if ('refusal' in decision) throw new Error('refused')
          used.get(decision.nodeId)!.promisedBytes++
        }
        const counts = [...used.values()].map(({ promisedBytes }) => promisedBytes)
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
      })
    )
  })
})

const settings = { keepsFiles: false, reachable: false, sleepAfterMinutes: null }
test.each([
  [settings, false, null],
  [{ ...settings, keepsFiles: true }, true, 'FILES'],
  [settings, true, 'VOLUMES'],
  [{ ...settings, reachable: true }, false, 'REACHABLE'],
  [{ ...settings, sleepAfterMinutes: 5 }, false, 'SLEEP']
])('%o with volumes %s stays because of %s', (project, hasVolumes, expected) => {
  expect(staysBecause(project, hasVolumes)).toBe(expected)
})
