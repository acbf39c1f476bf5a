import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createClientTools } from '../../packages/server/src/infra/database-dump/client-tools.ts'
import type { DatabaseAccount } from '../../packages/server/src/infra/database-server/database-server.ts'
import { addressesOf } from '../../packages/server/src/infra/database-server/engine-address.ts'
import { createMysqlServer } from '../../packages/server/src/infra/database-server/mysql.ts'
import { findProcesses } from '../../packages/server/src/infra/process/find-processes.ts'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { createMariadbSiteDatabase } from '../../packages/server/src/infra/site-database/mariadb-site-database.ts'
import { renderOptionFile } from '../../packages/server/src/infra/site-database/option-file.render.ts'
import type { SiteDatabase } from '../../packages/server/src/infra/site-database/site-database.ts'
import { startMariadb, type TestMariadb } from '../../packages/server/test/support/mariadb.ts'
import { startTestEngine } from '../databases/servers.harness.ts'
import { noCapability, statusOf } from '../support/processes.ts'

let mariadb: TestMariadb
let site: SiteDatabase
let directory: string
let account: DatabaseAccount
let count = 0

beforeAll(async () => {
  mariadb = await startMariadb()
  site = createMariadbSiteDatabase({ run, adminUrl: mariadb.adminUrl })
  directory = await mkdtemp(join(tmpdir(), 'panel-site-'))
})
afterAll(async () => {
  await mariadb?.stop()
  if (directory) await rm(directory, { recursive: true, force: true })
})
beforeEach(async () => {
  account = await newAccount()
})

async function newAccount(): Promise<DatabaseAccount> {
  const name = `site_${++count}`
  const made = { database: name, username: name, password: `pass"word\\ #${count}` }
  await createMysqlServer({ adminUrl: mariadb.adminUrl, internalHost: async () => 'localhost' }).provision(made)
  return made
}
function dump(path: string, maxBytes: number) {
  const { server } = addressesOf(mariadb.adminUrl, 3306)
  const tools = createClientTools({ run, servers: { POSTGRESQL: server, MYSQL: server } })
  return tools.dump('MYSQL', account, path, { maxBytes, isWithoutPrograms: true })
}
const load = (sql: string, of = account) => site.load(of, Readable.from([Buffer.from(sql)]), {})
const rowsOf = async (table: string) =>
  (await mariadb.query(`select * from ${account.database}.${table}`)).map((row) => ({ ...row }))

test('a dump restored elsewhere is identical', async () => {
  await load(`CREATE TABLE \`odd name\` (id int primary key, t text, b blob);
INSERT INTO \`odd name\` VALUES (1,'é 😀 \\' " \\\\ ;',x'00ff27'),(2,NULL,NULL);`)
  const path = join(directory, 'dump.sql')
  await dump(path, 1e6)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  const before = await rowsOf('`odd name`')
  account = await newAccount()
  await load(await readFile(path, 'utf8'))
  expect(await rowsOf('`odd name`')).toEqual(before)
})

test('the import client has only its file and no privileges', async () => {
  let seen: Record<string, string>[] = []
  async function* slowly() {
    yield Buffer.from('CREATE TABLE t (id int);\n')
    await expect
      .poll(async () => {
        const found = await findProcesses('mariadb', `--database=${account.database}`)
        seen = await Promise.all([...found.keys()].map(statusOf))
        return seen.length
      })
      .toBe(1)
    yield Buffer.from('INSERT INTO t VALUES (1);\n')
  }
  await site.load(account, Readable.from(slowly()), {})
  expect(seen[0]).toMatchObject({ Groups: '', CapEff: noCapability, CapBnd: noCapability, NoNewPrivs: '1' })
  expect(seen[0]?.Uid).not.toMatch(/^0\t/)
  expect(await rowsOf('t')).toEqual([{ id: 1 }])
})

test('a dump that is too large leaves no file', async () => {
  await load('CREATE TABLE t (id int)')
  const path = join(directory, 'large.sql')
  await expect(dump(path, 10)).rejects.toMatchObject({ kind: 'disk-full' })
  expect(existsSync(path)).toBe(false)
})

test('an error names its line and stops the import', async () => {
  const dump =
    "CREATE TABLE t (id int);\nINSERT INTO t VALUES (1);\nINSERT INTO t VALUES ('a' 'b' c);\nINSERT INTO t VALUES (2);"
  await expect(load(dump)).rejects.toMatchObject({
    kind: 'statements-refused',
    message: expect.stringMatching(/at line 3: You have an error in your SQL syntax/)
  })
  expect(await rowsOf('t')).toEqual([{ id: 1 }])
})

test('a failing source is reported', async () => {
  async function* broken() {
    yield Buffer.from('CREATE TABLE t (id int);\n')
    throw new Error('cut off')
  }
  await expect(site.load(account, Readable.from(broken()), {})).rejects.toThrow('cut off')
})

test('a wrong password is refused', async () => {
  await expect(load('SELECT 1', { ...account, password: 'other' })).rejects.toThrow(/Access denied/)
})

describe('a hostile dump has no effect outside its database', () => {
  beforeAll(async () => {
    await mariadb.query('create database other')
    await mariadb.query('create table other.t (id int)')
    await writeFile('/tmp/panel-hostile.sql', 'DROP DATABASE other;')
  })
  afterAll(() => rm('/tmp/panel-hostile.sql', { force: true }))

  test.each([
    '\\! touch /tmp/panel-hostile\n',
    'system touch /tmp/panel-hostile\n',
    'source /tmp/panel-hostile.sql\n',
    '\\. /tmp/panel-hostile.sql\n',
    'tee /tmp/panel-hostile\nSELECT 1;\n',
    '\\T /tmp/panel-hostile\nSELECT 1;\n',
    'pager touch /tmp/panel-hostile\nSELECT 1;\n',
    '\\P touch /tmp/panel-hostile\nSELECT 1;\n',
    'edit\n',
    'connect other localhost\nDROP TABLE t;\n',
    'DELIMITER x\n\\! touch /tmp/panel-hostile\nx\n',
    '/*!999999\\- enable the sandbox mode */\n\\! touch /tmp/panel-hostile\n',
    "CREATE TABLE p (a text); LOAD DATA LOCAL INFILE '/etc/hostname' INTO TABLE p;",
    "CREATE TABLE p (a text); LOAD DATA INFILE '/etc/hostname' INTO TABLE p;",
    "SELECT 'x' INTO OUTFILE '/tmp/panel-hostile';",
    "SELECT 'x' INTO DUMPFILE '/tmp/panel-hostile';",
    'USE mysql;\nDROP TABLE user;',
    'USE other;\nDROP TABLE t;',
    'DROP TABLE other.t;',
    'INSERT INTO other.t VALUES (1);',
    'CREATE DEFINER=root@localhost PROCEDURE p() DROP TABLE other.t;\nCALL p();',
    'CREATE DEFINER=root@localhost EVENT e ON SCHEDULE EVERY 1 SECOND DO DROP TABLE other.t;',
    'GRANT ALL ON *.* TO CURRENT_USER;',
    "CREATE USER hostile IDENTIFIED BY 'x';",
    'SET GLOBAL general_log = 1;',
    "SET GLOBAL general_log_file = '/tmp/panel-hostile';",
    "INSTALL SONAME 'ha_connect';",
    "CREATE SERVER s FOREIGN DATA WRAPPER mysql OPTIONS (HOST '127.0.0.1');",
    'CREATE DATABASE hostile;',
    'RENAME TABLE other.t TO mine;',
    'SHUTDOWN;'
  ])('%j', async (dump) => {
    await expect(load(dump)).rejects.toMatchObject({ kind: 'statements-refused' })
    expect(existsSync('/tmp/panel-hostile')).toBe(false)
    expect(await mariadb.query('select * from other.t')).toEqual([])
    expect(await mariadb.query("show databases like 'hostile'")).toEqual([])
    expect(await mariadb.query("select user from mysql.user where user = 'hostile'")).toEqual([])
  })

  test('a file is not read into a table', async () => {
    await load("CREATE TABLE p (a text); INSERT INTO p VALUES (LOAD_FILE('/etc/hostname'));")
    expect(await rowsOf('p')).toEqual([{ a: null }])
  })
})

describe('rewriting texts', () => {
  const shout = (text: string) => ({ value: text.replaceAll('old.example', 'NEW.example.org'), isMalformed: false })
  const maxRowBytes = 16e6
  const rewriteTexts = () => site.rewriteTexts(account, ['old.example'], shout, { maxRowBytes })

  test('all column and key types', async () => {
    await load(`
CREATE TABLE a (x int, y varchar(20) character set utf8mb4, t mediumtext, v varchar(100) character set latin1, primary key (y, x));
INSERT INTO a VALUES (1,'é','old.example é 😀','old.example \\'é'),(2,'é','none','none'),(3,'Z','http://OLD.EXAMPLE old.example',NULL);
CREATE TABLE b (t longtext, b longblob) ENGINE=MyISAM;
INSERT INTO b VALUES ('old.example twice',x'ff6f6c642e6578616d706c65ff'),('old.example twice',NULL),(NULL,NULL);
CREATE TABLE c (id bigint unsigned primary key, t text);
INSERT INTO c VALUES (18446744073709551615,'old.example'),(9007199254740993,'old.example');
CREATE TABLE d (id datetime unique, t text, u text as (upper(t)) stored);
INSERT INTO d (id, t) VALUES (NULL,'old.example'),(NULL,'old.example');
CREATE TABLE e (\`select\` binary(2) primary key, \`from\` json);
INSERT INTO e VALUES (x'00ff','["old.example"]');`)
    expect(await rewriteTexts()).toEqual({ changed: 11, malformed: 0, tooLarge: 0 })
    expect(await rowsOf('a')).toEqual([
      { x: 3, y: 'Z', t: 'http://OLD.EXAMPLE NEW.example.org', v: null },
      { x: 1, y: 'é', t: 'NEW.example.org é 😀', v: "NEW.example.org 'é" },
      { x: 2, y: 'é', t: 'none', v: 'none' }
    ].sort((one, other) => one.y.localeCompare(other.y) || one.x - other.x)) // oxfmt-ignore
    const [first] = await rowsOf('b')
    expect(first).toEqual({
      t: 'NEW.example.org twice',
      b: Buffer.from('\xffNEW.example.org\xff', 'latin1')
    })
    expect(await rowsOf('c where t = binary "NEW.example.org"')).toHaveLength(2)
    expect(await rowsOf('d where u = "NEW.EXAMPLE.ORG"')).toHaveLength(2)
    expect(Object.keys((await rowsOf('d'))[0]!)).toEqual(['id', 't', 'u'])
    expect(await rowsOf('e')).toEqual([{ select: Buffer.from([0, 255]), from: '["NEW.example.org"]' }])
  })

  test('more rows than one batch, and large ones', async () => {
    await load(`CREATE TABLE t (id int primary key auto_increment, t longtext);
INSERT INTO t (t) SELECT concat('old.example ', seq) FROM seq_1_to_2500;
INSERT INTO t (t) SELECT concat(repeat('x', 3000000), 'old.example') FROM seq_1_to_5;`)
    expect(await rewriteTexts()).toEqual({ changed: 2505, malformed: 0, tooLarge: 0 })
    expect(await mariadb.query(`select count(*) as n from ${account.database}.t where t like binary '%NEW.%'`)).toEqual(
      [{ n: 2505 }]
    )
  })

  test('rows that are too large are left unchanged and counted', async () => {
    await load(`CREATE TABLE t (id int primary key, t longtext, u text);
INSERT INTO t VALUES (1, repeat('old.example ', 100), ''), (2, repeat('old.example ', 100), 'x'), (3, 'old.example', NULL);`)
    const options = { maxRowBytes: 1200 }
    expect(await site.rewriteTexts(account, ['old.example'], shout, options)).toEqual({ changed: 2, malformed: 0, tooLarge: 1 }) // oxfmt-ignore
    expect(await rowsOf("t where t like binary '%NEW.%'")).toMatchObject([{ id: 1 }, { id: 3 }])
  })

  test('yields to other work', async () => {
    await load(`CREATE TABLE t (id int primary key auto_increment, t longtext);
INSERT INTO t (t) SELECT concat(repeat('x', 200000), 'old.example') FROM seq_1_to_100;`)
    let sinceTurn = 0
    let most = 0
    const count = (text: string) => {
      sinceTurn += text.length
      most = Math.max(most, sinceTurn)
      return { value: text, isMalformed: false }
    }
    const turns = setInterval(() => (sinceTurn = 0), 0)
    try {
      await site.rewriteTexts(account, ['old.example'], count, { maxRowBytes })
    } finally {
      clearInterval(turns)
    }
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(2 * 1024 * 1024)
  })
})

describe('swapping tables', () => {
  const previous = 'panel_former_1'
  const tablesOf = async (database: string) =>
    (await mariadb.query(`select table_name as name from information_schema.tables where table_schema = ?`, [database]))
      .map((row) => String(row.name))
      .sort()

  test('new tables replace old ones, others stay; repeating changes nothing', async () => {
    const live = account
    await load('CREATE TABLE wp_posts (id int primary key); INSERT INTO wp_posts VALUES (1);')
    await load(
      'CREATE TABLE wp_meta (id int, p int, foreign key (p) references wp_posts (id)); CREATE TABLE shop (id int);'
    )
    await load('CREATE TABLE old_plugin (id int); CREATE TABLE new_options (id int);')
    const staged = await newAccount()
    await load(
      'CREATE TABLE new_options (id int primary key, `o``dd` int); INSERT INTO new_options VALUES (7,7);',
      staged
    )
    await load('CREATE TABLE new_posts (id int, o int, foreign key (o) references new_options (id));', staged)
    const exchange = () =>
      site.exchange({ staged: staged.database, live: live.database, previous, prefixes: ['wp_', 'old_', 'new_'] })
    await exchange()
    await exchange()
    expect(await tablesOf(staged.database)).toEqual([])
    expect(await tablesOf(live.database)).toEqual(['new_options', 'new_posts', 'shop'])
    expect(await tablesOf(previous)).toEqual(['new_options', 'old_plugin', 'wp_meta', 'wp_posts'])
    expect((await rowsOf('new_options'))[0]).toEqual({ id: 7, 'o`dd': 7 })
    await load('INSERT INTO new_posts VALUES (1, 7);')
    await site.dropPrevious(previous)
    await site.dropPrevious(previous)
    expect(await mariadb.query('show databases like ?', [previous])).toEqual([])
  })

  test('immovable tables are named', async () => {
    await load('CREATE TABLE t (id int); CREATE TABLE u (id int); CREATE VIEW v AS SELECT * FROM u;')
    await load('CREATE TRIGGER x BEFORE INSERT ON t FOR EACH ROW SET NEW.id = 1;')
    expect(await site.listImmovable(account.database)).toEqual(['t', 'v'])
  })

  test('triggers and views are named', async () => {
    expect(await site.listPrograms(account.database)).toEqual([])
    const { database } = account
    await mariadb.query(`create table ${database}.t (id int)`)
    await mariadb.query(`create view ${database}.a_view as select 1 as x`)
    await mariadb.query(
      `create trigger ${database}.b_trigger before insert on ${database}.t for each row set new.id = 1`
    )
    await mariadb.query(`create procedure ${database}.c_procedure() select 1`)
    await mariadb.query(`create event ${database}.d_event on schedule every 1 year do select 1`)
    expect(await site.listPrograms(database)).toEqual(['a_view', 'b_trigger', 'c_procedure', 'd_event'])
  })

  test('only tables of an import are dropped', async () => {
    await expect(site.dropPrevious(account.database)).rejects.toThrow(TypeError)
  })
})

test('kill -9 of the engine during the swap moves all tables or none', async () => {
  const engine = await startTestEngine('MariaDB')
  try {
    const [live, staged, previous] = ['live', 'panel_import_kill', 'panel_former_kill'] as const
    const names = Array.from({ length: 150 }, (_, index) => `wp_${index}`)
    await engine.asAdmin(`create database ${live}`, `create database ${staged}`)
    for (const [database, word] of [
      [live, 'old'],
      [staged, 'new']
    ] as const)
      // oxfmt-ignore
      await engine.asAdmin(
        ...names.map((name) => `create table ${database}.${name} (t char(3)) as select '${word}' as t`)
      )
    const adminUrl = `mysql://${engine.options.admin.name}:${encodeURIComponent(engine.options.admin.password)}@127.0.0.1:${engine.port}/`
    const exchanging = createMariadbSiteDatabase({ run, adminUrl })
    const countTables = async (database: string) =>
      Number((await engine.asAdmin(`select count(*) as n from information_schema.tables where table_schema = '${database}'`))[0]!.n) // oxfmt-ignore
    const filesOf = async (database: string) =>
      (await readdir(join(engine.dataDirectory, database)).catch(() => [])).filter((name) => name.endsWith('.ibd'))
        .length
    for (const moved of [1, 40, 120]) {
      const exchange = () => exchanging.exchange({ staged, live, previous, prefixes: ['wp_'] })
      const cutOff = expect(exchange()).rejects.toThrow()
      while ((await filesOf(previous)) < moved) await nextTurn()
      for (const pid of await engine.pids()) process.kill(pid, 'SIGKILL')
      await cutOff
      await engine.start()
      const counts = [await countTables(live), await countTables(staged), await countTables(previous)]
      expect([[150, 150, 0], [150, 0, 150]]).toContainEqual(counts) // oxfmt-ignore
      const words = await engine.asAdmin(names.map((name) => `select t from ${live}.${name}`).join(' union '))
      expect(words).toEqual([{ t: counts[1] === 0 ? 'new' : 'old' }])
      await exchange()
      expect(await engine.asAdmin(`select t from ${live}.wp_0`)).toEqual([{ t: 'new' }])
      await exchanging.exchange({ staged: previous, live, previous: staged, prefixes: ['wp_'] })
      expect(await engine.asAdmin(`select t from ${live}.wp_0`)).toEqual([{ t: 'old' }])
    }
  } finally {
    await engine.close()
  }
})

test('reads the first options and the start of their values', async () => {
  await load(`CREATE TABLE o (option_name varchar(20), option_value longtext);
INSERT INTO o SELECT 'siteurl', repeat('é', 5000) FROM seq_1_to_2000; INSERT INTO o VALUES ('home', 'x');`)
  expect(await site.readOptions(account, 'o', ['home'])).toEqual(new Map([['home', 'x']]))
  expect((await site.readOptions(account, 'o', ['siteurl'])).get('siteurl')).toBe('é'.repeat(4096))
})

test('an engine that is down is reported', async () => {
  const unavailable = createMariadbSiteDatabase({ run, adminUrl: 'mysql://root@127.0.0.1:1/' })
  await expect(unavailable.listTables(account)).rejects.toMatchObject({ kind: 'database-server-unavailable' })
})

test('the client reads the option file as intended', async () => {
  const path = join(directory, 'options.cnf')
  const values = { username: 'a b', password: '"\\n # ; \'é\\\\' }
  await writeFile(path, renderOptionFile(values, { host: '127.0.0.1', port: 3307 }))
  const { stdout } = await run(['my_print_defaults', `--defaults-file=${path}`, 'client'], { timeoutMs: 10_000 })
  expect(stdout.trim().split('\n')).toEqual([
    '--host=127.0.0.1',
    '--port=3307',
    '--protocol=TCP',
    `--user=${values.username}`,
    `--password=${values.password}`
  ])
})
