import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { unlessAborted, withTimeLimit } from './time-limit.ts'

const never = new Promise<never>(() => {})

test('returns the result of work that finishes in time', async () => {
  const { signal } = new AbortController()
  expect(await unlessAborted(Promise.resolve(1), signal)).toBe(1)
  await expect(unlessAborted(Promise.reject(new Error('failed')), signal)).rejects.toThrow('failed')
  expect(await withTimeLimit(Promise.resolve(1), 60_000)).toBe(1)
  await expect(withTimeLimit(Promise.reject(new Error('failed')), 60_000)).rejects.toThrow('failed')
})

test('an abort before or during the wait rejects with its reason', async () => {
  const reason = new Error('stopped')
  await expect(unlessAborted(never, AbortSignal.abort(reason))).rejects.toBe(reason)
  const stop = new AbortController()
  const waiting = unlessAborted(never, stop.signal)
  stop.abort(reason)
  await expect(waiting).rejects.toBe(reason)
})

test('a time limit rejects, and a later failure is ignored', async () => {
  const late = sleep(20).then(() => Promise.reject(new Error('late')))
  await expect(withTimeLimit(late, 5)).rejects.toThrow('not done within 5 ms')
  await sleep(30)
})
