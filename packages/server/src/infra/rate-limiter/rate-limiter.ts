import type { Redis } from 'ioredis'
import { lazy } from '../../lazy.ts'

/**
 * Counts hits of a key in a fixed window that starts with the first of them. With Redis for all processes together; without, each counts by
 * itself, so that of two a client gets twice as many.
 */
export interface RateLimiter {
  /** Seconds to wait when the limit is used up, else undefined. */
  hit(key: string): Promise<number | undefined>
}

export function createRateLimiter(options: { points: number; durationSeconds: number; redis?: Redis }): RateLimiter {
  const limits = { points: options.points, duration: options.durationSeconds, keyPrefix: 'panel:limit' }
  // Loaded with the first hit: no start waits for the limiters of all the stores that it knows.
  const open = lazy(async () => {
    const { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } = await import('rate-limiter-flexible')
    // A Redis that is away must not lift the limit: the in-process limiter takes over until it is back.
    const limiter = options.redis
      ? new RateLimiterRedis({ ...limits, storeClient: options.redis, insuranceLimiter: new RateLimiterMemory(limits) })
      : new RateLimiterMemory(limits)
    return { limiter, RateLimiterRes }
  })
  return {
    async hit(key) {
      const { limiter, RateLimiterRes } = await open()
      try {
        await limiter.consume(key)
        return undefined
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal
        return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000))
      }
    }
  }
}
