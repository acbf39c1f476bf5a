import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'drizzle-orm'
import { Redis } from 'ioredis'
import { createRateLimiter } from '../src/infra/rate-limiter/rate-limiter.ts'
import { createRedisSessionStore } from '../src/infra/session-store/redis-session-store.ts'
import { describeSessionStore } from './contracts/session-store.contract.ts'
import { cookieOf, createTestPanel, type TestPanel } from './support/panel.ts'
import { type RedisServer, createRedisServer } from './support/redis-server.ts'

const server: RedisServer = await createRedisServer()
beforeAll(() => server.start())
const clients: Redis[] = []
const connect = () => {
  const redis = new Redis(server.url, {
    maxRetriesPerRequest: 1,
    commandTimeout: 2_000,
    retryStrategy: () => 50,
    lazyConnect: true
  })
  redis.on('error', () => {}) // The tests stop the server.
  clients.push(redis)
  return redis
}
afterAll(async () => {
  for (const client of clients) client.disconnect()
  await server.close()
})

describeSessionStore('Redis', async () => createRedisSessionStore(connect(), 'contract:'))

describe('a panel with Redis', () => {
  const password = 'correct horse battery'
  const redis = connect()
  let panel: TestPanel
  beforeAll(async () => {
    panel = await createTestPanel(
      {},
      {
        sessions: createRedisSessionStore(redis),
        authLimiter: createRateLimiter({ points: 1000, durationSeconds: 900, redis })
      }
    )
  })
  afterAll(() => panel.close())
  const login = async (cookie = '') => {
    const payload = { email: 'ann@example.com', password }
    return cookieOf(await panel.app.inject({ method: 'POST', url: '/api/auth/login', payload, headers: { cookie } }))
  }
  const me = async (cookie: string) => (await panel.app.inject({ url: '/api/auth/me', headers: { cookie } })).statusCode
  const logout = (cookie: string) => panel.app.inject({ method: 'POST', url: '/api/auth/logout', headers: { cookie } })
  const sessionKeys = () => redis.keys('panel:session:*')

  test('sign-in stores the session in Redis with expiry, without the token', async () => {
    await panel.signUp('ann')
    await redis.flushall()
    const cookie = await login()
    expect(await me(cookie)).toBe(200)
    const [key, ...others] = await sessionKeys()
    expect(others).toEqual([])
    const ttlSeconds = await redis.ttl(key!)
    expect(ttlSeconds > 0 && ttlSeconds <= 60).toBe(true)
    const token = cookie.split('=')[1]!
    expect(key + (await redis.get(key!))!).not.toContain(token)
    expect((await logout(cookie)).statusCode).toBe(200)
    expect(await sessionKeys()).toEqual([])
    expect(await me(cookie)).toBe(401)
  })

  test('two panels share their sessions', async () => {
    const cookie = await login()
    expect(await me(cookie)).toBe(200)
    const store = createRedisSessionStore(connect())
    const [key] = await sessionKeys()
    expect(await store.get(key!.replace('panel:', ''))).toContain('userId')
    await logout(cookie)
    expect(await store.get(key!.replace('panel:', ''))).toBeUndefined()
  })

  test('a lost session is restored from the database, a revoked one is not', async () => {
    const cookie = await login()
    await redis.flushall()
    expect(await me(cookie)).toBe(200)
    expect(await sessionKeys()).toHaveLength(1)
    await redis.flushall()
    await panel.deps.db.execute(sql`update sessions set revoked_at = now()`)
    expect(await me(cookie)).toBe(401)
  })

  test('with Redis down, sessions and sign-in still work', async () => {
    const before = await login()
    await server.kill()
    expect(await me(before)).toBe(200)
    const during = await login(before)
    expect(await me(during)).toBe(200)
    expect((await logout(during)).statusCode).toBe(200)
    expect(await me(during)).toBe(401)
    const health = (await panel.app.inject('/api/health')).json()
    expect(health.parts.sessionStore).toMatchObject({
      status: 'unreachable',
      remedy: expect.stringContaining('Redis')
    })
    await server.start()
    await expect.poll(() => redis.ping().catch(() => 'away'), { timeout: 20_000 }).toBe('PONG')
    expect(await me(before)).toBe(401)
    const after = await login()
    expect(await me(after)).toBe(200)
    expect((await logout(after)).statusCode).toBe(200)
    expect(await me(after)).toBe(401)
  })
})

describe('the rate limit', () => {
  test('is shared by panels, per client and route', async () => {
    const redis = connect()
    await redis.flushall()
    const limiter = () => createRateLimiter({ points: 5, durationSeconds: 900, redis: connect() })
    const panels = [
      await createTestPanel({}, { authLimiter: limiter() }),
      await createTestPanel({}, { authLimiter: limiter() })
    ]
    try {
      const attempt = async (n: number, remoteAddress = '192.0.2.1') =>
        (
          await panels[n % 2]!.app.inject({
            method: 'POST',
            url: '/api/auth/login',
            payload: { email: 'a@example.com', password: 'x' },
            remoteAddress
          })
        ).statusCode
      const statuses = []
      for (let n = 0; n < 7; n++) statuses.push(await attempt(n))
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429])
      expect(await attempt(0, '192.0.2.2')).toBe(401)
    } finally {
      for (const panel of panels) await panel.close()
    }
  })

  test('concurrent attempts stop at the limit', async () => {
    const limiter = createRateLimiter({ points: 5, durationSeconds: 900, redis: connect() })
    const waits = await Promise.all(Array.from({ length: 20 }, () => limiter.hit('parallel')))
    expect(waits.filter((wait) => wait === undefined)).toHaveLength(5)
    for (const wait of waits.filter((each) => each !== undefined)) expect(wait).toBeGreaterThan(0)
  })

  test('applies with Redis down', async () => {
    const limiter = createRateLimiter({ points: 2, durationSeconds: 900, redis: connect() })
    await server.kill()
    try {
      const waits = []
      for (let n = 0; n < 4; n++) waits.push(await limiter.hit('away'))
      expect(waits.map((wait) => wait === undefined)).toEqual([true, true, false, false])
    } finally {
      await server.start()
    }
  })
})
