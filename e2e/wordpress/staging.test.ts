import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { WordpressStaging, WordpressTask } from '@panel/contract/wordpress-care'
import { beforeAll, expect, test } from 'vitest'
import { docker } from '../support/engine.ts'
import type { Client } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { sharedWorld, type World } from '../support/shared-world.ts'
import { installWordpress, openBrowser, uploadMedia } from '../support/wordpress.ts'
import { picture, putAsOwner, type WordpressSite, wordpressSites } from './sites.harness.ts'

let world: World
let owner: Client
let site: WordpressSite
let staging: WordpressSite
let image: string
beforeAll(async () => {
  world = await sharedWorld()
  owner = await world.panel.signUp()
  const sites = wordpressSites(world, owner)
  site = await sites.create()
  await sites.deploy(site)
  await installWordpress(site.browser, 'Original')
  image = await uploadMedia(site.browser, 'a.png', 'image/png', picture)
  await wp(
    site,
    `wp_insert_post(['post_title' => 'Hello', 'post_status' => 'publish', 'post_content' => home_url('/hello')]);`
  )
})

const php = async ({ id }: WordpressSite, code: string) =>
  docker('exec', (await owner.call<{ containerId: string }>('GET', `/projects/${id}`)).containerId, 'php', '-r', code)
const wp = (of: WordpressSite, code: string) => php(of, `require '/var/www/html/wp-load.php'; ${code}`)
const ended = ({ id, projectId }: WordpressTask) =>
  until(() => owner.call<WordpressTask>('GET', `/projects/${projectId}/wordpress/tasks/${id}`), ({ status }) => status !== 'RUNNING') // oxfmt-ignore
const startCopy = (from: WordpressSite, to: WordpressSite, what: object = {}) =>
  until(
    // The previous task is cleaned up a moment after it has ended.
    () => owner.call<WordpressTask>('POST', `/projects/${to.id}/wordpress/copies`, { fromProjectId: from.id, ...what }).catch(() => undefined), // oxfmt-ignore
    (started) => started !== undefined
  )
const copy = async (from: WordpressSite, to: WordpressSite, what: object = {}) =>
  ended((await startCopy(from, to, what))!)
/** Visitors get in again a moment after the task has ended. */
const open = (of: WordpressSite, headers?: Record<string, string>) =>
  until(() => of.browser.get('/', headers), ({ status }) => status === 200) // oxfmt-ignore
const facts = async (of: WordpressSite) =>
  JSON.parse(await wp(of, `echo json_encode(['name' => get_option('blogname'), 'home' => get_option('home'), 'content' => get_posts(['numberposts' => 1])[0]->post_content]);`)) as unknown // oxfmt-ignore
/** The original was installed at an address without the port. */
const address = ({ name }: WordpressSite) =>
  `http://${name}.apps.localhost${name === site.name ? '' : `:${world.panel.proxyPort}`}`

test('a staging copy has the content of the site, its own addresses, and a password', async () => {
  const name = `${site.name}-staging`
  const task = await owner.call<WordpressTask>('POST', `/projects/${site.id}/wordpress/staging`, {})
  expect(await ended(task)).toMatchObject({ problem: null, status: 'SUCCEEDED' })
  const id = task.projectId
  staging = {
    id,
    name,
    files: join(world.projects, 'by-id', id),
    browser: openBrowser({ port: world.panel.proxyPort, hostname: `${name}.apps.localhost:${world.panel.proxyPort}` })
  }
  const { access, stagingOf } = await owner.call<WordpressStaging>('GET', `/projects/${id}/wordpress/staging`)
  expect(stagingOf).toMatchObject({ id: site.id, name: site.name })
  expect((await owner.call<WordpressStaging>('GET', `/projects/${site.id}/wordpress/staging`)).copies).toMatchObject([
    { id, name }
  ])
  expect((await staging.browser.get('/')).status).toBe(401)
  expect((await staging.browser.get(image, { authorization: login('staging', 'wrong') })).status).toBe(401)
  const authorization = login(access!.username, access!.password)
  const page = await open(staging, { authorization })
  expect(page.headers['x-robots-tag']).toBe('noindex, nofollow')
  expect((await staging.browser.get(image, { authorization })).body.equals(picture)).toBe(true)
  expect(await facts(staging)).toEqual({
    name: 'Original',
    home: address(staging),
    content: `${address(staging)}/hello`
  })
  expect(await facts(site)).toEqual({ name: 'Original', home: address(site), content: `${address(site)}/hello` })
  expect((await open(site)).headers['x-robots-tag']).toBeUndefined()
})

test('a staging copy reaches itself without its password, visitors and other accounts do not', async () => {
  const { port, hostname } = { port: world.panel.proxyPort, hostname: `${staging.name}.apps.localhost` }
  // curl takes names below localhost for the container itself, whatever /etc/hosts says.
  const resolve = (own: string) => `['${hostname}:${port}:' . gethostbyname('${own}')]`
  const codes = await wp(
    staging,
    `add_action('http_api_curl', fn($curl) => curl_setopt($curl, CURLOPT_RESOLVE, ${resolve(hostname)}));
    require_once ABSPATH . 'wp-admin/includes/class-wp-site-health.php';
    $code = fn($url) => wp_remote_retrieve_response_code(wp_remote_get($url));
    echo json_encode([WP_Site_Health::get_instance()->can_perform_loopback()->status, $code(rest_url()), $code(site_url('wp-cron.php'))]);`
  )
  expect(JSON.parse(codes)).toEqual(['good', 200, 200])

  const other = await world.panel.signUp()
  const { id, name } = await other.createProject({ type: 'WORDPRESS' })
  expect(await other.build(id)).toMatchObject({ status: 'RUNNING' })
  const request = `$curl = curl_init('http://${hostname}:${port}/');
    curl_setopt_array($curl, [CURLOPT_RETURNTRANSFER => true, CURLOPT_RESOLVE => ${resolve(`${name}.apps.localhost`)}]);
    curl_exec($curl); echo curl_getinfo($curl, CURLINFO_RESPONSE_CODE);`
  const { containerId } = await other.call<{ containerId: string }>('GET', `/projects/${id}`)
  expect(await docker('exec', containerId, 'php', '-r', request)).toBe('401')
  const address = await php(staging, `echo gethostbyname(gethostname());`)
  expect((await staging.browser.get('/', { 'x-forwarded-for': address, 'x-real-ip': address })).status).toBe(401)
})

const login = (name: string, password: string) => `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`

test('files or database alone are pushed back', async () => {
  await putAsOwner(
    staging,
    'wp-content/mu-plugins/new.php',
    `<?php add_action('wp_footer', fn() => print('<b>new</b>'));`
  )
  await wp(staging, `update_option('blogname', 'Changed');`)
  const config = await readFile(join(site.files, 'wp-config.php'), 'utf8')
  expect(await copy(staging, site, { database: false })).toMatchObject({ status: 'SUCCEEDED', problem: null })
  expect((await open(site)).text).toContain('<b>new</b>')
  expect(await facts(site)).toMatchObject({ name: 'Original', home: address(site) })
  expect(await readFile(join(site.files, 'wp-config.php'), 'utf8')).toBe(config)

  await rm(join(staging.files, 'wp-content/mu-plugins/new.php'))
  expect(await copy(staging, site, { files: false })).toMatchObject({ status: 'SUCCEEDED', problem: null })
  expect((await open(site)).text).toContain('<b>new</b>')
  expect(await facts(site)).toEqual({ name: 'Changed', home: address(site), content: `${address(site)}/hello` })
})

test('content that ends in an error is taken back', async () => {
  await putAsOwner(staging, 'wp-content/mu-plugins/broken.php', `<?php missing_function();`)
  expect(await copy(staging, site)).toMatchObject({
    status: 'ROLLED_BACK',
    problemSentences: [{ code: 'COPY_BROKEN' }]
  })
  expect((await open(site)).text).toContain('<b>new</b>')
  expect(await facts(site)).toMatchObject({ name: 'Changed', home: address(site) })
  expect(await readFile(join(site.files, 'wp-content/mu-plugins/broken.php')).catch(() => 'none')).toBe('none')
  await rm(join(staging.files, 'wp-content/mu-plugins/broken.php'))
})

test('kill -9 while content is exchanged leaves the site as it was', async () => {
  const task = (await startCopy(staging, site))!
  await until(() => owner.call<WordpressTask>('GET', `/projects/${site.id}/wordpress/tasks/${task.id}`), ({ step }) => step === 'CHANGING') // oxfmt-ignore
  await world.panel.killWorker()
  await world.panel.start()
  expect(['ROLLED_BACK', 'SUCCEEDED']).toContain((await ended(task)).status)
  expect((await open(site)).status).toBe(200)
  expect(await facts(site)).toMatchObject({ name: 'Changed', home: address(site) })
})

test('a push is undone, also if the panel is killed meanwhile', async () => {
  const undo = ({ id }: WordpressTask) =>
    until(
      () => owner.call<WordpressTask>('POST', `/projects/${site.id}/wordpress/tasks/${id}/undo`).catch(() => undefined),
      (started) => started !== undefined
    )
  await putAsOwner(
    staging,
    'wp-content/mu-plugins/late.php',
    `<?php add_action('wp_footer', fn() => print('<b>late</b>'));`
  )
  await wp(staging, `update_option('blogname', 'Pushed');`)
  const before = Date.now()
  const pushed = await copy(staging, site)
  expect(pushed).toMatchObject({ status: 'SUCCEEDED' })
  expect(Date.parse(pushed.undoUntil!)).toBeGreaterThan(before + 6 * 24 * 3600_000)
  expect((await open(site)).text).toContain('<b>late</b>')
  expect(await facts(site)).toMatchObject({ name: 'Pushed' })

  const undone = (await undo(pushed))!
  await until(() => owner.call<WordpressTask>('GET', `/projects/${site.id}/wordpress/tasks/${undone.id}`), ({ step }) => step === 'RESTORING' || step === 'DONE') // oxfmt-ignore
  await world.panel.killWorker()
  await world.panel.start()
  expect(await ended(undone)).toMatchObject({ kind: 'UNDO', status: 'SUCCEEDED', problem: null })
  expect((await open(site)).text).not.toContain('<b>late</b>')
  expect(await facts(site)).toMatchObject({ name: 'Changed', home: address(site) })
  await until(
    () => owner.call<WordpressTask>('GET', `/projects/${site.id}/wordpress/tasks/${pushed.id}`),
    ({ undoUntil }) => undoUntil === null
  )

  const files = await copy(staging, site, { database: false })
  expect((await open(site)).text).toContain('<b>late</b>')
  await wp(site, `update_option('blogname', 'Later');`)
  expect(await ended((await undo(files))!)).toMatchObject({ status: 'SUCCEEDED', problem: null })
  expect((await open(site)).text).not.toContain('<b>late</b>')
  expect(await facts(site)).toMatchObject({ name: 'Later', home: address(site) })
  await until(
    () => readdir(join(world.projects, 'staging')),
    (names) => ![pushed, files].some(({ id }) => names.includes(`care-${id}`))
  )
})
