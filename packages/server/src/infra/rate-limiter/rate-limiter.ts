import type { Redis } from 'ioredis'
import { lazy } from '../../concurrency/lazy.ts'

/** Fixed-window rate limiter. Processes share the count with Redis only. */
export interface RateLimiter {
  /** Seconds to wait if the limit is exceeded, otherwise undefined. */
  hit(key: string): Promise<number | undefined>
}

/** Counts failures per key in a fixed window. */
export interface FailureCounter {
  add(key: string): Promise<void>
  count(key: string): Promise<number>
}

interface LimiterOptions {
  durationSeconds: number
  redis?: Redis
}

export function createRateLimiter({
  points,
  ...options
}: LimiterOptions & { points: number | (() => number) }): RateLimiter {
  const pointsNow = typeof points === 'number' ? () => points : points
  const open = lazyLimiter('panel:limit', pointsNow, options)
  return {
    async hit(key) {
      const { limiter, all, RateLimiterRes } = await open()
      for (const each of all) each.points = pointsNow()
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

export function createFailureCounter(options: LimiterOptions): FailureCounter {
  const open = lazyLimiter('panel:failures', () => Number.MAX_SAFE_INTEGER, options)
  return {
    add: async (key) => void (await (await open()).limiter.penalty(key)),
    count: async (key) => (await (await open()).limiter.get(key))?.consumedPoints ?? 0
  }
}

/** Imported on first use: loading all store drivers slows down the start. */
const lazyLimiter = (keyPrefix: string, points: () => number, { durationSeconds, redis }: LimiterOptions) =>
  lazy(async () => {
    const { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } = await import('rate-limiter-flexible')
    const limits = { points: points(), duration: durationSeconds, keyPrefix }
    // If Redis is down, limits must still apply: fall back to the in-process limiter.
    const insuranceLimiter = new RateLimiterMemory(limits)
    const limiter = redis ? new RateLimiterRedis({ ...limits, storeClient: redis, insuranceLimiter }) : insuranceLimiter
    return { limiter, all: [limiter, insuranceLimiter], RateLimiterRes }
  })
