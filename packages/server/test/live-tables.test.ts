import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LiveEventName, liveEvents } from '@panel/contract/live'
import { mailAliases } from '../src/db/schema/mail-aliases.ts'
import { followThresholds } from '../src/features/monitoring/thresholds.service.ts'
import { notify } from '../src/features/notifications/notify-access.ts'
import { tellState } from '../src/features/uptime-checks/uptime-notification.service.ts'
import { newId } from '../src/security/ids.ts'
import { addVerifiedDomain } from './support/domains.ts'
import { listen, type LiveTestClient, liveTestClients } from './support/live.ts'
import { newAlias, uniqueDomain } from './support/mail.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'
import { createRowMaker, type RowMaker, notifyingTables } from './support/rows.ts'

/**
 * Walks every table with triggers, operation and column: only Ann's live clients are notified, not other accounts and
 * not a signed-out one.
 */
let panel: TestPanel
let url: string
let admin: Client
/** Ann's reseller. */
let rita: Client
let ann: Client
let bob: Client
let rows: RowMaker
let tables: Awaited<ReturnType<typeof notifyingTables>>
const clients = {} as Record<'admin' | 'rita' | 'ann' | 'bob' | 'signedOut', LiveTestClient>
const live = liveTestClients(() => url)
const seen = new Set<string>()
beforeAll(async () => {
  panel = await createTestPanel()
  url = await listen(panel)
  admin = await panel.signUp('admin')
  rita = await panel.createUser(admin, { role: 'RESELLER' })
  ann = await panel.createUser(rita)
  bob = await panel.createUser(admin)
  const out = await panel.signIn(ann.user.email)
  for (const [name, by] of Object.entries({ admin, rita, ann, bob, signedOut: out }))
    clients[name as keyof typeof clients] = await live.connect({ cookie: by.cookie })
  const ended = new Promise((resolve) => clients.signedOut.socket.once('disconnect', resolve))
  expect((await out.request('POST', '/api/auth/logout')).statusCode).toBe(200)
  await ended
  rows = await createRowMaker(panel.deps.db, { users: ann.user.id, nodes: panel.deps.nodeId })
  tables = await notifyingTables(panel.deps.db)
})
afterAll(async () => {
  live.close()
  await panel?.close()
})

interface Heard {
  event: string
  data: unknown
}

async function heardOf(work: () => Promise<unknown>): Promise<Record<keyof typeof clients, Heard[]>> {
  for (const client of Object.values(clients)) client.heard.length = 0
  await work()
  const mark = { projectId: 'mark', deploymentId: newId(Date.now()), status: 'QUEUED' } as const
  for (const { user } of [admin, rita, ann, bob])
    await panel.deps.events.publish(panel.deps.db, { to: { userId: user.id }, name: 'deployment:status', data: mark })
  const { signedOut, ...open } = clients
  for (const { heard } of Object.values(open)) await expect.poll(() => heard.at(-1)?.data).toEqual(mark)
  expect(signedOut.heard).toEqual([])
  const heard = Object.entries(clients).map(([name, client]) => [name, client.heard.slice(0, -1)] as const)
  return Object.fromEntries(heard) as Record<keyof typeof clients, Heard[]>
}

/** Sent to processes only, not to clients. */
const silent = new Set(['deployment_logs'])
/** Accounts are visible to the accounts above them. */
const shownAbove = new Set(['users'])

test('events of Ann’s rows go only to her, and account events also to those above', async () => {
  expect(tables.length).toBeGreaterThan(10)
  for (const { table, operations } of tables) {
    const made = await rows.prepare(table, shownAbove.has(table) ? { parent_id: ann.user.id } : {})
    const works: Record<(typeof operations)[number], () => Promise<unknown>> = {
      insert: made.insert,
      update: made.updateEachColumn,
      delete: made.remove
    }
    if (!operations.includes('insert')) await made.insert()
    await heardOf(async () => {})
    for (const operation of ['insert', 'update', 'delete'] as const) {
      if (!operations.includes(operation)) continue
      const heard = await heardOf(works[operation])
      const what = `${table}: ${operation}`
      expect(heard.bob, what).toEqual([])
      expect(heard.rita, what).toEqual([])
      expect(heard.admin.length > 0, what).toBe(shownAbove.has(table))
      expect(heard.ann.length > 0, what).toBe(!silent.has(table))
      for (const { event, data } of heard.ann) {
        liveEvents[event as LiveEventName].strict().parse(data)
        seen.add(event)
      }
    }
  }
})

test('other events reach their audience', async () => {
  const { db, events } = panel.deps
  const subject = { type: 'project', id: 'p', name: 'p' } as const
  const notified = { userId: ann.user.id, kind: 'import-finished', subject, text: 'of ann' } as const
  const works: Record<string, () => Promise<unknown>> = {
    notification: () => db.transaction((trx) => notify(panel.deps, trx, notified)),
    read: () => ann.request('POST', '/api/notifications/read-all'),
    uptime: () =>
      db.transaction((trx) => tellState({ events }, trx, { userId: ann.user.id, projectId: 'p', id: 'c' }, 'DOWN'))
  }
  for (const [what, work] of Object.entries(works)) {
    const heard = await heardOf(work)
    expect([heard.bob, heard.rita, heard.admin], what).toEqual([[], [], []])
    expect(heard.ann, what).toHaveLength(1)
    seen.add(heard.ann[0]!.event)
  }
})

test('a server threshold goes to administrators only', async () => {
  const figures = { cpuPercent: 99, ramUsed: 1, ramTotal: 9, diskUsed: 1, diskTotal: 9, timestamp: new Date().toISOString() } // oxfmt-ignore
  const heard = await heardOf(async () => {
    for (let minute = 0; minute < 3; minute++)
      await panel.deps.db.transaction((trx) => followThresholds(panel.deps, trx, figures))
  })
  expect([heard.ann, heard.rita, heard.bob]).toEqual([[], [], []])
  expect(heard.admin.map(({ event }) => event).sort()).toEqual(['alert:threshold', 'notification'])
  for (const { event } of heard.admin) seen.add(event)
})

test('a statement with more than twenty rows is one event per account, with fewer one per row', async () => {
  const { domainId } = await newAlias(
    ann,
    (await addVerifiedDomain(ann, uniqueDomain())).id,
    'a',
    'one@elsewhere.example'
  )
  const { domainId: ofBobs } = await newAlias(
    bob,
    (await addVerifiedDomain(bob, uniqueDomain())).id,
    'a',
    'one@elsewhere.example'
  )
  const addAliases = async (count: number) => {
    const values = Array.from({ length: count }, () => aliasOf(domainId))
    const ofBob = aliasOf(ofBobs)
    const heard = await heardOf(() => panel.deps.db.insert(mailAliases).values([...values, ofBob]))
    const notified = (id: string | null) => ({ event: 'changed', data: { type: 'mail-alias', id, projectId: null } })
    expect(heard.bob).toEqual([notified(ofBob.id)])
    return { heard: heard.ann, each: values.map(({ id }) => notified(id)), once: [notified(null)] }
  }
  const twenty = await addAliases(20)
  expect(new Set(twenty.heard)).toEqual(new Set(twenty.each))
  const more = await addAliases(21)
  expect(more.heard).toEqual(more.once)
})

const aliasOf = (domainId: string) => {
  const id = newId(Date.now())
  return { id, domainId, localPart: id, targets: ['one@elsewhere.example'] }
}

test('every event type was seen', () => {
  expect([...seen].sort()).toEqual(Object.keys(liveEvents).sort())
})
