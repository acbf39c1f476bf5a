import { expect, test } from 'vitest'
import { createMemorySessionStore } from './memory-session-store.ts'
import { describeSessionStore } from '../../../test/contracts/session-store.contract.ts'

describeSessionStore('in memory', async () => createMemorySessionStore())

test('an entry expires with its TTL', async () => {
  let now = 0
  const store = createMemorySessionStore(() => now)
  await store.set('a', 'x', 10)
  now = 9_999
  expect(await store.get('a')).toBe('x')
  now = 10_000
  expect(await store.get('a')).toBeUndefined()
  expect(await store.add('a', 'y', 10)).toBe(true)
  now = 20_000
  expect(await store.take('a')).toBeUndefined()
})
