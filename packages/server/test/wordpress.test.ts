import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { type Header, pack } from 'tar-stream'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Project } from '@panel/contract/projects'
import { sentenceText } from '@panel/contract/sentences'
import type { WordpressImport } from '@panel/contract/wordpress'
import { wordpressProblemTexts } from '@panel/contract/wordpress-texts'
import { databases } from '../src/db/schema/databases.ts'
import { wordpressImports } from '../src/db/schema/wordpress-imports.ts'
import type { Dependencies } from '../src/dependencies.ts'
import { AdapterError } from '../src/infra/adapter-error.ts'
import { runImport } from '../src/features/wordpress/import.jobs.ts'
import { recoverImports } from '../src/features/wordpress/import.reconcile.ts'
import { listRunningImports } from '../src/features/wordpress/imports.repository.ts'
import { label } from '../src/infra/container-engine/labels.ts'
import type { MemoryContainerEngine } from './fakes/memory-container-engine.ts'
import { createMysqlServer } from '../src/infra/database-server/mysql.ts'
import { run } from '../src/infra/process/run.ts'
import { createClientTools } from '../src/infra/database-dump/client-tools.ts'
import { addressesOf } from '../src/infra/database-server/engine-address.ts'
import { createMariadbSiteDatabase } from '../src/infra/site-database/mariadb-site-database.ts'
import { startMariadb, type TestMariadb } from './support/mariadb.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'
import { withResolvers } from './support/with-resolvers.ts'
import { eventually } from './support/eventually.ts'

let mariadb: TestMariadb
let panel: TestPanel
let owner: Client
let other: Client
let project: Project
let stopJobs: () => void

beforeAll(async () => {
  mariadb = await startMariadb()
  const { adminUrl } = mariadb
  const { server } = addressesOf(adminUrl, 3306)
  const mysql = createMysqlServer({ adminUrl, internalHost: async () => '172.30.0.1' })
  panel = await createTestPanel({ PROXY_HTTP_PORT: '8080', ARCHIVE_MAX_SIZE: '20m', WORDPRESS_IMPORT_MAX: '8m' }) // oxfmt-ignore
  Object.assign(panel.deps, {
    databaseServers: { ...panel.deps.databaseServers, MYSQL: mysql },
    siteDatabase: createMariadbSiteDatabase({ run, adminUrl }),
    databaseDump: createClientTools({ run, servers: { POSTGRESQL: server, MYSQL: server } })
  })
  const stopping = new AbortController()
  // Like the worker, but immediate and without deployments, which need a container engine.
  const started = new Set<string>()
  const timer = setInterval(async () => {
    for (const { id, step } of await listRunningImports(panel.deps.db)) {
      if (step !== 'CHECKING' || started.has(id)) continue
      started.add(id)
      void runImport(jobDeps, 1, id, stopping.signal)
    }
  }, 30)
  stopJobs = () => {
    clearInterval(timer)
    stopping.abort(new Error('the panel stops'))
  }
  owner = await panel.signUp()
  other = await panel.createUser(owner)
})
afterAll(async () => {
  stopJobs?.()
  await panel?.close()
  await mariadb?.stop()
})

/** Dependencies of the job; tests replace parts. */
let jobDeps: Dependencies
beforeEach(async () => {
  jobDeps = panel.deps
  project = await owner.createProject({ type: 'WORDPRESS' })
})

type Entry = Partial<Header> & { name: string; content?: string | Buffer }

async function tarOf(entries: readonly Entry[]): Promise<Buffer> {
  const tar = pack()
  for (const { content = '', ...header } of entries) tar.entry(header, content)
  tar.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of tar) chunks.push(chunk as Buffer)
  return gzipSync(Buffer.concat(chunks))
}

const core = (at = ''): Entry[] => [
  { name: `${at}index.php`, content: '<?php // index' },
  { name: `${at}wp-includes/version.php`, content: '<?php' },
  { name: `${at}wp-content/uploads/a.png`, content: Buffer.from([0, 1, 2, 255]) },
  { name: `${at}.htaccess`, content: '# htaccess' }
]

/** mysqldump output of MySQL 8 with difficult content. */
const dump = (prefix = 'wp_', address = 'http://old.example') => `-- MySQL dump 10.13
/*!40101 SET NAMES utf8mb4 */;
CREATE DATABASE /*!32312 IF NOT EXISTS*/ \`old\` /*!40100 DEFAULT CHARACTER SET utf8mb4 */;
USE \`old\`;
DROP TABLE IF EXISTS \`${prefix}options\`;
CREATE TABLE \`${prefix}options\` (
  \`option_id\` bigint unsigned NOT NULL AUTO_INCREMENT,
  \`option_name\` varchar(191) COLLATE utf8mb4_0900_ai_ci NOT NULL DEFAULT '',
  \`option_value\` longtext COLLATE utf8mb4_0900_ai_ci NOT NULL,
  PRIMARY KEY (\`option_id\`), UNIQUE KEY \`option_name\` (\`option_name\`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;
/*!40000 ALTER TABLE \`${prefix}options\` DISABLE KEYS */;
INSERT INTO \`${prefix}options\` VALUES (1,'siteurl','${address}'),(2,'home','${address}'),
(3,'widget','a:1:{s:4:"text";s:${Buffer.byteLength(`é ${address}/x`)}:"é ${address}/x";}');
CREATE TABLE \`${prefix}posts\` (ID bigint unsigned PRIMARY KEY, post_content longtext, post_date datetime NOT NULL DEFAULT '0000-00-00 00:00:00');
INSERT INTO \`${prefix}posts\` (ID, post_content) VALUES (1,'See <a href="${address}/a">\\'quoted\\'; text</a>');
CREATE TABLE \`${prefix}users\` (ID bigint unsigned PRIMARY KEY, user_login varchar(60));
DELIMITER ;;
/*!50003 CREATE*/ /*!50017 DEFINER=\`root\`@\`localhost\`*/ /*!50003 TRIGGER \`x\` BEFORE INSERT ON \`${prefix}posts\` FOR EACH ROW BEGIN
  SET NEW.ID = 1;
END */;;
DELIMITER ;
`

async function importInto(
  into: Pick<Project, 'id'>,
  archive: Buffer,
  { fields = {}, as = owner, field = 'archive' }: { fields?: Record<string, string>; as?: Client; field?: string } = {}
) {
  const boundary = randomBytes(8).toString('hex')
  const part = (head: string, content: Buffer | string) =>
    Buffer.concat([Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n')]) // oxfmt-ignore
  const payload = Buffer.concat([
    part(`name="${field}"; filename="site.tar.gz"\r\nContent-Type: application/gzip`, archive),
    ...Object.entries(fields).map(([name, value]) => part(`name="${name}"`, value)),
    Buffer.from(`--${boundary}--\r\n`)
  ])
  return as.request('POST', `/api/projects/${into.id}/wordpress/import`, payload, {
    'content-type': `multipart/form-data; boundary=${boundary}`
  })
}

const filesOf = (id = project.id) => join(panel.deps.config.PROJECTS_DIR, 'by-id', id)
const listFiles = async (id = project.id) =>
  (await readdir(filesOf(id), { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(filesOf(id).length + 1))
    .sort()
const staged = async () =>
  (await readdir(join(panel.deps.config.PROJECTS_DIR, 'staging')).catch(() => [])).filter((name) => name !== 'files')
const engineLeftovers = () => mariadb.query("select schema_name from information_schema.schemata where schema_name like 'panel\\_%' union select user from mysql.user where user like 'panel\\_%'") // oxfmt-ignore
async function databaseOf(id = project.id) {
  const [row] = await panel.deps.db.select().from(databases).where(eq(databases.projectId, id))
  return row!
}
const select = async (sql: string) => {
  const { name } = await databaseOf()
  return (await mariadb.query(sql.replaceAll('DB.', `${name}.`))).map((row) => ({ ...row }))
}
/** Everything that a failed import must not change. */
const snapshot = async () => ({
  files: await Promise.all(
    (await listFiles()).map(async (path) => [path, await readFile(join(filesOf(), path), 'hex')])
  ),
  tables: await select(`select table_name, create_time from information_schema.tables where table_schema = '${(await databaseOf()).name}' order by 1`), // oxfmt-ignore
  options: await select('select * from DB.wp_options order by 1'),
  variables: (await owner.request('GET', `/api/projects/${project.id}/env`)).json()
})
const latestImport = async (id = project.id) =>
  (await owner.request('GET', `/api/projects/${id}/wordpress/import`)).json<WordpressImport>()
/** Containers never start here, so the deployment result is set directly. */
async function deploymentsEnd(): Promise<void> {
  await panel.deps.db.update(wordpressImports).set({ deploymentId: null })
  await recoverImports(panel.deps, { findDead: async () => [] })
}
const withSite = async () => {
  const imported = await importInto(project, await tarOf([...core(), { name: 'database.sql', content: dump() }]))
  expect(imported.statusCode, imported.body).toBe(200)
  await deploymentsEnd()
}

describe('an import', () => {
  test('of another host: files, tables, URLs, prefix, configuration, variables, deployment', async () => {
    const archive = await tarOf([
      ...core('public_html/'),
      { name: 'public_html/wp-config.php', content: `<?php define('DB_PASSWORD', 'secret'); $table_prefix = 'shop_';` },
      { name: 'public_html/backup.sql.gz', content: gzipSync('SELECT 1;') },
      {
        name: 'dump.sql',
        content: `${dump('shop_')}INSERT INTO shop_posts (ID, post_content) VALUES (2, 's:3:"http://old.example";');`
      }
    ])
    const response = await importInto(project, archive)
    expect(response.statusCode, response.body).toBe(200)
    expect(response.json()).toMatchObject({
      status: 'SUCCEEDED',
      step: 'DONE',
      files: 7,
      tables: 3,
      replacedAddress: 'http://old.example',
      notes: ['Not imported: a trigger', 'Not changed: texts that look serialized but that PHP cannot read (1)'],
      noteSentences: [{ code: 'TRIGGER' }, { code: 'MALFORMED_TEXTS', values: { count: 1 } }],
      errorCode: null,
      errorMessage: null,
      errorSentences: [],
      deploymentId: expect.any(String)
    })
    expect(await listFiles()).toEqual([
      '.htaccess',
      'index.php',
      'wp-config.php',
      'wp-content/uploads/a.png',
      'wp-includes/version.php'
    ])
    const config = await readFile(join(filesOf(), 'wp-config.php'), 'utf8')
    expect(config).toContain("$table_prefix = 'shop_'")
    expect(config).not.toContain('secret')
    const address = `http://${project.name}.apps.localhost:8080`
    const text = `é ${address}/x`
    expect(await select('select option_name, option_value from DB.shop_options order by option_id')).toEqual([
      { option_name: 'siteurl', option_value: address },
      { option_name: 'home', option_value: address },
      { option_name: 'widget', option_value: `a:1:{s:4:"text";s:${Buffer.byteLength(text)}:"${text}";}` }
    ])
    expect(await select('select post_content from DB.shop_posts order by ID')).toEqual([
      { post_content: `See <a href="${address}/a">'quoted'; text</a>` },
      { post_content: 's:3:"http://old.example";' }
    ])
    const { name, username } = await databaseOf()
    const { variables } = (await owner.request('GET', `/api/projects/${project.id}/env`)).json<{
      variables: { key: string }[]
    }>()
    expect(variables.map(({ key }) => key)).toEqual(expect.arrayContaining(['DB_NAME', 'DB_USER', 'DB_PASSWORD']))
    expect((await owner.request('GET', `/api/projects/${project.id}/env/DB_NAME/reveal`)).json()).toMatchObject({ value: name }) // oxfmt-ignore
    expect(username).not.toBe('')
    const { deploymentId } = response.json<WordpressImport>()
    const deployment = await owner.request('GET', `/api/projects/${project.id}/deployments/${deploymentId}`)
    expect(deployment.json()).toMatchObject({ buildLogs: expect.stringContaining('Not imported: a trigger') })
    await deploymentsEnd()
    expect(await staged()).toEqual([])
    expect(await engineLeftovers()).toEqual([])
  })

  test('replaces a site and keeps other tables', async () => {
    await withSite()
    await writeFile(join(filesOf(), 'gone.php'), '')
    const { name } = await databaseOf()
    await mariadb.query(`create table ${name}.wp_plugin (id int)`)
    await mariadb.query(`create table ${name}.accounting (id int)`)
    const archive = await tarOf([...core(), { name: 'a/b.sql', content: dump('n_', 'https://www.other.example/blog') }])
    const response = await importInto(project, archive)
    expect(response.json(), response.body).toMatchObject({ replacedAddress: 'https://www.other.example/blog' })
    expect(await listFiles()).not.toContain('gone.php')
    const tables = await select(`select table_name as t from information_schema.tables where table_schema = '${name}'`)
    expect(tables.map(({ t }) => t).sort()).toEqual(['accounting', 'n_options', 'n_posts', 'n_users'])
    await deploymentsEnd()
    expect(await engineLeftovers()).toEqual([])
  })

  test('an export is restored in another project', async () => {
    await withSite()
    await writeFile(join(filesOf(), 'wp-content', 'note é.txt'), 'note')
    await writeFile(join(filesOf(), '.env'), 'A=1')
    await writeFile(join(filesOf(), 'wp-content', 'uploads', 'backup.sql'), dump('old_'))
    await symlink('../index.php', join(filesOf(), 'wp-content', 'linked.php'))
    await symlink('uploads', join(filesOf(), 'wp-content', 'directory'))
    await symlink('/etc/passwd', join(filesOf(), 'out'))
    const exported = await owner.request('GET', `/api/projects/${project.id}/wordpress/export`)
    expect(exported.statusCode, exported.body.slice(0, 200)).toBe(200)
    expect(exported.headers['content-disposition']).toBe(`attachment; filename="${project.name}.tar.gz"`)
    const directory = await mkdtemp(join(tmpdir(), 'panel-export-'))
    try {
      await writeFile(join(directory, 'a.tar.gz'), exported.rawPayload)
      const { stdout } = await run(['tar', '-tzf', join(directory, 'a.tar.gz')], { timeoutMs: 10_000, env: { LC_ALL: 'C.UTF-8' } }) // oxfmt-ignore
      expect(stdout.split('\n')).toEqual(expect.arrayContaining(['database.sql', 'wp-includes/version.php']))
    } finally {
      await rm(directory, { recursive: true })
    }
    const previous = (await listFiles()).filter((path) => !path.endsWith('backup.sql') && path !== 'out')
    project = await owner.createProject({ type: 'WORDPRESS' })
    const response = await importInto(project, exported.rawPayload, { field: 'file' })
    expect(response.statusCode, response.body).toBe(200)
    expect(await listFiles()).toEqual([...previous, 'wp-content/linked.php'].sort())
    expect(await readFile(join(filesOf(), 'wp-content/linked.php'), 'utf8')).toBe('<?php // index')
    expect(await select("select option_value as v from DB.wp_options where option_name = 'home'")).toEqual([
      { v: `http://${project.name}.apps.localhost:8080` }
    ])
    await deploymentsEnd()
    expect(await staged()).toEqual([])
  })

  test('of a zip without core files, with database credentials', async () => {
    const created = await owner.request('POST', '/api/databases', { name: `mine_${randomBytes(4).toString('hex')}`, type: 'MYSQL' }) // oxfmt-ignore
    const { name, username, password } = created.json()
    const directory = await mkdtemp(join(tmpdir(), 'panel-zip-'))
    await mkdir(join(directory, 'wp-content/uploads'), { recursive: true })
    await writeFile(join(directory, 'wp-content/uploads/a.png'), 'png')
    await writeFile(join(directory, 'site.sql'), dump())
    await run(['python3', '-c', `import shutil; shutil.make_archive('/${directory}/x', 'zip', '${directory}')`], { timeoutMs: 20_000 }) // oxfmt-ignore
    const archive = await readFile(join(directory, 'x.zip'))
    await rm(directory, { recursive: true })
    const fields = { dbName: name, dbUser: username, dbPassword: password, dbHost: 'localhost' }
    const response = await importInto(project, archive, { fields })
    expect(response.statusCode, response.body).toBe(200)
    expect(await databaseOf()).toMatchObject({ name, autoInjectEnv: true })
    expect(await select('select count(*) as n from DB.wp_posts')).toEqual([{ n: 1 }])
  })
})

test('directories in place of generated files are skipped', async () => {
  const names = ['.panel-release/a', 'wp-config.php/a']
  const entries = [...core(), { name: 'x.sql', content: dump() }, ...names.map((name) => ({ name, content: 'x' }))]
  const response = await importInto(project, await tarOf(entries))
  expect(response.statusCode, response.body).toBe(200)
  expect((await readdir(filesOf())).sort()).toEqual(['.htaccess', 'index.php', 'wp-config.php', 'wp-content', 'wp-includes']) // oxfmt-ignore
  expect(await readFile(join(filesOf(), 'wp-config.php'), 'utf8')).toMatch(/^<\?php/)
  await deploymentsEnd()
})

describe('endless uploads', () => {
  const bodies: PassThrough[] = []
  afterEach(async () => {
    for (const body of bodies.splice(0)) body.end('\r\n--b--\r\n')
    await eventually(async () => expect(await listRunningImports(panel.deps.db)).toEqual([]))
    await eventually(async () => expect(await staged()).toEqual([]))
  })
  async function hang(as: Client) {
    const into = await as.createProject({ type: 'WORDPRESS' })
    const body = new PassThrough()
    bodies.push(body)
    body.write('--b\r\nContent-Disposition: form-data; name="archive"; filename="a"\r\n\r\nx')
    void as
      .request('POST', `/api/projects/${into.id}/wordpress/import`, body, {
        'content-type': 'multipart/form-data; boundary=b'
      }) // oxfmt-ignore
      .catch(() => {})
    await eventually(async () =>
      expect((await listRunningImports(panel.deps.db)).map(({ projectId }) => projectId)).toContain(into.id)
    )
  }

  test('two per account; others are served', async () => {
    const client = await panel.createUser(owner)
    await hang(client)
    await hang(client)
    const archive = await tarOf([...core(), { name: 'x.sql', content: dump() }])
    const third = await client.createProject({ type: 'WORDPRESS' })
    expect((await importInto(third, archive, { as: client })).json()).toMatchObject({ code: 'CONFLICT' })
    expect((await importInto(project, archive)).statusCode).toBe(200)
    expect((await owner.request('GET', `/api/projects/${project.id}/wordpress/export`)).statusCode).toBe(200)
    await deploymentsEnd()
  })

  test('other uploads count too', async () => {
    const client = await panel.createUser(owner)
    const now = new Date()
    for (const id of ['imp_a', 'imp_b']) {
      const { id: projectId } = await client.createProject({ type: 'WORDPRESS' })
      await panel.deps.db.insert(wordpressImports).values({ id, projectId, userId: client.user.id, createdAt: now, updatedAt: now }) // oxfmt-ignore
    }
    const into = await client.createProject({ type: 'WORDPRESS' })
    expect((await importInto(into, await tarOf(core()), { as: client })).json()).toMatchObject({
      code: 'CONFLICT',
      error: 'Too many concurrent imports. Wait for one to finish.'
    })
    await panel.deps.db.delete(wordpressImports).where(eq(wordpressImports.userId, client.user.id))
  })
})

describe('refused imports leave the site unchanged', () => {
  let before: Awaited<ReturnType<typeof snapshot>>
  /** One for all tests, since it stays as it is. */
  let site: Project | undefined
  beforeEach(async () => {
    if (!site) {
      await withSite()
      site = project
      before = await snapshot()
    }
    project = site
  })
  async function unchanged() {
    expect(await snapshot()).toEqual(before)
    expect(await staged()).toEqual([])
    expect(await engineLeftovers()).toEqual([])
  }
  const sql = (content: string): Entry[] => [...core(), { name: 'x.sql', content }]

  test.each<[string, Entry[], string]>([
    ['a name that leads out', [...core(), { name: '../../escape.php', content: 'x' }], 'ARCHIVE_INVALID'],
    ['a bomb', [...core(), { name: 'b', content: Buffer.alloc(30e6) }], 'ARCHIVE_INVALID'],
    ['no dump', core(), 'ARCHIVE_INVALID'],
    ['no site', [{ name: 'x.sql', content: dump() }], 'ARCHIVE_INVALID'],
    ['two dumps', [...sql(dump()), { name: 'y.sql', content: dump('b_') }], 'ARCHIVE_INVALID'],
    ['a dump of something else', sql('CREATE TABLE t (a int);'), 'ARCHIVE_INVALID'],
    ['a dump that is not packed as it says', [...core(), { name: 'x.sql.gz', content: 'x' }], 'ARCHIVE_INVALID'],
    ['a packed bomb', [...core(), { name: 'x.sql.gz', content: gzipSync(Buffer.alloc(30e6, '-')) }], 'ARCHIVE_INVALID'],
    ['an error in the middle', sql(dump().replace('CREATE TABLE `wp_users`', 'CREATE TABEL `wp_users`')), 'ARCHIVE_INVALID'], // oxfmt-ignore
    ['an error that the engine finds', sql(`${dump()}\nINSERT INTO wp_nothing VALUES (1);`), 'WORDPRESS_IMPORT_FAILED'],
    ['a shell command', sql(`${dump()}\n\\! touch /tmp/panel-hostile-import\n`), 'ARCHIVE_INVALID'],
    [
      'a file of the server',
      sql(`${dump()}\nLOAD DATA INFILE '/etc/hostname' INTO TABLE wp_posts;`),
      'ARCHIVE_INVALID'
    ],
    ['another database', sql(`${dump()}\nINSERT INTO mysql.user VALUES (1);`), 'WORDPRESS_IMPORT_FAILED'],
    ['a network of sites', sql(`${dump()}\nCREATE TABLE wp_blogs (id int);`), 'ARCHIVE_INVALID']
  ])('%s', async (_name, entries, code) => {
    const response = await importInto(project, await tarOf(entries))
    expect(response.json()).toMatchObject({ code })
    expect(response.statusCode).toBe(422)
    expect(await latestImport()).toMatchObject({
      status: 'FAILED',
      errorCode: code,
      errorMessage: response.json().error
    })
    const { errorMessage, errorSentences } = await latestImport()
    expect(sentenceText(wordpressProblemTexts, errorSentences)).toBe(errorMessage)
    expect(existsSync('/tmp/panel-hostile-import')).toBe(false)
    await unchanged()
  })

  test.each([
    'create trigger DB.x before insert on DB.wp_posts for each row set new.ID = 1',
    'create view DB.x as select 1 as a',
    'create procedure DB.x() select 1',
    'create event DB.x on schedule every 1 year do select 1'
  ])('a dump that passes the filter with %s', async (statement) => {
    const { siteDatabase } = panel.deps
    const load: typeof siteDatabase.load = async (account, ...rest) => {
      await siteDatabase.load(account, ...rest)
      await mariadb.query(statement.replaceAll('DB.', `${account.database}.`))
    }
    jobDeps = { ...panel.deps, siteDatabase: { ...siteDatabase, load } }
    const response = await importInto(project, await tarOf(sql(dump())))
    expect(response.json()).toMatchObject({ code: 'ARCHIVE_INVALID', error: expect.stringMatching(/\(x\)/) })
    await unchanged()
  })

  test('an invalid archive', async () => {
    expect((await importInto(project, Buffer.from('not an archive at all'))).json()).toMatchObject({
      code: 'ARCHIVE_INVALID'
    })
    await unchanged()
  })

  test('a site with uploads in a volume', async () => {
    const { engine, instanceId } = panel.deps
    const { volumes } = engine as MemoryContainerEngine
    volumes.set('uploads', { [label.instance]: instanceId, [label.project]: project.id })
    try {
      const response = await importInto(project, await tarOf(sql(dump())))
      expect(response.json()).toMatchObject({
        code: 'CONFLICT',
        error: expect.stringMatching(/Create a new WordPress project/)
      })
    } finally {
      volumes.delete('uploads')
    }
    await unchanged()
  })

  test('over the limits', async () => {
    const response = await importInto(project, randomBytes(9e6))
    expect(response.json()).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
    await unchanged()
  })

  test('no archive, wrong field or body', async () => {
    const archive = await tarOf(core())
    expect((await importInto(project, archive, { field: 'other' })).json()).toMatchObject({ code: 'VALIDATION_ERROR' })
    const url = `/api/projects/${project.id}/wordpress/import`
    expect((await owner.request('POST', url, { a: 1 })).json()).toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE' })
    await unchanged()
  })

  test.each([
    ['a foreign host', { dbHost: 'db.example.com' }],
    ['an address in the network of the panel', { dbHost: '169.254.169.254' }],
    ['another port', { dbHost: 'localhost:22' }],
    ['a wrong password', { dbPassword: 'other' }],
    ['another account', { dbUser: 'root' }],
    ['another database', { dbName: 'mysql' }]
  ])('credentials with %s', async (_name, changed) => {
    const { name, username, encryptedPassword } = await databaseOf()
    const dbPassword = panel.deps.secretBox.open(encryptedPassword)
    const fields = { dbName: name, dbUser: username, dbPassword, dbHost: '', ...changed }
    const response = await importInto(project, await tarOf(core()), { fields })
    expect(response.json()).toMatchObject({ code: 'VALIDATION_ERROR' })
    await unchanged()
  })

  test("another account's database", async () => {
    const created = await other.request('POST', '/api/databases', { name: `theirs_${randomBytes(4).toString('hex')}`, type: 'MYSQL' }) // oxfmt-ignore
    const { name, username, password } = created.json()
    const fields = { dbName: name, dbUser: username, dbPassword: password }
    expect((await importInto(project, await tarOf(core()), { fields })).statusCode).toBe(400)
    await unchanged()
  })

  test('manually set variables', async () => {
    await owner.request('POST', `/api/projects/${project.id}/env`, {
      key: 'WORDPRESS_DB_HOST',
      value: 'elsewhere'
    })
    before = await snapshot()
    const response = await importInto(project, await tarOf(sql(dump())))
    expect(response.json()).toMatchObject({ code: 'DATABASE_VARIABLES_EXIST' })
    await unchanged()
  })
})

describe('a crash', () => {
  let hasCrashed = false
  const crash = () => {
    hasCrashed = true
    return new Promise<never>(() => {})
  }
  const crashed = () => eventually(() => expect(hasCrashed).toBe(true))
  type Part = 'siteDatabase' | 'hostHelper' | 'fileStore' | 'databaseServers'
  /** Simulates a crash at this operation: calls hang for everyone else. */
  const crashing = (part: Part, operation: string): Dependencies => {
    const whole = panel.deps[part] as unknown as Record<string, unknown>
    const crashed =
      part === 'databaseServers'
        ? { ...whole, MYSQL: { ...(whole.MYSQL as object), [operation]: crash } }
        : { ...whole, [operation]: crash }
    return { ...panel.deps, [part]: crashed } as Dependencies
  }
  const begin = async (deps: Dependencies, step: string) => {
    hasCrashed = false
    jobDeps = deps
    const archive = await tarOf([
      ...core(),
      { name: 'new.php', content: 'new' },
      { name: 'x.sql', content: dump('new_') }
    ])
    void importInto(project, archive)
    await eventually(async () => expect(await latestImport()).toMatchObject({ status: 'RUNNING', step }))
    jobDeps = panel.deps
  }
  const recover = async () => {
    await eventually(async () => {
      await recoverImports(
        { ...panel.deps, now: () => new Date(Date.now() + 60_000) },
        { findDead: async (ids) => [...ids] }
      )
      for (const { id } of await listRunningImports(panel.deps.db))
        await runImport(panel.deps, 2, id, new AbortController().signal)
      expect(await listRunningImports(panel.deps.db)).toEqual([])
    })
    await deploymentsEnd()
  }
  const importsOf = (id: string) =>
    panel.deps.db.select().from(wordpressImports).where(eq(wordpressImports.projectId, id)).orderBy(wordpressImports.createdAt) // oxfmt-ignore

  test.each<[string, Part, string, string]>([
    ['while it is unpacked', 'fileStore', 'unpack', 'UNPACKING'],
    ['before there is a database', 'databaseServers', 'provision', 'LOADING'],
    ['while it is loaded', 'siteDatabase', 'load', 'LOADING'],
    ['while it is rewritten', 'siteDatabase', 'rewriteTexts', 'REWRITING']
  ])('%s: undone', async (_name, part, operation, step) => {
    await withSite()
    const before = await snapshot()
    await begin(crashing(part, operation), step)
    await crashed()
    await recover()
    expect(await latestImport()).toMatchObject({
      status: 'FAILED',
      errorMessage: expect.stringContaining(step),
      errorSentences: [{ code: 'IMPORT_INTERRUPTED', values: { step } }]
    })
    expect(await snapshot()).toEqual(before)
    expect(await staged()).toEqual([])
    expect(await engineLeftovers()).toEqual([])
  })

  test.each<[string, Part, string]>([
    ['before the tables are exchanged', 'siteDatabase', 'exchange'],
    ['between the tables and the files', 'hostHelper', 'replaceProject']
  ])('%s: completed', async (_name, part, operation) => {
    await withSite()
    await begin(crashing(part, operation), 'SWAPPING')
    await crashed()
    await recover()
    expect(await latestImport()).toMatchObject({ status: 'SUCCEEDED', step: 'DONE' })
    expect(await listFiles()).toContain('new.php')
    expect(await select('select count(*) as n from DB.new_posts')).toEqual([{ n: 1 }])
    await deploymentsEnd()
    expect(await staged()).toEqual([])
    expect(await engineLeftovers()).toEqual([])
  })

  test('after the files, before the row: completed', async () => {
    await withSite()
    const { hostHelper } = panel.deps
    const replaceProject: typeof hostHelper.replaceProject = async (...values) => {
      await hostHelper.replaceProject(...values)
      await crash()
    }
    await begin({ ...panel.deps, hostHelper: { ...hostHelper, replaceProject } }, 'SWAPPING')
    await eventually(async () => expect(await listFiles()).toContain('new.php'))
    await recover()
    expect(await latestImport()).toMatchObject({ status: 'SUCCEEDED' })
    expect(await listFiles()).toContain('new.php')
    await deploymentsEnd()
    expect(await staged()).toEqual([])
  })

  describe('concurrent deletions', () => {
    const deletion = async () => owner.request('DELETE', `/api/databases/${(await databaseOf()).id}`)
    const ends = async (code: string) => {
      await recover()
      expect(await latestImport()).toMatchObject({
        status: 'FAILED',
        errorCode: code,
        errorMessage: expect.any(String)
      })
      await deploymentsEnd()
      expect(await staged()).toEqual([])
      expect(await engineLeftovers()).toEqual([])
    }

    test('the database cannot be deleted during an import', async () => {
      await withSite()
      for (const [part, operation, step] of [
        ['siteDatabase', 'load', 'LOADING'],
        ['siteDatabase', 'exchange', 'SWAPPING']
      ] as const) {
        await begin(crashing(part, operation), step)
        await crashed()
        expect((await deletion()).json()).toMatchObject({ code: 'DATABASE_CHANGING' })
        await recover()
      }
      expect((await deletion()).statusCode).toBe(200)
    })

    test.each([
      ['the row of the database', () => panel.deps.db.update(databases).set({ status: 'DELETING' }).where(eq(databases.projectId, project.id)), 'NOT_FOUND'], // oxfmt-ignore
      ['the database on its engine', async () => mariadb.query(`drop database ${(await databaseOf()).name}`), 'WORDPRESS_IMPORT_FAILED'] // oxfmt-ignore
    ])('%s: it ends, and the next one starts', async (_name, remove, code) => {
      await withSite()
      const files = await listFiles()
      await begin(crashing('siteDatabase', 'exchange'), 'SWAPPING')
      await crashed()
      await remove()
      await ends(code)
      expect(await listFiles()).toEqual(files)
      expect((await importInto(project, await tarOf(core()))).json()).not.toMatchObject({ code: 'WORDPRESS_IMPORT_RUNNING' }) // oxfmt-ignore
    })

    test('a database linked elsewhere meanwhile stays unchanged', async () => {
      await withSite()
      const before = await snapshot()
      const { id } = await databaseOf()
      const second = await owner.createProject({ type: 'WORDPRESS' })
      await begin(crashing('siteDatabase', 'exchange'), 'SWAPPING')
      await crashed()
      await owner.request('PATCH', `/api/databases/${id}`, { projectId: second.id })
      await ends('CONFLICT')
      await owner.request('PATCH', `/api/databases/${id}`, { projectId: project.id, autoInjectEnv: true })
      expect(await snapshot()).toMatchObject({ files: before.files, tables: before.tables, options: before.options })
    })

    test.each<[string, Part, string, string]>([
      ['while it is unpacked', 'fileStore', 'unpack', 'UNPACKING'],
      ['before the tables are exchanged', 'siteDatabase', 'exchange', 'SWAPPING'],
      ['between the tables and the files', 'hostHelper', 'replaceProject', 'SWAPPING']
    ])('the project, %s: nothing is left', async (_name, part, operation, step) => {
      await withSite()
      const { id, name } = await databaseOf()
      const previous = await mariadb.query(`select * from ${name}.wp_options`)
      await begin(crashing(part, operation), step)
      await crashed()
      expect((await owner.request('DELETE', `/api/projects/${project.id}`)).statusCode).toBe(204)
      await recover()
      expect(await importsOf(project.id)).toEqual([expect.objectContaining({ status: 'SUCCEEDED' }), expect.objectContaining({ status: 'FAILED', stagingDatabase: null })]) // oxfmt-ignore
      expect(await staged()).toEqual([])
      expect(await engineLeftovers()).toEqual([])
      expect(await mariadb.query(`select * from ${name}.wp_options`)).toEqual(previous)
      expect((await owner.request('DELETE', `/api/databases/${id}`)).statusCode).toBe(200)
    })

    test('the project, after files were replaced: they are removed', async () => {
      await withSite()
      const { hostHelper } = panel.deps
      let goOn = () => {}
      const isDeleted = new Promise<void>((resolve) => (goOn = resolve))
      const replaceProject: typeof hostHelper.replaceProject = async (...values) => {
        await hostHelper.replaceProject(...values)
        await isDeleted
      }
      await begin({ ...panel.deps, hostHelper: { ...hostHelper, replaceProject } }, 'SWAPPING')
      await eventually(async () => expect(await listFiles()).toContain('new.php'))
      await owner.request('DELETE', `/api/projects/${project.id}`)
      goOn()
      await eventually(async () =>
        expect((await importsOf(project.id)).at(-1)).toMatchObject({ status: 'FAILED', errorCode: 'NOT_FOUND' })
      )
      await recover()
      expect(await listFiles()).toEqual([])
      expect(await staged()).toEqual([])
    })
  })

  test('an import stuck for a day is undone', async () => {
    await withSite()
    const before = await snapshot()
    await begin(crashing('hostHelper', 'replaceProject'), 'SWAPPING')
    await eventually(async () => expect(await select('select count(*) as n from DB.new_posts')).toEqual([{ n: 1 }]))
    const { hostHelper } = panel.deps
    let calls = 0
    const replaceProject: typeof hostHelper.replaceProject = async (...values) => {
      await hostHelper.replaceProject(...values)
      if (++calls === 1) throw new AdapterError('project-directories-unavailable', 'The helper is away')
    }
    const nextDay = () => new Date(Date.now() + 25 * 3600_000)
    const dayLater = { ...panel.deps, now: nextDay, hostHelper: { ...hostHelper, replaceProject } }
    await recoverImports(dayLater, { findDead: async (ids) => [...ids] })
    const [running] = await listRunningImports(panel.deps.db)
    await runImport(dayLater, 2, running!.id, new AbortController().signal)
    expect(await latestImport()).toMatchObject({ status: 'FAILED', errorCode: 'FILES_UNAVAILABLE' })
    const after = await snapshot()
    expect({ ...after, tables: undefined }).toEqual({ ...before, tables: undefined })
    expect(after.tables.map(({ table_name }) => table_name)).toEqual(before.tables.map(({ table_name }) => table_name))
    expect(await staged()).toEqual([])
    expect(await engineLeftovers()).toEqual([])
  })

  test('while receiving: fails after silence', async () => {
    const row = { id: `crash${randomBytes(8).toString('hex')}`, projectId: project.id, userId: owner.user.id, stagingDatabase: 'panel_import_x' } // oxfmt-ignore
    await panel.deps.db.insert(wordpressImports).values(row)
    expect((await importInto(project, await tarOf(core()))).json()).toMatchObject({ code: 'WORDPRESS_IMPORT_RUNNING' })
    await recoverImports(panel.deps, { findDead: async () => [] })
    expect(await latestImport()).toMatchObject({ status: 'RUNNING' })
    await recoverImports({ ...panel.deps, now: () => new Date(Date.now() + 3600_000) }, { findDead: async () => [] })
    expect(await latestImport()).toMatchObject({ status: 'FAILED' })
  })

  test('a failed swap is retried', async () => {
    await withSite()
    const failing = { ...panel.deps.hostHelper, replaceProject: async () => Promise.reject(new Error('no room')) }
    await begin({ ...panel.deps, hostHelper: failing }, 'SWAPPING')
    await eventually(async () => {
      const [row] = await panel.deps.db.select().from(wordpressImports).where(eq(wordpressImports.projectId, project.id)).orderBy(wordpressImports.createdAt).offset(1) // oxfmt-ignore
      expect(row).toMatchObject({ step: 'SWAPPING', workerId: null })
    })
    await recover()
    expect(await latestImport()).toMatchObject({ status: 'SUCCEEDED' })
    await deploymentsEnd()
  })
})

describe('an export', () => {
  const url = () => `/api/projects/${project.id}/wordpress/export`

  test('of a site without an own database is refused', async () => {
    expect((await owner.request('GET', url())).json()).toMatchObject({ code: 'CONFLICT' })
    await withSite()
    const config = `<?php define('DB_HOST', '10.0.0.1'); define('DB_NAME', 'a'); define('DB_USER', 'b'); define('DB_PASSWORD', 'c');`
    await writeFile(join(filesOf(), 'wp-config.php'), config)
    expect((await owner.request('GET', url())).json()).toMatchObject({ code: 'CONFLICT' })
  })

  test('one dump at a time per account', async () => {
    await withSite()
    const { databaseDump } = panel.deps
    let started = 0
    const { promise: held, resolve: release } = withResolvers()
    const dumpLate: typeof databaseDump.dump = async (...values) => {
      started++
      await held
      return databaseDump.dump(...values)
    }
    Object.assign(panel.deps, { databaseDump: { ...databaseDump, dump: dumpLate } })
    try {
      const first = owner.request('GET', url())
      await eventually(() => expect(started).toBe(1))
      expect((await owner.request('GET', url())).json()).toMatchObject({ code: 'CONFLICT' })
      release()
      expect((await first).statusCode).toBe(200)
      expect(started).toBe(1)
    } finally {
      Object.assign(panel.deps, { databaseDump })
    }
  })

  test('engine errors are reported', async () => {
    await withSite()
    const { name } = await databaseOf()
    await mariadb.query(`create view ${name}.broken as select * from ${name}.wp_posts`)
    await mariadb.query(`drop table ${name}.wp_posts`)
    const response = await owner.request('GET', url())
    expect(response.statusCode).toBe(503)
    expect(response.json()).toMatchObject({ code: 'DATABASE_SERVER_UNAVAILABLE' })
    expect(await readdir(join(panel.deps.config.PROJECTS_DIR, 'staging/files'))).toEqual([])
  })
})

describe('access', () => {
  const urls = (id: string) => [
    ['GET', `/api/projects/${id}/wordpress/export`],
    ['GET', `/api/projects/${id}/wordpress/import`],
    ['GET', `/api/projects/${id}/wordpress/imports/x`],
    ['POST', `/api/projects/${id}/wordpress/import`]
  ] as const // oxfmt-ignore

  test('other accounts and missing projects are refused', async () => {
    for (const [method, url] of urls(project.id)) {
      const archive = await tarOf(core())
      const answer =
        method === 'POST' ? await importInto(project, archive, { as: other }) : await other.request(method, url)
      expect(answer.statusCode, `${method} ${url}`).toBe(403)
    }
    for (const [method, url] of urls('none').slice(0, 3))
      expect((await owner.request(method, url)).statusCode, url).toBe(404)
  })

  test('other project types are refused', async () => {
    const node = await owner.createProject({ type: 'NODEJS' })
    expect((await importInto(node, await tarOf(core()))).json()).toMatchObject({ code: 'NOT_WORDPRESS' })
    expect((await owner.request('GET', urls(node.id)[0][1])).json()).toMatchObject({ code: 'NOT_WORDPRESS' })
  })

  test('another project’s import is 404', async () => {
    await withSite()
    const { id } = await latestImport()
    const second = await owner.createProject({ type: 'WORDPRESS' })
    expect((await owner.request('GET', `/api/projects/${project.id}/wordpress/imports/${id}`)).statusCode).toBe(200)
    expect((await owner.request('GET', `/api/projects/${second.id}/wordpress/imports/${id}`)).statusCode).toBe(404)
    expect((await owner.request('GET', `/api/projects/${second.id}/wordpress/import`)).statusCode).toBe(404)
  })

  test('both are audited', async () => {
    await withSite()
    await owner.request('GET', `/api/projects/${project.id}/wordpress/export`)
    const { entries } = (await owner.request('GET', '/api/audit?limit=50')).json<{ entries: { action: string; targetId: string }[] }>() // oxfmt-ignore
    const mine = entries.filter(({ targetId }) => targetId === project.id).map(({ action }) => action)
    expect(mine).toEqual(expect.arrayContaining(['wordpress.imported', 'wordpress.exported']))
  })
})
