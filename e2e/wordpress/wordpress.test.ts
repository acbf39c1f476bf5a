import { chown, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database, DatabaseList } from '@panel/contract/databases'
import type { Deployment } from '@panel/contract/deployments'
import type { Project } from '@panel/contract/projects'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readWpConfig } from '../../packages/server/src/features/wordpress/wp-config.policy.ts'
import { phpString, saltNames } from '../../packages/server/src/features/wordpress/wp-config.render.ts'
import { docker } from '../support/engine.ts'
import { type Client, type RunningPanel, startPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { type Browser, installWordpress, logIn, openBrowser, uploadMedia } from '../support/wordpress.ts'
import { ownDatabases } from '../support/shared-databases.ts'

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64'
)

let panel: RunningPanel
let owner: Client
beforeAll(async () => {
  panel = await startPanel(ownDatabases)
  owner = await panel.signUp()
})
afterAll(async () => {
  await panel?.dispose()
})

interface Site {
  id: string
  name: string
  /** Its directory on the host. */
  files: string
  browser: Browser
}

const newProject = async (): Promise<Site> => {
  const { id, name } = await owner.createProject({ type: 'WORDPRESS' })
  return {
    id,
    name,
    files: join(panel.dataDir, 'workspaces', 'projects', 'by-id', id),
    browser: openBrowser({ port: panel.proxyPort, hostname: `${name}.apps.localhost` })
  }
}

const deploy = async (site: Pick<Site, 'id'>) => {
  const deployment = await owner.build(site.id)
  expect(deployment, deployment.buildLogs ?? '').toMatchObject({ status: 'RUNNING' })
}

const databasesOf = async (site: Pick<Site, 'id'>): Promise<Database[]> =>
  (await owner.call<DatabaseList>('GET', `/databases?projectId=${site.id}`)).databases

const containerOf = async (site: Pick<Site, 'id'>): Promise<string> =>
  (await owner.call<Project>('GET', `/projects/${site.id}`)).containerId!

const saltsIn = (config: string): string[] => saltNames.map((name) => config.split(`'${name}', `)[1]!.split('\n')[0]!)

describe('a site', () => {
  const title = `Anna’s <Café> & "Bar" it's`
  let site: Site
  let media: string
  beforeAll(async () => {
    site = await newProject()
    await deploy(site)
    await installWordpress(site.browser, title)
    media = await uploadMedia(site.browser, 'picture.png', 'image/png', picture)
  })

  /** The front page, the picture, and the owner's login. */
  const expectWhole = async (browser = site.browser) => {
    const front = await browser.get('/')
    expect([front.status, front.headers.location]).toEqual([200, undefined])
    expect(front.text).toContain('Anna’s &lt;Café&gt; &amp; &quot;Bar&quot; it&#039;s')
    expect((await browser.get(media)).body).toEqual(picture)
    expect((await browser.get('/wp-admin/')).text).toContain('Dashboard')
  }

  test('is installed by its owner through the proxy, and serves what they upload', async () => {
    await expectWhole()
    const { uid } = await stat(site.files)
    const kept = await stat(join(site.files, media))
    expect([uid >= 20_000, kept.uid, kept.size]).toEqual([true, uid, picture.length])
    const { status, text } = await site.browser.get('/wp-admin/plugins.php')
    expect(status).toBe(200)
    expect(text).toContain('plugin-install.php') // Its owner may install plugins.
  })

  test('has a database of its own, linked', async () => {
    const [database, ...others] = await databasesOf(site)
    expect(others).toEqual([])
    expect(database).toMatchObject({ type: 'MYSQL', projectId: site.id, autoInjectEnv: true })
  })

  test('has a configuration that holds no password, and keys that no other site has', async () => {
    const path = join(site.files, 'wp-config.php')
    const config = await readFile(path, 'utf8')
    expect((await stat(path)).mode & 0o777).toBe(0o640)
    expect(await docker('exec', await containerOf(site), 'php', '-l', 'wp-config.php')).toMatch(/^No syntax errors/)
    const [database] = await databasesOf(site)
    const { password } = await owner.call<Database>('GET', `/databases/${database!.id}`)
    expect(config).not.toContain(password)
    expect(readWpConfig(config)).toMatchObject({ DB_CHARSET: 'utf8mb4', tablePrefix: 'wp_' })

    const another = await newProject()
    await deploy(another)
    const salts = [...saltsIn(config), ...saltsIn(await readFile(join(another.files, 'wp-config.php'), 'utf8'))]
    expect(new Set(salts).size).toBe(16)
    for (const salt of salts) expect(salt.length).toBeGreaterThanOrEqual(64 + "'');".length)
  })

  test('what we write as a text, PHP reads as that text', async () => {
    const texts = fc.sample(fc.string({ unit: fc.constantFrom(`'`, '\\', '"', '$x', '?>', '\n', '*/', '{', 'é') }), 200)
    const script = `echo json_encode([${texts.map(phpString).join(',')}]);`
    expect(JSON.parse(await docker('exec', await containerOf(site), 'php', '-r', script))).toEqual(texts)
  })

  test('keeps its configuration from the file manager, and its markers and forgotten copies from the web', async () => {
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

  test('runs a plugin that was put there by hand, by the file manager or SFTP', async () => {
    const plugin = (word: string) => `<?php add_action('wp_footer', function () { echo 'plugin ${word}'; });`
    await owner.call('POST', `/files/${site.id}/mkdir`, { path: 'wp-content/mu-plugins' })
    await owner.call('POST', `/files/${site.id}/create`, { path: 'wp-content/mu-plugins/a.php', content: plugin('a') })
    await putAsOwner(site, 'wp-content/mu-plugins/b.php', plugin('b'))
    await until(
      async () => (await site.browser.get('/')).text,
      (text) => text.includes('plugin a') && text.includes('plugin b')
    )
  })

  test('keeps everything over a new deployment', async () => {
    const before = await readFile(join(site.files, 'wp-config.php'), 'utf8')
    await putAsOwner(site, 'wp-content/mine.txt', 'mine')
    await deploy(site)
    await expectWhole()
    expect((await site.browser.get('/wp-content/mine.txt')).text).toBe('mine')
    expect(await readFile(join(site.files, 'wp-config.php'), 'utf8')).toBe(before)
    expect(await databasesOf(site)).toHaveLength(1)
  })

  test('goes on under a changed password of its database', async () => {
    const [database] = await databasesOf(site)
    const { password } = await owner.call<Database>('GET', `/databases/${database!.id}`)
    await owner.call('POST', `/databases/${database!.id}/rotate-password`)
    expect((await owner.call<Database>('GET', `/databases/${database!.id}`)).password).not.toBe(password)
    await until(
      () => owner.call<{ deployments: Deployment[] }>('GET', `/projects/${site.id}/deployments`),
      ({ deployments }) => deployments.every(({ status }) => ['RUNNING', 'FAILED'].includes(status))
    )
    await expectWhole()
  })

  test('is renamed while it runs, and starts again', async () => {
    const name = `${site.name}-new`
    await owner.call('PUT', `/projects/${site.id}`, { name })
    await expectWhole()
    await owner.call('POST', `/projects/${site.id}/container/restart`)
    await expectWhole()
    await putAsOwner(site, 'wp-content/after-rename.txt', 'still the same directory')
    expect((await site.browser.get('/wp-content/after-rename.txt')).text).toBe('still the same directory')
  })

  test('outlives the removal of its container', async () => {
    await owner.call('POST', `/projects/${site.id}/container/remove`)
    await stat(join(site.files, media))
    await owner.call('POST', `/projects/${site.id}/deploy`)
    const { deployedDomain } = await owner.call<Project>('GET', `/projects/${site.id}`)
    const browser = openBrowser({ port: panel.proxyPort, hostname: deployedDomain! })
    expect((await browser.get(media)).body).toEqual(picture)
    await logIn(browser)
  })
})

test('a site of before keeps its pictures in their volume, inside its directory', async () => {
  const site = await newProject()
  const volume = `panel-${panel.instanceId}-${site.id}-var-www-html-wp-content-uploads`
  const labels = ['--label', `panel.instance=${panel.instanceId}`, '--label', `panel.project=${site.id}`]
  await docker('volume', 'create', ...labels, volume)
  await docker('run', '--rm', '--volume', `${volume}:/uploads`, 'php:8.2-apache', 'sh', '-c', 'chmod 1777 /uploads && echo former > /uploads/a.txt') // prettier-ignore
  await deploy(site)
  expect((await site.browser.get('/wp-content/uploads/a.txt')).text).toBe('former\n')
  await installWordpress(site.browser, 'Previous')
  const media = await uploadMedia(site.browser, 'picture.png', 'image/png', picture)
  expect((await site.browser.get(media)).body).toEqual(picture)
  const { uid } = await stat(site.files)
  expect((await stat(join(site.files, 'wp-content', 'uploads'))).uid).toBe(uid)
  await stat(join(site.files, 'wp-content', 'themes'))
})

test('its owner may have a database elsewhere: then none is made', async () => {
  const site = await newProject()
  await owner.call('POST', `/projects/${site.id}/env`, { key: 'WORDPRESS_DB_HOST', value: 'db.invalid' })
  await deploy(site)
  expect(await databasesOf(site)).toEqual([])
  expect((await site.browser.get('/')).status).toBe(500)
})

test('where no database can be made, the deployment says why', async () => {
  const poor = await panel.signUp('poor')
  await panel.query(`update users set max_databases = 0 where email = 'poor@example.com'`)
  const { id } = await poor.createProject({ type: 'WORDPRESS' })
  const failed = await poor.build(id)
  expect(failed.status).toBe('FAILED')
  expect(failed.buildLogs).toMatch(/^FAILED: .*databases/m)
  await poor.call('POST', `/projects/${id}/env`, { key: 'DB_HOST', value: 'db.invalid' })
  expect((await poor.build(id)).status).toBe('RUNNING')
})

test('kill -9 right after the database was begun: the next deployment ends with one', async () => {
  const site = await newProject()
  const requested = owner.request('POST', `/projects/${site.id}/build`)
  await until(
    () => panel.query('select id from databases where project_id = $1', [site.id]),
    (rows) => rows.length > 0
  )
  await panel.killWorker()
  await panel.start()
  await requested.catch(() => {}) // Its answer may have been cut off.
  await until(
    () => owner.call<{ deployments: Deployment[] }>('GET', `/projects/${site.id}/deployments`),
    ({ deployments }) => deployments.every(({ status }) => status === 'FAILED')
  )
  await deploy(site)
  expect(await databasesOf(site)).toHaveLength(1)
  await installWordpress(site.browser, 'After the crash')
  expect((await site.browser.get('/')).text).toContain('After the crash')
})

/** As SFTP writes: by the account of the owner. */
async function putAsOwner(site: Site, path: string, text: string): Promise<void> {
  const { uid, gid } = await stat(site.files)
  const target = join(site.files, path)
  await mkdir(join(target, '..'), { recursive: true })
  await writeFile(target, text)
  await chown(target, uid, gid)
}
