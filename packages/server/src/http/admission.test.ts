import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { parseConfig } from '../config.ts'
import { addAdmission, type AdmissionLimits } from './admission.ts'
import { addErrorHandling } from './errors.ts'

const limits: AdmissionLimits = {
  inHand: 4,
  apart: 2,
  reads: { total: 3, perKey: 2, waiting: 10 },
  writes: { total: 1, perKey: 1, waiting: 10 },
  largeBodies: 1,
  largeBodyBytes: 1_000,
  placeMs: 60_000,
  readsInWorker: 1,
  writesInWorker: 1
}

const config = parseConfig({ SESSION_SECRET: 'f00dfacef00dfacef00dfacef00dfacef00dface' })

let app: FastifyInstance | undefined
afterEach(() => app?.close())

/** An application whose work is held until it is let go, and what of it has begun; callers are known by their bearer. */
async function open(
  changed: Partial<AdmissionLimits> = {},
  refusal: { refusalMs?: number; random?: () => number } = {}
) {
  const started: string[] = []
  const held = new Map<string, () => void>()
  const opened = Fastify()
  app = opened
  opened.decorateRequest('session', null)
  addErrorHandling(opened, { refusalMs: 0, ...refusal })
  await opened.register(cookie)
  addAdmission(opened, { config }, { ...limits, ...changed })
  opened.addHook('onRequest', async (request) => {
    const [, userId] = /^Bearer (\w+)/.exec(request.headers.authorization ?? '') ?? []
    request.session = userId === undefined ? null : { id: 'x', userId }
  })
  const work = async ({ query }: { query: unknown }) => {
    const { name } = query as { name: string }
    started.push(name)
    await new Promise<void>((resolve) => held.set(name, resolve))
    return name
  }
  const access = { kind: 'session' } as const
  opened.get('/work', { config: { access } }, work)
  opened.post('/work', { config: { access } }, work)
  opened.get('/apart', { config: { access, admission: 'apart' } }, work)
  opened.get('/large', { config: { access, admission: 'large' } }, work)
  opened.get('/free', { config: { access, admission: 'free' } }, async () => 'free')
  await opened.ready()
  const settle = () => new Promise((resolve) => setTimeout(resolve, 20))
  return {
    started,
    settle,
    /** Asks, and is there when the request has gone as far as it goes. */
    async ask(caller: string, name: string, method: 'GET' | 'POST' = 'GET', url = '/work', payload?: object) {
      const headers = caller === '' ? {} : { authorization: `Bearer ${caller}` }
      const answer = opened.inject({ method, url, query: { name }, headers, ...(payload ? { payload } : {}) })
      void answer.catch(() => {})
      await settle()
      return { answer }
    },
    async letGo(name: string) {
      held.get(name)!()
      await settle()
    }
  }
}

test('an account uses its share, the rest waits, and another account is served meanwhile', async () => {
  const { ask, started, letGo } = await open()
  // The first request makes a session known.
  for (const caller of ['ann', 'bob']) {
    await ask(caller, `${caller}0`)
    await letGo(`${caller}0`)
  }
  for (const name of ['a1', 'a2', 'a3']) await ask('ann', name)
  await ask('bob', 'b1')
  expect(started.slice(2)).toEqual(['a1', 'a2', 'b1'])
  await letGo('a1')
  expect(started.slice(2)).toEqual(['a1', 'a2', 'b1', 'a3'])
})

test('requests beyond the limit of an account are rejected in all its sessions, but not for other accounts', async () => {
  const { ask, started, letGo } = await open()
  for (const caller of ['ann', 'bob']) {
    await ask(caller, `${caller}0`)
    await letGo(`${caller}0`)
  }
  for (const name of ['a1', 'a2', 'a3', 'a4']) await ask('ann', name)
  const refused = await (await ask('ann', 'a5')).answer
  expect([refused.statusCode, refused.json().code, refused.headers['retry-after']]).toEqual([429, 'RATE_LIMITED', '1'])
  await ask('bob', 'b1')
  expect(started).toContain('b1')
  await letGo('a1')
  await ask('ann', 'a6')
  for (const name of ['a2', 'a3', 'a4']) await letGo(name)
  expect(started).toContain('a6')
})

test('what is refused together does not come back together', async () => {
  const spread = [0.9, 0]
  const { ask } = await open({}, { refusalMs: 200, random: () => spread.shift()! })
  for (const name of ['x1', 'x2']) await ask('', name, 'GET', '/apart')
  const refused: string[] = []
  const answers = ['first', 'second'].map(async (name) => {
    const { statusCode } = await app!.inject({ url: '/apart', query: { name } })
    refused.push(`${name} ${statusCode}`)
  })
  await Promise.all(answers)
  expect(refused).toEqual(['second 429', 'first 429'])
})

test('writes, reads and long requests have separate limits, and `free` routes are always served', async () => {
  const { ask, started } = await open()
  await ask('ann', 'write1', 'POST')
  await ask('ann', 'write2', 'POST')
  await ask('ann', 'read')
  await ask('ann', 'long1', 'GET', '/apart')
  await ask('ann', 'long2', 'GET', '/apart')
  expect(started).toEqual(['write1', 'read', 'long1', 'long2'])
  expect((await (await ask('ann', 'long3', 'GET', '/apart')).answer).statusCode).toBe(429)
  expect((await (await ask('ann', '', 'GET', '/free')).answer).body).toBe('free')
})

test('an account has one `large` request at a time, without others beside it; other accounts are served', async () => {
  const { ask, started, letGo } = await open()
  for (const caller of ['ann', 'bob']) {
    await ask(caller, `${caller}0`)
    await letGo(`${caller}0`)
  }
  await ask('ann', 'large1', 'GET', '/large')
  await ask('ann', 'large2', 'GET', '/large')
  await ask('ann', 'small')
  await ask('bob', 'b1')
  expect(started.slice(2)).toEqual(['large1', 'b1'])
  await letGo('large1')
  expect(started.slice(2)).toEqual(['large1', 'b1', 'large2'])
  await letGo('large2')
  expect(started.slice(2)).toEqual(['large1', 'b1', 'large2', 'small'])
})

test('strangers share what their address has', async () => {
  const { ask, started } = await open()
  for (const name of ['x1', 'x2', 'x3', 'x4']) await ask('', name)
  expect(started).toEqual(['x1', 'x2'])
  expect((await (await ask('', 'x5')).answer).statusCode).toBe(429)
})

test('a large body is not read before another one of the account is done with', async () => {
  const { ask, started, letGo } = await open({ writes: { total: 5, perKey: 5, waiting: 10 } })
  const large = { text: 'x'.repeat(2_000) }
  await ask('ann', 'known')
  await letGo('known')
  await ask('ann', 'large1', 'POST', '/work', large)
  await ask('ann', 'large2', 'POST', '/work', large)
  await ask('ann', 'small', 'POST', '/work', { text: 'x' })
  expect(started.slice(1)).toEqual(['large1', 'small'])
  await letGo('large1')
  expect(started.slice(1)).toEqual(['large1', 'small', 'large2'])
})

test('work that waits for long enough leaves its place to others, so much of it', async () => {
  const { ask, started, letGo, settle } = await open({ placeMs: 1, writesInWorker: 2 })
  for (const name of ['a1', 'a2', 'a3', 'a4']) await ask('ann', name, 'POST')
  await settle()
  expect(started).toEqual(['a1', 'a2', 'a3'])
  await letGo('a1')
  expect(started).toEqual(['a1', 'a2', 'a3', 'a4'])
})

test('a client that goes away gives back what it had when the work has ended', async () => {
  const { started, letGo, settle, ask: askInside } = await open({ inHand: 1 })
  await askInside('ann', 'known')
  await letGo('known')
  const address = await app!.listen({ port: 0, host: '127.0.0.1' })
  const ask = (name: string) => fetch(`${address}/work?name=${name}`, { headers: { authorization: 'Bearer ann' } })
  const gone = new AbortController()
  const first = fetch(`${address}/work?name=a1`, { headers: { authorization: 'Bearer ann' }, signal: gone.signal })
  await expect.poll(() => started).toEqual(['known', 'a1'])
  gone.abort()
  await expect(first).rejects.toThrow()
  await settle()
  expect((await ask('a2')).status).toBe(429)
  await letGo('a1')
  const third = ask('a3')
  await expect.poll(() => started).toEqual(['known', 'a1', 'a3'])
  await letGo('a3')
  expect((await third).status).toBe(200)
})
