import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Dependencies } from '../src/dependencies.ts'
import type { Schedule } from '../src/infra/job-queue/job-queue.ts'
import { startWorker } from '../src/worker.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let admin: Client
beforeAll(async () => {
  panel = await createTestPanel()
  panel.deps.settings.follow(panel.deps.events)
  admin = await panel.signUp('admin')
})
afterAll(() => panel.close())

test('a running worker reschedules on time zone or interval changes', async () => {
  const held: (readonly Schedule[])[] = []
  let running = 0
  const jobs: Dependencies['jobs'] = {
    ...panel.deps.jobs,
    schedule(schedules) {
      held.push(schedules)
      running++
      return async () => void running--
    }
  }
  const nightly = { name: 'nightly', schedules: [{ queue: 'audit.archive', cron: '0 3 * * *' }] } as const
  const features = panel.deps.features.map((feature) =>
    feature.name === 'audit' ? { ...feature, ...nightly } : feature
  )
  const worker = await startWorker({ ...panel.deps, jobs, features }, panel.databaseUrl)
  const now = () => new Map(held.at(-1)!.map((schedule) => [schedule.queue, schedule]))
  expect(now().get('audit.archive')).toMatchObject({ cron: '0 3 * * *', timezone: panel.deps.settings.timezone() })
  expect(now().get('disk.measure')).toMatchObject({ everySeconds: 600 })

  const body = { timezone: 'Pacific/Auckland', variables: { DISK_MEASURE_SECONDS: 60 } }
  expect((await admin.request('PUT', '/api/system/settings', body)).statusCode).toBe(200)
  await expect.poll(() => now().get('audit.archive')).toMatchObject({ timezone: 'Pacific/Auckland' })
  expect(now().get('disk.measure')).toMatchObject({ everySeconds: 60 })
  expect(running).toBe(1)

  const times = held.length
  await admin.request('PUT', '/api/system/settings', { variables: { BUILD_TIMEOUT: 99 } })
  await admin.request('PUT', '/api/system/settings', { timezone: 'Pacific/Chatham' })
  await expect.poll(() => now().get('audit.archive')).toMatchObject({ timezone: 'Pacific/Chatham' })
  expect(held.length).toBe(times + 1)
  expect(running).toBe(1)
  await worker.stop()
  await admin.request('PUT', '/api/system/settings', { timezone: 'UTC' })
  expect(held.length).toBe(times + 1)
})
