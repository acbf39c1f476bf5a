import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SessionView } from '@panel/contract/sessions'
import { sessions as feature } from '../src/features/sessions/sessions.module.ts'
import type { SessionStore } from '../src/infra/session-store/session-store.ts'
import { createMemorySessionStore } from '../src/infra/session-store/memory-session-store.ts'
import { type Client, cookieOf, createTestPanel, type TestPanel } from './support/panel.ts'

const password = 'correct horse battery'

describe('sessions', () => {
  let time = 1_800_000_000_000
  let panel: TestPanel
  let admin: Client
  let beforeSet: (() => Promise<void>) | undefined
  const memory = createMemorySessionStore(() => time)
  const sessions: SessionStore = {
    ...memory,
    async set(...entry) {
      const operation = beforeSet
      beforeSet = undefined
      await operation?.()
      await memory.set(...entry)
    }
  }
  beforeAll(async () => {
    panel = await createTestPanel({}, { now: () => new Date(time), sessions })
    admin = await panel.signUp('admin')
  })
  afterAll(() => panel.close())

  const signIn = async (client: Client, userAgent = 'test') => {
    time += 1000
    return cookieOf(
      await panel.app.inject({
        method: 'POST',
        url: '/api/auth/login',
        payload: { email: client.user.email, password },
        headers: { 'user-agent': userAgent },
        remoteAddress: '192.0.2.9'
      })
    )
  }
  const send = (method: 'GET' | 'DELETE' | 'POST', url: string, cookie: string) =>
    panel.app.inject({ method, url, headers: { cookie } })
  const isSignedIn = async (cookie: string) => (await send('GET', '/api/auth/me', cookie)).statusCode === 200
  const list = async (cookie: string) =>
    (await send('GET', '/api/auth/sessions', cookie)).json<{ sessions: SessionView[] }>().sessions
  const auditOf = async (targetId: string) =>
    (await panel.audited({ action: 'session.revoked', targetId })).map(({ actorId, metadata }) => ({
      actorId,
      metadata
    }))

  describe('moved to the panel domain', () => {
    const offer = async (cookie: string) => {
      const answer = await send('POST', '/api/auth/session/move', cookie)
      return { ...answer.json<{ url: string }>(), statusCode: answer.statusCode }
    }
    const take = (token: string) =>
      panel.app.inject({ method: 'POST', url: '/api/auth/session/take', payload: { token } })
    beforeAll(() => admin.request('PUT', '/api/system/settings', { variables: { PANEL_DOMAIN: 'panel.example.org' } }))

    test('continue in a new session, once, and the old one ends', async () => {
      const cookie = await signIn(admin)
      const { url } = await offer(cookie)
      const [, token = ''] = /^https:\/\/panel\.example\.org\/continue#(\S+)$/.exec(url) ?? []
      const [first, second] = await Promise.all([take(token), take(token)])
      expect([first.statusCode, second.statusCode].sort()).toEqual([200, 400])
      const moved = cookieOf(first.statusCode === 200 ? first : second)
      expect([await isSignedIn(moved), await isSignedIn(cookie)]).toEqual([true, false])
    })

    test('not by a link that is too old, or of a session that has ended', async () => {
      const cookie = await signIn(admin)
      const token = (url: string) => url.split('#')[1]!
      const old = await offer(cookie)
      time += 61_000
      expect((await take(token(old.url))).json()).toMatchObject({ code: 'LINK_INVALID' })
      const ended = await offer(cookie)
      await send('POST', '/api/auth/logout', cookie)
      expect((await take(token(ended.url))).json()).toMatchObject({ code: 'LINK_INVALID' })
    })
  })

  test('are listed with where they come from, the last used first, this one marked, others’ not', async () => {
    const ann = await panel.signUp('ann')
    const second = await signIn(ann, 'Firefox')
    const sessions = await list(second)
    expect(sessions).toHaveLength(2)
    expect(sessions[0]).toEqual({
      id: expect.stringMatching(/^[\w-]{43}$/),
      current: true,
      ip: '192.0.2.9',
      userAgent: 'Firefox',
      createdAt: new Date(time).toISOString(),
      lastSeenAt: new Date(time).toISOString(),
      expiresAt: new Date(time + 7 * 24 * 3600_000).toISOString()
    })
    expect(sessions[1]!.current).toBe(false)
    expect(JSON.stringify(sessions)).not.toContain(second.split('=')[1])
    expect(await isSignedIn(`panel_session=${sessions[0]!.id}`)).toBe(false)
  })

  test('one is ended, and is then gone; the others stay', async () => {
    const bob = await panel.signUp('bob')
    const second = await signIn(bob)
    const id = (await list(second)).find((session) => !session.current)!.id
    expect((await send('DELETE', `/api/auth/sessions/${id}`, second)).statusCode).toBe(204)
    expect([await isSignedIn(bob.cookie), await isSignedIn(second)]).toEqual([false, true])
    expect((await send('DELETE', `/api/auth/sessions/${id}`, second)).statusCode).toBe(404)
    expect(await list(second)).toHaveLength(1)
    expect(await auditOf(bob.user.id)).toEqual([{ actorId: bob.user.id, metadata: { count: 1 } }])
  })

  test('ending this one signs out', async () => {
    const client = await panel.signUp('self')
    const [{ id }] = (await list(client.cookie)) as [SessionView]
    const response = await send('DELETE', `/api/auth/sessions/${id}`, client.cookie)
    expect(response.statusCode).toBe(204)
    expect(response.cookies[0]).toMatchObject({ name: 'panel_session', value: '' })
    expect(await isSignedIn(client.cookie)).toBe(false)
  })

  test('another’s session, an unknown one and no id', async () => {
    const eve = await panel.signUp('eve')
    const [{ id }] = (await list(admin.cookie)) as [SessionView]
    for (const each of [id, 'x'.repeat(43)]) {
      const response = await send('DELETE', `/api/auth/sessions/${each}`, eve.cookie)
      expect([response.statusCode, response.json().code]).toEqual([404, 'NOT_FOUND'])
    }
    expect((await send('DELETE', '/api/auth/sessions/short', eve.cookie)).statusCode).toBe(404)
    expect(await isSignedIn(admin.cookie)).toBe(true)
  })

  test('the list has pages', async () => {
    const ida = await panel.signUp('ida')
    for (let at = 0; at < 4; at++) await signIn(ida)
    const page = async (query: string) =>
      (await send('GET', `/api/auth/sessions${query}`, ida.cookie)).json<{
        sessions: SessionView[]
        pagination: object
      }>()
    const pages = await Promise.all(['?limit=2', '?limit=2&page=2', '?limit=2&page=3'].map(page))
    expect(pages.map(({ sessions }) => sessions.length)).toEqual([2, 2, 1])
    expect(new Set(pages.flatMap(({ sessions }) => sessions.map(({ id }) => id))).size).toBe(5)
    expect(pages[2]!.pagination).toEqual({ page: 3, limit: 2, total: 5, totalPages: 3 })
    expect((await page('')).pagination).toEqual({ page: 1, limit: 20, total: 5, totalPages: 1 })
    expect((await send('GET', '/api/auth/sessions?limit=101', ida.cookie)).statusCode).toBe(400)
  })

  test('all others are ended at once', async () => {
    const zoe = await panel.signUp('zoe')
    const [second, third] = [await signIn(zoe), await signIn(zoe)]
    const response = await send('DELETE', '/api/auth/sessions', third)
    expect([response.statusCode, response.json()]).toEqual([200, { message: '2 sessions ended' }])
    expect(await Promise.all([zoe.cookie, second, third].map(isSignedIn))).toEqual([false, false, true])
    expect((await send('DELETE', '/api/auth/sessions', third)).json()).toEqual({ message: '0 sessions ended' })
    expect(await auditOf(zoe.user.id)).toEqual([{ actorId: zoe.user.id, metadata: { count: 2 } }])
  })

  test('only an ADMIN can end all sessions of a user', async () => {
    const max = await panel.signUp('max')
    const second = await signIn(max)
    const refused = await send('DELETE', `/api/users/${admin.user.id}/sessions`, second)
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'FORBIDDEN_ROLE'])
    expect((await send('DELETE', '/api/users/nobody/sessions', admin.cookie)).statusCode).toBe(404)
    const response = await send('DELETE', `/api/users/${max.user.id}/sessions`, admin.cookie)
    expect([response.statusCode, response.json()]).toEqual([200, { message: '2 sessions ended' }])
    expect(await Promise.all([max.cookie, second].map(isSignedIn))).toEqual([false, false])
    expect(await auditOf(max.user.id)).toEqual([{ actorId: admin.user.id, metadata: { count: 2 } }])
  })

  test.each([
    ['GET', '/api/auth/sessions'],
    ['DELETE', '/api/auth/sessions'],
    ['DELETE', `/api/auth/sessions/${'x'.repeat(43)}`],
    ['DELETE', '/api/users/x/sessions']
  ] as const)('%s %s needs a session', async (method, url) =>
    expect((await panel.app.inject({ method, url })).statusCode).toBe(401)
  )

  test('an expired one is neither listed nor good; use keeps it alive', async () => {
    const kim = await panel.signUp('kim')
    const used = await signIn(kim)
    time += 6 * 24 * 3600_000
    expect(await isSignedIn(used)).toBe(true)
    time += 2 * 24 * 3600_000
    expect([await isSignedIn(kim.cookie), await isSignedIn(used)]).toEqual([false, true])
    const [only, ...rest] = await list(used)
    expect(rest).toEqual([])
    expect(only!.lastSeenAt).toBe(new Date(time).toISOString())
  })

  test('rows of those that have been over for 90 days go', async () => {
    const client = await panel.signUp('old')
    await signIn(client)
    const rows = async () =>
      (await panel.deps.db.execute(sql`select expires_at from sessions where user_id = ${client.user.id}`)).rows.length
    const expireFirst = (at: number) =>
      panel.deps.db.execute(
        sql`update sessions set expires_at = ${new Date(at).toISOString()} where id_hash =
          (select min(id_hash) from sessions where user_id = ${client.user.id})`
      )
    await expireFirst(time - 90 * 24 * 3600_000 + 1000)
    await feature.jobs['sessions.sweep'].run(panel.deps)
    expect(await rows()).toBe(2)
    await expireFirst(time - 90 * 24 * 3600_000 - 1000)
    await feature.jobs['sessions.sweep'].run(panel.deps)
    expect(await rows()).toBe(1)
  })

  test.each([
    ['revoked', (id: string) => sql`update sessions set revoked_at = now() where user_id = ${id}`],
    ['suspended with its account', (id: string) => sql`update users set suspended_at = now() where id = ${id}`],
    ['deleted with its account', (id: string) => sql`update users set deleted_at = now() where id = ${id}`]
  ])('one that another process has %s ends within a minute', async (_name, operation) => {
    const client = await panel.signUp(`far${_name.length}`)
    expect(await isSignedIn(client.cookie)).toBe(true)
    await panel.deps.db.execute(operation(client.user.id))
    time += 60_000
    expect(await isSignedIn(client.cookie)).toBe(false)
  })

  test('a request that races with the end of its session does not bring it back', async () => {
    const client = await panel.signUp('racer')
    const adminCookie = await signIn(admin)
    await isSignedIn(adminCookie)
    // The request loaded the session before it ended and writes it back afterwards.
    beforeSet = async () => {
      const end = await send('DELETE', `/api/users/${client.user.id}/sessions`, adminCookie)
      expect(end.json()).toEqual({ message: '1 session ended' })
    }
    expect(await isSignedIn(client.cookie)).toBe(false)
    expect(beforeSet).toBeUndefined()
    expect(await isSignedIn(client.cookie)).toBe(false)
  })
})
