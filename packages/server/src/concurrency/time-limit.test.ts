import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { signalWithin, unlessAborted, withTimeLimit } from './time-limit.ts'

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

setFlagsFromString('--expose_gc')
const collectGarbage = runInNewContext('gc') as () => void

test('a signal with a time limit aborts, also after garbage was collected', async () => {
  const signal = signalWithin(150, new AbortController().signal)
  const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  await sleep(20)
  collectGarbage()
  await aborted
})

test('a signal with a time limit aborts with the signals that it has', () => {
  const own = new AbortController()
  const signal = signalWithin(60_000, own.signal)
  own.abort(new Error('stopped'))
  expect(signal.reason).toMatchObject({ message: 'stopped' })
})
