import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '@panel/contract/databases'
import type { Deployment } from '@panel/contract/deployments'
import type { Project } from '@panel/contract/projects'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { readWpConfig } from '../../packages/server/src/features/wordpress/wp-config.policy.ts'
import { phpString, saltNames } from '../../packages/server/src/features/wordpress/wp-config.render.ts'
import { picture, putAsOwner, type WordpressSite, wordpressSites } from './sites.harness.ts'
import { docker } from '../support/engine.ts'
import type { Client } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { sharedWorld, type World } from '../support/shared-world.ts'
import { installWordpress, logIn, openBrowser, uploadMedia } from '../support/wordpress.ts'

let world: World
let owner: Client
let sites: ReturnType<typeof wordpressSites>
beforeAll(async () => {
  world = await sharedWorld()
  owner = await world.panel.signUp()
  sites = wordpressSites(world, owner)
})

const containerOf = async (site: Pick<WordpressSite, 'id'>): Promise<string> =>
  (await owner.call<Project>('GET', `/projects/${site.id}`)).containerId!

const saltsIn = (config: string): string[] => saltNames.map((name) => config.split(`'${name}', `)[1]!.split('\n')[0]!)

describe('a site', () => {
  const title = `Anna’s <Café> & "Bar" it's`
  let site: WordpressSite
  let media: string
  beforeAll(async () => {
    site = await sites.create()
    await sites.deploy(site)
    await installWordpress(site.browser, title)
    media = await uploadMedia(site.browser, 'picture.png', 'image/png', picture)
  })

  const expectWhole = async (browser = site.browser) => {
    const front = await browser.get('/')
    expect([front.status, front.headers.location]).toEqual([200, undefined])
    expect(front.text).toContain('Anna’s &lt;Café&gt; &amp; &quot;Bar&quot; it&#039;s')
    expect((await browser.get(media)).body).toEqual(picture)
    expect((await browser.get('/wp-admin/')).text).toContain('Dashboard')
  }

  test('is installed by its owner through the proxy and serves uploads', async () => {
    await expectWhole()
    const { uid } = await stat(site.files)
    const kept = await stat(join(site.files, media))
    expect([uid >= 20_000, kept.uid, kept.size]).toEqual([true, uid, picture.length])
    const { status, text } = await site.browser.get('/wp-admin/plugins.php')
    expect(status).toBe(200)
    expect(text).toContain('plugin-install.php')
  })

  test('has its own linked database', async () => {
    const [database, ...others] = await sites.databasesOf(site)
    expect(others).toEqual([])
    expect(database).toMatchObject({ type: 'MYSQL', projectId: site.id, autoInjectEnv: true })
  })

  test('has a configuration without passwords and with unique keys', async () => {
    const path = join(site.files, 'wp-config.php')
    const config = await readFile(path, 'utf8')
    expect((await stat(path)).mode & 0o777).toBe(0o640)
    expect(await docker('exec', await containerOf(site), 'php', '-l', 'wp-config.php')).toMatch(/^No syntax errors/)
    const [database] = await sites.databasesOf(site)
    const { password } = await owner.call<Database>('GET', `/databases/${database!.id}`)
    expect(config).not.toContain(password)
    expect(readWpConfig(config)).toMatchObject({ DB_CHARSET: 'utf8mb4', tablePrefix: 'wp_' })

    const another = await sites.create()
    await sites.deploy(another)
    const salts = [...saltsIn(config), ...saltsIn(await readFile(join(another.files, 'wp-config.php'), 'utf8'))]
    expect(new Set(salts).size).toBe(16)
    for (const salt of salts) expect(salt.length).toBeGreaterThanOrEqual(64 + "'');".length)
  })

  test('PHP reads our string literals unchanged', async () => {
    const texts = fc.sample(fc.string({ unit: fc.constantFrom(`'`, '\\', '"', '$x', '?>', '\n', '*/', '{', 'é') }), 200)
    const script = `echo json_encode([${texts.map(phpString).join(',')}]);`
    expect(JSON.parse(await docker('exec', await containerOf(site), 'php', '-r', script))).toEqual(texts)
  })

  test('hides its configuration from the file manager and internal files from the web', async () => {
    for (const [method, path, body] of [
      ['POST', 'write', { path: 'wp-config.php', content: '' }],
      ['DELETE', 'delete', { path: 'wp-config.php' }],
      ['POST', 'rename', { from: 'wp-config.php', to: 'old.php' }]
    ] as const) {
      const { status } = await owner.request(method, `/files/${site.id}/${path}`, body)
      expect([path, status]).toEqual([path, 403])
    }
    const forgotten = ['wp-config.php.bak', 'wp-config.txt', 'shop.SQL', 'shop.sql.gz', 'wp-content/debug.log']
    for (const path of forgotten) await owner.call('POST', `/files/${site.id}/create`, { path, content: 'secret' })
    for (const path of ['wp-config.php', '.panel-release', '.panel-tmp/', '.htaccess', ...forgotten])
      expect([path, (await site.browser.get(`/${path}`)).status]).toEqual([path, 403])
  })

  test('runs plugins added by hand, file manager or SFTP', async () => {
    const plugin = (word: string) => `<?php add_action('wp_footer', function () { echo 'plugin ${word}'; });`
    await owner.call('POST', `/files/${site.id}/mkdir`, { path: 'wp-content/mu-plugins' })
    await owner.call('POST', `/files/${site.id}/create`, { path: 'wp-content/mu-plugins/a.php', content: plugin('a') })
    await putAsOwner(site, 'wp-content/mu-plugins/b.php', plugin('b'))
    await until(
      async () => (await site.browser.get('/')).text,
      (text) => text.includes('plugin a') && text.includes('plugin b')
    )
  })

  test('keeps everything across a deployment', async () => {
    const before = await readFile(join(site.files, 'wp-config.php'), 'utf8')
    await putAsOwner(site, 'wp-content/mine.txt', 'mine')
    await sites.deploy(site)
    await expectWhole()
    expect((await site.browser.get('/wp-content/mine.txt')).text).toBe('mine')
    expect(await readFile(join(site.files, 'wp-config.php'), 'utf8')).toBe(before)
    expect(await sites.databasesOf(site)).toHaveLength(1)
  })

  test('keeps working after a database password change', async () => {
    const [database] = await sites.databasesOf(site)
    const { password } = await owner.call<Database>('GET', `/databases/${database!.id}`)
    await owner.call('POST', `/databases/${database!.id}/rotate-password`)
    expect((await owner.call<Database>('GET', `/databases/${database!.id}`)).password).not.toBe(password)
    await until(
      () => owner.call<{ deployments: Deployment[] }>('GET', `/projects/${site.id}/deployments`),
      ({ deployments }) => deployments.every(({ status }) => ['RUNNING', 'FAILED'].includes(status))
    )
    await expectWhole()
  })

  test('is renamed while running and starts again', async () => {
    const name = `${site.name}-new`
    await owner.call('PUT', `/projects/${site.id}`, { name })
    await expectWhole()
    await owner.call('POST', `/projects/${site.id}/container/restart`)
    await expectWhole()
    await putAsOwner(site, 'wp-content/after-rename.txt', 'still the same directory')
    expect((await site.browser.get('/wp-content/after-rename.txt')).text).toBe('still the same directory')
  })

  test('survives the removal of its container', async () => {
    await owner.call('POST', `/projects/${site.id}/container/remove`)
    await stat(join(site.files, media))
    await owner.call('POST', `/projects/${site.id}/deploy`)
    const { deployedDomain } = await owner.call<Project>('GET', `/projects/${site.id}`)
    const browser = openBrowser({ port: world.panel.proxyPort, hostname: deployedDomain! })
    expect((await browser.get(media)).body).toEqual(picture)
    await logIn(browser)
  })
})
