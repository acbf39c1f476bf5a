import { expect, test } from 'vitest'
import { lazy } from './lazy.ts'

test('shares one call, and retries after a failure', async () => {
  let calls = 0
  const get = lazy(async () => {
    if (++calls === 1) throw new Error('not yet')
    return calls
  })
  await expect(Promise.all([get(), get()])).rejects.toThrow('not yet')
  expect(calls).toBe(1)
  expect(await Promise.all([get(), get()])).toEqual([2, 2])
  expect(await get()).toBe(2)
})
