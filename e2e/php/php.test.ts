import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Schema } from '@panel/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { madeZip } from '../../packages/server/test/fixtures/archive.fixture.ts'
import type { Client, Site } from '../support/panel.ts'
import { removeProjects, sharedWorld, type World } from '../support/shared-world.ts'

type Deployment = Schema<'Deployment'>

let world: World
let user: Client
beforeAll(async () => {
  world = await sharedWorld()
  user = await world.panel.signUp()
})
afterAll(() => removeProjects(user))

const json = (value: object) => JSON.stringify(value)
const create = (files: Record<string, string>) => user.createSite(world.git, files, { type: 'PHP' })
const visit = (site: Site, path = '/', headers: Record<string, string> = {}) =>
  world.panel.visit(site.hostname, path, headers)
const bodyOf = async (site: Site, path?: string) => (await visit(site, path)).body.trim()
const folder = (site: Site, ...names: string[]) => join(world.projects, 'by-id', site.id, ...names)
const fails = async (site: Site) => {
  const deployment = await user.build(site.id)
  expect(deployment.status).toBe('FAILED')
  return deployment
}

/** Without packagist.org: packages are folders of the repository. */
const composer = (require: Record<string, string>, more: object = {}) =>
  json({
    name: 'acme/site',
    require,
    repositories: [{ type: 'path', url: 'packages/*' }, { 'packagist.org': false }],
    ...more
  })
const library = (name: string, namespace: string) =>
  json({ name, version: '1.0.0', autoload: { 'psr-4': { [`${namespace}\\`]: 'src/' } } })

const script = (text: string) => `<?php ${text}\n`

describe('a plain site in PHP', () => {
  let site: Site
  beforeAll(async () => {
    site = await create({
      'index.php': script(
        `echo 'PHP ', PHP_MAJOR_VERSION, '.', PHP_MINOR_VERSION, ' ', ini_get('upload_max_filesize');`
      ),
      'who.php': script(
        `echo json_encode([getmyuid(), posix_geteuid(), explode("\\n", shell_exec('ls -A /data /home /srv 2>&1'))]);`
      ),
      'session.php': script(`session_start(); echo $_SESSION['n'] = ($_SESSION['n'] ?? 0) + 1;`),
      'environ.php': script(
        `echo strlen(@file_get_contents('/proc/1/environ')), ' ', @file_get_contents('/etc/shadow') === false ? 'denied' : 'read';`
      ),
      'uploads/shell.php': script(`echo 'it runs';`),
      'uploads/photo.php.jpg': script(`echo 'it runs';`),
      'uploads/photo.jpg': script(`echo 'it runs';`),
      'uploads/a.txt': 'a',
      'vendor/evil.php': script(`echo 'it runs';`),
      'config.inc': script(`$password = 'secrets';`),
      'dump.sql': 'secrets',
      '.env': 'secrets',
      'list/a.txt': 'listed'
    })
    await user.call('POST', `/projects/${site.id}/env`, { key: 'PHP_UPLOAD_MAX_FILESIZE', value: '7M' })
    await user.mustRun(site.id)
  })

  test('runs with the limits of its variables', async () => {
    expect(await bodyOf(site)).toBe('PHP 8.4 7M')
  })

  test.each(['/.env', '/dump.sql', '/config.inc', '/uploads/shell.php', '/uploads/shell.php/x', '/Uploads/shell.php', '/uploads/photo.php.jpg', '/vendor/evil.php', '/list/', '/%2e%2e/%2e%2e/etc/passwd'])(
    '%s is never served',
    async (path) => {
      const { status, body } = await visit(site, path)
      expect([400, 403, 404]).toContain(status)
      expect(body).not.toMatch(/secrets|it runs|a\.txt|root:/)
    }
  ) // oxfmt-ignore

  test('PHP does not run in uploads, whatever a .htaccess there says', async () => {
    expect(await bodyOf(site, '/uploads/a.txt')).toBe('a')
    expect(await bodyOf(site, '/uploads/photo.jpg')).toContain('<?php')
  })

  test('a shell is that of the account, with the files of the project alone', async () => {
    const [, uid, names] = JSON.parse(await bodyOf(site, '/who.php')) as [number, number, string[]]
    expect(uid).toBeGreaterThan(10_000)
    expect(names.filter((name) => name !== '' && !name.endsWith(':'))).toEqual(['.panel-tmp', 'app'])
    expect(await bodyOf(site, '/environ.php')).toMatch(/^\d+ denied$/)
  })

  test('a session outlives a deployment', async () => {
    const first = await visit(site, '/session.php')
    const cookie = String(first.headers['set-cookie']).split(';')[0]!
    await user.call('POST', `/projects/${site.id}/deploy`)
    expect((await visit(site, '/session.php', { cookie })).body).toBe('2')
  })
})

describe('a project with Composer', () => {
  const files = {
    'composer.json': composer({ php: '^8.2', 'ext-bz2': '*', 'acme/greeter': '*' }),
    'packages/greeter/composer.json': library('acme/greeter', 'Acme'),
    'packages/greeter/src/Greeter.php': `${script('namespace Acme;')}class Greeter { public static function hello() { return 'hello ' . bzdecompress(bzcompress('bz2')); } }`,
    'public/index.php': script(`require __DIR__ . '/../vendor/autoload.php'; echo Acme\\Greeter::hello(), ' ', $_SERVER['REQUEST_URI'], ' ', $_SERVER['HTTP_AUTHORIZATION'] ?? '';`),
    'public/style.css': 'a{}'
  } // oxfmt-ignore

  test('gets its packages and modules; its document root is public', async () => {
    const site = await create(files)
    const { buildLogs } = await user.mustRun(site.id)
    expect(buildLogs).toContain('Found PHP with Composer, served by Apache.')
    expect(buildLogs).toContain('Version: PHP 8.4 (composer.json asks for ^8.2)')
    expect(buildLogs).toContain('There is no lock file')
    const answer = await visit(site, '/a/b?c=1', { authorization: 'Bearer x' })
    expect(answer).toMatchObject({ status: 200, body: 'hello bz2 /a/b?c=1 Bearer x' })
    expect(await bodyOf(site, '/style.css')).toBe('a{}')
    for (const path of ['/../composer.json', '/vendor/autoload.php', '/composer.json'])
      expect(await bodyOf(site, path)).not.toContain('acme/')
  })

  test.each<[string, Record<string, string>, RegExp]>([
    ['a lock file that does not match', { 'composer.lock': json({ 'content-hash': 'x', packages: [], 'packages-dev': [] }) }, /not present in the lock file/],
    ['a module that does not exist', { 'composer.json': composer({ 'ext-nonesuch': '*' }) }, /ext-nonesuch/]
  ])('%s fails the build', async (_, more, problem) => {
    const { buildLogs } = await fails(await create({ ...files, ...more }))
    expect(buildLogs).toMatch(problem)
  }) // oxfmt-ignore
})

const laravel = (word: string) => ({
  'composer.json': composer({ 'laravel/framework': '*' }),
  'packages/framework/composer.json': library('laravel/framework', 'Illuminate'),
  artisan: script(`
    $command = $argv[1] ?? '';
    file_put_contents(__DIR__ . '/storage/logs/' . strtok($command, ':') . '.log', "${word}\\n", FILE_APPEND);
    while ($command === 'queue:work') sleep(1);`),
  'public/index.php': script(`
    $log = fn ($name) => trim(@file_get_contents(__DIR__ . "/../storage/logs/$name.log"));
    if ($_SERVER['REQUEST_URI'] === '/save') file_put_contents(__DIR__ . '/../storage/app/public/note.txt', 'kept');
    echo '${word} ', str_replace("\\n", ',', $log('migrate')), ' ', str_replace("\\n", ',', $log('queue'));`),
  'public/.htaccess': `<IfModule mod_rewrite.c>
    <IfModule mod_negotiation.c>
        Options -MultiViews -Indexes
    </IfModule>
    RewriteEngine On
    RewriteCond %{HTTP:Authorization} .
    RewriteRule .* - [E=HTTP_AUTHORIZATION:%{HTTP:Authorization}]
    RewriteCond %{REQUEST_FILENAME} !-d
    RewriteCond %{REQUEST_URI} (.+)/$
    RewriteRule ^ %1 [L,R=301]
    RewriteCond %{REQUEST_FILENAME} !-d
    RewriteCond %{REQUEST_FILENAME} !-f
    RewriteRule ^ index.php [L]
</IfModule>
`,
  'storage/app/public/.gitignore': '*\n',
  'storage/app/seed.txt': 'seeded',
  Procfile: 'web: vendor/bin/heroku-php-apache2 public/\nrelease: php artisan migrate\nworker: php artisan queue:work\n'
})

test('a Laravel-shaped project keeps storage over a deployment, and runs its release command and worker', async () => {
  const site = await create(laravel('one'))
  const { buildLogs } = await user.mustRun(site.id)
  expect(buildLogs).toContain('Laravel')
  expect(buildLogs).toContain('kept in the files of the project over deployments: storage.')
  expect(buildLogs).toContain('php artisan queue:work')
  await expect.poll(() => bodyOf(site), { timeout: 30_000 }).toBe('one one one')
  expect(await bodyOf(site, '/save')).toContain('one')
  expect(await bodyOf(site, '/storage/note.txt')).toBe('kept')
  await writeFile(folder(site, 'storage/app/public/shell.php'), script(`echo 'it runs';`))
  await symlink('/proc/self/environ', folder(site, 'storage/app/public/environ.txt'))
  for (const path of ['/storage/shell.php', '/storage/environ.txt']) expect((await visit(site, path)).status).toBe(403)
  await world.git.commit(site.repository, laravel('two'), 'Second')
  await user.mustRun(site.id)
  await expect.poll(() => bodyOf(site), { timeout: 30_000 }).toBe('two one,two one,two')
  expect(await bodyOf(site, '/storage/note.txt')).toBe('kept')
})

describe('a site from files', () => {
  let site: Site
  const put = (path: string, content: string) => user.call('POST', `/files/${site.id}/write`, { path, content })
  const upload = async (files: Record<string, string>) => {
    const archive = madeZip(Object.entries(files).map(([name, content]) => ({ name, content })))
    const response = await fetch(`${world.panel.url}/api/projects/${site.id}/uploads?folder=shop.zip`, {
      method: 'POST',
      headers: { cookie: user.cookie, 'content-type': 'application/zip' },
      body: new Uint8Array(archive)
    })
    return user.waitFor(site.id, ((await response.json()) as Deployment).id)
  }

  test('is live from an archive, and PHP may write there', async () => {
    site = await create({ 'index.php': script(`echo 'from git';`) })
    await user.call('PUT', `/projects/${site.id}`, { source: 'FILES' })
    const deployment = await upload({
      'shop/index.php': script(`file_put_contents(__DIR__ . '/count.txt', '1', FILE_APPEND); echo 'from the archive ', $_GET['page'] ?? '';`),
      'shop/.htaccess': 'Options +FollowSymLinks +Indexes\nRewriteEngine On\nRewriteRule ^news/(\\d+)$ index.php?page=$1 [L,QSA]\nRewriteRule ^leak$ /proc/self/environ [L]\nRewriteRule ^link$ environ.txt [L]\nRewriteRule ^run$ "unix:/tmp/php.sock|fcgi://php/app/uploads/shell.php" [P]\n<Files "private.txt">\n  Require all denied\n</Files>\n',
      'shop/private.txt': 'secrets',
      'shop/.env': 'secrets',
      'shop/composer.json': '{"name": "secrets/x"}',
      'shop/composer.lock': '{"packages": []}',
      'shop/vendor/autoload.php': script(`echo 'it runs';`),
      'shop/vendor/lib/readme.md': 'secrets',
      'shop/backup.sql.gz': 'secrets',
      'shop/uploads/shell.php': script(`echo 'it ' . 'runs';`),
      'shop/uploads/.htaccess': 'AddType application/x-httpd-php .jpg\nphp_flag engine on\nRewriteEngine On\nRewriteRule ^run$ "unix:/tmp/php.sock|fcgi://php/app/uploads/shell.php" [P]\n<Files b.jpg>\n  SetHandler "proxy:unix:/tmp/php.sock|fcgi://php"\n</Files>\n',
      'shop/uploads/a.jpg': script(`echo 'it ' . 'runs';`),
      'shop/uploads/b.jpg': script(`echo 'it ' . 'runs';`),
      'shop/list/a.txt': 'listed',
      'shop/index-of-secrets/.htaccess': 'DirectoryIndex .env ../composer.json a.sql\n',
      'shop/index-of-secrets/.env': 'secrets',
      'shop/index-of-secrets/a.sql': 'secrets'
    }) // oxfmt-ignore
    expect(deployment).toMatchObject({ status: 'RUNNING', active: true, snapshot: { archive: 'shop.zip' } })
    await expect.poll(() => bodyOf(site)).toBe('from the archive')
    expect(await bodyOf(site, '/count.txt')).toMatch(/^1+$/)
    expect(await bodyOf(site, '/news/7')).toBe('from the archive 7')
  })

  test('a change in the file manager is live at once', async () => {
    await put('index.php', script(`echo 'changed ', $_GET['page'] ?? '';`))
    expect(await bodyOf(site)).toBe('changed')
  })

  test.each(['/.env', '/.htaccess', '/private.txt', '/composer.json', '/composer.lock', '/vendor/autoload.php', '/vendor/lib/readme.md', '/backup.sql.gz', '/uploads/shell.php', '/uploads/.htaccess', '/run', '/uploads/run', '/uploads/b.jpg', '/list/', '/leak', '/.panel-tmp/', '/index-of-secrets/'])(
    '%s is never served',
    async (path) => {
      const { status, body } = await visit(site, path)
      expect([403, 404]).toContain(status)
      expect(body).not.toMatch(/secrets|it runs|a\.txt|PATH=/)
    }
  ) // oxfmt-ignore

  test('an uploaded .htaccess cannot make PHP of a picture', async () => {
    expect(await bodyOf(site, '/uploads/a.jpg')).toContain('<?php')
  })

  test('a symbolic link is not served, on any way to it', async () => {
    await mkdir(folder(site, 'deep'))
    await symlink('/proc/self/environ', folder(site, 'environ.txt'))
    await symlink('/proc/self', folder(site, 'deep/self'))
    await symlink('/etc/passwd', folder(site, 'deep/index.html'))
    for (const path of ['/environ.txt', '/link', '/deep/self/environ', '/deep/', '/environ.txt/x']) {
      const { status, body } = await visit(site, path)
      expect([path, [403, 404].includes(status) || status]).toEqual([path, true])
      expect(body).not.toMatch(/PATH=|root:/)
    }
  })

  test('a snapshot is rolled back to', async () => {
    const snapshot = await user.mustRun(site.id)
    await put('index.php', script(`echo 'broken';`))
    const back = await user.call<Deployment>('POST', `/projects/${site.id}/deployments/${snapshot.id}/rollback`)
    expect(await user.waitFor(site.id, back.id)).toMatchObject({ status: 'RUNNING', active: true })
    await expect.poll(() => bodyOf(site)).toBe('changed')
  })
})
