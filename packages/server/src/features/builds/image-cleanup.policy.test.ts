import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  cacheToDrop,
  childrenFirst,
  type CacheImage,
  otherImages,
  ownBytesOf,
  releasesToDrop,
  type Release
} from './image-cleanup.policy.ts'

const release = (seq: number, image = `i${seq}`, projectId = 'p'): Release => ({
  deploymentId: `d${seq}`,
  projectId,
  image,
  seq
})

test.each<[string, Release[], string[], string[]]>([
  ['fewer than kept', [release(1), release(2)], [], []],
  ['the oldest is dropped', [release(1), release(2), release(3), release(4)], [], ['i1']],
  ['never the live one', [release(1), release(2), release(3), release(4)], ['i1'], []],
  [
    'a rollback makes its image recent again',
    [release(1), release(2), release(3), release(4), release(5, 'i1')],
    [],
    ['i2']
  ],
  ['projects do not count together', [release(1), release(2), release(3), release(4, 'q', 'q')], [], []]
])('%s', (_name, releases, inUse, dropped) => expect(releasesToDrop(releases, 3, new Set(inUse))).toEqual(dropped))

const image = (id: string, parentId: string | undefined, values: Partial<CacheImage> = {}): CacheImage => ({
  id,
  parentId,
  isPinned: false,
  sizeBytes: 100,
  createdAt: new Date(2026, 0, 1),
  ...values
})
const day = (n: number) => ({ createdAt: new Date(2026, 0, n) })

test.each<[string, CacheImage[], number, string[]]>([
  ['images within the budget stay', [image('a', undefined), image('b', undefined)], 200, []],
  [
    'the oldest is removed',
    [image('old', undefined, day(1)), image('new', undefined, day(3)), image('mid', undefined, day(2))],
    200,
    ['old']
  ],
  [
    'each step counts once, however long the chain',
    [image('labels', 'base'), image('deps', 'labels', { sizeBytes: 150 }), image('source', 'deps', { sizeBytes: 160 })],
    60,
    []
  ],
  [
    'children are removed before their parents',
    [
      image('labels', 'base', day(1)),
      image('deps', 'labels', { sizeBytes: 150, ...day(1) }),
      image('source', 'deps', { sizeBytes: 160, ...day(2) })
    ],
    0,
    ['source', 'deps']
  ],
  [
    'the parents of a release stay',
    [
      image('old', 'base', { sizeBytes: 150 }),
      image('layer', 'old', { sizeBytes: 900 }),
      image('release', 'layer', { sizeBytes: 950, isPinned: true })
    ],
    0,
    []
  ]
])('cache: %s', (_name, images, budget, dropped) =>
  expect(cacheToDrop(images, { budgetBytes: budget, before: new Date(0) })).toEqual(dropped)
)

test('cache: what is too old goes although there is room, with the parents that only it needed', () => {
  const images = [
    image('labels', 'base', day(1)),
    image('old', 'labels', day(1)),
    image('recent', 'labels', day(5)),
    image('alone', undefined, day(2)),
    image('leaf', 'alone', day(3))
  ]
  expect(cacheToDrop(images, { budgetBytes: 1e9, before: new Date(2026, 0, 4) })).toEqual(['old', 'leaf', 'alone'])
})

const forest = fc
  .array(
    fc.record({
      parent: fc.option(fc.nat(30), { nil: undefined }),
      isPinned: fc.boolean(),
      sizeBytes: fc.nat(1000),
      createdDay: fc.nat(60)
    }),
    { maxLength: 25 }
  )
  .map((drawn) =>
    drawn.map(({ parent, createdDay, ...rest }, i): CacheImage => ({
      ...rest,
      id: `i${i}`,
      // Parents are made before their children; beyond that it is a base image.
      parentId: parent === undefined ? undefined : parent < i ? `i${parent}` : 'base',
      createdAt: new Date(2026, 0, createdDay)
    }))
  )

test('cache: nothing that a pinned image needs goes, children go first, and nothing old or above the budget is left', () => {
  fc.assert(
    fc.property(forest, fc.nat(5000), fc.nat(60), (images, budgetBytes, daysOld) => {
      const before = new Date(2026, 0, daysOld)
      const dropped = cacheToDrop(images, { budgetBytes, before })
      const gone = new Set<string>()
      for (const id of dropped) {
        expect(images.find((each) => each.id === id)?.isPinned).toBe(false)
        gone.add(id)
        expect(images.filter((each) => each.parentId === id && !gone.has(each.id))).toEqual([])
      }
      const left = images.filter(({ id }) => !gone.has(id))
      const leaves = left.filter(({ id, isPinned }) => !isPinned && !left.some(({ parentId }) => parentId === id))
      expect(leaves.filter(({ createdAt }) => createdAt < before)).toEqual([])
      const ownBytes = ownBytesOf(images)
      const bytes = left.filter(({ isPinned }) => !isPinned).reduce((sum, each) => sum + ownBytes(each), 0)
      if (leaves.length > 0) expect(bytes).toBeLessThanOrEqual(budgetBytes)
    })
  )
})

test('releases: the latest of each project and all in use stay', () => {
  const drawn = fc.array(fc.record({ project: fc.nat(3), image: fc.nat(8) }), { maxLength: 30 })
  fc.assert(
    fc.property(drawn, fc.integer({ min: 1, max: 4 }), fc.array(fc.nat(8)), (rows, keep, used) => {
      const releases = rows.map(({ project, image: name }, seq) => release(seq, `${project}-${name}`, String(project)))
      const inUse = new Set(used.map((each) => `0-${each}`))
      const dropped = new Set(releasesToDrop(releases, keep, inUse))
      expect([...dropped].filter((each) => inUse.has(each))).toEqual([])
      for (const project of ['0', '1', '2', '3']) {
        const latest = releases.filter(({ projectId }) => projectId === project).map((each) => each.image)
        const kept = [...new Set(latest.toReversed())].slice(0, keep)
        expect(kept.filter((each) => dropped.has(each))).toEqual([])
      }
    })
  )
})

const other = (id: string, values: Partial<Parameters<typeof otherImages>[0][number]> = {}) => ({
  id,
  parentId: undefined,
  tags: [`${id}:latest`],
  labels: {},
  isInUse: false,
  ...values
})

test('other images: neither those of a panel nor their bases, nor what a container or the settings name', () => {
  const images = [
    other('ours', { labels: { 'panel.instance': 'a' }, parentId: 'base' }),
    other('another panel', { labels: { 'panel.instance': 'b' } }),
    other('base'),
    other('running', { isInUse: true }),
    other('node'),
    other('below', { tags: [] }),
    other('above', { tags: ['x:1', 'x:2'], parentId: 'below' })
  ]
  const found = otherImages(images, new Set(['node']), 'panel.instance')
  expect(found.map(({ id }) => id)).toEqual(['above', 'below'])
})

test('children first', () => {
  const images = [image('a', 'base'), image('c', 'b'), image('b', 'a'), image('x', undefined)]
  expect(childrenFirst(images).map(({ id }) => id)).toEqual(['c', 'b', 'a', 'x'])
})
