import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCgroupPlaces } from './cgroup-places.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cgroup-places-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

const id = (n: number) => n.toString(16).padStart(64, '0')
const make = (path: string) => mkdir(join(root, path), { recursive: true })

test('walks soon for a new container, once a minute for a missing one', async () => {
  let time = 0
  const places = createCgroupPlaces(
    () => root,
    () => time
  )
  await make(`docker/${id(1)}/below`)
  await make(`system.slice/docker-${id(2)}.scope`)
  await places.check([id(1), id(2), id(3)])
  expect([1, 2, 3].map((n) => places.of(id(n)))).toEqual([`docker/${id(1)}`, `system.slice/docker-${id(2)}.scope`, undefined]) // oxfmt-ignore
  await make(`docker/${id(3)}`)
  await make(`docker/${id(4)}`)
  await places.check([id(3), id(4)])
  expect(places.of(id(4)), 'just after a walk').toBeUndefined()
  time += 59_000
  await places.check([id(1), id(3)])
  expect(places.of(id(3)), 'it was missed a minute ago alone').toBeUndefined()
  time += 2_000
  await places.check([id(3)])
  expect(places.of(id(3))).toBe(`docker/${id(3)}`)
  await make(`docker/${id(5)}`)
  time += 5_000
  await places.check([id(5)])
  expect(places.of(id(5)), 'it is new').toBe(`docker/${id(5)}`)
})

test('does not walk at once for an empty cgroup, and finds a moved one', async () => {
  let time = 0
  const places = createCgroupPlaces(
    () => root,
    () => time
  )
  await make(`docker/${id(6)}`)
  await places.check([id(6)])
  await rm(join(root, `docker/${id(6)}`), { recursive: true })
  await make(`moved/${id(6)}`)
  places.markMissing(id(6))
  time += 30_000
  await places.check([id(6)])
  expect(places.of(id(6))).toBe(`docker/${id(6)}`)
  time += 31_000
  await places.check([id(6)])
  expect(places.of(id(6))).toBe(`moved/${id(6)}`)
})
