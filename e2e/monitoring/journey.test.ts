import type { NotificationList } from '@panel/contract/notifications'
import type { ContainerMetric } from '@panel/contract/monitoring'
import type { Traffic } from '@panel/contract/traffic'
import type { UptimeCheck } from '@panel/contract/uptime-checks'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { liveTestClients } from '../../packages/server/test/support/live.ts'
import type { Client, Site } from '../support/panel.ts'
import { sharedWorld, type World } from '../support/shared-world.ts'
import { nodeSite } from '../support/sites.ts'

/** What an owner sees of a running site: live events, metrics, traffic and uptime. */
let world: World
let user: Client
let site: Site
beforeAll(async () => {
  world = await sharedWorld()
  user = await world.panel.signUp()
  site = await user.createSite(world.git, nodeSite('watched'))
})
const live = liveTestClients(() => world.panel.url)
afterEach(() => live.close())

test('the live channel reports a deployment to its owner only', async () => {
  const stranger = await world.panel.signUp()
  const [mine, theirs] = [await live.connect({ cookie: user.cookie }), await live.connect({ cookie: stranger.cookie })]
  await user.mustRun(site.id)
  const statuses = () => mine.of('deployment:status').map((data) => (data as { status: string }).status)
  await expect.poll(statuses).toEqual(expect.arrayContaining(['BUILDING', 'DEPLOYING', 'RUNNING']))
  expect(theirs.heard.filter(({ event }) => event.startsWith('deployment:'))).toEqual([])
})

test('requests are counted by status, the container by the kernel', async () => {
  for (const status of [200, 404, 500]) await world.panel.visit(site.hostname, `/status/${status}`)
  const metrics = async () => (await user.call<ContainerMetric[]>('GET', '/monitoring/containers'))[0]?.ramUsed ?? 0
  await expect.poll(metrics).toBeGreaterThan(1_000_000)
  const total = async () => (await user.call<Traffic>('GET', `/projects/${site.id}/traffic?range=1h`)).total
  await expect.poll(total).toMatchObject({ clientErrors: 1, serverErrors: 1 })
})

test('an uptime check reports the site down while it answers 500, then up, and notifies', async () => {
  const path = `/projects/${site.id}/uptime-checks`
  const often = { retries: 0, intervalMinutes: 1, timeoutSeconds: 5 }
  const values = { name: 'front page', hostname: site.hostname, path: '/status/500', ...often }
  const { id } = await user.call<UptimeCheck>('POST', path, values)
  const now = async () => {
    const soon = `update uptime_checks set next_run_at = now() where id = $1 and next_run_at > now() + interval '20 seconds'`
    await world.panel.query(soon, [id])
    return user.call<UptimeCheck>('GET', `${path}/${id}`)
  }
  await expect.poll(now, { interval: 1_000 }).toMatchObject({ state: 'DOWN', lastStatus: 500 })
  await user.call('PATCH', `${path}/${id}`, { path: '/', text: 'watched' })
  await expect.poll(now, { interval: 1_000 }).toMatchObject({ state: 'UP', lastStatus: 200, lastReason: null })
  const { notifications } = await user.call<NotificationList>('GET', '/notifications')
  expect(notifications.map(({ kind }) => kind)).toContain('site-down')
})
