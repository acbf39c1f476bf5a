import { afterAll, beforeAll, test } from 'vitest'
import pg from 'pg'
import { lockConnection } from '../src/db/lock.ts'
import { recordAudit, recordAuditAlone } from '../src/features/audit/audit.repository.ts'
import { createJobQueue } from '../src/infra/job-queue/pg-boss-queue.ts'
import { queueNames } from '../src/features/index.ts'
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

const act = { action: 'user.updated', actorId: null, targetId: null } as const

test('a second panel starts while the first is in the middle of an audited act', async () => {
  await panel.deps.db.transaction(async (trx) => {
    await recordAudit(panel.deps, trx, {}, act)
    const second = await startSecond()
    await second.stop()
  })
})

test('an audited act goes on while a second panel is in the middle of its start', async () => {
  const starting = new pg.Client({ connectionString: panel.databaseUrl })
  await starting.connect()
  try {
    for (const name of ['migrations', 'job-queue:setup'] as const) await lockConnection(starting, name)
    await recordAuditAlone(panel.deps, {}, act)
  } finally {
    await starting.end()
  }
})
