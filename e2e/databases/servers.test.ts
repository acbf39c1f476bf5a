import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { isDeepStrictEqual, promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountOf, describeDatabaseServer } from '../../packages/server/test/contracts/database-server.contract.ts'
import type { DatabaseAccount } from '../../packages/server/src/infra/database-server/database-server.ts'
import { createPostgresqlServer } from '../../packages/server/src/infra/database-server/postgresql.ts'
import type { CgroupPath } from '../../packages/server/src/infra/cgroup/cgroup.ts'
import { machineCgroups } from '../../packages/server/src/infra/cgroup/machine-cgroups.ts'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { startProgram } from '../../packages/server/src/programs/lifecycle.ts'
import { cageDatabaseServer, removeCages } from '../../packages/server/src/wiring/cages.ts'
import { type EngineName, startTestEngine, type TestEngine, environmentOf } from './servers.harness.ts'
import { growthDuring } from '../support/memory.ts'
import { commandLines, kill, pause } from '../support/processes.ts'
import { until } from '../support/poll.ts'

const execute = promisify(execFile)

const engineNames = ['PostgreSQL', 'MariaDB'] as const
const cgroups = machineCgroups(run)
const cageOf = (name: EngineName) => ({
  instanceId: `servers${process.pid}`,
  name: name === 'PostgreSQL' ? ('postgresql' as const) : ('mysql' as const)
})
let [isCaged, isLate] = [false, false]
/** One of each for the whole file; its memory is limited from the test of that on. */
const engines = {} as Record<EngineName, TestEngine>
beforeAll(async () => {
  const start = async (name: EngineName) => {
    const contain = async (pids: readonly number[]) => {
      if (!isCaged) return
      // The first process may have forked before it was moved into the cgroup.
      if (isLate) await until(engines[name].pids, (all) => all.length > 3 || name === 'MariaDB')
      isLate = false
      await cageDatabaseServer(cgroups, { DATABASE_MEMORY_LIMIT: 512 * 2 ** 20 }, { ...cageOf(name), pids })
    }
    engines[name] = await startTestEngine(name, { contain })
  }
  await Promise.all(engineNames.map(start))
})
afterAll(async () => {
  await Promise.all(Object.values(engines).map((engine) => engine.close()))
  await removeCages(cgroups, cageOf('PostgreSQL').instanceId)
})

for (const name of engineNames) describeDatabaseServer(name, async () => environmentOf(name, engines[name]))

const outputOf = ({ stdout, stderr }: { stdout: string; stderr: string }) => (stdout + stderr).trim()

describe('PostgreSQL, as a tenant', () => {
  let engine: TestEngine
  const [mine, other] = [accountOf('mine'), accountOf('other')]
  beforeAll(async () => {
    engine = engines.PostgreSQL
    for (const account of [mine, other]) await engine.server.provision(account)
    await engine.as(other, 'CREATE TABLE secrets (text text)', "INSERT INTO secrets VALUES ('s3cret')")
  })
  const psql = (sql: string, database = mine.database, account: DatabaseAccount = mine) =>
    execute(
      'psql',
      ['-XAtw', '-v', 'ON_ERROR_STOP=1', '-h', '127.0.0.1', '-p', String(engine.port), '-U', account.username, '-d', database, '-c', sql], // oxfmt-ignore
      { env: { PATH: process.env.PATH, PGPASSWORD: account.password }, timeout: 60_000 }
    ).then(outputOf, outputOf)

  test('its own database takes tables, schemas and trusted extensions', async () => {
    const sql = `CREATE TABLE goods (id serial PRIMARY KEY); INSERT INTO goods DEFAULT VALUES; CREATE SCHEMA more;
      CREATE TABLE more.t (a int); CREATE EXTENSION pgcrypto; SELECT count(*) FROM goods`
    expect(await psql(sql)).toMatch(/1$/)
  })

  test.each([
    ['CREATE ROLE x', /permission denied to create role/],
    ['CREATE DATABASE x', /permission denied to create database/],
    ['ALTER ROLE CURRENT_USER SUPERUSER', /must be superuser/],
    ['ALTER ROLE CURRENT_USER CONNECTION LIMIT -1', /permission denied/],
    ['ALTER ROLE panel PASSWORD NULL', /must be superuser|permission denied/],
    ['SET ROLE panel', /permission denied/],
    ['GRANT u_other TO u_mine', /must have admin option/],
    ['ALTER DATABASE mine RENAME TO yours', /permission denied/],
    ['ALTER SYSTEM SET fsync = off', /permission denied/],
    ["COPY goods FROM PROGRAM 'id'", /must be superuser or have privileges/],
    ["COPY goods TO '/tmp/goods'", /must be superuser or have privileges/],
    ["SELECT pg_read_file('/etc/passwd')", /permission denied/],
    ["SELECT lo_import('/etc/passwd')", /permission denied/],
    ["SELECT pg_ls_dir('/')", /permission denied/],
    ['CREATE EXTENSION dblink', /permission denied/],
    ['CREATE EXTENSION file_fdw', /permission denied/],
    ['CREATE LANGUAGE plpython3u', /permission denied|not available|must be superuser/],
    ['SELECT rolpassword FROM pg_authid', /permission denied/],
    ["SET temp_file_limit = '-1'", /permission denied/]
  ])('%s is refused', async (sql, reason) => {
    expect(await psql(sql)).toMatch(reason)
  })

  test.each(['other', 'postgres', 'template1', 'template0'])('the database %s cannot be entered', async (database) => {
    expect(await psql('SELECT 1', database)).toMatch(/permission denied for database|not currently accepting/)
  })

  test('the schema public is closed to other accounts', async () => {
    await psql('GRANT CONNECT ON DATABASE mine TO u_other')
    expect(await psql('CREATE TABLE public.x (a int)', 'mine', other)).toMatch(/permission denied for schema public/)
    expect(await psql('SELECT * FROM public.goods', 'mine', other)).toMatch(/permission denied/)
  })

  test('grants by others do not block dropping an account', async () => {
    const guest = accountOf('guest')
    await engine.server.provision(guest)
    await psql('GRANT CONNECT, CREATE ON DATABASE mine TO u_guest; GRANT USAGE, CREATE ON SCHEMA public TO u_guest; GRANT SELECT ON goods TO u_guest') // oxfmt-ignore
    await engine.as({ ...guest, database: 'mine' }, 'CREATE TABLE left_behind (a int)')
    await engine.server.drop(guest)
    expect(await engine.asAdmin("SELECT FROM pg_roles WHERE rolname = 'u_guest'")).toEqual([])
    expect(await psql('SELECT count(*) FROM goods')).toBe('1')
  })

  test('database settings of an account do not affect the administrator', async () => {
    const trap = accountOf('trap')
    const guest = accountOf('guest')
    for (const account of [trap, guest]) await engine.server.provision(account)
    const names = ['pg_class', 'pg_namespace', 'pg_proc', 'pg_database', 'pg_roles', 'pg_shdepend']
    await engine.as(
      trap,
      'CREATE SCHEMA evil',
      `CREATE FUNCTION evil.spring() RETURNS oid LANGUAGE plpgsql AS
       $$ BEGIN ALTER ROLE u_trap SUPERUSER; RETURN 1; EXCEPTION WHEN OTHERS THEN RETURN 1; END $$`,
      ...names.map((name) => `CREATE VIEW evil.${name} AS SELECT evil.spring() AS oid, 'public'::name AS nspname`),
      'GRANT USAGE ON SCHEMA evil TO u_guest',
      'ALTER DATABASE trap SET search_path = evil, pg_catalog',
      'ALTER DATABASE trap SET statement_timeout = 1',
      'ALTER DATABASE trap SET default_transaction_read_only = on',
      'ALTER DATABASE trap SET role = u_trap',
      "ALTER DATABASE trap SET local_preload_libraries = 'nowhere'"
    )
    await engine.server.drop(trap, { onlyIfEmpty: true })
    await engine.server.provision(trap)
    await engine.server.drop(guest)
    const [row] = await engine.asAdmin("SELECT rolsuper FROM pg_roles WHERE rolname = 'u_trap'")
    expect(row).toEqual({ rolsuper: false })
    expect([...(await engine.server.sizes(['trap', 'guest'])).keys()]).toEqual(['trap'])
    await engine.server.drop(trap)
  })

  test('templates and locks held by the account do not block dropping a database', async () => {
    const account = accountOf('clinging')
    await engine.server.provision(account)
    await engine.as(account, 'ALTER DATABASE clinging IS_TEMPLATE true')
    const own = new pg.Client({ host: '127.0.0.1', port: engine.port, user: account.username, ...account })
    own.on('error', () => {})
    const ended = new Promise<void>((resolve) => void own.once('end', resolve))
    await own.connect()
    await own.query('BEGIN')
    await own.query("ALTER ROLE CURRENT_USER PASSWORD 'mine'")
    await expect(engine.server.setPassword(account)).rejects.toThrow('lock timeout')
    await engine.server.drop(account)
    await ended
    expect(await engine.asAdmin("SELECT FROM pg_roles WHERE rolname = 'u_clinging'")).toEqual([])
    expect((await engine.server.sizes(['clinging'])).size).toBe(0)
  })

  test('a session that uses too much memory ends alone', async () => {
    const session = psql("SET work_mem = '3GB'; SELECT 'still here'; SELECT pg_sleep(600)", 'other', other)
    const hoard = "SELECT array_length(array_agg(repeat('x', 1000000) || g), 1) FROM generate_series(1, 3000) g"
    expect(await psql(hoard)).toMatch(/out of memory/)
    await engine.server.drop(other)
    expect(await session).toMatch(/still here[^]*terminating connection due to administrator command/)
    await engine.server.provision(other)
  })

  test('passwords are stored as verifiers and never logged', async () => {
    const [row] = await engine.asAdmin("SELECT rolpassword FROM pg_authid WHERE rolname = 'u_mine'")
    expect(row?.rolpassword).toMatch(/^SCRAM-SHA-256\$/)
    await engine.asAdmin("ALTER SYSTEM SET log_statement = 'all'", 'SELECT pg_reload_conf()')
    const log = () => readFile(engine.program.log, 'utf8')
    for (const operation of [engine.server.setPassword, engine.server.provision]) await operation(mine)
    await until(log, (text) => text.includes('ALTER ROLE "u_mine" LOGIN'))
    await engine.asAdmin('ALTER SYSTEM RESET log_statement', 'SELECT pg_reload_conf()')
    expect(await log()).not.toContain(mine.password)
  })

  test.each([
    ['after the account', ["CREATE ROLE u_cut LOGIN PASSWORD 'x'"]],
    ['before it was opened', ['CREATE ROLE u_cut', 'CREATE DATABASE cut OWNER u_cut ALLOW_CONNECTIONS false']],
    ['before the schema was given', ['CREATE ROLE u_cut', 'CREATE DATABASE cut OWNER u_cut']]
  ])('an interrupted creation (%s) is undone or continued', async (_, statements) => {
    const account = accountOf('cut')
    await engine.asAdmin(...statements)
    await engine.server.drop(account, { onlyIfEmpty: true })
    expect(await engine.asAdmin("SELECT FROM pg_roles WHERE rolname = 'u_cut'")).toEqual([])
    await engine.asAdmin(...statements)
    await engine.server.provision(account)
    expect(await psql('SELECT 1', 'cut')).toMatch(/permission denied for database/)
    expect(await psql('CREATE TABLE goods (a int); SELECT 1', 'cut', account)).toMatch(/1$/)
    await engine.server.drop(account)
  })

  test('the administrator need not be a superuser', async () => {
    await engine.asAdmin("CREATE ROLE clerk LOGIN CREATEDB CREATEROLE PASSWORD 'clerk'")
    await engine.asAdmin('GRANT CONNECT ON DATABASE postgres TO clerk')
    const adminUrl = `postgresql://clerk:clerk@127.0.0.1:${engine.port}/postgres`
    const server = createPostgresqlServer({ adminUrl, internalHost: async () => '192.0.2.1' })
    const account = accountOf('by_clerk')
    for (let times = 0; times < 2; times++) await server.provision(account)
    await server.setPassword(account)
    await server.test(account)
    await engine.as(account, 'CREATE TABLE goods (id int)')
    await server.drop(account, { onlyIfEmpty: true })
    await server.test(account)
    await server.drop(account)
    expect(await server.sizes(['by_clerk'])).toEqual(new Map())
    await expect(server.provision(accountOf('mine', 'u_thief'))).rejects.toMatchObject({ kind: 'database-name-exists' })
  })
})

describe('MariaDB, as a tenant', () => {
  let engine: TestEngine
  const [mine, other] = [accountOf('c_d', 'u_mine'), accountOf('cxd', 'u_other')]
  beforeAll(async () => {
    engine = engines.MariaDB
    for (const account of [mine, other]) await engine.server.provision(account)
    await engine.as(other, 'CREATE TABLE secrets (text text)', "INSERT INTO secrets VALUES ('s3cret')")
  })
  const mariadb = (sql: string, database = mine.database) =>
    execute(
      'mariadb',
      ['--no-defaults', '-NB', '--local-infile=1', '-h', '127.0.0.1', '-P', String(engine.port), '-u', mine.username, database, '-e', sql], // oxfmt-ignore
      { env: { PATH: process.env.PATH, MYSQL_PWD: mine.password }, timeout: 60_000 }
    ).then(outputOf, outputOf)

  test('panel connections are pooled, except those of a killed or hanging engine', async () => {
    const opened = async () => Number((await engine.asAdmin("SHOW GLOBAL STATUS LIKE 'Connections'"))[0]!.Value)
    await engine.server.ping()
    const before = await opened()
    for (let times = 0; times < 10; times++) await engine.server.ping()
    expect((await opened()) - before, 'one asks').toBe(1)
    await Promise.all(Array.from({ length: 12 }, () => engine.server.ping()))
    const own = `SELECT count(*) AS n FROM information_schema.processlist WHERE user = '${engine.options.admin.name}'`
    await expect.poll(async () => Number((await engine.asAdmin(own))[0]!.n), { timeout: 8_000 }).toBe(4 + 1)
    const pids = await engine.pids()
    for (const pid of pids) await pause(pid)
    await expect(engine.server.ping()).rejects.toMatchObject({ kind: 'database-server-unavailable' })
    for (const pid of pids) kill(pid, 'SIGCONT')
    expect(await engine.server.ping()).toContain('MariaDB')
    for (const pid of pids) kill(pid, 'SIGKILL')
    await until(engine.pids, (left) => left.length === 0)
    await engine.start()
    expect(await engine.server.ping()).toContain('MariaDB')
  })

  test('its own database takes tables, views, routines and triggers', async () => {
    const sql = `CREATE TABLE goods (id int AUTO_INCREMENT PRIMARY KEY, name varchar(9)); INSERT INTO goods (name) VALUES ('ü😀');
      CREATE VIEW v AS SELECT * FROM goods; CREATE FUNCTION f() RETURNS int RETURN 1; SELECT name, f() FROM v`
    expect(await mariadb(sql)).toBe('ü😀\t1')
  })

  test.each([
    ["CREATE USER x IDENTIFIED BY 'x'", /Access denied/],
    ['CREATE DATABASE x', /Access denied/],
    ['CREATE DATABASE ccd', /Access denied/],
    ['SELECT * FROM cxd.secrets', /denied/],
    ['SELECT * FROM mysql.global_priv', /denied/],
    ['GRANT SELECT ON c_d.* TO u_other', /Access denied/],
    ["LOAD DATA INFILE '/etc/passwd' INTO TABLE goods", /Access denied/],
    ["LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE goods", /not allowed|disabled/],
    ["SELECT 1 INTO OUTFILE '/tmp/out'", /Access denied/],
    ["CREATE TABLE d (a int) ENGINE=InnoDB DATA DIRECTORY='/tmp'; SHOW WARNINGS", /option ignored/],
    ["CREATE TABLE f (a int) ENGINE=FEDERATED CONNECTION='mysql://x@127.0.0.1/x'", /Unknown storage engine/],
    ['CREATE FUNCTION sys_exec RETURNS int SONAME "lib_mysqludf_sys.so"', /denied/],
    ["INSTALL SONAME 'ha_federatedx'", /denied/],
    ["CREATE DEFINER='panel'@'127.0.0.1' PROCEDURE p() SELECT 1", /Access denied/],
    ['SET GLOBAL local_infile = 1', /Access denied/],
    ['SET GLOBAL max_user_connections = 1000', /Access denied/],
    ['SHUTDOWN', /Access denied/]
  ])('%s is refused', async (sql, reason) => {
    expect(await mariadb(sql)).toMatch(reason)
  })

  test('a session cannot allocate the memory of many sites', async () => {
    const hungry = ['max_heap_table_size', 'tmp_memory_table_size', 'sort_buffer_size', 'join_buffer_size', 'read_rnd_buffer_size', 'max_session_mem_used'] // oxfmt-ignore
    const wanted = hungry.map((name) => `${name} = 4294967295`).join(', ')
    const most = await mariadb(`SET SESSION ${wanted}; SELECT greatest(${hungry.map((name) => `@@${name}`).join()})`)
    expect(Number(most)).toBe(256 * 2 ** 20)
    const hoard = await growthDuring(await engine.pid(), () =>
      mariadb(`SET max_heap_table_size = 4294967295; CREATE TABLE hoard (a char(250)) ENGINE=MEMORY;
        INSERT INTO hoard SELECT 'x' FROM seq_1_to_500000`)
    )
    expect(hoard.result).toMatch(/The table 'hoard' is full/)
    expect(hoard.growth).toBeLessThan(100 * 2 ** 20)
    expect(await mariadb("SELECT length(concat(repeat('x', 60000000), 'y'))")).toBe('60000001')
  })

  test.each(['cxd', 'mysql', 'sys', 'performance_schema'])('the database %s cannot be entered', async (database) => {
    const rows = await mariadb(
      'SELECT count(*) FROM information_schema.tables WHERE table_schema = database()',
      database
    )
    expect(rows).toMatch(/Access denied|^0$/)
  })

  test('no anonymous logins, and no shared database', async () => {
    const accounts = await engine.asAdmin(
      "SELECT concat(user, '@', host) AS name FROM mysql.user WHERE user NOT LIKE 'u\\_%'"
    )
    expect(accounts.map(({ name }) => name).sort()).toEqual([
      'mariadb.sys@localhost',
      'panel@127.0.0.1',
      'root@localhost'
    ])
    expect(await mariadb('SHOW DATABASES')).toBe('c_d\ninformation_schema')
  })

  test('an interrupted creation is undone or continued; one without our mark is refused', async () => {
    const account = accountOf('cut')
    const half = [
      "CREATE USER u_cut@'%' IDENTIFIED BY 'x'",
      "CREATE DATABASE cut COMMENT 'made by the panel for u_cut'"
    ]
    await engine.asAdmin(...half)
    await engine.server.drop(account, { onlyIfEmpty: true })
    expect(await engine.server.sizes(['cut'])).toEqual(new Map())
    await engine.asAdmin(...half)
    await engine.server.provision(account)
    await engine.as(account, 'CREATE TABLE t (a int)')
    const unmarked = accountOf('unmarked')
    await engine.asAdmin('CREATE DATABASE unmarked', "CREATE USER u_unmarked@'%' IDENTIFIED BY 'x'")
    await expect(engine.server.provision(unmarked)).rejects.toMatchObject({ kind: 'database-name-exists' })
  })
})

describe.each(engineNames)('%s as a process', (name) => {
  let engine: TestEngine
  const account = accountOf('kept')
  beforeAll(async () => {
    engine = engines[name]
    await engine.server.provision(account)
    await engine.as(account, 'CREATE TABLE goods (id int)')
  })
  let rows = 0
  const insert = async () => {
    await engine.as(account, 'INSERT INTO goods VALUES (1)')
    rows++
  }
  const count = async () => Number((await engine.as(account, 'SELECT count(*) AS n FROM goods'))[0]?.n)

  test('has its own user; no password is in a command line', async () => {
    const status = await readFile(`/proc/${await engine.pid()}/status`, 'utf8')
    expect(/^Uid:\t(\d+)/m.exec(status)?.[1]).not.toBe('0')
    expect(/^CapBnd:\t0+$/m.test(status) && /^NoNewPrivs:\t1$/m.test(status)).toBe(true)
    expect((await commandLines()).join('\n')).not.toContain(engine.options.admin.password)
  })

  test('is killed by the OOM killer before the panel, with all its processes', async () => {
    const scoreOf = async (pid: number) => Number(await readFile(`/proc/${pid}/oom_score_adj`, 'utf8'))
    const pids = await engine.pids()
    expect(await Promise.all(pids.map(scoreOf))).toEqual(pids.map(() => 200))
    await writeFile(`/proc/${await engine.pid()}/oom_score_adj`, '150')
    await engine.start()
    expect(await scoreOf(await engine.pid())).toBe(200)
  })

  test('is left alone while running', async () => {
    const pid = await engine.pid()
    expect(await engine.start()).toEqual({ pid, outcome: 'adopted' })
  })

  test('is restarted if its configuration changed', async () => {
    await insert()
    const path = engine.program.render()[0]!.path
    await appendFile(path, '# changed by hand\n')
    expect(await engine.start()).toMatchObject({ outcome: 'restarted' })
    expect(await count()).toBe(rows)
  })

  test('restored data with another owner is fixed', async () => {
    await insert()
    await engine.stop()
    await execute('chown', ['-R', '12345:12345', engine.dataDirectory])
    expect(await engine.start()).toMatchObject({ outcome: 'started' })
    expect(await count()).toBe(rows)
  })

  test('data survives kill -9 of everything and a stale pid file', async () => {
    await insert()
    for (const pid of await engine.pids()) kill(pid, 'SIGKILL')
    await until(engine.pids, (pids) => pids.length === 0)
    await writeFile(engine.pidFile, `${process.pid}\n`)
    expect(await engine.start()).toMatchObject({ outcome: 'started' })
    expect(await count()).toBe(rows)
  })

  test('recovers from kill -9 of the first process', async () => {
    await insert()
    kill(await engine.pid(), 'SIGKILL')
    expect(await engine.start()).toMatchObject({ outcome: 'started' })
    expect(await count()).toBe(rows)
  })

  test('is replaced if it hangs', async () => {
    await insert()
    for (const pid of await engine.pids()) await pause(pid)
    expect(await engine.start()).toMatchObject({ outcome: 'started' })
    expect(await count()).toBe(rows)
  })

  test('a new administrator password takes effect on the next start', async () => {
    const { program } = engine
    const previous = engine.options.admin.password
    engine.options.admin = { name: 'panel', password: 'newer' }
    expect(await engine.start()).toMatchObject({ outcome: 'adopted' })
    await expect(engine.newServer().ping()).rejects.toMatchObject({ kind: 'database-server-unavailable' })
    engine.options.admin = { name: 'panel', password: previous }
    await engine.start()
    expect(await engine.server.ping()).toContain(program.name)
  })

  test('a drop closes open connections, also busy ones', async () => {
    const victim = accountOf('busy')
    await engine.server.provision(victim)
    const sleeping = name === 'PostgreSQL' ? 'SELECT pg_sleep(600)' : 'SELECT sleep(600)'
    const [idle, busy] = [openClient(name, engine.port, victim, ''), openClient(name, engine.port, victim, sleeping)]
    await until(
      () => connectionsOf(victim),
      (n) => n === 2
    )
    const open = await engine.server.countConnections()
    expect(open).toBeGreaterThanOrEqual(2)
    expect(open).toBeLessThan(20)
    await engine.server.drop(victim)
    await Promise.all([idle, busy])
    expect(await connectionsOf(victim)).toBe(0)
    expect((await engine.server.sizes(['busy'])).size).toBe(0)
  })

  test('one account cannot use all connections', async () => {
    const { username } = account
    await engine.asAdmin(
      name === 'PostgreSQL'
        ? `ALTER ROLE ${username} CONNECTION LIMIT -1`
        : `ALTER USER ${username}@'%' WITH MAX_USER_CONNECTIONS 0`
    )
    for (let times = 0; times < 2; times++) await engine.server.limitAccounts([username, 'nobody'])
    const ended = Array.from({ length: 45 }, () => openClient(name, engine.port, account, ''))
    await until(
      () => connectionsOf(account),
      (n) => n >= 40
    )
    expect(await connectionsOf(account)).toBe(40)
    expect(await engine.server.ping()).toContain(name)
    await engine.stop()
    await Promise.all(ended)
    await engine.start()
  })

  test('all processes share one memory limit; data is still there after a restart', async () => {
    const path: CgroupPath = [`panel${cageOf(name).instanceId}`, cageOf(name).name]
    await engine.stop()
    ;[isCaged, isLate] = [true, true]
    await engine.start()
    // Processes may start or exit between the two readings.
    const areCaged = async () => isDeepStrictEqual((await cgroups.listPids(path)).sort(), (await engine.pids()).sort())
    await until(areCaged, (isTrue) => isTrue)
    await insert()
    const hoards = [1, 2, 3, 4, 5, 6, 7, 8].map((number) =>
      name === 'PostgreSQL'
        ? engine.as(account, "SELECT array_agg(repeat('x', 1000000) || g) FROM generate_series(1, 100) g", 'SELECT pg_sleep(5)') // oxfmt-ignore
        : engine.as(
            account,
            'SET max_heap_table_size = 67108864',
            `CREATE TABLE hoard_${number} (a char(250)) ENGINE=MEMORY`,
            `INSERT IGNORE INTO hoard_${number} SELECT 'x' FROM seq_1_to_240000`
          )
    )
    const ends = await Promise.allSettled(hoards)
    expect(ends.some(({ status }) => status === 'rejected')).toBe(true)
    // Until then it runs crash recovery.
    const start = () =>
      engine.start().then(
        () => true,
        () => false
      )
    await until(start, (isBack) => isBack)
    expect(await count()).toBe(rows)
  })

  test('a foreign program on the port is reported and not contacted', async () => {
    await engine.stop()
    const squatter = createServer().listen(engine.port, '127.0.0.1')
    await once(squatter, 'listening')
    const error = await startProgram(engine.program).catch((thrown: unknown) => thrown as Error)
    expect(error).toMatchObject({ message: expect.stringContaining(`port ${engine.port}`), cause: { message: 'Address already in use' } }) // oxfmt-ignore
    squatter.close()
    await once(squatter, 'close')
    await engine.start()
    expect(await count()).toBe(rows)
  })

  const connectionsOf = async ({ username }: DatabaseAccount) => {
    const sql =
      name === 'PostgreSQL'
        ? `SELECT count(*) AS n FROM pg_stat_activity WHERE usename = '${username}'`
        : `SELECT count(*) AS n FROM information_schema.processlist WHERE user = '${username}'`
    return Number((await engine.asAdmin(sql))[0]?.n)
  }
})

function openClient(name: EngineName, port: number, account: DatabaseAccount, sql: string): Promise<void> {
  const { username, password, database } = account
  const argv: [string, ...string[]] =
    name === 'PostgreSQL'
      ? ['psql', '-XAtw', '-h', '127.0.0.1', '-p', String(port), '-U', username, '-d', database]
      : ['mariadb', '--no-defaults', '--skip-reconnect', '--unbuffered', '-h', '127.0.0.1', '-P', String(port), '-u', username, database] // oxfmt-ignore
  const [file, ...args] = argv
  const env = { PATH: process.env.PATH, PGPASSWORD: password, MYSQL_PWD: password }
  const client = spawn(file, args, { env, stdio: ['pipe', 'ignore', 'ignore'] })
  client.stdin.on('error', () => {})
  client.stdin.write(`${sql};\n`)
  // An idle client notices the closed connection only on its next statement.
  const nudge = setInterval(() => client.stdin.write('SELECT 1;\n'), 1_000)
  return once(client, 'exit').then(() => clearInterval(nudge))
}
