import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, type Queryable } from '../src/db/database.ts'
import { settings } from '../src/db/schema/settings.ts'
import { areWritesCounted, countTableWrites, readCommits } from '../src/db/table-writes.ts'
import type { ReconcileStep, WorkerContext } from '../src/features/feature.ts'
import { createReconciler } from '../src/worker/reconciler.ts'
import { execute } from './support/test-database.ts'
import { createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
beforeAll(async () => {
  panel = await createTestPanel()
})
afterAll(() => panel.close())

test('counts writes to every table of a reconcile step', async () => {
  const named = panel.deps.features.flatMap(({ reconcile = [] }) => reconcile.flatMap(({ on }) => on.tables ?? []))
  expect(named.length).toBeGreaterThan(5)
  const counted = await countTableWrites(panel.deps.db)
  expect(named.filter((table) => !counted.has(table))).toEqual([])
})

test('counts a write after its commit, and no reads', async () => {
  const ann = await panel.signUp('ann')
  const countOf = async (table: string) => (await countTableWrites(panel.deps.db)).get(table)
  const before = await countOf('host_names')
  await ann.request('GET', '/api/projects')
  await ann.createProject()
  await expect.poll(() => countOf('host_names'), { timeout: 20_000, interval: 250 }).not.toBe(before)
  expect(await countOf('dns_zones')).toBe('0')
})

test('without counters compares every round and warns', async () => {
  const name = new URL(panel.databaseUrl).pathname.slice(1)
  expect(await areWritesCounted(panel.deps.db)).toBe(true)
  await execute(panel.databaseUrl, `alter database ${name} set track_counts = off`)
  const db = openDatabase(panel.databaseUrl, () => {})
  try {
    const runs = { domains: 0, nothing: 0 }
    const reconcile: ReconcileStep[] = [
      { name: 'domains', on: { tables: ['domains'] }, run: async () => runs.domains++ },
      { name: 'nothing', on: {}, run: async () => runs.nothing++ }
    ]
    const warnings: string[] = []
    const logger = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) })
    const deps = { ...panel.deps, db, logger, features: [{ name: 'a', reconcile }] }
    const reconciler = createReconciler(deps, await areWritesCounted(db))
    for (let round = 0; round < 3; round++) await reconciler.round({} as WorkerContext)
    expect(runs).toEqual({ domains: 3, nothing: 1 })
    expect(warnings).toEqual([expect.stringContaining('track_counts = on')])
  } finally {
    await db.$client.end()
  }
})

test('a commit is seen immediately in any order', async () => {
  const { db } = panel.deps
  const write = (queryable: Queryable, key: string) => queryable.insert(settings).values({ key, value: '' })
  const seen = [await readCommits(db)]
  await db.transaction(async (trx) => {
    await write(trx, 'begun first')
    await write(db, 'committed first')
    seen.push(await readCommits(db))
  })
  seen.push(await readCommits(db))
  expect(new Set(seen).size).toBe(3)
})
