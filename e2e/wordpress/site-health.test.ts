import { beforeAll, expect, test } from 'vitest'
import { docker } from '../support/engine.ts'
import type { Client } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { sharedWorld, type World } from '../support/shared-world.ts'
import { type Browser, installWordpress, openBrowser } from '../support/wordpress.ts'
import { putAsOwner, type WordpressSite, wordpressSites } from './sites.harness.ts'

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
let browser: Browser
beforeAll(async () => {
  world = await sharedWorld()
  owner = await world.panel.signUp()
  const sites = wordpressSites(world, owner)
  site = await sites.create()
  await owner.call('PUT', `/projects/${site.id}`, { pageCache: true })
  const hostname = `${site.name}.test`
  await world.dns.addDomain(owner, hostname, { projectId: site.id })
  await sites.deploy(site)
  browser = openBrowser({ port: world.panel.proxyPort, hostname: `${hostname}:${world.panel.proxyPort}` })
  await until(() => browser.get('/').then(({ status }) => status, () => 0), (status) => status !== 0 && status < 404) // oxfmt-ignore
  await installWordpress(browser, 'Health')
})

test('WordPress finds nothing in its hosting that could be better', async () => {
  await putAsOwner(site, 'site-health.php', siteHealth)
  const { text } = await browser.get('/site-health.php')
  const found = Object.entries(JSON.parse(text) as Record<string, Finding>)
  expect(found.length).toBeGreaterThan(15)
  expect(found.filter(([name, { status }]) => status !== 'good' && !(name in accepted))).toEqual([])
})

test('PHP has the limits of the project’s variables, within its size', async () => {
  const { containerId } = await owner.call<{ containerId: string }>('GET', `/projects/${site.id}`)
  const limit = (name: string) => docker('exec', containerId, 'php', '-r', `echo ini_get('${name}');`)
  expect([await limit('memory_limit'), await limit('max_input_vars'), await limit('upload_max_filesize')]).toEqual(['256M', '5000', '256M']) // oxfmt-ignore
})
