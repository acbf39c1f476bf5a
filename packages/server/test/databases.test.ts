import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { and, eq } from 'drizzle-orm'
import type { Database } from '@panel/contract/databases'
import { databases } from '../src/db/schema/databases.ts'
import { deployments } from '../src/db/schema/deployments.ts'
import { envVars } from '../src/db/schema/env-vars.ts'
import { projects } from '../src/db/schema/projects.ts'
import { AdapterError } from '../src/infra/adapter-error.ts'
import { reconcileDatabases } from '../src/features/databases/database-recovery.reconcile.ts'
import { createDatabase, enginesOf, envOf, listOf, newDatabase, outcome, uniqueName } from './support/databases.ts'
import { type Client, createTestPanel, password, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let engines: ReturnType<typeof enginesOf>
let admin: Client
let ann: Client
let bob: Client
beforeAll(async () => {
  panel = await createTestPanel()
  engines = enginesOf(panel)
  admin = await panel.signUp()
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
})
afterAll(() => panel.close())
afterEach(() => {
  for (const engine of Object.values(engines)) engine.before = async () => {}
})

const show = (by: Client, id: string) => by.request('GET', `/api/databases/${id}`)
const change = (by: Client, id: string, body: object) => by.request('PATCH', `/api/databases/${id}`, body)
const rotate = (by: Client, id: string) => by.request('POST', `/api/databases/${id}/rotate-password`)
const remove = (by: Client, id: string) => by.request('DELETE', `/api/databases/${id}`)
const connect = async (by: Client, id: string) => (await by.request('POST', `/api/databases/${id}/test`)).json()
const actionsOn = async (targetId: string) => (await panel.audited({ targetId })).map((entry) => entry.action)
const unavailable = async () => {
  throw new AdapterError('database-server-unavailable', 'The database server does not answer')
}
const names = (found: readonly Database[]) => found.map((database) => database.name)
const times = <T>(n: number, make: (index: number) => T) => Array.from({ length: n }, (_, index) => make(index))

describe('creation', () => {
  test.each([
    ['POSTGRESQL', 'postgresql', 5432, '/adminer/?pgsql=&username=USER&db=NAME&ns=public'],
    ['MYSQL', 'mysql', 3306, '/adminer/?server=&username=USER&db=NAME']
  ] as const)('%s: returns all connection details', async (type, scheme, port, admins) => {
    const name = uniqueName('Shop')
    const response = await createDatabase(ann, { name, type })
    expect(response.statusCode).toBe(201)
    expect(response.headers['cache-control']).toBe('no-store')
    const database = response.json<Database>()
    const { username, password: secret } = database
    expect(username).toMatch(new RegExp(`^u_${name}_[0-9a-f]{8}$`))
    expect(secret).toMatch(/^[\w-]{24}$/)
    expect(database).toEqual({
      id: database.id,
      name,
      type,
      projectId: null,
      autoInjectEnv: false,
      username,
      password: secret,
      host: '172.30.0.1',
      port,
      internalUri: `${scheme}://${username}:${secret}@172.30.0.1:${port}/${name}`,
      hostUri: `${scheme}://${username}:${secret}@localhost:${port}/${name}`,
      adminUrl: panel.deps.config.API_BASE_URL + admins.replace('USER', username).replace('NAME', name),
      sizeBytes: 0,
      createdAt: database.createdAt,
      updatedAt: database.updatedAt
    })
    expect(engines[type].databases.get(name)).toEqual({ owner: username, bytes: 0 })
    expect(engines[type].accounts.get(username)).toBe(secret)
    expect(await actionsOn(database.id)).toEqual(['database.created'])
  })

  test('the password is encrypted at rest', async () => {
    const database = await newDatabase(ann)
    const [row] = await panel.deps.db.select().from(databases).where(eq(databases.id, database.id))
    expect(row!.encryptedPassword).toMatch(/^[0-9a-f]{24}:[0-9a-f]{32}:[0-9a-f]+$/)
    expect(JSON.stringify(row)).not.toContain(database.password)
  })

  test.each([
    [
      'POSTGRESQL',
      ['postgres', 'PostgreS', 'template0', 'template1'],
      ['mysql', 'sys', 'test', 'panel', 'panel_x', 'pg_x', 'PG_x2']
    ],
    [
      'MYSQL',
      ['mysql', 'sys', 'information_schema', 'Performance_Schema'],
      ['postgres', 'test', 'panel', 'panel_x', 'pg_x']
    ]
  ])('%s allows its own names only', async (type, own, others) => {
    for (const name of own) {
      const response = await createDatabase(ann, { name, type })
      expect([...outcome(response), response.json().details[0].path]).toEqual([400, 'VALIDATION_ERROR', 'name'])
    }
    for (const name of others) {
      const response = await createDatabase(ann, { name, type })
      expect([name, response.statusCode]).toEqual([name, 201])
      await ann.request('DELETE', `/api/databases/${response.json<{ id: string }>().id}`)
    }
  })

  test.each([
    '',
    'a'.repeat(64),
    'a-b',
    'a b',
    'a.b',
    'a"b',
    "a'b",
    'a`b',
    'a;drop database x',
    'a%',
    'a\\',
    'ä',
    'a\n',
    '../x',
    null,
    7
  ])('refuses the name %j', async (name) => {
    for (const type of ['POSTGRESQL', 'MYSQL']) {
      const response = await createDatabase(ann, { name, type })
      expect([...outcome(response), response.json().details[0].path]).toEqual([400, 'VALIDATION_ERROR', 'name'])
    }
  })

  test.each([
    [{ type: 'ORACLE' }, 'type'],
    [{ type: undefined }, 'type'],
    [{ autoInjectEnv: true }, 'autoInjectEnv'],
    [{ autoInjectEnv: 'yes' }, 'autoInjectEnv'],
    [{ projectId: "x' or 1=1" }, 'projectId']
  ])('refuses %j', async (values, path) => {
    const response = await createDatabase(ann, values)
    expect([...outcome(response), response.json().details[0].path]).toEqual([400, 'VALIDATION_ERROR', path])
  })

  test('names of 63 characters with the same start get distinct accounts', async () => {
    const long = 'n'.repeat(62)
    const made = [
      await newDatabase(ann, { name: `${long}1`, type: 'MYSQL' }),
      await newDatabase(ann, { name: `${long}2`, type: 'MYSQL' }),
      await newDatabase(ann, { name: `${long}1`, type: 'POSTGRESQL' })
    ]
    expect(made.map(({ username }) => username.length)).toEqual([32, 32, 63])
    expect(new Set(made.map(({ username }) => username)).size).toBe(3)
    for (const { username } of made) expect(username).toMatch(/^u_n+_[0-9a-f]{8}$/)
  })

  test('a name is unique per engine, case-insensitively', async () => {
    const name = uniqueName('Taken')
    await newDatabase(ann, { name })
    for (const [by, again] of [
      [ann, name],
      [bob, name],
      [bob, name.toLowerCase()]
    ] as const)
      expect(outcome(await createDatabase(by, { name: again }))).toEqual([409, 'DATABASE_NAME_EXISTS'])
    await newDatabase(bob, { name, type: 'MYSQL' })
  })

  test('a name taken on the engine is refused, and its data kept', async () => {
    const name = uniqueName('foreign')
    engines.POSTGRESQL.databases.set(name, { owner: 'somebody', bytes: 0 })
    const accounts = engines.POSTGRESQL.accounts.size
    expect(outcome(await createDatabase(ann, { name }))).toEqual([409, 'DATABASE_NAME_EXISTS'])
    expect(engines.POSTGRESQL.databases.get(name)).toEqual({ owner: 'somebody', bytes: 0 })
    expect(engines.POSTGRESQL.accounts.size).toBe(accounts)
    expect(await panel.deps.db.select().from(databases).where(eq(databases.name, name))).toEqual([])
  })

  test('exactly one of concurrent creations of a name succeeds', async () => {
    const name = uniqueName('race')
    const answers = await Promise.all(times(8, (index) => createDatabase(index % 2 ? ann : bob, { name })))
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([201, ...times(7, () => 409)])
    const winner = answers.findIndex((answer) => answer.statusCode === 201)
    const made = answers[winner]!.json<Database>()
    expect(engines.POSTGRESQL.databases.get(name)?.owner).toBe(made.username)
    expect(await connect(winner % 2 ? ann : bob, made.id)).toMatchObject({ ok: true })
  })

  test('a missing, deleted or foreign project is refused before anything is created', async () => {
    const foreign = await bob.createProject()
    const deleted = await ann.createProject()
    await ann.request('DELETE', `/api/projects/${deleted.id}`)
    const before = engines.POSTGRESQL.databases.size
    expect(outcome(await createDatabase(ann, { projectId: foreign.id }))).toEqual([403, 'FORBIDDEN'])
    expect(outcome(await createDatabase(ann, { projectId: deleted.id }))).toEqual([404, 'NOT_FOUND'])
    expect(outcome(await createDatabase(ann, { projectId: 'none' }))).toEqual([404, 'NOT_FOUND'])
    expect(engines.POSTGRESQL.databases.size).toBe(before)
  })
})

describe('quota', () => {
  test('concurrent creations stop at the limit, and deletion frees a place', async () => {
    const person = await panel.createUser(admin, { maxDatabases: 3 })
    const answers = await Promise.all(
      times(10, (index) => createDatabase(person, { type: index % 2 ? 'MYSQL' : 'POSTGRESQL' }))
    )
    const codes = answers.map((answer) => answer.json().code ?? 'made')
    expect(codes.filter((code) => code === 'made')).toHaveLength(3)
    expect(codes.filter((code) => code === 'QUOTA_EXCEEDED')).toHaveLength(7)
    const usage = async () => (await person.request('GET', '/api/users/me/usage')).json().resources.maxDatabases
    expect(await usage()).toEqual({ used: 3, limit: 3 })
    const [first] = await listOf(person)
    expect((await remove(person, first!.id)).statusCode).toBe(200)
    expect(await usage()).toEqual({ used: 2, limit: 3 })
    await newDatabase(person)
    expect(outcome(await createDatabase(person))).toEqual([403, 'QUOTA_EXCEEDED'])
  })

  test('a failed creation does not count', async () => {
    const person = await panel.createUser(admin, { maxDatabases: 1 })
    engines.MYSQL.before = async (operation) => {
      if (operation === 'provision') throw new Error('disk full')
    }
    expect(outcome(await createDatabase(person, { type: 'MYSQL' }))).toEqual([500, 'INTERNAL'])
    await newDatabase(person)
  })
})

describe('reading', () => {
  test('one with its password, audited; lists are masked', async () => {
    const made = await newDatabase(ann, { type: 'MYSQL' })
    const shown = await show(ann, made.id)
    expect(shown.json()).toEqual(made)
    expect(shown.headers['cache-control']).toBe('no-store')
    expect(await actionsOn(made.id)).toEqual(['database.created', 'database.credentials_shown'])
    const response = await ann.request('GET', `/api/databases?search=${made.name}`)
    expect(response.body).not.toContain(made.password)
    const masked = await ann.request('GET', `/api/databases/${made.id}?secrets=false`)
    expect(masked.json()).toEqual(response.json().databases[0])
    expect(outcome(await bob.request('GET', `/api/databases/${made.id}?secrets=false`))).toEqual([404, 'NOT_FOUND'])
    expect(await actionsOn(made.id)).toEqual(['database.created', 'database.credentials_shown'])
    const { password: secret, ...rest } = made
    expect(response.json()).toEqual({
      databases: [
        {
          ...rest,
          internalUri: made.internalUri.replace(secret!, '••••••••'),
          hostUri: made.hostUri.replace(secret!, '••••••••')
        }
      ],
      pagination: { page: 1, limit: 20, total: 1, totalPages: 1 }
    })
  })

  test('the password requires a token with the scope full', async () => {
    const { id } = await newDatabase(ann)
    for (const [scope, isShown] of [
      ['read', false],
      ['full', true]
    ] as const) {
      const { token } = (await ann.request('POST', '/api/auth/tokens', { name: scope, scope, password })).json()
      const ask = (url: string) => panel.app.inject({ url, headers: { authorization: `Bearer ${token}` } })
      const answers = [await ask('/api/databases'), await ask(`/api/databases/${id}`)]
      expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200])
      expect('password' in answers[1]!.json<object>()).toBe(isShown)
    }
  })

  test('pagination, newest first, filtered by project, type and name', async () => {
    const person = await panel.createUser(admin)
    const project = await person.createProject()
    await newDatabase(person, { name: 'Alpha_One' })
    await newDatabase(person, { name: 'alphaXone', type: 'MYSQL' })
    await newDatabase(person, { name: 'beta', projectId: project.id })
    expect(names(await listOf(person))).toEqual(['beta', 'alphaXone', 'Alpha_One'])
    expect(names(await listOf(person, '?limit=1&page=2'))).toEqual(['alphaXone'])
    expect(names(await listOf(person, '?order=name'))).toEqual(['Alpha_One', 'alphaXone', 'beta'])
    expect(names(await listOf(person, '?type=MYSQL'))).toEqual(['alphaXone'])
    expect(names(await listOf(person, `?projectId=${project.id}`))).toEqual(['beta'])
    expect(names(await listOf(person, '?projectId=none'))).toEqual(['alphaXone', 'Alpha_One'])
    expect(names(await listOf(person, '?projectId=none&type=MYSQL'))).toEqual(['alphaXone'])
    expect(names(await listOf(person, '?search=ALPHA'))).toEqual(['alphaXone', 'Alpha_One'])
    expect(names(await listOf(person, '?search=a_o'))).toEqual(['Alpha_One'])
    expect(names(await listOf(person, '?search=%25'))).toEqual([])
    expect(names(await listOf(person, '?search=a%25a'))).toEqual([])
    expect(names(await listOf(person, '?search=%5C'))).toEqual([])
    for (const query of ['?limit=101', '?page=0', '?type=X', '?search=a%00b'])
      expect((await person.request('GET', `/api/databases${query}`)).statusCode).toBe(400)
  })

  test('sizes come from the engine, null if unavailable', async () => {
    const postgresql = await newDatabase(ann, { name: uniqueName('size') })
    const mysql = await newDatabase(ann, { name: uniqueName('size'), type: 'MYSQL' })
    engines.POSTGRESQL.databases.get(postgresql.name)!.bytes = 8192
    engines.MYSQL.databases.get(mysql.name)!.bytes = 4096
    const sizes = async () => (await listOf(ann, '?search=size_')).map(({ sizeBytes }) => sizeBytes)
    expect(await sizes()).toEqual([4096, 8192])
    engines.MYSQL.before = () => new Promise(() => {})
    expect(await sizes()).toEqual([null, 8192])
    engines.POSTGRESQL.before = unavailable
    expect(await sizes()).toEqual([null, null])
    expect((await show(ann, mysql.id)).json()).toMatchObject({ sizeBytes: null, password: mysql.password })
  })

  test("another account's database is 404 on every route, also for administrators", async () => {
    const made = await newDatabase(ann)
    for (const by of [bob, admin]) {
      expect(outcome(await show(by, made.id))).toEqual([404, 'NOT_FOUND'])
      expect(outcome(await change(by, made.id, { projectId: null }))).toEqual([404, 'NOT_FOUND'])
      expect(outcome(await rotate(by, made.id))).toEqual([404, 'NOT_FOUND'])
      expect(outcome(await by.request('POST', `/api/databases/${made.id}/test`))).toEqual([404, 'NOT_FOUND'])
      expect(outcome(await remove(by, made.id))).toEqual([404, 'NOT_FOUND'])
      expect(names(await listOf(by, '?limit=100'))).not.toContain(made.name)
    }
    expect(await connect(ann, made.id)).toMatchObject({ ok: true })
  })
})

describe('connection test', () => {
  test('reports latency and version', async () => {
    const { id } = await newDatabase(ann)
    expect(await connect(ann, id)).toEqual({ ok: true, latencyMs: 1, serverVersion: 'Memory 1' })
  })

  test.each([
    ['a changed password', (username: string) => engines.POSTGRESQL.accounts.set(username, 'other'), 'access denied'],
    [
      'an engine that is away',
      () => {
        engines.POSTGRESQL.before = unavailable
      },
      'The database server does not answer'
    ]
  ])('reports the error: %s', async (_name, spoil, error) => {
    const { id, username } = await newDatabase(ann)
    spoil(username)
    expect(await connect(ann, id)).toEqual({ ok: false, error })
  })
})

describe('project variables', () => {
  const seven = ['DATABASE_URL', 'DB_HOST', 'DB_NAME', 'DB_PASSWORD', 'DB_PORT', 'DB_TYPE', 'DB_USER']
  const expected = (database: Database) => ({
    DATABASE_URL: database.internalUri,
    DB_TYPE: database.type,
    DB_HOST: database.host,
    DB_PORT: String(database.port),
    DB_NAME: database.name,
    DB_USER: database.username,
    DB_PASSWORD: database.password
  })

  test.each(['POSTGRESQL', 'MYSQL'])('are set and removed with a linked %s', async (type) => {
    const project = await ann.createProject()
    const database = await newDatabase(ann, { type, projectId: project.id, autoInjectEnv: true })
    expect(database).toMatchObject({ projectId: project.id, autoInjectEnv: true })
    expect(await envOf(ann, project.id)).toEqual(expected(database))
    expect((await remove(ann, database.id)).statusCode).toBe(200)
    expect(await envOf(ann, project.id)).toEqual({})
  })

  test('are not set without autoInjectEnv and follow its changes', async () => {
    const [one, two] = [await ann.createProject(), await ann.createProject()]
    const database = await newDatabase(ann, { projectId: one.id })
    expect(await envOf(ann, one.id)).toEqual({})
    const changed = await change(ann, database.id, { autoInjectEnv: true })
    expect(changed.json()).toMatchObject({ projectId: one.id, autoInjectEnv: true })
    expect(changed.body).not.toContain(database.password)
    expect(await envOf(ann, one.id)).toEqual(expected(database))
    await change(ann, database.id, { projectId: two.id })
    expect([await envOf(ann, one.id), await envOf(ann, two.id)]).toEqual([{}, expected(database)])
    await change(ann, database.id, { autoInjectEnv: false })
    expect(await envOf(ann, two.id)).toEqual({})
    await change(ann, database.id, { projectId: one.id, autoInjectEnv: true })
    expect(await envOf(ann, one.id)).toEqual(expected(database))
    expect((await change(ann, database.id, { projectId: null })).json()).toMatchObject({
      projectId: null,
      autoInjectEnv: false
    })
    expect(await envOf(ann, one.id)).toEqual({})
    expect(await actionsOn(database.id)).toEqual(['database.created', ...times(5, () => 'database.updated')])
  })

  test('a no-op leaves no trace; an invalid change is refused', async () => {
    const project = await ann.createProject()
    const database = await newDatabase(ann, { projectId: project.id, autoInjectEnv: true })
    expect((await change(ann, database.id, { projectId: project.id })).json().updatedAt).toBe(database.updatedAt)
    expect(await actionsOn(database.id)).toEqual(['database.created'])
    expect(outcome(await change(ann, database.id, { projectId: null, autoInjectEnv: true }))).toEqual([
      400,
      'VALIDATION_ERROR'
    ])
    expect(outcome(await change(ann, database.id, {}))).toEqual([400, 'VALIDATION_ERROR'])
    const foreign = await bob.createProject()
    expect(outcome(await change(ann, database.id, { projectId: foreign.id }))).toEqual([403, 'FORBIDDEN'])
    expect(Object.keys(await envOf(ann, project.id)).sort()).toEqual(seven)
  })

  test('never replace existing ones, which are named', async () => {
    const project = await ann.createProject()
    await ann.request('POST', `/api/projects/${project.id}/env`, { key: 'DB_HOST', value: 'mine' })
    const name = uniqueName('refused')
    const refused = await createDatabase(ann, { name, projectId: project.id, autoInjectEnv: true })
    expect(outcome(refused)).toEqual([409, 'DATABASE_VARIABLES_EXIST'])
    expect(refused.json().error).toContain('DB_HOST')
    expect(engines.POSTGRESQL.databases.has(name)).toBe(false)
    const linked = await newDatabase(ann, { projectId: project.id })
    expect(outcome(await change(ann, linked.id, { autoInjectEnv: true }))).toEqual([409, 'DATABASE_VARIABLES_EXIST'])
    expect(await envOf(ann, project.id)).toEqual({ DB_HOST: 'mine' })
    expect((await show(ann, linked.id)).json()).toMatchObject({ autoInjectEnv: false })
  })

  test('of another database neither', async () => {
    const project = await ann.createProject()
    const first = await newDatabase(ann, { projectId: project.id, autoInjectEnv: true })
    const refused = await createDatabase(ann, { type: 'MYSQL', projectId: project.id, autoInjectEnv: true })
    expect(outcome(refused)).toEqual([409, 'DATABASE_VARIABLES_EXIST'])
    for (const key of seven) expect(refused.json().error).toContain(key)
    expect(await envOf(ann, project.id)).toEqual(expected(first))
  })

  test('one of two concurrent databases gets the project', async () => {
    const project = await ann.createProject()
    const answers = await Promise.all(
      ['POSTGRESQL', 'MYSQL', 'POSTGRESQL', 'MYSQL'].map((type) =>
        createDatabase(ann, { type, projectId: project.id, autoInjectEnv: true })
      )
    )
    expect(answers.map((answer) => answer.json().code).sort()).toEqual([
      ...times(3, () => 'DATABASE_VARIABLES_EXIST'),
      undefined
    ])
    const made = answers.find((answer) => answer.statusCode === 201)!.json<Database>()
    expect(await envOf(ann, project.id)).toEqual(expected(made))
    const found = await listOf(ann, `?projectId=${project.id}`)
    expect(names(found)).toEqual([made.name])
  })

  test('one changed by hand stays when the others are removed', async () => {
    const project = await ann.createProject()
    const database = await newDatabase(ann, { projectId: project.id, autoInjectEnv: true })
    await ann.request('POST', `/api/projects/${project.id}/env`, { key: 'DB_HOST', value: 'proxy' })
    await rotate(ann, database.id)
    expect(await envOf(ann, project.id)).toMatchObject({ DB_HOST: 'proxy' })
    await remove(ann, database.id)
    expect(await envOf(ann, project.id)).toEqual({ DB_HOST: 'proxy' })
  })

  test('are refused above the project’s limit', async () => {
    const project = await ann.createProject()
    const many = (from: number, to: number) =>
      ann.request('POST', `/api/projects/${project.id}/env`, {
        variables: times(to - from, (index) => ({ key: `K${from + index}`, value: '1' }))
      })
    for (let from = 0; from < 1000; from += 250)
      expect((await many(from, Math.min(from + 250, 995))).statusCode).toBe(200)
    const name = uniqueName('many')
    expect(outcome(await createDatabase(ann, { name, projectId: project.id, autoInjectEnv: true }))).toEqual([
      400,
      'VALIDATION_ERROR'
    ])
    expect(engines.POSTGRESQL.databases.has(name)).toBe(false)
    expect(names(await listOf(ann, `?search=${name}`))).toEqual([])
  })

  test('are encrypted at rest and name their database', async () => {
    const project = await ann.createProject()
    const database = await newDatabase(ann, { projectId: project.id, autoInjectEnv: true })
    const rows = await panel.deps.db.select().from(envVars).where(eq(envVars.databaseId, database.id))
    expect(rows.map((row) => row.key).sort()).toEqual(seven)
    expect(JSON.stringify(rows)).not.toContain(database.password)
  })
})

describe('password change', () => {
  test('updates engine, responses and variables', async () => {
    const project = await ann.createProject()
    const before = await newDatabase(ann, { projectId: project.id, autoInjectEnv: true })
    const after = (await rotate(ann, before.id)).json<Database>()
    expect(after.password).toMatch(/^[\w-]{24}$/)
    expect(after.password).not.toBe(before.password)
    expect(engines.POSTGRESQL.accounts.get(before.username)).toBe(after.password)
    expect(await envOf(ann, project.id)).toMatchObject({
      DATABASE_URL: after.internalUri,
      DB_PASSWORD: after.password
    })
    expect(await connect(ann, before.id)).toMatchObject({ ok: true })
    expect(await actionsOn(before.id)).toEqual(['database.created', 'database.password_rotated'])
  })

  test('is serialized, and the last one wins', async () => {
    const { id, username } = await newDatabase(ann, { type: 'MYSQL' })
    const answers = await Promise.all(times(4, () => rotate(ann, id)))
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200, 200])
    const { password: last } = (await show(ann, id)).json<Database>()
    expect(engines.MYSQL.accounts.get(username)).toBe(last)
  })

  test('on an engine that is down is 503 without changes', async () => {
    const before = await newDatabase(ann)
    engines.POSTGRESQL.before = unavailable
    expect(outcome(await rotate(ann, before.id))).toEqual([503, 'DATABASE_SERVER_UNAVAILABLE'])
    engines.POSTGRESQL.before = async () => {}
    await reconcileDatabases(panel.deps)
    expect((await show(ann, before.id)).json()).toMatchObject({ password: before.password })
  })

  describe('site redeployment', () => {
    const live = async (values: Partial<typeof projects.$inferInsert> = {}, autoInjectEnv = true) => {
      const { db } = panel.deps
      const project = await ann.createProject()
      await db.insert(deployments).values({
        id: `live-${project.id}`,
        projectId: project.id,
        userId: ann.user.id,
        status: 'RUNNING',
        trigger: 'MANUAL',
        image: 'image',
        imageSpec: { port: 8080, readOnlyRoot: true, volumes: [] }
      })
      await db
        .update(projects)
        .set({ status: 'ACTIVE', liveDeploymentId: `live-${project.id}`, ...values })
        .where(eq(projects.id, project.id))
      const database = await newDatabase(ann, { projectId: project.id, autoInjectEnv })
      const queued = () =>
        db
          .select({ trigger: deployments.trigger, image: deployments.image })
          .from(deployments)
          .where(and(eq(deployments.projectId, project.id), eq(deployments.status, 'QUEUED')))
      expect(await queued()).toEqual([])
      return { project, database, queued }
    }

    test('of a live site runs once from its image', async () => {
      const { database, queued } = await live()
      await rotate(ann, database.id)
      expect(await queued()).toEqual([{ trigger: 'DEPLOY', image: 'image' }])
      await rotate(ann, database.id)
      expect(await queued()).toHaveLength(1)
    })

    test.each<[string, () => ReturnType<typeof live>]>([
      ['stopped', () => live({ status: 'STOPPED' })],
      ['without the variables', () => live({}, false)],
      ['without a deployment', () => live({ liveDeploymentId: null })]
    ])('of a site that is %s does not happen', async (_name, make) => {
      const { database, queued } = await make()
      expect((await rotate(ann, database.id)).statusCode).toBe(200)
      expect(await queued()).toEqual([])
    })
  })
})

describe('deletion', () => {
  test('drops the database and its account once', async () => {
    const { id, name, username } = await newDatabase(ann)
    engines.POSTGRESQL.databases.get(name)!.bytes = 1
    const answers = await Promise.all([remove(ann, id), remove(ann, id)])
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 404])
    expect(engines.POSTGRESQL.databases.has(name)).toBe(false)
    expect(engines.POSTGRESQL.accounts.has(username)).toBe(false)
    expect(outcome(await show(ann, id))).toEqual([404, 'NOT_FOUND'])
    expect(await actionsOn(id)).toEqual(['database.created', 'database.deleted'])
    await newDatabase(bob, { name })
  })

  test('on an engine that is down is 503 without changes', async () => {
    const project = await ann.createProject()
    const made = await newDatabase(ann, { projectId: project.id, autoInjectEnv: true })
    engines.POSTGRESQL.before = unavailable
    expect(outcome(await remove(ann, made.id))).toEqual([503, 'DATABASE_SERVER_UNAVAILABLE'])
    engines.POSTGRESQL.before = async () => {}
    await reconcileDatabases(panel.deps)
    expect((await show(ann, made.id)).json()).toEqual(made)
    expect(Object.keys(await envOf(ann, project.id))).toHaveLength(7)
  })
})

describe('project and account', () => {
  test('a deleted project leaves the database unlinked', async () => {
    const project = await ann.createProject()
    const made = await newDatabase(ann, { projectId: project.id, autoInjectEnv: true })
    expect((await ann.request('DELETE', `/api/projects/${project.id}`)).statusCode).toBe(204)
    expect((await show(ann, made.id)).json()).toMatchObject({ projectId: null, autoInjectEnv: false })
    expect(await connect(ann, made.id)).toMatchObject({ ok: true })
  })

  test('an account with databases is deleted only together with them', async () => {
    const person = await panel.createUser(admin)
    const made = [await newDatabase(person), await newDatabase(person, { type: 'MYSQL' })]
    const url = `/api/users/${person.user.id}`
    expect(outcome(await admin.request('DELETE', url))).toEqual([409, 'ACCOUNT_NOT_EMPTY'])
    expect((await admin.request('DELETE', `${url}?projects=delete`)).statusCode).toBeLessThan(300)
    await reconcileDatabases(panel.deps)
    for (const { id, type, name, username } of made) {
      expect([engines[type].databases.has(name), engines[type].accounts.has(username)]).toEqual([false, false])
      expect(await panel.deps.db.select().from(databases).where(eq(databases.id, id))).toEqual([])
    }
  })

  test('a suspended account gets no database, not even by a request in progress', async () => {
    const person = await panel.createUser(admin)
    const name = uniqueName('suspended')
    engines.POSTGRESQL.before = async (operation) => {
      if (operation === 'ping') await admin.request('POST', `/api/users/${person.user.id}/suspend`)
    }
    expect(outcome(await createDatabase(person, { name }))).toEqual([403, 'ACCOUNT_SUSPENDED'])
    expect(engines.POSTGRESQL.databases.has(name)).toBe(false)
  })
})
