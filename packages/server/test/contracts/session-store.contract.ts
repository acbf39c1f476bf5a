import { afterAll, describe, expect, test } from 'vitest'
import type { SessionStore } from '../../src/infra/session-store/session-store.ts'

/** Contract of every SessionStore. */
export function describeSessionStore(name: string, open: () => Promise<SessionStore>): void {
  describe(`session store: ${name}`, async () => {
    const store = await open()
    afterAll(() => store.close())

    test('returns what was set until deleted', async () => {
      await store.set('a', 'line\r\nbreak', 60)
      expect(await store.get('a')).toBe('line\r\nbreak')
      await store.delete('a', 'never-there')
      expect(await store.get('a')).toBeUndefined()
    })

    test('gives a value to exactly one concurrent taker', async () => {
      await store.set('once', 'x', 60)
      const taken = await Promise.all(Array.from({ length: 8 }, () => store.take('once')))
      expect(taken.filter((value) => value === 'x')).toHaveLength(1)
    })

    test('adds only if absent', async () => {
      const added = await Promise.all(Array.from({ length: 8 }, () => store.add('fresh', 'x', 60)))
      expect(added.filter(Boolean)).toHaveLength(1)
    })

    test('counts concurrent callers exactly', async () => {
      const counts = await Promise.all(Array.from({ length: 8 }, () => store.increment('count', 60)))
      expect(counts.sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
      await store.delete('count')
      expect(await store.increment('count', 60)).toBe(1)
    })

    test('expires entries', async () => {
      await store.set('short', 'x', 1)
      await expect.poll(() => store.get('short'), { timeout: 10_000 }).toBeUndefined()
    })
  })
}
