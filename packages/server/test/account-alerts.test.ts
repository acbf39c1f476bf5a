import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { NotificationKind, NotificationList } from '@panel/contract/notifications'
import { eq } from 'drizzle-orm'
import { sessions } from '../src/db/schema/sessions.ts'
import { users } from '../src/db/schema/users.ts'
import { saveUsage } from '../src/features/disk-usage/disk-usage.repository.ts'
import { checkQuotas, recheckNotifiedAccounts } from '../src/features/quota-alerts/quota-alerts.jobs.ts'
import { checkForUpdate } from '../src/features/updates/updates.jobs.ts'
import type { Release } from '../src/infra/update-feed/update-feed.ts'
import { version } from '../src/process/version.ts'
import { type Client, createTestPanel, password, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let admin: Client
let release: Release
beforeAll(async () => {
  panel = await createTestPanel(
    { UPDATE_FEED_URL: 'https://releases.example.org/panel.json' },
    { updateFeed: { read: async () => release } }
  )
  admin = await panel.signUp('admin')
})
afterAll(() => panel.close())

const notified = async (who: Client, kind: NotificationKind) =>
  (await who.request('GET', '/api/notifications'))
    .json<NotificationList>()
    .notifications.filter((one) => one.kind === kind)

describe('a sign-in from a new place', () => {
  const chrome = 'Mozilla/5.0 (X11) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Safari/537.36'
  const signIn = async (email: string, remoteAddress: string, agent = chrome) => {
    const response = await panel.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      headers: { 'user-agent': agent },
      payload: { email, password },
      remoteAddress
    })
    expect(response.statusCode, response.body).toBe(200)
  }

  test('is notified, except the first one and known locations', async () => {
    const made = await admin.request('POST', '/api/users', { name: 'ann', email: 'ann@example.com', password })
    const { id } = made.json<{ id: string }>()
    await signIn('ann@example.com', '203.0.113.7')
    await signIn('ann@example.com', '203.0.113.200', chrome.replace('120', '131'))
    const ann = await panel.signIn('ann@example.com')
    const places = async () => (await notified(ann, 'sign-in-from-new-place')).map(({ text }) => text)
    expect(await places()).toEqual([expect.stringContaining('127.0.0.1')])
    await signIn('ann@example.com', '198.51.100.9')
    await signIn('ann@example.com', '198.51.100.10')
    expect((await places()).filter((text) => text.includes('198.51.100.'))).toHaveLength(1)
    await signIn('ann@example.com', '198.51.100.9', 'curl/8.5')
    expect((await places())[0]).toContain('curl')
    // Locations older than 90 days are forgotten.
    const before = new Date(Date.now() - 91 * 24 * 3_600_000)
    await panel.deps.db.update(sessions).set({ lastSeenAt: before }).where(eq(sessions.ip, '203.0.113.7'))
    await panel.deps.db.update(sessions).set({ lastSeenAt: before }).where(eq(sessions.ip, '203.0.113.200'))
    await signIn('ann@example.com', '203.0.113.7')
    expect((await places())[0]).toContain('203.0.113.7')
    expect(id).toBe(ann.user.id)
  })
})

describe('a quota that is nearly used', () => {
  test('is notified once, and again after there was room', async () => {
    const ann = await panel.createUser(admin, { maxProjects: 2 })
    const check = () => checkQuotas(panel.deps, ann.user.id)
    const projects = async () => (await notified(ann, 'quota-nearly-used')).map(({ text }) => text)
    await ann.createProject()
    await check()
    expect(await projects()).toEqual([])
    const last = await ann.createProject()
    const [job] = (await panel.deps.db.$client.query(`select data from pgboss.job where name = 'quotas.check'`)).rows
    expect(job).toMatchObject({ data: { userId: ann.user.id } })
    await Promise.all([check(), check()])
    expect(await projects()).toEqual([expect.stringContaining('2 of 2 projects')])
    await ann.request('DELETE', `/api/projects/${last.id}`)
    await recheckNotifiedAccounts(panel.deps)
    await ann.createProject()
    await check()
    expect(await projects()).toHaveLength(2)
  })

  test('including disk, when it is measured', async () => {
    const ann = await panel.createUser(admin)
    const { db, now } = panel.deps
    await db.update(users).set({ maxDiskMb: 100 }).where(eq(users.id, ann.user.id))
    await saveUsage(db, 'FILES', new Map([[ann.user.id, 95 * 2 ** 20]]), now())
    await checkQuotas(panel.deps, ann.user.id)
    expect((await notified(ann, 'quota-nearly-used'))[0]!.text).toContain('95 of 100 MB')
  })
})

describe('a new release', () => {
  const getVersion = async () => (await admin.request('GET', '/api/system/version')).json<object>()

  test('is unknown before the first check', async () => {
    expect(await getVersion()).toMatchObject({ version, latest: null, isUpdateAvailable: false })
  })

  test('is notified to administrators once and shown', async () => {
    const user = await panel.createUser(admin)
    release = { version, url: 'https://example.org/same', security: false }
    await checkForUpdate(panel.deps)
    expect(await getVersion()).toMatchObject({ latest: { version }, isUpdateAvailable: false })
    release = { version: '99.1.0', url: 'https://example.org/99', security: true }
    await checkForUpdate(panel.deps)
    await checkForUpdate(panel.deps)
    expect(await notified(admin, 'update-available')).toEqual([
      expect.objectContaining({
        text: expect.stringMatching(/99\.1\.0.*security.*https:\/\/example\.org\/99/) as string
      })
    ])
    expect(await notified(user, 'update-available')).toEqual([])
    expect(await getVersion()).toMatchObject({ latest: release, isUpdateAvailable: true })
    for (const [number, count] of [
      ['99.0.5', 1],
      ['99.1.0', 1],
      ['99.2.0', 2]
    ] as const) {
      release = { version: number, url: 'https://example.org/99', security: false }
      await checkForUpdate(panel.deps)
      expect(await notified(admin, 'update-available')).toHaveLength(count)
    }
  })
})
