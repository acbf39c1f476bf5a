import { expect, test } from 'vitest'
import { createCoalescer } from './coalescer.ts'

test('calls during a run share the next one', async () => {
  const run = createCoalescer()
  const owner = {}
  let runs = 0
  const pending: (() => void)[] = []
  const work = async () => {
    runs++
    await new Promise<void>((resolve) => pending.push(resolve))
  }
  const first = run(owner, 'a', work)
  const others = [run(owner, 'a', work), run(owner, 'a', work), run(owner, 'a', work)]
  expect(runs).toBe(1)
  pending.shift()!()
  await first
  await new Promise(setImmediate)
  expect(runs).toBe(2)
  pending.shift()!()
  await Promise.all(others)
  expect(runs).toBe(2)
  const again = run(owner, 'a', work)
  expect(runs).toBe(3)
  pending.shift()!()
  await again
})

test('keys and owners are independent, and a failure affects only its own run', async () => {
  const run = createCoalescer()
  const owner = {}
  const failing = run(owner, 'a', () => Promise.reject(new Error('first')))
  const after = run(owner, 'a', async () => {})
  await expect(failing).rejects.toThrow('first')
  await expect(after).resolves.toBeUndefined()
  await Promise.all([run(owner, 'b', async () => {}), run({}, 'a', async () => {})])
})
