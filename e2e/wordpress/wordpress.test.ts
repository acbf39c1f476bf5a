import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deployment } from '@panel/contract/deployments'
import { beforeAll, expect, test } from 'vitest'
import { picture, wordpressSites } from './sites.harness.ts'
import { docker } from '../support/engine.ts'
import type { Client } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { sharedWorld, type World } from '../support/shared-world.ts'
import { installWordpress, uploadMedia } from '../support/wordpress.ts'

let world: World
let owner: Client
let sites: ReturnType<typeof wordpressSites>
beforeAll(async () => {
  world = await sharedWorld()
  owner = await world.panel.signUp()
  sites = wordpressSites(world, owner)
})

test('a site with uploads in an old volume keeps them in its directory', async () => {
  const site = await sites.create()
  const volume = `panel-${world.panel.instanceId}-${site.id}-var-www-html-wp-content-uploads`
  const labels = ['--label', `panel.instance=${world.panel.instanceId}`, '--label', `panel.project=${site.id}`]
  await docker('volume', 'create', ...labels, volume)
  await docker('run', '--rm', '--volume', `${volume}:/uploads`, 'php:8.4-fpm', 'sh', '-c', 'chmod 1777 /uploads && echo former > /uploads/a.txt') // oxfmt-ignore
  await sites.deploy(site)
  expect((await site.browser.get('/wp-content/uploads/a.txt')).text).toBe('former\n')
  await installWordpress(site.browser, 'Previous')
  const media = await uploadMedia(site.browser, 'picture.png', 'image/png', picture)
  expect((await site.browser.get(media)).body).toEqual(picture)
  const { uid } = await stat(site.files)
  expect((await stat(join(site.files, 'wp-content', 'uploads'))).uid).toBe(uid)
  await stat(join(site.files, 'wp-content', 'themes'))
})

test('if the database cannot be created, the deployment says why; with an external one, none is created', async () => {
  const poor = await world.panel.signUp()
  const { id: userId } = await poor.call<{ id: string }>('GET', '/auth/me')
  await world.panel.query('update users set max_databases = 0 where id = $1', [userId])
  const { id, name } = await poor.createProject({ type: 'WORDPRESS' })
  const failed = await poor.build(id)
  expect(failed.status).toBe('FAILED')
  expect(failed.buildLogs).toMatch(/^FAILED: .*databases/m)
  await poor.call('POST', `/projects/${id}/env`, { key: 'WORDPRESS_DB_HOST', value: 'db.invalid' })
  expect((await poor.build(id)).status).toBe('RUNNING')
  expect((await poor.call<{ databases: unknown[] }>('GET', `/databases?projectId=${id}`)).databases).toEqual([])
  expect((await world.panel.visit(`${name}.apps.localhost`)).status).toBe(500)
})

test('kill -9 after the database was started: the next deployment creates one', async () => {
  const site = await sites.create()
  const requested = owner.request('POST', `/projects/${site.id}/build`)
  await until(
    () => world.panel.query('select id from databases where project_id = $1', [site.id]),
    (rows) => rows.length > 0
  )
  await world.panel.killWorker()
  await world.panel.start()
  await requested.catch(() => {})
  await until(
    () => owner.call<{ deployments: Deployment[] }>('GET', `/projects/${site.id}/deployments`),
    ({ deployments }) => deployments.every(({ status }) => status === 'FAILED')
  )
  await sites.deploy(site)
  expect(await sites.databasesOf(site)).toHaveLength(1)
  await installWordpress(site.browser, 'After the crash')
  expect((await site.browser.get('/')).text).toContain('After the crash')
})
