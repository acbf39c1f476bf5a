import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Database, openDatabase, type Queryable } from '../src/db/database.ts'
import { findSetting, saveSetting } from '../src/db/settings.ts'
import { queueNames } from '../src/features/index.ts'
import { latestMatch, parseCron } from '../src/time/cron.policy.ts'
import type { JobQueue } from '../src/infra/job-queue/job-queue.ts'
import { createJobQueue } from '../src/infra/job-queue/pg-boss-queue.ts'
import { runSchedules } from '../src/infra/job-queue/schedule-runner.ts'
import type { QueueName } from '../src/worker/jobs.ts'
import { execute, withDatabase } from './support/test-database.ts'

const logger = pino({ level: 'silent' })
let db: Database
let queues: JobQueue[]
let drop: () => Promise<void>
beforeAll(async () => {
  const adminUrl = inject('adminDatabaseUrl')
  const name = `panel_schedules_${randomBytes(6).toString('hex')}`
  await execute(adminUrl, `create database ${name} template ${inject('templateDatabase')}`)
  const connectionString = withDatabase(adminUrl, name)
  db = openDatabase(connectionString, () => {})
  const options = { connectionString, db, queues: queueNames, logger }
  queues = [await createJobQueue(options), await createJobQueue(options)]
  drop = () => execute(adminUrl, `drop database ${name} with (force)`)
})
afterAll(async () => {
  for (const jobs of queues) await jobs.stop()
  await db.$client.end()
  await drop()
})
const lastSlot = async (store: Queryable, queue: QueueName) => findSetting(store, `schedule:${queue}`)

test('two processes enqueue each slot once', async () => {
  const slots: (string | undefined)[] = []
  const enqueue: JobQueue['enqueue'] = async (trx, queue) => {
    slots.push(await lastSlot(trx, queue))
  }
  const stops = [1, 2].map(() =>
    runSchedules({ db, jobs: { enqueue }, logger }, [{ queue: 'images.clean', everySeconds: 0.2 }])
  )
  await expect.poll(() => slots.length).toBeGreaterThan(5)
  for (const stop of stops) await stop()
  expect(new Set(slots).size).toBe(slots.length)
})

test('after a clock set back by a day, slots run once; small differences do not matter', async () => {
  const ahead = (ms: number) => new Date(Date.now() + ms).toISOString()
  await saveSetting(db, 'schedule:metrics.record', ahead(24 * 3_600_000))
  await saveSetting(db, 'schedule:metrics.condense', ahead(5 * 60_000))
  await saveSetting(db, 'schedule:figures.record', '2020-01-01T00:00:00.000Z')
  const enqueued: string[] = []
  const enqueue: JobQueue['enqueue'] = async (_trx, queue) => void enqueued.push(queue)
  const often = { everySeconds: 0.2 }
  const stops = [1, 2].map(() =>
    runSchedules({ db, jobs: { enqueue }, logger }, [
      // Always the same slot, except on one day.
      { queue: 'metrics.record', cron: '0 0 1 1 *' },
      { queue: 'metrics.condense', ...often },
      { queue: 'figures.record', ...often }
    ])
  )
  await expect.poll(() => enqueued.filter((queue) => queue === 'figures.record').length).toBeGreaterThan(5)
  for (const stop of stops) await stop()
  expect(enqueued.filter((queue) => queue === 'metrics.record')).toHaveLength(1)
  expect(enqueued).not.toContain('metrics.condense')
})

test('slots without work create no job', async () => {
  let [asked, isNeeded] = [0, false]
  const enqueued: string[] = []
  const enqueue: JobQueue['enqueue'] = async (_trx, queue) => void enqueued.push(queue)
  const stop = runSchedules({ db, jobs: { enqueue }, logger }, [
    { queue: 'images.clean', everySeconds: 0.2, isNeeded: async () => (asked++, isNeeded) }
  ])
  await expect.poll(() => asked).toBeGreaterThan(3)
  expect(enqueued).toEqual([])
  isNeeded = true
  await expect.poll(() => enqueued.length).toBeGreaterThan(1)
  await stop()
})

test('a slot that could not be enqueued is retried', async () => {
  let tries = 0
  const enqueue = async () => {
    if (++tries === 1) throw new Error('the store goes away')
  }
  const stop = runSchedules({ db, jobs: { enqueue }, logger }, [{ queue: 'containers.retire', cron: '0 0 1 1 *' }])
  await expect.poll(() => tries).toBe(2)
  await stop()
  expect(await lastSlot(db, 'containers.retire')).toBeDefined()
})

test('a missed slot is caught up once with its data', async () => {
  const [jobs, other] = queues
  await saveSetting(db, 'schedule:projects.purge', '2020-01-01T00:00:00.000Z')
  const seen: unknown[] = []
  await jobs!.work('projects.purge', { concurrency: 2, timeoutSeconds: 60, retryLimit: 0 }, async (data) => {
    seen.push(data)
  })
  for (const queue of [jobs!, other!]) queue.schedule([{ queue: 'projects.purge', cron: '0 0 1 1 *', data: { n: 1 } }])
  await expect.poll(() => seen).toEqual([{ n: 1 }])
  expect(await lastSlot(db, 'projects.purge')).toBe(`${new Date().getUTCFullYear()}-01-01T00:00:00.000Z`)
  await db.transaction((trx) => jobs!.enqueue(trx, 'projects.purge', { projectId: 'p', n: 2 }))
  await expect.poll(() => seen).toEqual([{ n: 1 }, { projectId: 'p', n: 2 }])
})

test('a schedule follows its time zone and changes with it', async () => {
  const [jobs] = queues
  const seen: unknown[] = []
  await jobs!.work('images.clean', { concurrency: 1, timeoutSeconds: 60, retryLimit: 0 }, async (data) => {
    seen.push(data)
  })
  // Half a year ahead, so that it is in the past in every time zone.
  const cron = `0 0 1 ${((new Date().getUTCMonth() + 6) % 12) + 1} *`
  const held = (timezone: string, n: number) => jobs!.schedule([{ queue: 'images.clean', cron, timezone, data: { n } }])
  const slotIn = (timezone: string) => latestMatch(parseCron(cron, timezone), new Date())!.toISOString()
  await saveSetting(db, 'schedule:images.clean', '2020-01-01T00:00:00.000Z')
  const end = held('Pacific/Kiritimati', 1)
  await expect.poll(() => seen).toEqual([{ n: 1 }])
  expect(await lastSlot(db, 'images.clean')).toBe(slotIn('Pacific/Kiritimati'))
  await end()
  const endNext = held('Pacific/Pago_Pago', 2)
  await expect.poll(() => seen).toEqual([{ n: 1 }, { n: 2 }])
  expect(await lastSlot(db, 'images.clean')).toBe(slotIn('Pacific/Pago_Pago'))
  await endNext()
  const endLast = held('Pacific/Kiritimati', 3)
  await expect.poll(() => seen).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
  expect(await lastSlot(db, 'images.clean')).toBe(slotIn('Pacific/Kiritimati'))
  await endLast()
})

test('an invalid schedule is refused', () => {
  const [jobs] = queues
  expect(() => jobs!.schedule([{ queue: 'images.clean', cron: 'never' }])).toThrow('cron')
  expect(() => jobs!.schedule([{ queue: 'images.clean', everySeconds: 0 }])).toThrow('interval')
  const twice = { queue: 'images.clean', everySeconds: 60 } as const
  expect(() => jobs!.schedule([twice, twice])).toThrow('one schedule')
})
