import { appendFile, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deployment } from '@panel/contract/deployments'
import type {
  WordpressCoreChanges,
  WordpressDebugLog,
  WordpressPassword,
  WordpressSignIn,
  WordpressState,
  WordpressTask
} from '@panel/contract/wordpress-care'
import { beforeAll, describe, expect, test } from 'vitest'
import { docker } from '../support/engine.ts'
import type { Client } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { sharedWorld, type World } from '../support/shared-world.ts'
import { installWordpress, openBrowser } from '../support/wordpress.ts'
import { mountSmallDisk, putAsOwner, type WordpressSite, wordpressSites } from './sites.harness.ts'

let world: World
let owner: Client
let site: WordpressSite
beforeAll(async () => {
  world = await sharedWorld()
  owner = await world.panel.signUp()
  const sites = wordpressSites(world, owner)
  site = await sites.create()
  await sites.deploy(site)
  await installWordpress(site.browser, 'Care')
  await putAsOwner(site, 'wp-content/mu-plugins/care.php', mustUse)
  await putAsOwner(site, 'wp-content/plugins/demo/demo.php', demo('1.0'))
  await wp(`require_once ABSPATH . 'wp-admin/includes/plugin.php'; activate_plugin('demo/demo.php');`)
})

/** What wordpress.org would offer is in a file, and packages are files of the site. */
const mustUse = `<?php
add_filter('site_transient_update_plugins', function ($known) {
  $known = is_object($known) ? $known : new stdClass();
  $version = trim((string) @file_get_contents(WP_CONTENT_DIR . '/offer.txt'));
  $known->response = $version === '' ? [] : ['demo/demo.php' => (object) [
    'slug' => 'demo', 'plugin' => 'demo/demo.php', 'new_version' => $version, 'package' => WP_CONTENT_DIR . "/demo-$version.zip"
  ]];
  return $known;
});
add_filter('upgrader_post_install', function ($done) {
  if (is_file(WP_CONTENT_DIR . '/slow.txt')) sleep(120);
  return $done;
});
add_action('care_event', function () { update_option('care_ran', (int) get_option('care_ran') + 1); });
add_action('wp_footer', function () { echo '<i>cron ' . var_export(defined('DISABLE_WP_CRON') && DISABLE_WP_CRON, true) . '</i>'; });
`

const demo = (version: string, code = '') => `<?php
/* Plugin Name: Demo
 * Version: ${version} */
add_action('wp_footer', function () { echo '<b>demo ${version}</b>'; });
${code}
`

/** Changes the database as soon as it runs, and ends in a fatal error. */
const broken = demo(
  '1.2',
  `add_action('init', function () {
    global $wpdb;
    $wpdb->query("CREATE TABLE IF NOT EXISTS {$wpdb->prefix}demo (id int)");
    update_option('blogname', 'Changed by 1.2');
    missing_function();
  });`
)

const containerOf = async () => (await owner.call<{ containerId: string }>('GET', `/projects/${site.id}`)).containerId
const php = async (code: string) => docker('exec', await containerOf(), 'php', '-r', code)
/** `php -r` has no prepended file, and WordPress would take the lock of its events. */
const wp = (code: string) => php(`define('DISABLE_WP_CRON', true); require '/var/www/html/wp-load.php'; ${code}`)
const offer = (version: string) => putAsOwner(site, 'wp-content/offer.txt', version)
const makePackage = (version: string, files: Record<string, string>, randomBytes = 0) =>
  php(`$zip = new ZipArchive(); $zip->open('/var/www/html/wp-content/demo-${version}.zip', ZipArchive::CREATE | ZipArchive::OVERWRITE);
    foreach (json_decode(base64_decode('${Buffer.from(JSON.stringify(files)).toString('base64')}'), true) as $path => $text) $zip->addFromString("demo/$path", base64_decode($text));
    if (${randomBytes} > 0) $zip->addFromString('demo/random', random_bytes(${randomBytes}));
    $zip->close();`)
const encoded = (text: string | Buffer) => Buffer.from(text).toString('base64')

const care = <T>(method: 'GET' | 'POST' | 'PUT', path = '', body?: object) =>
  owner.call<T>(method, `/projects/${site.id}/wordpress${path}`, body)
/** The copies of an earlier task may still be removed. */
const start = async (path: string, body: object): Promise<WordpressTask> => {
  const answer = await until(
    () => owner.request('POST', `/projects/${site.id}/wordpress${path}`, body),
    ({ status }) => status !== 409,
    60_000
  )
  expect(answer.status).toBe(202)
  return answer.body as WordpressTask
}
const taskOf = ({ id }: Pick<WordpressTask, 'id'>) => care<WordpressTask>('GET', `/tasks/${id}`)
const ended = (task: WordpressTask) => until(() => taskOf(task), ({ status }) => status !== 'RUNNING') // oxfmt-ignore
/** Visitors get in again a moment after the task has ended. */
const open = () => until(() => site.browser.get('/'), ({ status }) => status === 200, 90_000) // oxfmt-ignore
const demoPlugin = { components: [{ kind: 'PLUGIN', id: 'demo/demo.php' }] }
const facts = async () => JSON.parse(await wp(`global $wpdb; echo json_encode([get_option('blogname'), count($wpdb->get_col("SHOW TABLES LIKE '%demo'"))]);`)) as unknown // oxfmt-ignore

async function expectAsBefore(version: string) {
  expect((await open()).text).toContain(`<b>demo ${version}</b>`)
  expect(await facts()).toEqual(['Care', 0])
  expect(await care<WordpressState>('GET')).toMatchObject({ maintenance: false, unavailable: null })
}

describe('events', () => {
  test('are run by the panel, not by visitors; late ones are reported', async () => {
    expect((await open()).text).toContain('<i>cron true</i>')
    await wp(`wp_schedule_single_event(time() - 3600, 'care_event');`)
    await putAsOwner(site, '.maintenance', '<?php $upgrading = PHP_SAPI === "cli" ? 0 : time();')
    await until(() => care<WordpressState>('GET'), ({ cron }) => cron.lateSince !== null) // oxfmt-ignore
    await rm(join(site.files, '.maintenance'))
    await until(() => wp(`echo get_option('care_ran');`), (ran) => ran === '1') // oxfmt-ignore
  })

  test('a constant in the owner’s configuration is left alone and gives no warning', async () => {
    const path = join(site.files, 'wp-config.php')
    const config = await readFile(path, 'utf8')
    await putAsOwner(site, 'wp-config.php', config.replace('<?php', `<?php\ndefine( "DISABLE_WP_CRON", true );`))
    await care('PUT', '/settings', { debugLog: true })
    await until(() => site.browser.get('/'), ({ text }) => text.includes('<i>cron true</i>')) // oxfmt-ignore
    expect((await care<WordpressDebugLog>('GET', '/debug-log')).text).not.toContain('DISABLE_WP_CRON')
    await care('PUT', '/settings', { debugLog: false })
    await putAsOwner(site, 'wp-config.php', config)
  })
})

describe('updates', () => {
  test('are what WordPress knows', async () => {
    expect((await care<WordpressState>('GET')).site!.components).toContainEqual(
      expect.objectContaining({ id: 'demo/demo.php', name: 'Demo', version: '1.0', newVersion: null, isActive: true })
    )
    expect((await owner.request('POST', `/projects/${site.id}/wordpress/updates`, {})).status).toBe(409)
    await offer('1.1')
    const { site: known } = await care<WordpressState>('GET')
    expect(known!.components).toContainEqual(expect.objectContaining({ id: 'demo/demo.php', newVersion: '1.1' }))
    expect(known).toMatchObject({ administrators: ['owner'], canSignIn: true })
  })

  test('a good one is installed, behind the maintenance page', async () => {
    await makePackage('1.1', { 'demo.php': encoded(demo('1.1')) })
    const task = await start('/updates', {})
    await until(() => site.browser.get('/'), ({ status }) => status === 503) // oxfmt-ignore
    expect((await owner.request('POST', `/projects/${site.id}/wordpress/updates`, {})).status).toBe(409)
    expect(await ended(task)).toMatchObject({ status: 'SUCCEEDED', done: 1, problem: null })
    await expectAsBefore('1.1')
  })

  test('one that ends in a fatal error is rolled back with its changes to the database', async () => {
    await makePackage('1.2', { 'demo.php': encoded(broken) })
    await offer('1.2')
    const task = await ended(await start('/updates', demoPlugin))
    expect(task).toMatchObject({ status: 'ROLLED_BACK', done: 0 })
    expect(task.problemSentences[0]).toMatchObject({ code: 'PAGE_BROKEN', values: { component: 'Demo', path: '/' } })
    await expectAsBefore('1.1')
  })

  test('one that hangs in every request is rolled back', async () => {
    // A loop would keep a processor busy for minutes.
    await makePackage('1.2', { 'demo.php': encoded(demo('1.2', `add_action('init', function () { sleep(300); });`)) })
    const task = await ended(await start('/updates', demoPlugin))
    expect(task).toMatchObject({ status: 'ROLLED_BACK', problemSentences: [{ code: 'PAGE_CHANGED', values: { after: 0 } }] }) // oxfmt-ignore
    await expectAsBefore('1.1')
  })

  test('with locked tables nothing is changed', async () => {
    await makePackage('1.3', { 'demo.php': encoded(demo('1.3')) })
    await offer('1.3')
    await docker('exec', '-d', await containerOf(), 'php', '-r', `define('DISABLE_WP_CRON', true); require '/var/www/html/wp-load.php'; global $wpdb; $wpdb->query("LOCK TABLES $wpdb->posts WRITE"); sleep(20);`) // oxfmt-ignore
    const task = await until(
      async () => ended(await start('/updates', demoPlugin)),
      ({ status }) => status === 'FAILED'
    )
    expect(task.problemSentences[0]).toMatchObject({ code: 'TABLES_LOCKED' })
    await expectAsBefore('1.1')
  })

  test('without space in the middle of it the site is as before', async () => {
    await makePackage('1.3', { 'demo.php': encoded(demo('1.3')) }, 2 ** 20)
    await mountSmallDisk(await containerOf(), '/var/www/html/wp-content/upgrade', '512k')
    const task = await ended(await start('/updates', demoPlugin))
    expect(task).toMatchObject({ status: 'ROLLED_BACK', problemSentences: [{ code: 'UPDATE_REFUSED' }] })
    await expectAsBefore('1.1')
  })

  test('kill -9 in the middle: the site is as before, and a deployment waits for that', async () => {
    await makePackage('1.3', { 'demo.php': encoded(demo('1.3')) })
    await putAsOwner(site, 'wp-content/slow.txt', '')
    const task = await start('/updates', demoPlugin)
    await until(() => taskOf(task), ({ step }) => step === 'CHANGING') // oxfmt-ignore
    const { id: waiting } = await owner.call<Deployment>('POST', `/projects/${site.id}/build`)
    await until(() => readFile(join(site.files, 'wp-content/plugins/demo/demo.php'), 'utf8').catch(() => ''), (text) => text.includes('Version: 1.3')) // oxfmt-ignore
    expect(await owner.call('GET', `/projects/${site.id}/deployments/${waiting}`)).toMatchObject({ status: 'QUEUED' })
    await world.panel.killWorker()
    await world.panel.start()
    expect(await ended(task)).toMatchObject({
      status: 'ROLLED_BACK',
      problemSentences: [{ code: 'TASK_INTERRUPTED' }]
    })
    expect(await owner.waitFor(site.id, waiting)).toMatchObject({ status: 'RUNNING' })
    await expectAsBefore('1.1')
  })
})

describe('signing in', () => {
  const fresh = () => openBrowser({ port: world.panel.proxyPort, hostname: `${site.name}.apps.localhost` })
  const pathOf = ({ url }: WordpressSignIn) => `${new URL(url).pathname}${new URL(url).search}`

  test('a link signs in once', async () => {
    const link = await care<WordpressSignIn>('POST', '/sign-in', {})
    expect(link.login).toBe('owner')
    const [first, second] = [fresh(), fresh()]
    const answer = await first.get(pathOf(link))
    expect([answer.status, answer.headers.location]).toEqual([302, expect.stringContaining('/wp-admin/')])
    expect((await first.get('/wp-admin/', { 'x-forwarded-proto': 'https' })).status).toBe(200)
    const replayed = await second.get(pathOf(link))
    expect([replayed.status, replayed.headers.location]).toEqual([302, expect.stringContaining('/wp-login.php')])
    expect((await second.get('/wp-admin/')).status).toBe(302)
    expect(await wp(`global $wpdb; echo $wpdb->get_var("SELECT count(*) FROM $wpdb->options WHERE option_name LIKE 'panel_sign_in_%'");`)).toBe('0') // oxfmt-ignore
  })

  test('no other account gets one, and a guessed or outdated one does not work', async () => {
    const other = await world.panel.signUp()
    expect((await other.request('POST', `/projects/${site.id}/wordpress/sign-in`, {})).status).toBe(403)
    expect((await owner.request('POST', `/projects/${site.id}/wordpress/sign-in`, { login: 'nobody' })).status).toBe(
      404
    )
    const link = await care<WordpressSignIn>('POST', '/sign-in', { login: 'owner' })
    await wp(`global $wpdb; $wpdb->query("UPDATE $wpdb->options SET option_value = CONCAT(SUBSTRING_INDEX(option_value, ':', 1), ':', UNIX_TIMESTAMP() - 1) WHERE option_name LIKE 'panel_sign_in_%'");`) // oxfmt-ignore
    for (const path of [
      pathOf(link),
      '/wp-login.php?panel_sign_in=x',
      '/?panel_sign_in[]=x',
      `/wp-login.php?panel_sign_in=%27`
    ]) {
      const browser = fresh()
      await browser.get(path)
      expect([path, (await browser.get('/wp-admin/')).status]).toEqual([path, 302])
    }
  })

  test('a new password replaces the old one', async () => {
    const { password } = await care<WordpressPassword>('POST', '/users/owner/password')
    const browser = fresh()
    const logIn = (pwd: string) => browser.post('/wp-login.php', { log: 'owner', pwd })
    expect((await logIn('correct horse battery staple')).status).toBe(200)
    expect((await logIn(password)).status).toBe(302)
    expect(await docker('logs', await containerOf())).not.toContain(password)
  })
})

describe('other care', () => {
  test('replaces text, also in serialized values', async () => {
    const text = 'Grüße vom alten Laden'
    await wp(`update_option('care_list', ['a' => ['${text}', 1], 'o' => new WP_Error('x', '${text}')]); wp_update_post(['ID' => 1, 'post_content' => '${text}, ${text}']);`) // oxfmt-ignore
    const replace = async (dryRun: boolean) =>
      ended(await start('/replacements', { search: 'alten Laden', replace: 'neuen Geschäft', dryRun })) // oxfmt-ignore
    const counted = await replace(true)
    expect(counted).toMatchObject({ status: 'SUCCEEDED', skipped: 0 })
    expect(await wp(`echo get_option('care_list')['a'][0];`)).toBe(text)
    expect(await replace(false)).toMatchObject({ status: 'SUCCEEDED', changed: counted.changed })
    await open()
    expect(await wp(`$list = get_option('care_list'); echo $list['a'][0], '|', $list['o']->get_error_message();`)).toBe('Grüße vom neuen Geschäft|Grüße vom neuen Geschäft') // oxfmt-ignore
    expect(await replace(true)).toMatchObject({ changed: 0 })
  })

  test('maintenance mode closes the site to visitors alone', async () => {
    expect(await care('PUT', '/settings', { maintenance: true })).toMatchObject({ maintenance: true })
    await until(() => site.browser.get('/'), ({ status }) => status === 503) // oxfmt-ignore
    expect((await site.browser.get('/wp-login.php')).status).toBe(200)
    expect(await care('PUT', '/settings', { maintenance: false })).toMatchObject({ maintenance: false })
    await open()
  })

  test('the debug log has what PHP reports', async () => {
    await putAsOwner(
      site,
      'wp-content/mu-plugins/noisy.php',
      `<?php add_action('init', fn() => trigger_error('care notice', E_USER_NOTICE));`
    )
    await care('PUT', '/settings', { debugLog: true })
    await until(
      async () => (await site.browser.get('/')) && care<WordpressDebugLog>('GET', '/debug-log'),
      ({ text }) => text.includes('care notice')
    )
    expect((await site.browser.get('/wp-content/debug.log')).status).toBe(403)
    await care('PUT', '/settings', { debugLog: false })
    await rm(join(site.files, 'wp-content/mu-plugins/noisy.php'))
  })

  test('lists what differs from the original core', async () => {
    expect(await care<WordpressCoreChanges>('GET', '/core-changes')).toMatchObject({ source: 'IMAGE', total: 0 })
    await appendFile(join(site.files, 'wp-includes/plugin.php'), '\n// changed\n')
    await putAsOwner(site, 'wp-admin/shell.php', '<?php')
    await rm(join(site.files, 'wp-links-opml.php'))
    expect(await care<WordpressCoreChanges>('GET', '/core-changes')).toMatchObject({
      total: 3,
      changed: ['wp-includes/plugin.php'],
      missing: ['wp-links-opml.php'],
      extra: ['wp-admin/shell.php']
    })
  })

  test('a broken site says why', async () => {
    await putAsOwner(site, 'wp-content/mu-plugins/broken.php', '<?php missing_function();')
    const state = await care<WordpressState>('GET')
    expect(state).toMatchObject({ site: null, unavailable: 'BROKEN' })
    expect(state.error).toContain('missing_function')
    await rm(join(site.files, 'wp-content/mu-plugins/broken.php'))
  })
})
