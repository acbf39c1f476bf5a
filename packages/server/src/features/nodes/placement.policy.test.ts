import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MachineStatus } from '@panel/contract/machines'
import { type NodeUsage, type PlaceableNode, type PlaceableProject, placementOf } from './placement.policy.ts'

const node = (id: string, values: Partial<PlaceableNode> = {}): PlaceableNode => ({
  id,
  name: id,
  roles: ['SITES'],
  labels: [],
  status: 'ACTIVE',
  ...values
})
const fresh: PlaceableProject = { nodeId: null, hasFiles: false, labels: [] }
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
      { ...fresh, nodeId: 'a' },
      [node('a'), node('b')],
      shares({ a: 90, b: 0 }),
      { nodeId: 'a', reason: { code: 'SPREAD' } }
    ],
    [
      'its files, whatever else',
      { nodeId: 'a', hasFiles: true, labels: ['ssd'] },
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
      { ...fresh, nodeId: 'a', hasFiles: true },
      [node('a', { status: 'AWAY' }), node('b')],
      new Map(),
      { refusal: { code: 'AWAY', values: { machine: 'a' } } }
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
      roles: fc.subarray<PlaceableNode['roles'][number]>(['SITES', 'MAIL']),
      labels,
      status: fc.constantFrom<MachineStatus>('JOINING', 'ACTIVE', 'PAUSED', 'AWAY')
    })
  const ids = ['a', 'b', 'c', 'd']
  const nodes = fc.tuple(...ids.map(anyNode))
  const project = fc.record({ nodeId: fc.option(fc.constantFrom(...ids)), hasFiles: fc.boolean(), labels })
  const usage = fc
    .tuple(...ids.map(() => fc.record({ promisedBytes: fc.nat(200), totalBytes: fc.nat(100) })))
    .map((all) => new Map(all.map((each, index) => [ids[index]!, each])))

  test('only on an active machine, with its files or else its role and labels', () => {
    fc.assert(
      fc.property(project, nodes, usage, (one, all, used) => {
        const decision = placementOf(one, all, used)
        if ('refusal' in decision) return
        const chosen = all.find(({ id }) => id === decision.nodeId)!
        expect(chosen.status).toBe('ACTIVE')
        if (one.hasFiles && one.nodeId !== null) expect(chosen.id).toBe(one.nodeId)
        else {
          expect(chosen.roles).toContain('SITES')
          expect(chosen.labels).toEqual(expect.arrayContaining(one.labels))
        }
      })
    )
  })

  test('somewhere, if a machine is able', () => {
    fc.assert(
      fc.property(project, nodes, usage, (one, all, used) => {
        const isAble = ({ id, roles, status, labels: own }: PlaceableNode) =>
          status === 'ACTIVE' &&
          (one.hasFiles && one.nodeId !== null
            ? id === one.nodeId
            : roles.includes('SITES') && one.labels.every((label) => own.includes(label)))
        expect('nodeId' in placementOf(one, all, used)).toBe(all.some(isAble))
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
