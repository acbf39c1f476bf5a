import type { NotificationList } from '@panel/contract/notifications'
import type { PanelUpgrade, PanelVersion } from '@panel/contract/system'
import { eq, like } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { settings } from '../src/db/schema/settings.ts'
import { prepareUpgrade, reportUpgrade } from '../src/features/updates/upgrade.jobs.ts'
import type { MemoryPanelUpgrades } from './fakes/memory-panel-upgrades.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let admin: Client
let ann: Client
let upgrades: MemoryPanelUpgrades

beforeAll(async () => {
  panel = await createTestPanel()
  admin = await panel.signUp('admin')
  ann = await panel.signUp('ann')
  upgrades = panel.deps.panelUpgrades as MemoryPanelUpgrades
})
afterAll(() => panel.close())
beforeEach(async () => {
  await panel.deps.db.delete(settings).where(like(settings.key, 'upgrade:%'))
  Object.assign(upgrades, { obstacle: undefined, problem: undefined, upgrade: undefined })
})

const source = 'https://releases.example.org/hosting-panel-0.2.0-linux-x64.tar.gz'
const start = (by = admin, body: object = { source }) => by.request('POST', '/api/system/upgrade', body)
const show = async () => (await admin.request('GET', '/api/system/version')).json<PanelVersion>()
const notified = async (kind: string) =>
  (await admin.request('GET', '/api/notifications'))
    .json<NotificationList>()
    .notifications.filter((each) => each.kind === kind)

test('an upgrade is prepared by a job and shown until it ends', async () => {
  const answer = await start()
  expect(answer.statusCode).toBe(202)
  expect(answer.json<PanelUpgrade>()).toMatchObject({ status: 'PREPARING', to: null, problem: null })
  expect(await panel.audited({ action: 'panel.upgrade_requested' })).toMatchObject([{ metadata: { source } }])
  await prepareUpgrade(panel.deps, { source })
  upgrades.problem = 'The release is version 0.2.0, and the panel is version 0.2.0.'
  await prepareUpgrade(panel.deps, { source })
  expect((await show()).upgrade).toMatchObject({ status: 'SWITCHING', to: '0.2.0' })
  expect((await start()).statusCode).toBe(409)
  upgrades.upgrade = { ...upgrades.upgrade!, phase: 'done', endedAt: new Date().toISOString() }
  expect((await show()).upgrade).toMatchObject({ status: 'COMPLETED', from: '0.1.0', to: '0.2.0' })
})

test.each([
  ['done', 'panel.upgraded', 'upgrade-finished'],
  ['reverted', 'panel.upgrade_reverted', 'upgrade-failed']
] as const)('the end of an upgrade (%s) is recorded once', async (phase, action, kind) => {
  const before = (await notified(kind)).length
  await start()
  await prepareUpgrade(panel.deps, { source })
  await reportUpgrade(panel.deps)
  expect(await notified(kind)).toHaveLength(before)
  upgrades.upgrade = { ...upgrades.upgrade!, id: `upgrade-${phase}`, phase, problem: 'It exited with status 1.' }
  await Promise.all([reportUpgrade(panel.deps), reportUpgrade(panel.deps)])
  await reportUpgrade(panel.deps)
  expect(await panel.audited({ action })).toHaveLength(1)
  expect(await notified(kind)).toHaveLength(before + 1)
})

test('a refused release changes nothing, and another attempt is possible', async () => {
  await start()
  upgrades.problem = 'The signature does not match the release.'
  await prepareUpgrade(panel.deps, { source })
  expect((await show()).upgrade).toMatchObject({ status: 'REFUSED', to: null, problem: upgrades.problem })
  expect((await notified('upgrade-failed'))[0]).toMatchObject({ text: expect.stringContaining(upgrades.problem) })
  expect((await start()).statusCode).toBe(202)
})

test('a server that cannot be upgraded says why', async () => {
  upgrades.obstacle = 'UPDATE_PUBLIC_KEY is not set.'
  expect((await show()).upgradeObstacle).toBe(upgrades.obstacle)
  expect((await start()).statusCode).toBe(409)
  expect(await panel.deps.db.select().from(settings).where(eq(settings.key, 'upgrade:preparation'))).toEqual([])
})

test('only administrators upgrade, and only from https', async () => {
  expect((await start(ann)).statusCode).toBe(403)
  for (const bad of ['http://releases.example.org/x.tar.gz', 'file:///etc/passwd', '/etc/passwd', ''])
    expect((await start(admin, { source: bad })).statusCode).toBe(400)
})
