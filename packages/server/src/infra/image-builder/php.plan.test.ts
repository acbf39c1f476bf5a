import { describe, expect, test } from 'vitest'
import { createMemoryTree } from '../../../test/fakes/memory-source-tree.ts'
import { planBuild } from './detect.ts'
import type { BuildSource } from './image-builder.ts'

const images = { node: 'node:20', python: 'python:3.11', static: 'caddy:2', php: 'php:{version}-fpm' }
const json = (value: object) => JSON.stringify(value)
const composer = (require: object) => ({ 'composer.json': json({ require }) })

async function planOf(files: Record<string, string>, settings: Partial<BuildSource> = {}) {
  const source = { buildCmd: null, startCmd: null, port: null, buildEnv: {}, ...settings, type: 'PHP' } as const
  const plan = await planBuild(createMemoryTree(files), { ...source, hasBuildKit: true }, images, {})
  const apache = plan.files.get('panel/panel.conf')!
  return { ...plan, apache, text: plan.files.get('panel/Dockerfile')!, root: /^DocumentRoot (.*)$/m.exec(apache)![1] }
}

describe('the document root', () => {
  test.each<[string, Record<string, string>, Partial<BuildSource>, string]>([
    ['the root', { 'index.php': '' }, {}, '/app'],
    ['public', { 'public/index.php': '', 'index.php': '' }, {}, '/app/public'],
    ['web', { 'web/index.php': '' }, {}, '/app/web'],
    ['what a framework makes', composer({ 'drupal/core-recommended': '^11' }), {}, '/app/web'],
    ['what a package makes', { ...composer({}), 'public/.htaccess': '' }, {}, '/app/public'],
    ['the setting', { 'index.php': '', 'docs/a.html': '' }, { outputDirectory: 'docs' }, '/app/docs'],
    ['of files', {}, { siteFiles: { php: { 'web/index.php': '' } } }, '/srv/web'],
    ['of empty files', {}, { siteFiles: { php: {} } }, '/srv']
  ])('is %s', async (_, files, settings, root) => expect((await planOf(files, settings)).root).toBe(root))

  test.each<[Record<string, string>, Partial<BuildSource>, RegExp]>([
    [{ 'index.html': '' }, {}, /no index\.php/],
    [{ 'index.php': '' }, { outputDirectory: 'none' }, /no directory none/]
  ])('of %j with %j is none', async (files, settings, problem) => {
    await expect(planOf(files, settings)).rejects.toThrow(problem)
  })
})

test('modules come from composer.json and the lock file, and only known names reach the script', async () => {
  const lock = json({ packages: [{ require: { 'ext-yaml': '*', 'EXT-Redis': '*' } }], platform: { 'ext-gmp': '*' } })
  const { files } = await planOf({ ...composer({ 'ext-tidy': '*', "ext-x'; id": '*' }), 'composer.lock': lock })
  const script = files.get('panel/modules.sh')
  for (const name of ['tidy', 'yaml', 'redis', 'gmp']) expect(script).toContain(`extension_loaded('${name}')`)
  expect(script).not.toContain('; id')
})

test('Composer has a cache of the account, and the variables of the build as a secret', async () => {
  const { text, secrets } = await planOf(composer({}), { buildEnv: { COMPOSER_AUTH: 'a-token' } })
  expect(text).toMatch(
    /RUN --mount=type=secret,id=env\S+ --mount=type=cache,id=panel-\S+,target=\/root\/\.cache\/composer /
  )
  expect(text).not.toContain('a-token')
  expect(secrets).toEqual({ env: "export COMPOSER_AUTH='a-token'\n" })
})

test.each<[Record<string, string>, string, string[]]>([
  [{ ...composer({ 'laravel/framework': '^12' }), artisan: '' }, 'Laravel', ['storage/logs']],
  [composer({ 'symfony/framework-bundle': '^7' }), 'Symfony', ['var']],
  [composer({ 'drupal/core-recommended': '^11' }), 'Drupal', ['web/sites/default/files']]
])('%j is %s, which keeps %j', async (files, name, keeps) => {
  const plan = await planOf(files)
  expect(plan.detected.framework).toBe(name)
  expect(plan.keeps).toEqual(expect.arrayContaining(keeps))
  expect(plan.notes.map(({ code }) => code)).toEqual([
    'DOCUMENT_ROOT',
    'NO_LOCK_FILE',
    'KEPT_FOLDERS',
    'COMMANDS_OF_FRAMEWORK'
  ])
})

test('the web process of a Procfile is not used, its workers are', async () => {
  const { processes } = await planOf({ 'index.php': '', Procfile: 'web: heroku-php-apache2\nworker: php work.php\n' })
  expect(processes).toEqual({ worker: 'php work.php' })
})
