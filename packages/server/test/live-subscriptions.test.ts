import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { AppError } from '../src/errors.ts'
import { type Feature } from '../src/features/feature.ts'
import { type LiveFollower, liveSubscription } from '../src/features/live-subscription.ts'
import { features } from '../src/features/index.ts'
import { listen, type LiveTestClient, liveTestClients } from './support/live.ts'
import { type Client, createTestPanel, password, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let url: string
let ann: Client
const live = liveTestClients(() => url)

const followers = new Map<string, LiveFollower>()
const denied = new Set<string>()
const followUntilStopped = async (name: string, follower: LiveFollower) => {
  followers.set(name, follower)
  const { signal } = follower
  if (!signal.aborted) await once(signal, 'abort')
  followers.delete(name)
}
const feature: Feature = {
  name: 'followed',
  live: {
    plain: liveSubscription({
      input: z.undefined().or(z.null()),
      scope: 'read',
      authorize: async () => {},
      follow: (_deps, follower) => followUntilStopped(`plain ${follower.caller.userId}`, follower)
    }),
    thing: liveSubscription({
      input: z.object({ id: z.string().max(20) }),
      scope: 'read',
      async authorize(_deps, { userId }, { id }) {
        if (!id.startsWith(userId.slice(0, 4)) || denied.has(id)) throw new AppError('NOT_FOUND', 'No such thing')
      },
      follow: (_deps, follower, { id }) => followUntilStopped(id, follower)
    }),
    full: liveSubscription({
      input: z.undefined(),
      scope: 'full',
      authorize: async () => {},
      follow: (_deps, follower) => followUntilStopped('full', follower)
    }),
    long: liveSubscription({
      input: z.array(z.number()),
      scope: 'read',
      authorize: async () => {},
      follow: (_deps, follower) => followUntilStopped('long', follower)
    }),
    short: liveSubscription({
      input: z.undefined(),
      scope: 'read',
      authorize: async () => {},
      async follow(_deps, { send }) {
        for (const n of [1, 2, 3]) await send('short:line', n)
      }
    }),
    broken: liveSubscription({
      input: z.undefined(),
      scope: 'read',
      authorize: async () => {},
      follow: () => Promise.reject(new Error('/secret/path is broken'))
    })
  }
}

beforeAll(async () => {
  panel = await createTestPanel(
    { LIVE_HANDSHAKES_PER_MINUTE: '100000' },
    { features: [...features, feature] },
    { live: { acknowledgeMs: 300, authorizeEveryMs: 100, perClient: 5 } }
  )
  url = await listen(panel)
  ann = await panel.signUp('ann')
})
afterEach(async () => {
  live.close()
  await expect.poll(() => followers.size).toBe(0)
})
afterAll(() => panel.close())

const open = (as = ann) => live.connect({ cookie: as.cookie })
const mine = (n: number | string) => `${ann.user.id.slice(0, 4)}-${n}`
const follower = async (name: string) => {
  await expect.poll(() => followers.has(name)).toBe(true)
  return followers.get(name)!
}
/** A client that never acknowledges. */
const silence = ({ socket }: LiveTestClient) => socket.offAny()

test('subscribing without payload, until unsubscribed', async () => {
  const client = await open()
  client.socket.emit('subscribe:plain')
  const { send, sendLatest } = await follower(`plain ${ann.user.id}`)
  sendLatest('plain:latest', { cpu: 1 })
  await send('plain:line', 'a')
  expect(client.of('plain:line')).toEqual(['a'])
  await expect.poll(() => client.of('plain:latest')).toEqual([{ cpu: 1 }])
  client.socket.emit('unsubscribe:plain')
  await expect.poll(() => followers.size).toBe(0)
  await expect(send('plain:line', 'b')).rejects.toThrow()
  sendLatest('plain:latest', { cpu: 2 })
  expect(await client.ask('unsubscribe:plain')).toEqual({ ok: true })
  expect(client.of('plain:latest')).toEqual([{ cpu: 1 }])
})

test('the same subscription exists once and ends by its id', async () => {
  const client = await open()
  const first = await client.ask('subscribe:thing', { id: mine(1) })
  expect(first).toMatchObject({ ok: true })
  expect(await client.ask('subscribe:thing', { id: mine(1) })).toEqual(first)
  const other = await client.ask('subscribe:thing', { id: mine(2) })
  expect(other.id).not.toBe(first.id)
  await client.ask('unsubscribe:thing', { id: first.id })
  await expect.poll(() => [...followers.keys()]).toEqual([mine(2)])
  await client.ask('unsubscribe:thing', { id: mine(2) })
  await expect.poll(() => followers.size).toBe(0)
})

test.each([
  ['somebody else’s', 'thing', { id: 'zzzz-1' }, 'NOT_FOUND'],
  ['something of another form', 'thing', { id: 1 }, 'VALIDATION_ERROR'],
  ['nothing where something is asked for', 'thing', undefined, 'VALIDATION_ERROR'],
  ['what nobody knows', 'unknown', undefined, 'NOT_FOUND'],
  ['a member of every object', 'constructor', undefined, 'NOT_FOUND'],
  ['a name that is its own prototype', '__proto__', undefined, 'NOT_FOUND']
])('%s is refused', async (_, name, input, code) => {
  const client = await open()
  const answer = await client.ask(`subscribe:${name}`, ...(input === undefined ? [] : [input]))
  expect(answer).toMatchObject({ ok: false, error: { code } })
  expect(followers.size).toBe(0)
})

test('a token can follow what its scope allows', async () => {
  const made = await ann.request('POST', '/api/auth/tokens', { name: 'x', scope: 'read', expiresInDays: 1, password })
  const client = await live.connect({ authorization: `Bearer ${made.json<{ token: string }>().token}` })
  expect(await client.ask('subscribe:plain')).toMatchObject({ ok: true })
  expect(await client.ask('subscribe:full')).toMatchObject({ ok: false, error: { code: 'FORBIDDEN' } })
})

test('a subscription ends with the access', async () => {
  const client = await open()
  const { id } = await client.ask('subscribe:thing', { id: mine('lost') })
  await follower(mine('lost'))
  denied.add(mine('lost'))
  await expect
    .poll(() => client.of('ended:thing'))
    .toEqual([{ id, error: { code: 'NOT_FOUND', message: 'No such thing' } }])
  await expect.poll(() => followers.size).toBe(0)
})

test('a finished subscription says so in order', async () => {
  const client = await open()
  const { id } = await client.ask('subscribe:short')
  await expect.poll(() => client.of('ended:short')).toEqual([{ id }])
  expect(client.of('short:line')).toEqual([1, 2, 3])
})

test('an internal error reveals nothing', async () => {
  const client = await open()
  const { id } = await client.ask('subscribe:broken')
  await expect
    .poll(() => client.of('ended:broken'))
    .toEqual([{ id, error: { code: 'INTERNAL', message: 'Internal error' } }])
})

describe('a slow client', () => {
  test('that never acknowledges loses its subscription with a reason', async () => {
    const client = await open()
    const { id } = await client.ask('subscribe:plain')
    silence(client)
    const notified = new Promise((resolve) => client.socket.once('ended:plain', resolve))
    const { send } = await follower(`plain ${ann.user.id}`)
    await expect(send('plain:line', 1)).rejects.toThrow('not acknowledged')
    expect(await notified).toMatchObject({ id, error: { code: 'REQUEST_TIMEOUT' } })
    await expect.poll(() => followers.size).toBe(0)
  })

  test('blocks no other', async () => {
    const bob = await panel.createUser(ann)
    const [slow, quick] = [await open(), await open(bob)]
    await slow.ask('subscribe:plain')
    await quick.ask('subscribe:plain')
    silence(slow)
    const stuck = (await follower(`plain ${ann.user.id}`)).send('plain:line', 1)
    const outcome = stuck.then(
      () => 'taken',
      () => 'ended'
    )
    const { send } = await follower(`plain ${bob.user.id}`)
    for (let n = 0; n < 50; n++) await send('plain:line', n)
    expect(quick.of('plain:line')).toHaveLength(50)
    expect(await outcome).toBe('ended')
  })

  test('of a feature without backpressure: nothing accumulates', async () => {
    const client = await open()
    await client.ask('subscribe:plain')
    silence(client)
    const { send } = await follower(`plain ${ann.user.id}`)
    const sent = await Promise.allSettled(Array.from({ length: 200 }, (_, n) => send('plain:line', n)))
    expect(sent.filter(({ status }) => status === 'fulfilled')).toEqual([])
    expect(followers.size).toBe(0)
  })
})

test('broadcasts are encoded once', async () => {
  const clients: { client: LiveTestClient; follower: LiveFollower }[] = []
  for (let n = 0; n < 10; n++) {
    const client = await open()
    await client.ask('subscribe:thing', { id: mine(n) })
    clients.push({ client, follower: await follower(mine(n)) })
  }
  let encoded = 0
  const data = { toJSON: () => ({ encoded: ++encoded }) }
  for (const each of clients) each.follower.sendLatest('thing:latest', data)
  await expect.poll(() => clients.filter(({ client }) => client.of('thing:latest').length === 1)).toHaveLength(10)
  expect(new Set(clients.map(({ client }) => JSON.stringify(client.of('thing:latest')))).size).toBe(1)
})

describe('a malicious client', () => {
  const isGone = async ({ socket }: LiveTestClient) => {
    await expect.poll(() => socket.connected).toBe(false)
    expect((await open()).socket.connected).toBe(true)
  }

  test('has limited subscriptions', async () => {
    const client = await open()
    const requested = await Promise.all(
      Array.from({ length: 30 }, (_, n) => client.ask('subscribe:thing', { id: mine(n) }))
    )
    expect(requested.filter(({ ok }) => ok)).toHaveLength(5)
    expect(requested.find(({ ok }) => !ok)?.error?.code).toBe('RATE_LIMITED')
    await client.ask('unsubscribe:thing')
    expect(await client.ask('subscribe:thing', { id: mine(31) })).toMatchObject({ ok: true })
  })

  test('has limited messages until disconnected', async () => {
    const client = await open()
    for (let n = 0; n < 200; n++) client.socket.emit(n % 2 ? 'subscribe:plain' : 'unsubscribe:plain')
    await isGone(client)
    expect(client.of('ended')).toMatchObject([{ error: { code: 'RATE_LIMITED' } }])
  })

  test.each([
    ['a huge event', (client: LiveTestClient) => client.socket.emit('subscribe:thing', { id: 'x'.repeat(20_000) })],
    ['something that is no packet', ({ socket }: LiveTestClient) => socket.io.engine.write('{"garbage')],
    [
      'namespaces that there are none of, again and again',
      ({ socket }: LiveTestClient) => {
        for (let n = 0; n < 50; n++) socket.io.engine.write(`0/none-${n},`)
      }
    ],
    [
      'a name that Socket.IO keeps for itself',
      ({ socket }: LiveTestClient) => socket.io.engine.write('2["disconnect"]')
    ]
  ])('with %s is disconnected alone', async (_, send) => {
    const client = await open()
    send(client)
    await isGone(client)
  })

  test.each([
    ['bytes', Buffer.alloc(1_000)],
    ['a deep object', JSON.parse('{"a":'.repeat(1_000) + '1' + '}'.repeat(1_000)) as unknown],
    ['a prototype', JSON.parse('{"__proto__":{"id":"x"}}') as unknown],
    ['a list', Array.from({ length: 1_000 }, () => 1)]
  ])('has %s refused as input', async (_, input) => {
    const client = await open()
    expect(await client.ask('subscribe:thing', input)).toMatchObject({ ok: false, error: { code: 'VALIDATION_ERROR' } })
  })

  test('unknown events are refused', async () => {
    const client = await open()
    for (const event of ['join', 'subscribe', 'subscribe:', 'deployment:status', 'ended'])
      expect(await client.ask(event, {})).toMatchObject({ ok: false })
  })

  test('other namespaces do not exist', async () => {
    const client = live.make({ cookie: ann.cookie })
    const refused = await new Promise<Error>((resolve) => {
      const other = client.socket.io.socket('/admin')
      other.once('connect_error', resolve)
      other.connect()
    })
    expect(refused.message).toBe('Invalid namespace')
  })
})

test('that ignores responses is disconnected', async () => {
  const patient = await createTestPanel(
    { LIVE_CONNECTIONS_PER_ACCOUNT: '1', LIVE_HANDSHAKES_PER_MINUTE: '100000' },
    { features: [...features, feature] },
    { live: { messagesInWindow: 1_000_000 } }
  )
  try {
    const to = await listen(patient)
    const others = liveTestClients(() => to)
    const { cookie } = await patient.signUp('ann')
    const { socket } = await others.connect({ cookie })
    const { ws } = socket.io.engine.transport as unknown as {
      ws: { pause(): void; resume(): void; send(text: string): void }
    }
    ws.pause()
    const wrong = Array.from({ length: 300 }, () => 'x')
    await expect
      .poll(async () => {
        ws.send('3')
        for (let n = 0; n < 300; n++) socket.emit('subscribe:long', wrong, () => {})
        return others.connect({ cookie }).then(
          (other) => other.socket.connected,
          () => false
        )
      })
      .toBe(true)
    ws.resume()
    others.close()
  } finally {
    await patient.close()
  }
})

test('with another protocol is answered in this one', async () => {
  const ask = async (method: string) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write(
      `${method} /api/health HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n`
    )
    let text = ''
    for await (const chunk of socket) text += String(chunk)
    return text
  }
  expect(await ask('GET')).toMatch(/^HTTP\/1\.1 200 /)
  expect(await ask('POST')).toMatch(/^HTTP\/1\.1 400 .*"code":"MALFORMED_REQUEST"/s)
})

test('handshakes are limited per address', async () => {
  const { config } = panel.deps
  const limited = await createTestPanel({ LIVE_HANDSHAKES_PER_MINUTE: '3', SESSION_SECRET: config.SESSION_SECRET })
  try {
    const address = await listen(limited)
    const statuses = []
    for (let n = 0; n < 5; n++) statuses.push((await fetch(`${address}/socket.io/?EIO=4&transport=polling`)).status)
    expect(statuses).toEqual([200, 200, 200, 429, 429])
  } finally {
    await limited.close()
  }
})

test('clients reconnect when the panel closes', async () => {
  const other = await createTestPanel()
  const address = await listen(other)
  const { cookie } = await other.signUp('ann')
  const clients = liveTestClients(() => address)
  const client = await clients.connect({ cookie }, { reconnection: true })
  const reason = new Promise((resolve) => client.socket.once('disconnect', resolve))
  await other.close()
  // Tells the client to reconnect.
  expect(await reason).toBe('transport close')
  expect(client.socket.active).toBe(true)
  clients.close()
})
