import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../src/security/ids.ts'
import { type Client, createTestPanel, password, type TestPanel } from './support/panel.ts'
import { listen, type LiveTestClient, liveTestClients, refusal } from './support/live.ts'

let panel: TestPanel
let url: string
let admin: Client
let ann: Client
const live = liveTestClients(() => url)
beforeAll(async () => {
  panel = await createTestPanel({ LIVE_CONNECTIONS_PER_ACCOUNT: '3', LIVE_HANDSHAKES_PER_MINUTE: '100000' })
  url = await listen(panel)
  admin = await panel.signUp('admin')
  ann = await panel.signUp('ann')
})
afterEach(() => live.close())
afterAll(() => panel.close())

const fresh = () => panel.signIn(ann.user.email)
const isConnected = ({ socket }: LiveTestClient) => socket.connected
const makeToken = async (by: Client, scope = 'read') => {
  const answer = await by.request('POST', '/api/auth/tokens', { name: 'live', scope, expiresInDays: 1, password })
  expect(answer.statusCode).toBe(201)
  return answer.json<{ id: string; token: string }>()
}
const notifyOwner = (userId: string, deploymentId = 'd1') =>
  panel.deps.db.transaction((trx) =>
    panel.deps.events.publish(trx, {
      to: { userId },
      name: 'deployment:status',
      data: { projectId: 'p', deploymentId, status: 'RUNNING' }
    })
  )

describe('connecting', () => {
  test.each(['websocket', 'polling'])('a session by %s', async (transport) => {
    const client = await live.connect({ cookie: ann.cookie }, { transports: [transport] })
    await notifyOwner(ann.user.id)
    await expect
      .poll(() => client.of('deployment:status'))
      .toEqual([{ projectId: 'p', deploymentId: 'd1', status: 'RUNNING' }])
  })

  test('polling upgraded to a WebSocket', async () => {
    const client = await live.connect({ cookie: ann.cookie }, { transports: ['polling', 'websocket'] })
    await expect.poll(() => client.socket.io.engine.transport.name).toBe('websocket')
  })

  test('an API token, as a header or as auth.token', async () => {
    const { token } = await makeToken(ann)
    expect(isConnected(await live.connect({ authorization: `Bearer ${token}` }))).toBe(true)
    expect(isConnected(await live.connect({}, { auth: { token } }))).toBe(true)
  })

  test.each([
    ['nothing', {}, {}],
    ['a cookie of nobody', { cookie: `panel_session=${'a'.repeat(43)}` }, {}],
    ['a token of nobody', {}, { auth: { token: `panel_${'a'.repeat(43)}` } }],
    ['no token at all', {}, { auth: { token: { $ne: 1 } } }]
  ])('with %s is refused', async (_, headers, options) => {
    expect(await refusal(live.connect(headers as Record<string, string>, options))).toMatchObject({
      code: 'UNAUTHENTICATED'
    })
  })

  test('a bad token does not fall back to a cookie', async () => {
    const options = { auth: { token: `panel_${'a'.repeat(43)}` } }
    expect(await refusal(live.connect({ cookie: ann.cookie }, options))).toMatchObject({ code: 'UNAUTHENTICATED' })
  })

  test('two sessions of different accounts are refused', async () => {
    const cookie = `${ann.cookie}; ${admin.cookie}`
    expect(await refusal(live.connect({ cookie }))).toMatchObject({ code: 'UNAUTHENTICATED' })
  })

  test('an expired session is refused', async () => {
    const { cookie } = await fresh()
    const now = panel.deps.now
    panel.deps.now = () => new Date(Date.now() + 8 * 24 * 3600 * 1000)
    try {
      expect(await refusal(live.connect({ cookie }))).toMatchObject({ code: 'UNAUTHENTICATED' })
    } finally {
      panel.deps.now = now
    }
  })

  test.each(['https://evil.example', 'null', 'http://127.0.0.1:1'])('a page of %s is refused', async (origin) => {
    const headers = { cookie: ann.cookie, origin }
    for (const transport of ['websocket', 'polling']) {
      const { code } = await refusal(live.connect(headers, { transports: [transport] }))
      expect(code).toBeUndefined() // Rejected during the HTTP handshake, before a connection exists.
    }
    const answer = await fetch(`${url}/socket.io/?EIO=4&transport=polling`, { headers })
    expect(answer.status).toBe(403)
    expect(await answer.json()).toMatchObject({ code: 'FORBIDDEN' })
  })

  test('a page of the panel is accepted', async () => {
    expect(isConnected(await live.connect({ cookie: ann.cookie, origin: url }))).toBe(true)
  })

  test('tokens in the URL are ignored', async () => {
    const { token } = await makeToken(ann)
    for (const name of ['token', 'access_token', 'Authorization', 'sessionId']) {
      const answer = await fetch(`${url}/socket.io/?EIO=4&transport=polling&${name}=${token}`)
      expect(answer.status).toBe(400)
      await refusal(live.connect({}, { query: { [name]: token } }))
    }
  })

  test('connections per account are limited', async () => {
    const { cookie } = ann
    for (let n = 0; n < 3; n++) await live.connect({ cookie })
    expect(await refusal(live.connect({ cookie }))).toMatchObject({ code: 'RATE_LIMITED' })
    expect(isConnected(await live.connect({ cookie: admin.cookie }))).toBe(true)
  })

  test('a freed place is reused', async () => {
    const { cookie } = ann
    const clients = [await live.connect({ cookie }), await live.connect({ cookie }), await live.connect({ cookie })]
    clients[0]!.socket.disconnect()
    await expect.poll(() => live.connect({ cookie }).then(isConnected, () => false)).toBe(true)
  })
})

describe('access ends with', () => {
  const ended = async (client: LiveTestClient) => {
    await expect.poll(() => isConnected(client)).toBe(false)
    expect(client.of('ended')).toMatchObject([{ error: { code: 'UNAUTHENTICATED' } }])
  }

  test('logging out', async () => {
    const mine = await fresh()
    const [client, other] = [await live.connect({ cookie: mine.cookie }), await live.connect({ cookie: ann.cookie })]
    expect((await mine.request('POST', '/api/auth/logout')).statusCode).toBe(200)
    await ended(client)
    await notifyOwner(ann.user.id, 'after')
    await expect.poll(() => other.of('deployment:status')).toHaveLength(1)
    expect(client.of('deployment:status')).toEqual([])
  })

  test('a revoked session, and all others', async () => {
    const [one, two] = [await fresh(), await fresh()]
    const first = await live.connect({ cookie: one.cookie })
    const second = await live.connect({ cookie: two.cookie })
    const { sessions } = (await one.request('GET', '/api/auth/sessions')).json<{
      sessions: { id: string; current: boolean }[]
    }>()
    const { id } = sessions.find(({ current }) => current)!
    expect((await two.request('DELETE', `/api/auth/sessions/${id}`)).statusCode).toBe(204)
    await ended(first)
    expect(isConnected(second)).toBe(true)
    expect((await ann.request('DELETE', '/api/auth/sessions')).statusCode).toBe(200)
    await ended(second)
  })

  test('a revoked token', async () => {
    const { id, token } = await makeToken(ann)
    const client = await live.connect({}, { auth: { token } })
    expect((await ann.request('DELETE', `/api/auth/tokens/${id}`)).statusCode).toBe(200)
    await ended(client)
  })

  test('an expired token', async () => {
    const { token } = await makeToken(ann)
    const client = await live.connect({}, { auth: { token } })
    const now = panel.deps.now
    panel.deps.now = () => new Date(Date.now() + 25 * 3600 * 1000)
    try {
      await ended(client)
    } finally {
      panel.deps.now = now
    }
  })

  test('suspension and deletion', async () => {
    const bob = await panel.createUser(admin)
    const client = await live.connect({ cookie: bob.cookie })
    expect((await admin.request('POST', `/api/users/${bob.user.id}/suspend`)).statusCode).toBe(200)
    await ended(client)
    const eve = await panel.createUser(admin)
    const hers = await live.connect({ cookie: eve.cookie })
    expect((await admin.request('DELETE', `/api/users/${eve.user.id}`)).statusCode).toBe(200)
    await ended(hers)
  })

  test('a password change, except for the session that made it', async () => {
    const bob = await panel.createUser(admin)
    const other = await panel.signIn(bob.user.email)
    const [kept, lost] = [await live.connect({ cookie: bob.cookie }), await live.connect({ cookie: other.cookie })]
    const answer = await bob.request('POST', '/api/auth/change-password', {
      currentPassword: password,
      newPassword: `${password}!`,
      confirmNewPassword: `${password}!`
    })
    expect(answer.statusCode).toBe(200)
    await ended(lost)
    expect(isConnected(kept)).toBe(true)
  })

  test('a lost administrator role ends administrator events', async () => {
    const bob = await panel.createUser(admin, { role: 'ADMIN' })
    const client = await live.connect({ cookie: bob.cookie })
    const boss = await live.connect({ cookie: admin.cookie })
    const tellAdmins = (deploymentId: string) =>
      panel.deps.db.transaction((trx) =>
        panel.deps.events.publish(trx, {
          to: 'admins',
          name: 'deployment:status',
          data: { projectId: 'p', deploymentId, status: 'RUNNING' }
        })
      )
    await tellAdmins('before')
    await expect.poll(() => client.of('deployment:status')).toHaveLength(1)
    const answer = await admin.request('PATCH', `/api/users/${bob.user.id}/role`, { role: 'USER' })
    expect(answer.statusCode).toBe(200)
    // Access is checked again after the commit.
    await expect
      .poll(async () => {
        const [heard] = [client.heard.length]
        await tellAdmins('after')
        await expect.poll(() => boss.heard.length).toBeGreaterThan(heard)
        return client.heard.length === heard
      })
      .toBe(true)
    expect(isConnected(client)).toBe(true)
  })
})

describe('the send buffer', () => {
  const publishMany = (count: number, projectId: string) =>
    panel.deps.db.transaction(async (trx) => {
      for (let n = 0; n < count; n++)
        await panel.deps.events.publish(trx, {
          to: { userId: ann.user.id },
          name: 'deployment:status',
          data: { projectId, deploymentId: `${newId(Date.now())} ${n}`, status: 'RUNNING' }
        })
    })

  test('of a fast client never disconnects it, however large a commit is', async () => {
    const client = await live.connect({ cookie: ann.cookie })
    await publishMany(1_000, 'p')
    await expect.poll(() => client.of('deployment:status').length).toBe(1_000)
    expect(isConnected(client)).toBe(true)
  })

  test('of a stalled client is limited, and the client is disconnected', async () => {
    const stuck = await live.connect({ cookie: ann.cookie })
    for (let n = 0; n < 2; n++) await live.connect({ cookie: ann.cookie })
    const { ws } = stuck.socket.io.engine.transport as unknown as { ws: { pause(): void; resume(): void } }
    ws.pause()
    await expect
      .poll(async () => {
        await publishMany(100, 'x'.repeat(7_000))
        return live.connect({ cookie: ann.cookie }).then(isConnected, () => false)
      })
      .toBe(true)
    ws.resume()
    await expect.poll(() => isConnected(stuck)).toBe(false)
  })
})
