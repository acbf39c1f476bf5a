import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { unlessAborted, withTimeLimit } from './time-limit.ts'

const never = new Promise<never>(() => {})

test('what is done in time is given as it ends', async () => {
  const { signal } = new AbortController()
  expect(await unlessAborted(Promise.resolve(1), signal)).toBe(1)
  await expect(unlessAborted(Promise.reject(new Error('failed')), signal)).rejects.toThrow('failed')
  expect(await withTimeLimit(Promise.resolve(1), 60_000)).toBe(1)
  await expect(withTimeLimit(Promise.reject(new Error('failed')), 60_000)).rejects.toThrow('failed')
})

test('an abort ends the wait, before it and in the middle of it, with its reason', async () => {
  const reason = new Error('stopped')
  await expect(unlessAborted(never, AbortSignal.abort(reason))).rejects.toBe(reason)
  const stop = new AbortController()
  const waiting = unlessAborted(never, stop.signal)
  stop.abort(reason)
  await expect(waiting).rejects.toBe(reason)
})

test('a time limit ends the wait, and what fails afterwards breaks nothing', async () => {
  const late = sleep(20).then(() => Promise.reject(new Error('late')))
  await expect(withTimeLimit(late, 5)).rejects.toThrow('not done within 5 ms')
  await sleep(30)
})
