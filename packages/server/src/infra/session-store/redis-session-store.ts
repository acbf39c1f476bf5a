import type { Redis } from 'ioredis'
import { AdapterError } from '../adapter-error.ts'
import type { SessionStore } from './session-store.ts'

/** Sessions also exist in the database, so reads from an unavailable Redis return nothing; counters fail instead. */
export function createRedisSessionStore(
  redis: Redis,
  prefix = 'panel:',
  onUnavailable: (error: unknown) => void = () => {}
): SessionStore {
  const orNothing = <T>(work: Promise<T>) =>
    work.catch((error: unknown) => {
      onUnavailable(error)
      return null
    })
  const orRefuse = <T>(work: Promise<T>) =>
    work.catch((cause: unknown) => {
      throw new AdapterError('session-store-unavailable', 'The session store is unavailable. Try again.', {
        cause
      })
    })
  return {
    async get(key) {
      return (await orNothing(redis.get(prefix + key))) ?? undefined
    },
    async set(key, value, ttlSeconds) {
      await orNothing(redis.set(prefix + key, value, 'EX', ttlSeconds))
    },
    async add(key, value, ttlSeconds) {
      return (await orRefuse(redis.set(prefix + key, value, 'EX', ttlSeconds, 'NX'))) === 'OK'
    },
    async take(key) {
      return (await orRefuse(redis.getdel(prefix + key))) ?? undefined
    },
    async increment(key, ttlSeconds) {
      // SET NX sets the TTL, so that no counter can exist without one.
      const started = redis
        .multi()
        .set(prefix + key, '0', 'EX', ttlSeconds, 'NX')
        .incr(prefix + key)
        .exec()
      const [error, count] = (await orRefuse(started))?.[1] ?? [
        new Error('the session store did not answer'),
        undefined
      ]
      if (error) throw error
      return Number(count)
    },
    async delete(...keys) {
      if (keys.length > 0) await orNothing(redis.del(...keys.map((key) => prefix + key)))
    },
    async ping() {
      await redis.ping()
    },
    async close() {}
  }
}
