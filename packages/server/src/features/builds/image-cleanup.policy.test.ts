import { expect, test } from 'vitest'
import { cacheToDrop, childrenFirst, type CacheImage, releasesToDrop, type Release } from './image-cleanup.policy.ts'

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
])('cache: %s', (_name, images, budget, dropped) => expect(cacheToDrop(images, budget)).toEqual(dropped))

test('children first', () => {
  const images = [image('a', 'base'), image('c', 'b'), image('b', 'a'), image('x', undefined)]
  expect(childrenFirst(images).map(({ id }) => id)).toEqual(['c', 'b', 'a', 'x'])
})
