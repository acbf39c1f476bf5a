import type { Redis } from 'ioredis'
import { lazy } from '../../concurrency/lazy.ts'

/**
 * Counts hits of a key in a fixed window that starts with the first of them. With Redis for all processes together; without, each counts by
 * itself, so that of two a client gets twice as many.
 */
export interface RateLimiter {
  /** Seconds to wait when the limit is used up, else undefined. */
  hit(key: string): Promise<number | undefined>
}

/** Counts failures of a key in such a window. */
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

/** Loaded with the first hit: no start waits for the limiters of all the stores that it knows. */
const lazyLimiter = (keyPrefix: string, points: () => number, { durationSeconds, redis }: LimiterOptions) =>
  lazy(async () => {
    const { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } = await import('rate-limiter-flexible')
    const limits = { points: points(), duration: durationSeconds, keyPrefix }
    // A Redis that is away must not lift the limit: the in-process limiter takes over until it is back.
    const insuranceLimiter = new RateLimiterMemory(limits)
    const limiter = redis ? new RateLimiterRedis({ ...limits, storeClient: redis, insuranceLimiter }) : insuranceLimiter
    return { limiter, all: [limiter, insuranceLimiter], RateLimiterRes }
  })
