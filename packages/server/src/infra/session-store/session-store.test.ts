import { Redis } from 'ioredis'
import { describe, test } from 'vitest'
import { createMemorySessionStore } from './memory-session-store.ts'
import { createRedisSessionStore } from './redis-session-store.ts'
import { describeSessionStore } from './session-store.contract.ts'

describeSessionStore('memory', async () => createMemorySessionStore())

const url = process.env.TEST_REDIS_URL
if (url === undefined) {
  describe('session store: redis', () => test.skip('skipped: TEST_REDIS_URL names no Redis', () => {}))
} else {
  describeSessionStore('redis', async () => {
    const redis = new Redis(url)
    const prefix = `panel-test-${process.pid}:`
    return {
      ...createRedisSessionStore(redis, prefix),
      async close() {
        const keys = await redis.keys(`${prefix}*`)
        if (keys.length > 0) await redis.del(...keys)
        redis.disconnect()
      }
    }
  })
}
