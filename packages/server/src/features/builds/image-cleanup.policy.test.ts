import { expect, test } from 'vitest'
import { cacheToDrop, releasesToDrop, type Release } from './image-cleanup.policy.ts'

const release = (seq: number, image = `i${seq}`, projectId = 'p'): Release => ({
  deploymentId: `d${seq}`,
  projectId,
  image,
  seq
})

test.each<[string, Release[], string[], string[]]>([
  ['fewer than kept', [release(1), release(2)], [], []],
  ['the oldest goes', [release(1), release(2), release(3), release(4)], [], ['i1']],
  ['never what serves', [release(1), release(2), release(3), release(4)], ['i1'], []],
  [
    'a rollback makes its image new again',
    [release(1), release(2), release(3), release(4), release(5, 'i1')],
    [],
    ['i2']
  ],
  ['projects do not count together', [release(1), release(2), release(3), release(4, 'q', 'q')], [], []]
])('%s', (_name, releases, inUse, dropped) => expect(releasesToDrop(releases, 3, new Set(inUse))).toEqual(dropped))

test('the cache keeps its newest within the budget', () => {
  const image = (id: string, day: number, sizeBytes: number) => ({ id, sizeBytes, createdAt: new Date(2026, 0, day) })
  expect(cacheToDrop([image('old', 1, 5), image('new', 3, 5), image('mid', 2, 5)], 10)).toEqual(['old'])
})
