import { afterAll, beforeAll, expect, test } from 'vitest'
import { countTableWrites } from '../src/db/table-writes.ts'
import { createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
beforeAll(async () => {
  panel = await createTestPanel()
})
afterAll(() => panel.close())

test('the store counts the writes to every table that a reconcile step names', async () => {
  const named = panel.deps.features.flatMap(({ reconcile = [] }) => reconcile.flatMap(({ on }) => on.tables ?? []))
  expect(named.length).toBeGreaterThan(5)
  const counted = await countTableWrites(panel.deps.db)
  expect(named.filter((table) => !counted.has(table))).toEqual([])
})

test('a write is counted soon after its commit, and a read is none', async () => {
  const ann = await panel.signUp('ann')
  const countOf = async (table: string) => (await countTableWrites(panel.deps.db)).get(table)
  const before = await countOf('host_names')
  await ann.request('GET', '/api/projects')
  await ann.createProject()
  await expect.poll(() => countOf('host_names'), { timeout: 20_000, interval: 250 }).not.toBe(before)
  expect(await countOf('dns_zones')).toBe('0')
})
