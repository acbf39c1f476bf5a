import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Figure } from '@panel/contract/figures'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { figures } from '../src/db/schema/figures.ts'
import { recordFigures } from '../src/features/figures/figures.service.ts'
import { enginesOf, newDatabase } from './support/databases.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

const minute = 60_000
// Postfix logs have no year, so the panel uses the current one.
const start = new Date(Math.floor(Date.now() / (30 * minute)) * 30 * minute)
let now = new Date(start.getTime() + 30_000)
let panel: TestPanel
let admin: Client
beforeAll(async () => {
  panel = await createTestPanel({}, { now: () => now })
  admin = await panel.signUp('admin')
  await newDatabase(admin, { type: 'MYSQL' })
})
afterAll(() => panel.close())

const history = async (range: string) =>
  (await admin.request('GET', `/api/monitoring/figures?range=${range}`)).json<Figure[]>()
const valuesOf = (found: readonly Figure[], name: string, label: string) =>
  found
    .find((figure) => figure.name === name && Object.values(figure.labels).includes(label))
    ?.points.map(({ value }) => value)

function syslogTime(at: Date): string {
  const month = at.toLocaleString('en', { month: 'short', timeZone: 'UTC' })
  return `${month} ${String(at.getUTCDate()).padStart(2)} ${at.toISOString().slice(11, 19)}`
}

test('connections, queue and deliveries have a history with gaps for failures', async () => {
  const log = join(panel.deps.config.DATA_DIR, 'mail', 'mail.log')
  await mkdir(join(log, '..'), { recursive: true })
  const sent = (at: Date, status: string) =>
    appendFile(
      log,
      `${syslogTime(at)} mail postfix/smtp[1]: 4jXzYh19STzXS6P: to=<bob@example.net>, relay=mx.example.net[192.0.2.25]:25, delay=1.4, delays=1/0.2/0.1/0.1, dsn=2.0.0, status=${status} (so it is)\n`
    )
  await sent(new Date(now.getTime() - 20 * minute), 'sent')
  for (const status of ['sent', 'sent', 'bounced']) await sent(new Date(now.getTime() - minute), status)
  await recordFigures(panel.deps)
  now = new Date(now.getTime() + 5 * minute)
  enginesOf(panel).MYSQL.before = () => Promise.reject(new Error('away'))
  await recordFigures(panel.deps)
  await recordFigures(panel.deps)
  enginesOf(panel).MYSQL.before = async () => {}
  const found = await history('1h')
  expect(valuesOf(found, 'panel_database_connections', 'MYSQL')).toEqual([1])
  expect(valuesOf(found, 'panel_database_connections', 'POSTGRESQL')).toEqual([0, 0])
  expect(valuesOf(found, 'panel_mail_queue_messages', 'held')).toEqual([0, 0])
  expect(valuesOf(found, 'panel_mail_deliveries_per_minute', 'success')).toEqual([2 / 5, 0])
  expect(valuesOf(found, 'panel_mail_deliveries_per_minute', 'bounced')).toEqual([1 / 5, 0])
  expect(found[0]!.points[0]!.recordedAt).toBe(start.toISOString())
})

test('30 days have at most 1,500 points, older ones are deleted; administrators only', async () => {
  const { nodeId } = panel.deps
  await panel.deps.db.execute(sql`
    insert into figures (recorded_at, node_id, name, labels, value)
    select date_trunc('minute', ${now.toISOString()}::timestamptz) - n * interval '5 minutes', ${nodeId}, 'panel_database_connections', '{"engine":"MYSQL"}', n % 2
    from generate_series(2, 9000) n on conflict do nothing`)
  await recordFigures(panel.deps)
  const [{ points }] = (await history('30d')).filter(({ labels }) => labels.engine === 'MYSQL') as [Figure]
  expect(points.length).toBeGreaterThan(1_400)
  expect(points.length).toBeLessThanOrEqual(1_500)
  expect(points.map(({ recordedAt }) => recordedAt)).toEqual(points.map(({ recordedAt }) => recordedAt).sort())
  const [oldest] = await panel.deps.db.select({ at: sql<string>`min(${figures.recordedAt})` }).from(figures)
  expect(now.getTime() - new Date(oldest!.at).getTime()).toBeLessThanOrEqual(30 * 24 * 60 * minute + minute)
  const ann = await panel.signUp('ann')
  expect((await ann.request('GET', '/api/monitoring/figures')).statusCode).toBe(403)
})
