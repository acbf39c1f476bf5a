import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { LiveEventName } from '@panel/contract/live'
import { createMemorySessionStore } from '../src/infra/session-store/memory-session-store.ts'
import { listen, type LiveTestClient, liveTestClients } from './support/live.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'
import { startSecondProcess } from './support/second-process.ts'
import { createTransactionGuard } from './support/transaction-guard.ts'

let panel: TestPanel
let second: Awaited<ReturnType<typeof startSecondProcess>>
let here: string
let there: string
let ann: Client
const [ofFirst, ofSecond] = [liveTestClients(() => here), liveTestClients(() => there)]
beforeAll(async () => {
  panel = await createTestPanel()
  // Only the database is shared, so each process has its own session cache.
  const own = { sessions: createMemorySessionStore() }
  second = await startSecondProcess(panel.deps, panel.databaseUrl, own, createTransactionGuard())
  here = await listen(panel)
  there = await listen(second)
  ann = await panel.signUp('ann')
})
afterEach(() => {
  ofFirst.close()
  ofSecond.close()
})
afterAll(async () => {
  await second?.close()
  await panel?.close()
})

const name: LiveEventName = 'deployment:status'
const event = (deploymentId: string, userId = ann.user.id) =>
  ({ to: { userId }, name, data: { projectId: 'p', deploymentId, status: 'QUEUED' } }) as const
const notifyOwner = (deploymentId: string, { deps } = panel as Pick<TestPanel, 'deps'>) =>
  deps.db.transaction((trx) => deps.events.publish(trx, event(deploymentId)))
const notified = (client: LiveTestClient) =>
  client.of(name).map((data) => (data as { deploymentId: string }).deploymentId)

test('events of one process reach clients of both once, in commit order', async () => {
  const clients = [await ofFirst.connect({ cookie: ann.cookie }), await ofSecond.connect({ cookie: ann.cookie })]
  const ids = Array.from({ length: 20 }, (_, n) => `d${n}`)
  for (const [n, id] of ids.entries()) await notifyOwner(id, n % 2 ? panel : second)
  for (const client of clients) await expect.poll(() => notified(client)).toEqual(ids)
})

test('rollbacks are not announced', async () => {
  const client = await ofFirst.connect({ cookie: ann.cookie })
  await expect(
    panel.deps.db.transaction(async (trx) => {
      await panel.deps.events.publish(trx, event('undone'))
      throw new Error('undone')
    })
  ).rejects.toThrow('undone')
  await notifyOwner('done')
  await expect.poll(() => notified(client)).toEqual(['done'])
})

test('nothing is announced before the commit', async () => {
  const client = await ofSecond.connect({ cookie: ann.cookie })
  await panel.deps.db.transaction(async (trx) => {
    await panel.deps.events.publish(trx, event('late'))
    await notifyOwner('early')
    await expect.poll(() => notified(client)).toEqual(['early'])
  })
  await expect.poll(() => notified(client)).toEqual(['early', 'late'])
})

describe('a reconnecting client', () => {
  const back = (missedMs: () => unknown, { cookie } = ann) =>
    ofSecond.connect({ cookie }, { auth: (give) => give({ missedMs: missedMs() }) })
  const since = (start: number) => () => performance.now() - start
  /** A process knows no events from before its start. */
  const gaps = async () => {
    const client = await back(() => 0)
    await notifyOwner('now')
    await expect.poll(() => notified(client)).toContain('now')
    client.socket.disconnect()
    return client.of('gap').length
  }

  test('gets missed events first, only its own', async () => {
    await expect.poll(gaps).toBe(0)
    const admin = await panel.signIn(ann.user.email)
    const bob = await panel.createUser(ann)
    const marker = await ofSecond.connect({ cookie: ann.cookie })
    const start = performance.now()
    await notifyOwner('missed 1')
    await notifyOwner('missed 2', second)
    await expect.poll(() => notified(marker)).toEqual(['missed 1', 'missed 2'])
    const [mine, his] = [await back(since(start), admin), await back(since(start), bob)]
    await notifyOwner('after')
    await expect.poll(() => notified(mine).slice(-3)).toEqual(['missed 1', 'missed 2', 'after'])
    await panel.deps.db.transaction((trx) => panel.deps.events.publish(trx, event('his', bob.user.id)))
    await expect.poll(() => his.of(name)).toMatchObject([{ deploymentId: 'his' }])
  })

  test('gets administrator events as an administrator', async () => {
    await expect.poll(gaps).toBe(0)
    const user = await panel.createUser(ann)
    const marker = await ofSecond.connect({ cookie: ann.cookie })
    const start = performance.now()
    await panel.deps.db.transaction((trx) =>
      panel.deps.events.publish(trx, { ...event('for administrators'), to: 'admins' })
    )
    // Events of earlier tests may still arrive.
    await expect.poll(() => notified(marker)).toContain('for administrators')
    const [boss, other] = [await back(since(start)), await back(since(start), user)]
    await expect.poll(() => notified(boss)).toContain('for administrators')
    await panel.deps.db.transaction((trx) => panel.deps.events.publish(trx, event('own', user.user.id)))
    await expect.poll(() => notified(other)).toEqual(['own'])
  })

  test('after too long gets a gap event', async () => {
    const client = await back(() => 86_400_000)
    await expect.poll(() => client.heard).toEqual([{ event: 'gap', data: undefined }])
  })

  test.each([undefined, null, -1, '5000', {}])('with %j gets nothing from before', async (missedMs) => {
    const marker = await ofSecond.connect({ cookie: ann.cookie })
    await notifyOwner('before')
    await expect.poll(() => notified(marker)).toEqual(['before'])
    const client = await back(() => missedMs)
    await notifyOwner('after')
    await expect.poll(() => client.heard).toMatchObject([{ data: { deploymentId: 'after' } }])
  })
})

test('an event that is too large is refused', async () => {
  const publishing = panel.deps.db.transaction((trx) => panel.deps.events.publish(trx, event('x'.repeat(8_000))))
  await expect(publishing).rejects.toThrow('deployment:status')
})

test.each(['first', 'second'])(
  'a session that ends on the %s process disconnects its clients on both',
  async (ending) => {
    const mine = await panel.signIn(ann.user.email)
    const clients = [await ofFirst.connect({ cookie: mine.cookie }), await ofSecond.connect({ cookie: mine.cookie })]
    const kept = await ofSecond.connect({ cookie: ann.cookie })
    const app = ending === 'first' ? panel.app : second.app
    const answer = await app.inject({ method: 'POST', url: '/api/auth/logout', headers: { cookie: mine.cookie } })
    expect(answer.statusCode).toBe(200)
    for (const { socket } of clients) await expect.poll(() => socket.connected).toBe(false)
    expect(kept.socket.connected).toBe(true)
    // The process may still cache the session, so live channels ask the database.
    for (const at of [ofFirst, ofSecond])
      await expect(at.connect({ cookie: mine.cookie })).rejects.toMatchObject({ data: { code: 'UNAUTHENTICATED' } })
  }
)

describe('after a lost listen connection', () => {
  const listeners = `select pid from pg_stat_activity where datname = current_database() and application_name = 'panel-listen' and query = 'listen panel_events'`
  const pids = async () =>
    (await panel.deps.db.$client.query<{ pid: number }>(listeners)).rows.map(({ pid }) => pid).sort()

  test('listeners get a gap event and later events', async () => {
    const gaps: string[] = []
    const heard: string[] = []
    const stop = panel.deps.events.subscribe({
      onEvent: ({ name }) => heard.push(name),
      onGap: () => gaps.push('gap')
    })
    await expect.poll(async () => (await pids()).length).toBe(2)
    const before = await pids()
    await panel.deps.db.$client.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [before])
    await expect.poll(() => gaps, { timeout: 20_000 }).toEqual(['gap'])
    await notifyOwner('after')
    await expect.poll(() => heard).toContain(name)
    expect((await pids()).every((pid) => !before.includes(pid))).toBe(true)
    stop()
  })

  test('clients get a gap event', async () => {
    const client = await ofSecond.connect({ cookie: ann.cookie })
    await expect.poll(async () => (await pids()).length).toBe(2)
    await panel.deps.db.$client.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [await pids()])
    await expect.poll(() => client.of('gap').length, { timeout: 20_000 }).toBe(1)
    const next = await ofSecond.connect({ cookie: ann.cookie }, { auth: { missedMs: 60_000 } })
    await expect.poll(() => next.of('gap').length).toBe(1)
  })

  test('a session that ended meanwhile has no client afterwards', async () => {
    const mine = await panel.signIn(ann.user.email)
    const client = await ofSecond.connect({ cookie: mine.cookie })
    await expect.poll(async () => (await pids()).length).toBe(2)
    await panel.deps.db.$client.query(
      'update sessions set revoked_at = now() where user_id = $1 and last_seen_at = (select max(last_seen_at) from sessions where user_id = $1)',
      [ann.user.id]
    )
    await panel.deps.db.$client.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [await pids()])
    await expect.poll(() => client.socket.connected, { timeout: 20_000 }).toBe(false)
  })
})
