import type { Health } from '@panel/contract/system'
import { beforeAll, expect, test } from 'vitest'
import { startLoad } from '../support/load.ts'
import type { Client, Site } from '../support/panel.ts'
import { sharedWorld, type World } from '../support/shared-world.ts'
import { nodeSite } from '../support/sites.ts'

let world: World
let user: Client
let site: Site
beforeAll(async () => {
  world = await sharedWorld()
  user = await world.panel.signUp()
  site = await user.createSite(world.git, nodeSite('kept'))
  await user.mustRun(site.id)
})

const containerOf = async () => (await user.call<{ containerId: string }>('GET', `/projects/${site.id}`)).containerId
const health = async () => (await user.call<Health>('GET', '/health')).status

test('kill -9 of the panel drops no request, and the next start adopts what runs', async () => {
  const before = await containerOf()
  const load = startLoad(world.panel.proxyPort, site.hostname, (body) => body.startsWith('kept'))
  await world.panel.kill()
  await world.panel.start()
  await expect.poll(health).toBe('ok')
  await load.stop()
  expect(load.failures).toEqual([])
  expect(await containerOf()).toBe(before)
})

test('sites, sessions and data survive a restart', async () => {
  await world.panel.stop()
  await world.panel.start()
  await expect.poll(async () => (await world.panel.visit(site.hostname)).body).toBe('kept /')
  expect(await user.call('GET', '/auth/me')).toMatchObject({ role: 'USER' })
  await world.git.commit(site.repository, nodeSite('changed'), 'Change')
  await user.mustRun(site.id)
  expect((await world.panel.visit(site.hostname)).body).toBe('changed /')
})
