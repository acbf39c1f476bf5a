import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lockOwnDatabase } from '../src/features/databases/database-access.ts'
import { applyZone } from '../src/features/dns-zones/zones.service.ts'
import { lockOwnDomain } from '../src/features/domains/domain-access.ts'
import { lockUser } from '../src/features/users/account-access.ts'
import { claimQuota } from '../src/features/users/quotas.service.ts'
import { databases } from '../src/db/schema/databases.ts'
import { dnsZones } from '../src/db/schema/dns-zones.ts'
import { settings } from '../src/db/schema/settings.ts'
import { createMemorySessionStore } from '../src/infra/session-store/memory-session-store.ts'
import { newDatabase } from './support/databases.ts'
import { addDomain, addManagedDomain, dnsServerOf } from './support/domains.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'
import { startSecondProcess } from './support/second-process.ts'
import { createTransactionGuard } from './support/transaction-guard.ts'

let panel: TestPanel
let alice: Client

beforeAll(async () => {
  panel = await createTestPanel()
  alice = await panel.signUp()
})
afterAll(() => panel.close())

test('adapter calls in transactions are refused in tests', async () => {
  const { cover, calls } = createTransactionGuard()
  const deps = cover({ ...panel.deps, db: Object.create(panel.deps.db) as typeof panel.deps.db })
  await expect(deps.db.transaction(() => deps.engine.ping())).rejects.toThrow(/in a transaction/)
  await expect(deps.db.transaction(() => deps.databaseServers.MYSQL.ping())).rejects.toThrow(/in a transaction/)
  expect(calls).toEqual(['engine.ping', 'databaseServers.MYSQL.ping'])

  let later: Promise<unknown> | undefined
  await deps.db.transaction(async () => {
    later = Promise.resolve()
      .then(() => new Promise((resolve) => setTimeout(resolve, 50)))
      .then(() => deps.engine.ping())
  })
  await later
  await deps.engine.ping()
  expect(calls).toHaveLength(2)
})

test('also in a second process', async () => {
  const guard = createTransactionGuard()
  const first = guard.cover({ ...panel.deps, db: Object.create(panel.deps.db) as typeof panel.deps.db })
  const sessions = createMemorySessionStore()
  const second = await startSecondProcess(first, panel.databaseUrl, { sessions }, guard)
  try {
    const { db, engine, sessions: own } = second.deps
    await expect(db.transaction(() => engine.ping())).rejects.toThrow(/in a transaction/)
    await expect(db.transaction(() => own.get('none'))).rejects.toThrow(/in a transaction/)
    expect(guard.calls).toEqual(['engine.ping', 'sessions.get'])
  } finally {
    await second.close()
  }
})

const someWait = async (count: number) => {
  const { rows } = await panel.deps.db.execute(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
  )
  return rows.length === count
}

test('a failed pipelined statement rolls back all', async () => {
  const { db } = panel.deps
  const write = (key: string) => ({ key, value: 'asked at once' })
  const failing = db.transaction((trx) =>
    Promise.all([
      trx.insert(settings).values(write('first')),
      trx.execute(sql`select 1 / 0`),
      trx.insert(settings).values(write('last'))
    ])
  )
  await expect(failing).rejects.toMatchObject({ cause: { message: 'division by zero' } })
  const [left, next] = await db.transaction((trx) =>
    Promise.all([
      trx.select().from(settings).where(eq(settings.value, 'asked at once')),
      trx.execute(sql`select 'answered' as is`)
    ])
  )
  expect([left, next.rows]).toEqual([[], [{ is: 'answered' }]])
})

test('domain and account locks have one order', async () => {
  const { id } = await addDomain(alice, 'locked.example.com')
  const { db } = panel.deps
  let locking: Promise<unknown> | undefined
  await db.transaction(async (holder) => {
    await lockUser(holder, alice.user.id)
    locking = db.transaction((trx) => lockOwnDomain(trx, id, alice.user.id))
    await expect.poll(() => someWait(1)).toBe(true)
    await db.transaction((trx) => trx.execute(sql`select from domains where id = ${id} for update nowait`))
  })
  await expect(locking).resolves.toMatchObject({ hostname: 'locked.example.com' })
})

test('a database is read after its account is locked', async () => {
  const { id } = await newDatabase(alice)
  const { db } = panel.deps
  let locking: Promise<unknown> | undefined
  await db.transaction(async (holder) => {
    await lockUser(holder, alice.user.id)
    locking = db.transaction((trx) => lockOwnDatabase(trx, id, alice.user.id))
    locking.catch(() => {})
    await expect.poll(() => someWait(1)).toBe(true)
    await holder.update(databases).set({ status: 'DELETING' }).where(eq(databases.id, id))
  })
  await expect(locking).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('usage is counted after the account is locked', async () => {
  const { id } = await newDatabase(alice)
  const person = await panel.createUser(alice, { maxDatabases: 1 })
  const { db } = panel.deps
  let claiming: Promise<unknown> | undefined
  await db.transaction(async (holder) => {
    await lockUser(holder, person.user.id)
    claiming = db.transaction((trx) => claimQuota(panel.deps, trx, person.user.id, 'maxDatabases'))
    claiming.catch(() => {})
    await expect.poll(() => someWait(1)).toBe(true)
    await holder.update(databases).set({ userId: person.user.id }).where(eq(databases.id, id))
  })
  await expect(claiming).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' })
})

test('no transaction is open during a zone update', async () => {
  const server = dnsServerOf(panel)
  const { id } = await addManagedDomain(alice, 'open.example.com')
  await panel.deps.db.update(dnsZones).set({ appliedRevision: 0 })
  const open: unknown[] = []
  const putZone: typeof server.putZone = async (name, text) => {
    const { rows } = await panel.deps.db.execute(
      "select query from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'"
    )
    open.push(rows)
    await server.putZone(name, text)
  }
  await applyZone({ ...panel.deps, dnsServer: { ...server, putZone } }, id)
  expect(open).toEqual([[]])
})

test('two processes apply zone revisions in order', async () => {
  const server = dnsServerOf(panel)
  const { id } = await addManagedDomain(alice, 'order.example.com')
  const { db } = panel.deps
  await db.update(dnsZones).set({ appliedRevision: 0 })
  const steps: string[] = []
  const processOf = (name: string) => ({
    ...panel.deps,
    dnsServer: {
      ...server,
      putZone: async (zone: string, text: string) => {
        steps.push(`${name} begins`)
        if (name === 'first') await db.update(dnsZones).set({ revision: sql`${dnsZones.revision} + 1` })
        if (name === 'first') await new Promise((resolve) => setTimeout(resolve, 300))
        await server.putZone(zone, text)
        steps.push(`${name} ends`)
      }
    }
  })
  const first = applyZone(processOf('first'), id)
  await expect.poll(() => steps).toContain('first begins')
  await Promise.all([first, applyZone(processOf('second'), id)])
  expect(steps).toEqual(['first begins', 'first ends', 'second begins', 'second ends'])
  const [zone] = await db.select().from(dnsZones).where(eq(dnsZones.domainId, id))
  expect(zone!.appliedRevision).toBe(zone!.revision)
})
