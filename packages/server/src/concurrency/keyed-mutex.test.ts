import { expect, test } from 'vitest'
import { createKeyedMutex } from './keyed-mutex.ts'

test('work on one key is serialised, work on another key is not', async () => {
  const oneAtATime = createKeyedMutex<string>()
  const started: string[] = []
  const pending = new Map<string, () => void>()
  const work = (name: string) => () => {
    started.push(name)
    return new Promise<string>((resolve) => pending.set(name, () => resolve(name)))
  }
  const [first, second, other] = [
    oneAtATime('a', work('first')),
    oneAtATime('a', work('second')),
    oneAtATime('b', work('other'))
  ]
  await new Promise(setImmediate)
  expect(started).toEqual(['first', 'other'])
  pending.get('first')!()
  expect(await first).toBe('first')
  await new Promise(setImmediate)
  expect(started).toEqual(['first', 'other', 'second'])
  pending.get('second')!()
  pending.get('other')!()
  expect(await Promise.all([second, other])).toEqual(['second', 'other'])
})

test('a failure rejects its own caller only and does not block the key', async () => {
  const oneAtATime = createKeyedMutex<object>()
  const key = {}
  const failing = oneAtATime(key, () => Promise.reject(new Error('first')))
  const after = oneAtATime(key, async () => 'second')
  await expect(failing).rejects.toThrow('first')
  expect(await after).toBe('second')
})
