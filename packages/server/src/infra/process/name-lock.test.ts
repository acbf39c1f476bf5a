import { readFile } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { takeName } from './name-lock.ts'

const held = async () =>
  (await readFile('/proc/net/unix', 'utf8')).split('\n').flatMap((line) => / (@panel-[0-9a-f]+)$/.exec(line)?.[1] ?? [])

test('a name can be taken once, and again after release', async () => {
  const name = randomUUID()
  const release = await takeName(name)
  expect(await takeName(name)).toBeUndefined()
  await release!()
  const again = await takeName(name)
  expect(again).toBeDefined()
  await again!()
})

// Node.js 20 pads shorter abstract socket names, 22 does not; panels on both must exclude each other.
test('the kernel sees the same name with any Node.js version', async () => {
  const before = await held()
  const release = await takeName(randomUUID())
  const mine = (await held()).filter((name) => !before.includes(name))
  await release!()
  expect(mine.map((name) => name.length)).toContain(108)
  expect(mine.filter((name) => name.length !== 108)).toEqual([])
})
