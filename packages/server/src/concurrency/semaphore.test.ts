import { expect, test } from 'vitest'
import { withResolvers } from '../../test/support/with-resolvers.ts'
import { createSemaphore } from './semaphore.ts'

test('never runs more than the limit, in order, also after failures', async () => {
  const limited = createSemaphore(2)
  const started: number[] = []
  let running = 0
  let most = 0
  const work = (n: number) =>
    limited(async () => {
      started.push(n)
      most = Math.max(most, ++running)
      await new Promise(setImmediate)
      running--
      if (n % 3 === 0) throw new Error(`no ${n}`)
      return n
    })
  const results = await Promise.allSettled(Array.from({ length: 9 }, (_, n) => work(n)))
  expect(most).toBe(2)
  expect(started).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  expect(results.map((result) => result.status === 'fulfilled')).toEqual([
    false,
    true,
    true,
    false,
    true,
    true,
    false,
    true,
    true
  ])
  expect(await work(1)).toBe(1)
})

test('a wait times out and its turn goes to the next', async () => {
  const limited = createSemaphore(1)
  const { promise: held, resolve: release } = withResolvers()
  const first = limited(() => held)
  const work = () => Promise.resolve('done')
  const late = limited(work, { ms: 0, ifFull: () => 'full' })
  const patient = limited(work, { ms: 60_000, ifFull: () => 'full' })
  expect(await late).toBe('full')
  release()
  await first
  expect(await patient).toBe('done')
  expect(await limited(work, { ms: 0, ifFull: () => 'full' })).toBe('done')
})
