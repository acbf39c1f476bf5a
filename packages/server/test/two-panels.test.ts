import { EventEmitter, once } from 'node:events'
import { eq, sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../src/db/database.ts'
import { closeLocks, lockConnection } from '../src/db/lock.ts'
import { hostNames } from '../src/db/schema/host-names.ts'
import { recordAudit, recordAuditAlone } from '../src/features/audit/recording.service.ts'
import { applyRoutes } from '../src/features/domains/routing.service.ts'
import { createJobQueue } from '../src/infra/job-queue/pg-boss-queue.ts'
import { queueNames } from '../src/features/index.ts'
import type { ReverseProxy } from '../src/infra/reverse-proxy/reverse-proxy.ts'
import { createMemoryReverseProxy } from './fakes/memory-reverse-proxy.ts'
import { createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
beforeAll(async () => {
  panel = await createTestPanel()
})
afterAll(() => panel.close())

const startSecond = () =>
  createJobQueue({
    connectionString: panel.databaseUrl,
    db: panel.deps.db,
    queues: queueNames,
    logger: panel.deps.logger
  })

const operation = { action: 'user.updated', actorId: null, targetId: null } as const

test('a second panel starts during an audited operation of the first', async () => {
  await panel.deps.db.transaction(async (trx) => {
    await recordAudit(panel.deps, trx, {}, operation)
    const second = await startSecond()
    await second.stop()
  })
})

test('an audited operation completes during another panel’s start', async () => {
  const starting = new pg.Client({ connectionString: panel.databaseUrl })
  await starting.connect()
  try {
    for (const name of ['migrations', 'job-queue:setup'] as const) await lockConnection(starting, name)
    await recordAuditAlone(panel.deps, {}, operation)
  } finally {
    await starting.end()
  }
})

test('stale reads of one process never overwrite newer routes', async () => {
  const ann = await panel.signUp('ann')
  const { name } = await ann.createProject()
  const hostname = `${name}.apps.localhost`
  const db = openDatabase(panel.databaseUrl, () => {})
  const proxy = createMemoryReverseProxy()
  const [reading, holding] = [new EventEmitter(), new EventEmitter()]
  const slow: ReverseProxy = {
    ...proxy,
    async set(route) {
      const isReleased = once(holding, 'release')
      reading.emit('done')
      await isReleased
      await proxy.set(route)
    }
  }
  try {
    const routes = [{ hostname, pathPrefix: null }]
    const hasRead = once(reading, 'done')
    const before = applyRoutes({ ...panel.deps, proxy: slow }, routes)
    await hasRead
    await panel.deps.db.delete(hostNames).where(eq(hostNames.hostname, hostname))
    let isApplied = false
    const after = applyRoutes({ ...panel.deps, db, proxy }, routes).then(() => (isApplied = true))
    const isWaiting = async () => (await panel.deps.db.execute(waitingLocks)).rows.length > 0
    await expect.poll(async () => isApplied || (await isWaiting())).toBe(true)
    holding.emit('release')
    await Promise.all([before, after])
    expect(proxy.find(hostname, '/')).toBeUndefined()
  } finally {
    await closeLocks(db)
    await db.$client.end()
  }
})

const waitingLocks = sql`select 1 from pg_locks where locktype = 'advisory' and not granted
  and database = (select oid from pg_database where datname = current_database())`
