import type { Redis } from 'ioredis'
import type { SessionStore } from './session-store.ts'

/** The shared store of several processes. The caller owns the connection. */
export function createRedisSessionStore(redis: Redis, prefix = 'panel:'): SessionStore {
  return {
    async get(key) {
      return (await redis.get(prefix + key)) ?? undefined
    },
    async set(key, value, ttlSeconds) {
      await redis.set(prefix + key, value, 'EX', ttlSeconds)
    },
    async add(key, value, ttlSeconds) {
      return (await redis.set(prefix + key, value, 'EX', ttlSeconds, 'NX')) === 'OK'
    },
    async take(key) {
      return (await redis.getdel(prefix + key)) ?? undefined
    },
    async increment(key, ttlSeconds) {
      // SET NX starts the time to live, so that no count is ever left without one.
      const replies = await redis
        .multi()
        .set(prefix + key, '0', 'EX', ttlSeconds, 'NX')
        .incr(prefix + key)
        .exec()
      const [error, count] = replies?.[1] ?? [new Error('the session store did not answer'), undefined]
      if (error) throw error
      return Number(count)
    },
    async delete(...keys) {
      if (keys.length > 0) await redis.del(...keys.map((key) => prefix + key))
    },
    async ping() {
      await redis.ping()
    },
    async close() {}
  }
}
