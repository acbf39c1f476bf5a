import { expect, test } from 'vitest'
import { bytesByProject } from './image-disk.policy.ts'

const image = (id: string, parentId: string | undefined, sizeBytes: number, project: string) => ({
  id,
  parentId,
  sizeBytes,
  project
})

test('a layer counts once, and the base for nobody', () => {
  const images = [
    image('a1', 'base', 130, 'a'),
    image('a2', 'a1', 140, 'a'),
    image('a3', 'a1', 150, 'a'),
    image('b1', 'base', 100, 'b'),
    image('c1', undefined, 70, 'c')
  ]
  expect([...bytesByProject(images, new Map([['base', 100]]))]).toEqual([
    ['a', 30 + 10 + 20],
    ['b', 0],
    ['c', 70]
  ])
})
