import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Schema, unwrap } from '@panel/client'
import { databaseTypes, type DatabaseType } from '@panel/contract/databases'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ask, clientCommand } from './clients.harness.ts'
import { createSecretBox } from '../../packages/server/src/infra/secret-box/secret-box.ts'
import { at, type Client, type RunningPanel, startPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { kill, pause } from '../support/processes.ts'
import { ownDatabases } from '../support/shared-databases.ts'
import { freePort } from '../../packages/server/test/support/ports.ts'

type Database = Schema<'Database'>

const execute = promisify(execFile)
const encryptionKey = 'of the databases test, long enough to be taken'
const secretBox = createSecretBox(encryptionKey)

let panel: RunningPanel
let user: Client
let ports: Record<DatabaseType, number>
beforeAll(async () => {
  ports = { POSTGRESQL: await freePort(), MYSQL: await freePort() }
  panel = await startPanel({
    ...ownDatabases,
    ENCRYPTION_KEY: encryptionKey,
    POSTGRES_PORT: String(ports.POSTGRESQL),
    MYSQL_PORT: String(ports.MYSQL)
  })
  user = await panel.signUp()
})
afterAll(async () => {
  await panel?.dispose()
})
afterEach(({ task }) => {
  if (task.result?.state === 'fail') console.error(panel.output().slice(-5_000))
})

let count = 0
const uniqueName = (prefix: string) => `${prefix}_${++count}`
const create = (type: DatabaseType, values: Partial<Schema<'CreateDatabase'>> = {}) =>
  unwrap(user.api.POST('/api/databases', { body: { name: uniqueName('shop'), type, ...values } }))
const show = ({ id }: Pick<Database, 'id'>) => unwrap(user.api.GET('/api/databases/{id}', at(id)))

async function askAdmin(type: DatabaseType, sql: string): Promise<string[]> {
  const key = `${type.toLowerCase()}_admin_password`
  const [setting] = await panel.query<{ value: string }>('select value from settings where key = $1', [key])
  const [scheme, database] = type === 'POSTGRESQL' ? ['postgresql', 'postgres'] : ['mysql', 'mysql']
  const login = `panel:${encodeURIComponent(secretBox.open(setting!.value))}`
  const answer = await ask(`${scheme}://${login}@127.0.0.1:${ports[type]}/${database}`, sql)
  return answer === '' ? [] : answer.split('\n')
}
const databasesOf: Record<DatabaseType, string> = {
  POSTGRESQL: 'select datname from pg_database',
  MYSQL: 'select schema_name from information_schema.schemata'
}
const accountsOf: Record<DatabaseType, string> = {
  POSTGRESQL: 'select rolname from pg_roles',
  MYSQL: 'select user from mysql.user'
}

async function listenerOf(port: number): Promise<number> {
  const { stdout } = await execute('ss', ['-Hltnp', `sport = :${port}`])
  return Number(/pid=(\d+)/.exec(stdout)![1])
}

describe.each(databaseTypes)('%s', (type) => {
  test('of another account is unreachable', async () => {
    const [mine, other] = [await create(type, { name: uniqueName('a_b') }), await create(type)]
    await ask(other.hostUri, 'create table goods (name varchar(20))')
    const swapped = mine.hostUri.replace(`/${mine.name}`, `/${other.name}`)
    await expect(ask(swapped, 'select * from goods')).rejects.toThrow(/denied/)
  })

  test('is dropped with its account while connected', async () => {
    const made = await create(type)
    const { file, args, env } = clientCommand(made.hostUri)
    const open = spawn(file, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'ignore'] })
    onTestFinished(() => void open.kill('SIGKILL'))
    open.stdin.write("select 'connected';\n")
    // The MariaDB client responds only after its input ends, so count connections on the engine.
    const connections: Record<DatabaseType, string> = {
      POSTGRESQL: `select 1 from pg_stat_activity where usename = '${made.username}'`,
      MYSQL: `select 1 from information_schema.processlist where user = '${made.username}'`
    }
    await until(
      () => askAdmin(type, connections[type]),
      (found) => found.length === 1
    )
    await unwrap(user.api.DELETE('/api/databases/{id}', at(made.id)))
    const ended = once(open, 'exit')
    open.stdin.end('select 1;\n')
    const [code] = (await ended) as [number | null]
    expect(code).not.toBe(0)
    expect(await askAdmin(type, databasesOf[type])).not.toContain(made.name)
    expect(await askAdmin(type, accountsOf[type])).not.toContain(made.username)
  })

  test('that hangs is reported in bounded time and recovers', async () => {
    const made = await create(type)
    const pid = await listenerOf(ports[type])
    await pause(pid)
    onTestFinished(() => kill(pid, 'SIGCONT'))
    const name = uniqueName('hung')
    const answers = await Promise.all([
      user.request('POST', '/databases', { name, type }),
      user.request('DELETE', `/databases/${made.id}`),
      user.request('POST', `/databases/${made.id}/rotate-password`)
    ])
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 503, body: { code: 'DATABASE_SERVER_UNAVAILABLE' } })
    expect(await unwrap(user.api.POST('/api/databases/{id}/test', at(made.id)))).toMatchObject({ ok: false })
    expect(await show(made)).toMatchObject({ password: made.password, sizeBytes: null })
    kill(pid, 'SIGCONT')
    await until(
      () => ask(made.hostUri, 'select 1').catch(() => undefined),
      (answer) => answer === '1'
    )
    await until(
      () => user.request('POST', '/databases', { name, type }),
      ({ status }) => status === 201
    )
  })
})

test('kill -9 of the panel while creating, deleting and changing leaves nothing half done', async () => {
  const keptNames: string[] = []
  let cutOff = 0
  for (const delayMs of [0, 10, 20, 40, 80, 160, 320]) {
    const kept = await Promise.all(databaseTypes.map((type) => create(type, { name: uniqueName('kept') })))
    const dropped = await Promise.all(databaseTypes.map((type) => create(type, { name: uniqueName('dropped') })))
    const made = databaseTypes.flatMap((type) => [1, 2].map(() => ({ name: uniqueName('made'), type })))
    keptNames.push(...kept.map(({ name }) => name))
    // The response is lost with the web process, or is its 503.
    const requests = [
      ...made.map((body) => user.request('POST', '/databases', body)),
      ...dropped.map(({ id }) => user.request('DELETE', `/databases/${id}`)),
      ...kept.map(({ id }) => user.request('POST', `/databases/${id}/rotate-password`))
    ].map(async (request) => {
      const answer = await request.catch(() => undefined)
      if (!answer || answer.status === 503) cutOff++
    })
    await sleep(delayMs)
    await panel.kill()
    await Promise.all(requests)
    await panel.start()
  }
  expect(cutOff).toBeGreaterThan(0)
  const unfinished = "select name from databases where status <> 'ACTIVE' or encrypted_next_password is not null"
  await until(
    () => panel.query(unfinished),
    (rows) => rows.length === 0
  )

  const listed: Database[] = []
  for (let page = 1; ; page++) {
    const { databases } = await unwrap(
      user.api.GET('/api/databases', { params: { query: { limit: 100, page: page } } })
    )
    listed.push(...databases)
    if (databases.length < 100) break
  }
  for (const type of databaseTypes) {
    const rows = listed.filter((database) => database.type === type)
    const own = (found: string[]) => found.filter((name) => /^(u_)?(kept|dropped|made)_/.test(name)).sort()
    expect(own(await askAdmin(type, databasesOf[type]))).toEqual(own(rows.map((row) => row.name)))
    expect(own(await askAdmin(type, accountsOf[type]))).toEqual(own(rows.map((row) => row.username)))
    for (const row of rows)
      expect([row.name, await unwrap(user.api.POST('/api/databases/{id}/test', at(row.id)))]).toMatchObject([
        row.name,
        { ok: true }
      ])
  }
  expect(listed.map((row) => row.name)).toEqual(expect.arrayContaining(keptNames))
})
