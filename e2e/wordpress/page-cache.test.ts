import { request } from 'node:http'
import { chown, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Project } from '@panel/contract/projects'
import type { PageCache } from '@panel/contract/wordpress'
import { beforeAll, describe, expect, test } from 'vitest'
import { docker } from '../support/engine.ts'
import type { Client } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { sharedWorld, type World } from '../support/shared-world.ts'
import { type Browser, installWordpress, openBrowser } from '../support/wordpress.ts'
import { mountSmallDisk, putAsOwner, type WordpressSite, wordpressSites } from './sites.harness.ts'

/** What a host cannot mend, or not here. */
const accepted: Readonly<Record<string, string>> = {
  dotorg_communication: 'needs the Internet',
  background_updates: 'needs the Internet',
  wordpress_version: 'needs the Internet',
  plugin_version: 'needs the Internet',
  theme_version: 'about themes that nobody uses',
  https_status: 'the site of the test has no certificate that WordPress trusts'
}

/** All direct and asynchronous tests, as `wp-admin/site-health.php` runs them: `{"<test>": {"status": …, "label": …}}`. */
const siteHealth = `<?php
require __DIR__ . '/wp-load.php';
foreach (['admin', 'update', 'class-wp-site-health'] as $file) require_once ABSPATH . "wp-admin/includes/$file.php";
if (!current_user_can('view_site_health_checks')) exit('not signed in');
$health = WP_Site_Health::get_instance();
$found = [];
foreach (WP_Site_Health::get_tests() as $kind => $tests)
  foreach ($tests as $name => $test) {
    $run = $kind === 'async' ? $test['async_direct_test'] ?? null : $test['test'];
    if (is_string($run)) $run = [$health, "get_test_$run"];
    if (!is_callable($run)) continue;
    $result = call_user_func($run);
    $found[$name] = ['status' => $result['status'], 'label' => $result['label'], 'says' => strip_tags($result['description'])];
  }
echo json_encode($found);
`

interface Finding {
  status: 'good' | 'recommended' | 'critical'
  label: string
  says: string
}

let world: World
let owner: Client
let site: WordpressSite
let host: string
let visitor: Browser

const path = () => `/projects/${site.id}/wordpress/page-cache`
const cacheOf = (page: { headers: Record<string, unknown> }) => page.headers['x-cache']
const project = () => owner.call<Project>('GET', `/projects/${site.id}`)

/** A visitor without cookies. */
const visit = (target = '/', headers: Record<string, string> = {}) =>
  openBrowser({ port: world.panel.proxyPort, hostname: host }).get(target, headers)
const fill = () => until(() => visit(), (page) => cacheOf(page) === 'HIT') // oxfmt-ignore

async function switchCache(pageCache: boolean): Promise<void> {
  const { containerId } = await project()
  await owner.call('PUT', `/projects/${site.id}`, { pageCache })
  await until(project, ({ containerId: current, containerStatus }) => current !== containerId && containerStatus === 'running') // oxfmt-ignore
  // The route follows the switch.
  await until(() => visit(), (page) => (cacheOf(page) !== undefined) === pageCache) // oxfmt-ignore
}

/** As the editor of WordPress does. */
async function rest(resource: string, body: object): Promise<{ id: number; link: string }> {
  const nonce = await site.browser.get('/wp-admin/admin-ajax.php?action=rest-nonce')
  const answer = await site.browser.post(
    `/index.php?rest_route=/wp/v2/${resource}`,
    Buffer.from(JSON.stringify(body)),
    {
      'content-type': 'application/json',
      'x-wp-nonce': nonce.text
    }
  )
  expect([answer.status, answer.status < 300 ? '' : answer.text]).toEqual([answer.status, ''])
  return JSON.parse(answer.text) as { id: number; link: string }
}

beforeAll(async () => {
  world = await sharedWorld()
  owner = await world.panel.signUp()
  const sites = wordpressSites(world, owner)
  site = await sites.create()
  const hostname = `${site.name}.test`
  await world.dns.addDomain(owner, hostname, { projectId: site.id })
  await sites.deploy(site)
  host = `${hostname}:${world.panel.proxyPort}`
  site.browser = openBrowser({ port: world.panel.proxyPort, hostname: host })
  await until(() => visit().then(({ status }) => status, () => 0), (status) => status !== 0 && status < 404) // oxfmt-ignore
  await installWordpress(site.browser, 'First title')
  await putAsOwner(
    site,
    'wp-content/mu-plugins/pages.php',
    `<?php
    add_filter('do_parse_request', fn ($do) => $do && strpos($_SERVER['REQUEST_URI'], '/test-') !== 0);
    // After all of WordPress, as a theme answers.
    add_action('template_redirect', function () {
      $name = strtok($_SERVER['REQUEST_URI'], '?');
      if (strpos($name, '/test-') !== 0) return;
      status_header($name === '/test-gone/' ? 410 : 200);
      switch ($name) {
        case '/test-cookie/': setcookie('a', 'b'); break;
        case '/test-private/': header('Cache-Control: private'); break;
        case '/test-no-store/': nocache_headers(); break;
        case '/test-expired/': header('Expires: Thu, 19 Nov 1981 08:52:00 GMT'); break;
        case '/test-varies/': header('Vary: Accept-Language'); break;
        case '/test-policy/': header("Content-Security-Policy: script-src 'nonce-abc'"); break;
        case '/test-text/': header('Content-Type: text/plain'); break;
        case '/test-declined/': define('DONOTCACHEPAGE', true); break;
        case '/test-large/': echo '<html>', str_repeat('x', 3 << 20); break;
        case '/test-parts/': echo '<html>'; ob_flush(); flush(); break;
        case '/test-half/': echo '<html>half'; exit;
        case '/test-short/': header('Cache-Control: max-age=1'); break;
      }
      echo '<html>page ', $name, '</html>';
      exit;
    }, PHP_INT_MAX);`
  )
  visitor = openBrowser({ port: world.panel.proxyPort, hostname: host })
})

test('without the setting there is no cache', async () => {
  expect([cacheOf(await visitor.get('/')), cacheOf(await visitor.get('/'))]).toEqual([undefined, undefined])
  expect(await owner.call<PageCache>('GET', path())).toEqual({ enabled: false, active: false, days: [] })
})

describe('with the cache', () => {
  beforeAll(() => switchCache(true))

  test('WordPress finds nothing in its hosting that could be better', async () => {
    await putAsOwner(site, 'site-health.php', siteHealth)
    const { text } = await site.browser.get('/site-health.php')
    const found = Object.entries(JSON.parse(text) as Record<string, Finding>)
    expect(found.length).toBeGreaterThan(15)
    expect(found.filter(([name, { status }]) => status !== 'good' && !(name in accepted))).toEqual([])
    const { containerId } = await project()
    const limit = (name: string) => docker('exec', containerId!, 'php', '-r', `echo ini_get('${name}');`)
    expect([await limit('memory_limit'), await limit('max_input_vars'), await limit('upload_max_filesize')]).toEqual(['256M', '5000', '256M']) // oxfmt-ignore
    await rm(join(site.files, 'site-health.php'))
  })

  test('the second visitor gets a stored page, with a tag that answers 304', async () => {
    await owner.call('DELETE', path())
    const [first, second] = [await visit(), await visit()]
    expect([cacheOf(first), cacheOf(second)]).toEqual(['MISS', 'HIT'])
    expect(second.text).toBe(first.text)
    expect([second.headers.etag, second.headers['content-type']]).toEqual([first.headers.etag, first.headers['content-type']]) // oxfmt-ignore
    expect(Number(second.headers.age)).toBeGreaterThanOrEqual(0)
    const known = await visit('/', { 'if-none-match': `"other", ${second.headers.etag}` })
    expect([known.status, known.body.length, cacheOf(known)]).toEqual([304, 0, 'HIT'])
    const packed = await visit('/', { 'accept-encoding': 'gzip' })
    expect([packed.headers['content-encoding'], cacheOf(packed)]).toEqual(['gzip', 'HIT'])
    const again = await visit('/', { 'accept-encoding': 'gzip', 'if-none-match': packed.headers.etag! })
    expect(again.status).toBe(304)
    expect(cacheOf(await visit('/?utm_source=mail&fbclid=1'))).toBe('HIT')
    const head = await openHead('/')
    expect([head.status, head.headers['x-cache'], head.length]).toEqual([200, 'HIT', 0])
  })

  test.each<[string, string, Record<string, string>]>([
    ['a signed-in visitor', '/', { cookie: 'wordpress_logged_in_abc=x' }],
    ['who knows the password of a page', '/', { cookie: 'wp-postpass_abc=x' }],
    ['who has commented', '/', { cookie: 'comment_author_abc=x' }],
    ['a cart', '/', { cookie: 'a=b; woocommerce_items_in_cart=1' }],
    ['the hash of a cart', '/', { cookie: 'woocommerce_cart_hash=1' }],
    ['a session of WooCommerce', '/', { cookie: 'wp_woocommerce_session_abc=1' }],
    ['a search', '/?s=hello', {}],
    ['a parameter beside those that do not matter', '/?utm_source=x&p=1', {}],
    ['credentials', '/', { authorization: 'Basic YTpi' }],
    ['a part of the page', '/', { range: 'bytes=0-9' }],
    ['a header that may change the answer', '/', { 'x-requested-with': 'XMLHttpRequest' }],
    ['another path for frameworks', '/', { 'x-original-url': '/wp-login.php' }],
    ['a client of JSON', '/', { accept: 'application/json' }]
  ])('%s gets a page of WordPress', async (_name, target, headers) => {
    await fill()
    const page = await visit(target, headers)
    expect(cacheOf(page)).toBe('BYPASS')
  })

  test('a form does not get a stored page', async () => {
    await fill()
    const page = await openBrowser({ port: world.panel.proxyPort, hostname: host }).post('/', { a: 'b' })
    expect(cacheOf(page)).toBe('BYPASS')
  })

  test.each([
    'cookie',
    'private',
    'no-store',
    'expired',
    'varies',
    'policy',
    'text',
    'declined',
    'gone',
    'large',
    'parts',
    'half'
  ])('the answer %s is not stored', async (name) => {
    for (let time = 0; time < 2; time++) expect(cacheOf(await visit(`/test-${name}/`))).toBe('BYPASS')
  })

  test('a page that does not exist is not stored', async () => {
    for (let time = 0; time < 2; time++) expect(cacheOf(await visit('/does-not-exist/'))).toBe('BYPASS')
  })

  test('a page is stored, no longer than it says', async () => {
    for (const name of ['plain', 'short']) {
      expect(cacheOf(await visit(`/test-${name}/`))).toBe('MISS')
      await until(() => visit(`/test-${name}/`), (page) => cacheOf(page) === 'HIT') // oxfmt-ignore
    }
    await until(() => visit('/test-short/'), (page) => cacheOf(page) === 'MISS') // oxfmt-ignore
    expect(cacheOf(await visit('/test-plain/'))).toBe('HIT')
  })

  test('a request with a cookie of a plugin, or parameters, does not fill the cache', async () => {
    await owner.call('DELETE', path())
    expect(cacheOf(await visit('/', { cookie: 'currency=EUR' }))).toBe('MISS')
    expect(cacheOf(await visit('/?utm_source=%22%3E%3Cscript%3E'))).toBe('MISS')
    expect([cacheOf(await visit()), cacheOf(await visit())]).toEqual(['MISS', 'HIT'])
  })

  test('forged names of hosts and schemes do not get into pages of others', async () => {
    await owner.call('DELETE', path())
    const evil = 'evil.example'
    const forged: Record<string, string>[] = [
      { 'x-forwarded-host': evil },
      { 'x-forwarded-proto': 'https' },
      { 'x-forwarded-port': '4443' },
      { 'x-forwarded-server': evil },
      { forwarded: `host=${evil};proto=https` },
      { 'x-host': evil },
      { 'x-forwarded-scheme': 'https' }
    ]
    for (const headers of forged) expect((await visit('/', headers)).text).not.toContain(evil)
    // The same without the proxy, as from a container of the account, and by another name.
    const inside = async (...headers: string[]) =>
      docker('exec', (await project()).containerId!, 'php', '-d', 'auto_prepend_file=', '-r', `echo @file_get_contents('http://127.0.0.1:8080/', false, stream_context_create(['http' => ['ignore_errors' => true, 'follow_location' => 0, 'header' => json_decode('${JSON.stringify(headers)}')]])), "\n", implode("\n", $http_response_header);`) // oxfmt-ignore
    for (const headers of [
      [`Host: ${evil}`],
      [`Host: ${host}`, `X-Forwarded-Host: ${evil}`],
      [`Host: ${host}`, 'X-Forwarded-Proto: https, http'],
      [`Host: ${host.toUpperCase()}`],
      [`Host: ${host}`, 'X-Rewrite-URL: /wp-login.php']
    ])
      for (let time = 0; time < 2; time++) expect(await inside(...headers)).toContain('X-Cache: BYPASS')
    const https = await inside(`Host: ${host}`, 'X-Forwarded-Proto: https')
    expect(https).toContain(`https://${host}`)
    await fill()
    const page = await visit()
    expect(page.text).not.toContain(evil)
    expect(page.text).not.toContain(`https://${host}`)
  })

  test('publishing, a change of the title and an approved comment purge it; a comment that waits does not', async () => {
    await fill()
    const post = await rest('posts', { title: 'Fresh news', content: 'Text', status: 'publish' })
    expect((await visit()).text).toContain('Fresh news')
    await fill()
    await rest(`posts/${post.id}`, { title: 'Corrected news' })
    expect((await visit()).text).toContain('Corrected news')
    await fill()
    await rest('posts', { title: 'A draft', status: 'draft' })
    expect(cacheOf(await visit())).toBe('HIT')
    await rest('settings', { title: 'Second title' })
    expect((await visit()).text).toContain('Second title')

    const { pathname } = new URL(post.link)
    const reader = openBrowser({ port: world.panel.proxyPort, hostname: host })
    await until(() => visit(pathname), (page) => cacheOf(page) === 'HIT') // oxfmt-ignore
    await reader.post('/wp-comments-post.php', { comment: 'Well written', author: 'Reader', email: 'reader@example.com', comment_post_ID: String(post.id) }) // oxfmt-ignore
    const waiting = await visit(pathname)
    expect([cacheOf(waiting), waiting.text.includes('Well written')]).toEqual(['HIT', false])
    const list = await site.browser.get('/index.php?rest_route=/wp/v2/comments&status=hold', {
      'x-wp-nonce': (await site.browser.get('/wp-admin/admin-ajax.php?action=rest-nonce')).text
    })
    const [comment] = JSON.parse(list.text) as { id: number }[]
    await rest(`comments/${comment!.id}`, { status: 'approved' })
    expect((await visit(pathname)).text).toContain('Well written')
  })

  test('the owner purges it, and sees how many requests it answered', async () => {
    await fill()
    await owner.call('DELETE', path())
    expect(cacheOf(await visit())).toBe('MISS')
    const before = await owner.call<PageCache>('GET', path())
    expect(before).toMatchObject({ enabled: true, active: true })
    for (let count = 0; count < 5; count++) expect(cacheOf(await visit())).toBe('HIT')
    const hits = ({ days }: PageCache) => days.reduce((sum, day) => sum + day.hits, 0)
    expect(hits(await owner.call<PageCache>('GET', path())) - hits(before)).toBe(5)
  })

  test('many visitors at once get whole pages', async () => {
    await owner.call('DELETE', path())
    const pages = await Promise.all(Array.from({ length: 24 }, () => visit()))
    expect(pages.filter(({ status, text }) => status !== 200 || !text.trimEnd().endsWith('</html>'))).toEqual([])
    expect(cacheOf(await visit())).toBe('HIT')
  })

  test('kill -9, a damaged page and a cache that cannot be written leave the site working', async () => {
    await fill()
    await docker('kill', '--signal', 'KILL', (await project()).containerId!)
    await until(() => visit().then(({ status }) => status, () => 0), (status) => status === 200) // oxfmt-ignore
    await fill()
    const pages = join(site.files, '.panel-cache/pages')
    for (const name of await readdir(pages, { recursive: true }))
      if ((await stat(join(pages, name))).isFile()) await writeFile(join(pages, name), '{"length":5}\nhalf')
    expect((await visit()).text).toContain('</html>')
    await rm(join(site.files, '.panel-cache'), { recursive: true })
    await writeFile(join(site.files, '.panel-cache'), '')
    expect((await visit()).status).toBe(200)
    await rm(join(site.files, '.panel-cache'))
    // Of root, so that the site cannot write there.
    await mkdir(join(site.files, '.panel-cache'))
    for (let time = 0; time < 2; time++) {
      const page = await visit()
      expect([page.status, cacheOf(page)]).toEqual([200, 'BYPASS'])
    }
    const { uid, gid } = await stat(site.files)
    await chown(join(site.files, '.panel-cache'), uid, gid)
    await mkdir(pages)
    for (let time = 0; time < 2; time++) {
      const page = await visit()
      expect([page.status, cacheOf(page)]).toEqual([200, 'BYPASS'])
    }
    await chown(pages, uid, gid)
    await fill()
  })

  test('a full disk leaves the site working', async () => {
    const unmount = await mountSmallDisk((await project()).containerId!, '/var/www/html/.panel-cache', '4k')
    for (const attempt of [1, 2]) {
      const page = await visit()
      expect([attempt, page.status, cacheOf(page)]).toEqual([attempt, 200, expect.stringMatching(/BYPASS|MISS/)])
    }
    await unmount()
    await fill()
  })

  test('its files are not served', async () => {
    for (const target of ['/.panel-cache/generation', '/.panel-cache/'])
      expect([target, (await visit(target)).status]).toEqual([target, 403])
  })
})

test('off again: WordPress answers every request', async () => {
  await switchCache(false)
  expect([cacheOf(await visit()), cacheOf(await visit())]).toEqual([undefined, undefined])
  expect(await owner.call<PageCache>('GET', path())).toMatchObject({ enabled: false, active: false })
})

const openHead = (target: string) =>
  new Promise<{ status: number; headers: Record<string, unknown>; length: number }>((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port: world.panel.proxyPort, method: 'HEAD', path: target, headers: { host }, agent: false }) // oxfmt-ignore
    asked.once('error', reject)
    asked.once('response', (response) => {
      let length = 0
      response.on('data', (chunk: Buffer) => (length += chunk.length))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, length }))
    })
    asked.end()
  })
