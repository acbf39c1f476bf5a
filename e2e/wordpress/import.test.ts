import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import type { Database, DatabaseList } from '@panel/contract/databases'
import type { ImportStep, WordpressImport } from '@panel/contract/wordpress'
import { createConnection, type RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSecretBox } from '../../packages/server/src/infra/secret-box/secret-box.ts'
import { docker } from '../support/engine.ts'
import { growthDuring } from '../support/memory.ts'
import { type Client, type RunningPanel, startPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { type Browser, installWordpress, logIn, openBrowser, uploadMedia } from '../support/wordpress.ts'
import { ownDatabases } from '../support/shared-databases.ts'
import { freePort } from '../../packages/server/test/support/ports.ts'

const execute = promisify(execFile)
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64'
)

interface Site {
  id: string
  name: string
  address: string
  files: string
  browser: Browser
}

let panel: RunningPanel
let owner: Client
let work: string
let source: Site
let media: string
let archive: Buffer
let mysqlPort: number
const encryptionKey = randomBytes(32).toString('hex')

beforeAll(async () => {
  mysqlPort = await freePort()
  panel = await startPanel({ ...ownDatabases, ENCRYPTION_KEY: encryptionKey, MYSQL_PORT: String(mysqlPort) })
  owner = await panel.signUp()
  await panel.query('update users set max_databases = 100, max_projects = 100')
  work = await mkdtemp(join(tmpdir(), 'panel-import-'))
  source = await newSite()
  await owner.mustRun(source.id)
  await installWordpress(source.browser, 'The source')
  media = await uploadMedia(source.browser, 'picture.png', 'image/png', picture)
  // Serialized PHP values with the site's URL: multi-byte, nested, an object and a widget.
  await php(
    source,
    `$u = home_url(); $o = new stdClass; $o->url = $u . '/é'; $o->self = $o;
     update_option('test_nested', ['a' => $u, 'b' => serialize(['é 😀 ' . $u, 1.5, null, true]), 'o' => $o]);
     update_option('widget_text', [2 => ['title' => 'Widget', 'text' => '<a href="' . $u . '/w">é</a>'], '_multiwidget' => 1]);
     update_option('test_json', json_encode(['u' => $u . '/j']));
     wp_insert_post(['post_title' => 'A post', 'post_name' => 'a-post', 'post_status' => 'publish', 'post_content' => 'Here: <img src="' . $u . '${media}"> and ' . $u . '/?p=1']);`
  )
  const response = await download(source)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/gzip'])
  archive = Buffer.from(await response.arrayBuffer())
})
afterAll(async () => {
  await panel?.dispose()
  if (work) await rm(work, { recursive: true, force: true })
})

async function newSite(): Promise<Site> {
  const { id, name } = await owner.createProject({ type: 'WORDPRESS' })
  const hostname = `${name}.apps.localhost`
  return {
    id,
    name,
    address: `http://${hostname}:${panel.proxyPort}`,
    files: join(panel.dataDir, 'workspaces', 'projects', 'by-id', id),
    browser: openBrowser({ port: panel.proxyPort, hostname: `${hostname}:${panel.proxyPort}` })
  }
}

async function php(site: Pick<Site, 'id'>, code: string): Promise<string> {
  const { containerId } = await owner.call<{ containerId: string }>('GET', `/projects/${site.id}`)
  return docker('exec', containerId, 'php', '-r', `require '/var/www/html/wp-load.php'; ${code}`)
}

const download = ({ id }: Pick<Site, 'id'>) =>
  fetch(`${panel.url}/api/projects/${id}/wordpress/export`, { headers: { cookie: owner.cookie } })

async function importInto(
  { id }: Pick<Site, 'id'>,
  content: Buffer,
  fields: Record<string, string> = {}
): Promise<{ status: number; body: WordpressImport }> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('archive', new Blob([content]), 'site.tar.gz')
  const response = await fetch(`${panel.url}/api/projects/${id}/wordpress/import`, {
    method: 'POST',
    headers: { cookie: owner.cookie, origin: panel.url },
    body: form
  })
  return { status: response.status, body: (await response.json()) as WordpressImport }
}

async function readEngine(sql: string, database = 'mysql'): Promise<RowDataPacket[]> {
  const [setting] = await panel.query<{ value: string }>(
    `select value from settings where key = 'mysql_admin_password'`
  )
  const password = createSecretBox(encryptionKey).open(setting!.value)
  const connection = await createConnection({ host: '127.0.0.1', port: mysqlPort, user: 'panel', password, database })
  try {
    return (await connection.query<RowDataPacket[]>(sql))[0]
  } finally {
    connection.destroy()
  }
}

const deployed = (site: Pick<Site, 'id'>, { deploymentId }: WordpressImport) => owner.waitFor(site.id, deploymentId!)

async function expectImported(site: Site): Promise<void> {
  const front = await site.browser.get('/')
  expect([front.status, front.headers.location]).toEqual([200, undefined])
  expect(front.text).toContain('The source')
  expect(front.text).not.toContain(source.address)
  const post = await site.browser.get('/?name=a-post')
  expect(post.text).toContain(`src="${site.address}${media}"`)
  expect((await site.browser.get(media)).body).toEqual(picture)
  await logIn(site.browser)
  expect((await site.browser.get('/wp-admin/')).text).toContain('Dashboard')
  const options = JSON.parse(
    await php(
      site,
      `$n = get_option('test_nested'); echo json_encode([$n['a'], unserialize($n['b']), $n['o']->url, $n['o']->self === $n['o'],
        get_option('widget_text')[2]['text'], json_decode(get_option('test_json'))->u, home_url()]);`
    )
  )
  expect(options).toEqual([
    site.address,
    [`é 😀 ${site.address}`, 1.5, null, true],
    `${site.address}/é`,
    true,
    `<a href="${site.address}/w">é</a>`,
    `${site.address}/j`,
    site.address
  ])
}

test('an export is a valid tar.gz with the files and a dump', async () => {
  await writeFile(join(work, 'export.tar.gz'), archive)
  const { stdout } = await execute('tar', ['-tzf', join(work, 'export.tar.gz')], { maxBuffer: 1e8 })
  const names = stdout.split('\n').map((name) => name.replace(/^\.\//, ''))
  expect(names).toEqual(
    expect.arrayContaining(['database.sql', 'wp-config.php', 'wp-includes/version.php', media.slice(1)])
  )
  expect(names.filter((name) => name.startsWith('.panel-'))).toEqual([])
  expect(gunzipSync(archive).includes('CREATE TABLE `wp_options`')).toBe(true)
})

test('an export imports into another project, which serves its pages', async () => {
  const target = await newSite()
  const { status, body } = await importInto(target, archive)
  expect([status, body]).toEqual([
    200,
    expect.objectContaining({ status: 'SUCCEEDED', replacedAddress: source.address })
  ])
  expect(await deployed(target, body)).toMatchObject({ status: 'RUNNING' })
  await expectImported(target)
  expect((await source.browser.get('/')).text).toContain('The source')
})

const staged = async () =>
  (await execute('ls', [join(panel.dataDir, 'workspaces', 'projects', 'staging')])).stdout.split('\n').filter((name) => name.startsWith('import-')) // oxfmt-ignore

/** The same site packed by another host: other table prefix, MySQL 8 dump, below public_html. */
async function foreignArchive(change: (dump: string) => string = (dump) => dump): Promise<Buffer> {
  const directory = await mkdtemp(join(work, 'foreign-'))
  await writeFile(join(directory, 'in.tar.gz'), archive)
  await execute('mkdir', [join(directory, 'public_html')])
  await execute('tar', ['-xzf', join(directory, 'in.tar.gz'), '-C', join(directory, 'public_html')])
  await execute('mv', [join(directory, 'public_html/database.sql'), join(directory, 'dump.sql')])
  const dump = (await readFile(join(directory, 'dump.sql'), 'latin1'))
    .replaceAll('`wp_', '`shop7_')
    .replaceAll("'wp_user_roles'", "'shop7_user_roles'")
    .replaceAll("'wp_capabilities'", "'shop7_capabilities'")
    .replaceAll("'wp_user_level'", "'shop7_user_level'")
    .replaceAll('utf8mb4_unicode_520_ci', 'utf8mb4_0900_ai_ci')
  const head = `-- MySQL dump 10.13  Distrib 8.0.36\nCREATE DATABASE /*!32312 IF NOT EXISTS*/ \`shop\` /*!80016 DEFAULT ENCRYPTION='N' */;\nUSE \`shop\`;\n`
  const trigger = `DELIMITER ;;\n/*!50003 CREATE*/ /*!50017 DEFINER=\`root\`@\`localhost\`*/ /*!50003 TRIGGER t BEFORE INSERT ON shop7_posts FOR EACH ROW BEGIN SET NEW.ID = 1; END */;;\nDELIMITER ;\n`
  await writeFile(
    join(directory, 'dump.sql'),
    change(head + dump.replace(/^\/\*M?!999999.*\n/, '') + trigger),
    'latin1'
  )
  await writeFile(
    join(directory, 'public_html/wp-config.php'),
    `<?php define('DB_NAME', 'shop'); define('DB_PASSWORD', 'secret'); define('DB_HOST', 'db.example'); $table_prefix = 'shop7_';`
  )
  await execute('tar', ['-czf', join(directory, 'out.tar.gz'), '-C', directory, 'public_html', 'dump.sql'])
  return readFile(join(directory, 'out.tar.gz'))
}

test('an archive of another host serves its pages', async () => {
  const target = await newSite()
  const { status, body } = await importInto(target, await foreignArchive())
  expect([status, body]).toEqual([
    200,
    expect.objectContaining({ status: 'SUCCEEDED', notes: ['Not imported: a trigger'] })
  ])
  expect(await deployed(target, body)).toMatchObject({
    status: 'RUNNING',
    buildLogs: expect.stringContaining('Not imported: a trigger')
  })
  await expectImported(target)
})

describe('a live site', () => {
  let target: Site
  beforeAll(async () => {
    target = await newSite()
    await owner.mustRun(target.id)
    await installWordpress(target.browser, 'The old site')
    await writeFile(join(target.files, 'previous.txt'), 'previous', { mode: 0o644 })
  })

  test('stays if there is an error within the dump', async () => {
    const { databases } = await owner.call<DatabaseList>('GET', `/databases?projectId=${target.id}`)
    const { password } = await owner.call<Database>('GET', `/databases/${databases[0]!.id}`)
    const bad = await foreignArchive((dump) =>
      dump.replace('CREATE TABLE `shop7_users`', 'CREATE TABLE `shop7_users` oops')
    )
    const { status, body } = await importInto(target, bad)
    expect([status, body]).toEqual([422, expect.objectContaining({ code: 'WORDPRESS_IMPORT_FAILED' })])
    expect(JSON.stringify(body)).not.toContain(password)
    const front = await target.browser.get('/')
    expect([front.status, front.text.includes('The old site')]).toEqual([200, true])
    expect(await staged()).toEqual([])
  })

  test('is replaced, and the old one removed', async () => {
    const { body } = await importInto(target, archive)
    expect(await deployed(target, body)).toMatchObject({ status: 'RUNNING' })
    await expectImported(target)
    await expect(stat(join(target.files, 'previous.txt'))).rejects.toThrow('ENOENT')
    await until(staged, (names) => names.length === 0)
  })

  let title = 'The source'
  let count = 0

  /** Without the programs, and with this title. */
  async function smallArchive(name: string): Promise<Buffer> {
    const directory = await mkdtemp(join(work, 'small-'))
    await writeFile(join(directory, 'database.sql'), smallDump.replace("'The source'", `'${name}'`), 'latin1')
    const names = ['-C', join(work, 'small'), 'wp-content', '-C', directory, 'database.sql']
    await execute('tar', ['-czf', join(directory, 'out.tar.gz'), ...names])
    return readFile(join(directory, 'out.tar.gz'))
  }
  let smallDump: string
  beforeAll(async () => {
    const directory = join(work, 'small')
    await mkdir(directory)
    await writeFile(join(work, 'small.tar.gz'), archive)
    await execute('tar', ['-xzf', join(work, 'small.tar.gz'), '-C', directory, 'wp-content/uploads', 'database.sql'])
    smallDump = await readFile(join(directory, 'database.sql'), 'latin1')
  })

  const stepTo = (step: ImportStep) => ({
    table: 'wordpress_imports',
    condition: `new.step = '${step}' and old.step <> new.step`
  })

  test.each<[string, Moment, 'lost' | 'kept', 'old' | 'new']>([
    ['before it is queued', stepTo('CHECKING'), 'lost', 'old'],
    ['before it is unpacked', stepTo('UNPACKING'), 'lost', 'new'],
    ['before it is loaded', stepTo('LOADING'), 'lost', 'old'],
    ['right before the commit point', stepTo('SWAPPING'), 'lost', 'old'],
    ['right after the commit point', stepTo('SWAPPING'), 'kept', 'new'],
    [
      'between the tables and the files',
      { table: 'databases', condition: 'new.project_id is distinct from old.project_id' },
      'lost',
      'new'
    ]
  ])('survives kill -9 %s of an import', async (_name, moment, statement, expected) => {
    const name = `Import ${++count}`
    const credentials = moment.table === 'databases' ? await newDatabase() : {}
    const held = await holdAt(moment)
    const request = importInto(target, await smallArchive(name), credentials).catch(() => undefined)
    await held.reached()
    await panel.killWorker()
    await held.end(statement)
    // As if the upload had been silent for a long time.
    await panel.query(`update wordpress_imports set updated_at = now() - interval '1 hour' where step = 'RECEIVING'`)
    await panel.start()
    await request
    const ended = await until(
      () => owner.call<WordpressImport>('GET', `/projects/${target.id}/wordpress/import`),
      ({ status }) => status !== 'RUNNING'
    )
    expect(ended.status).toBe(expected === 'new' ? 'SUCCEEDED' : 'FAILED')
    if (expected === 'new') {
      expect(await deployed(target, ended)).toMatchObject({ status: 'RUNNING' })
      title = name
    }
    const front = await until(
      () => target.browser.get('/'),
      ({ status }) => status === 200
    )
    expect(front.text.includes(title)).toBe(true)
    if (expected === 'new') expect((await target.browser.get(media)).body).toEqual(picture)
    await until(leftovers, (found) => found.length === 0)
  })
})

interface Moment {
  table: string
  condition: string
}

/** Blocks the panel's statement for this change in the database until the test ends it. */
async function holdAt({ table, condition }: Moment) {
  await panel.query('create table held (is_held boolean)')
  await panel.query('insert into held values (true)')
  // The web process has its own database role.
  await panel.query('grant select on held to public')
  await panel.query(`create function hold() returns trigger language plpgsql as
    $$ begin while exists (select from held) loop perform pg_sleep(0.05); end loop; return new; end $$`)
  await panel.query(`create trigger hold before update on ${table} for each row when (${condition}) execute function hold()`) // oxfmt-ignore
  const waiting = `from pg_stat_activity where wait_event = 'PgSleep'`
  const isThere = (rows: unknown[]) => rows.length > 0
  return {
    reached: () => until(() => panel.query(`select pid ${waiting}`), isThere),
    /** `lost`: the statement is rolled back. `kept`: only the panel dies and the statement completes. */
    async end(statement: 'lost' | 'kept') {
      if (statement === 'lost') await until(() => panel.query(`select pg_terminate_backend(pid) ${waiting}`), isThere)
      await panel.query('delete from held')
      await until(
        () => panel.query(`select pid ${waiting}`),
        (rows) => !isThere(rows)
      )
      await panel.query(`drop trigger hold on ${table}`)
      await panel.query('drop function hold')
      await panel.query('drop table held')
    }
  }
}

async function newDatabase(): Promise<Record<string, string>> {
  const { name, username, password } = await owner.call<Database & { password: string }>('POST', '/databases', {
    name: `site_${randomBytes(4).toString('hex')}`,
    type: 'MYSQL'
  })
  return { dbName: name, dbUser: username, dbPassword: password }
}

async function leftovers(): Promise<string[]> {
  const rows =
    await readEngine(`select schema_name as name from information_schema.schemata where schema_name like 'panel\\_%'
    union select user from mysql.user where user like 'panel\\_%'`)
  return [...(await staged()), ...rows.map(({ name }) => String(name))]
}

test('a large site is exported and imported in constant memory', async () => {
  const [large, copy] = [await newSite(), await newSite()]
  expect((await importInto(large, archive)).status).toBe(200)
  const { databases } = await owner.call<DatabaseList>('GET', `/databases?projectId=${large.id}`)
  await readEngine('create table wp_large (id int primary key, t longtext)', databases[0]!.name)
  await readEngine(
    `insert into wp_large select seq, concat('${large.address}/', repeat(md5(seq), 320)) from seq_1_to_3000`,
    databases[0]!.name
  )
  const video = join('wp-content', 'uploads', 'video.mp4')
  await execute('dd', ['if=/dev/urandom', `of=${join(large.files, video)}`, 'bs=1M', 'count=200'])
  const exported = join(work, 'large.tar.gz')
  const headers = ['-H', `cookie: ${owner.cookie}`, '-H', `origin: ${panel.url}`]
  const curl = (...args: string[]) =>
    growthDuring(panel.pid(), () => execute('curl', ['-sS', '--fail-with-body', ...headers, ...args]))

  const out = await curl('-o', exported, `${panel.url}/api/projects/${large.id}/wordpress/export`)
  expect((await stat(exported)).size).toBeGreaterThan(200e6)
  const inwards = await curl('-F', `archive=@${exported}`, `${panel.url}/api/projects/${copy.id}/wordpress/import`)
  expect(JSON.parse(inwards.result.stdout)).toMatchObject({ status: 'SUCCEEDED', replacedAddress: large.address })
  expect(await sha256(join(copy.files, video))).toBe(await sha256(join(large.files, video)))
  const of = await owner.call<DatabaseList>('GET', `/databases?projectId=${copy.id}`)
  expect(
    await readEngine(
      `select count(*) as n, sum(t like '${copy.address}/%') as moved from ${of.databases[0]!.name}.wp_large`
    )
  ).toEqual([{ n: 3_000, moved: '3000' }])
  expect(out.growth).toBeLessThan(150e6)
  expect(inwards.growth).toBeLessThan(150e6)
})

const sha256 = async (path: string) => (await execute('sha256sum', [path])).stdout.split(' ')[0]
