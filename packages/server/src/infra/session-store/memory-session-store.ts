import type { SessionStore } from './session-store.ts'

// Sessions can be restored from the database, so evicting the oldest is safe.
const maxEntries = 100_000

export function createMemorySessionStore(now: () => number = Date.now): SessionStore {
  const entries = new Map<string, { value: string; expiresAt: number }>()
  const find = (key: string) => {
    const entry = entries.get(key)
    if (entry && entry.expiresAt <= now()) {
      entries.delete(key)
      return undefined
    }
    return entry?.value
  }
  const put = (key: string, value: string, ttlSeconds: number) => {
    entries.delete(key)
    if (entries.size >= maxEntries) entries.delete(entries.keys().next().value!)
    entries.set(key, { value, expiresAt: now() + ttlSeconds * 1000 })
  }
  return {
    async get(key) {
      return find(key)
    },
    async set(key, value, ttlSeconds) {
      put(key, value, ttlSeconds)
    },
    async add(key, value, ttlSeconds) {
      if (find(key) !== undefined) return false
      put(key, value, ttlSeconds)
      return true
    },
    async take(key) {
      const value = find(key)
      entries.delete(key)
      return value
    },
    async increment(key, ttlSeconds) {
      const entry = find(key) === undefined ? undefined : entries.get(key)
      const count = Number(entry?.value ?? 0) + 1
      if (entry) entry.value = String(count)
      else put(key, '1', ttlSeconds)
      return count
    },
    async delete(...keys) {
      for (const key of keys) entries.delete(key)
    },
    async ping() {},
    async close() {
      entries.clear()
    }
  }
}
