import { expect, test } from 'vitest'
import { bytesByProject, ownedBytes } from './image-disk.policy.ts'

const image = (id: string, parentId: string | undefined, sizeBytes: number, project: string) => ({
  id,
  parentId,
  sizeBytes,
  project
})

test('a layer counts once, and base images do not count', () => {
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

test('an image from a registry counts whole, once in each project', () => {
  const pulled = 'sha256:1'
  const images = ['a1', 'a2', 'b1'].map((id) => ({ ...image(id, 'pulled', 200, id[0]!), pulled }))
  expect([...bytesByProject(images, new Map([['pulled', 200]]))]).toEqual([
    ['a', 200],
    ['b', 200]
  ])
})

const layer = (id: string | undefined, createdBy: string, sizeBytes: number) => ({
  id,
  createdBy,
  sizeBytes,
  builder: 'classic' as const
})

test('only layers with the account’s uid are owned, and each counts once', () => {
  const copy = '/bin/sh -c #(nop) COPY --chown=20001:20001 dir:1 in /app/ '
  const first = [layer('b', copy, 3), layer('a', '/bin/sh -c #(nop) COPY dir:2 in /opt/tools/ ', 5)]
  const second = [layer('c', copy, 7), layer('b', copy, 3), layer(undefined, copy, 11)]
  expect(ownedBytes([first, second], 20_001)).toBe(10)
  expect(ownedBytes([first, second], 20_002)).toBe(0)
})

test.each([
  ['a command that only mentions it', '/bin/sh -c echo COPY --chown=20001:20001 x'],
  ['a command after a comment', '/bin/sh -c #(nop) COPY --chown=20001:20001 dir:1 in /app/\nmake things'],
  ['another group', '/bin/sh -c #(nop) COPY --chown=20001:0 dir:1 in /app/ ']
])('%s is not owned', (_name, createdBy) => expect(ownedBytes([[layer('a', createdBy, 3)]], 20_001)).toBe(0))

test('BuildKit writes other steps', () => {
  const made = (createdBy: string) => [{ ...layer('a', createdBy, 3), builder: 'buildkit' as const }]
  expect(ownedBytes([made('COPY --chown=20001:20001 /app/ /app/ # buildkit')], 20_001)).toBe(3)
  expect(ownedBytes([made('RUN COPY --chown=20001:20001 /app/ /app/ # buildkit')], 20_001)).toBe(0)
})
