import { type Schema, unwrap } from '@panel/client'
import { databaseTypes, type DatabaseType } from '@panel/contract/databases'
import { beforeAll, describe, expect, test } from 'vitest'
import { ask } from './clients.harness.ts'
import type { Files } from '../support/git-repositories.ts'
import { at, type Client } from '../support/panel.ts'
import { sharedWorld, type World } from '../support/shared-world.ts'

let world: World
let user: Client
beforeAll(async () => {
  world = await sharedWorld()
  user = await world.panel.signUp()
})

let count = 0
const create = (type: DatabaseType, values: Partial<Schema<'CreateDatabase'>> = {}) =>
  unwrap(user.api.POST('/api/databases', { body: { name: `journey_${++count}`, type, ...values } }))
const show = ({ id }: Pick<Schema<'Database'>, 'id'>) => unwrap(user.api.GET('/api/databases/{id}', at(id)))

const sites: Record<DatabaseType, Files> = {
  POSTGRESQL: siteWith(
    { pg: '8.16.3' },
    `import pg from 'pg'
const connect = async () => { const client = new pg.Client(process.env.DATABASE_URL); await client.connect(); return client }
const rowsOf = async (client, sql) => (await client.query(sql)).rows`
  ),
  MYSQL: siteWith(
    { mysql2: '3.15.3' },
    `import mysql from 'mysql2/promise'
const { DB_HOST: host, DB_PORT: port, DB_USER: user, DB_PASSWORD: password, DB_NAME: database } = process.env
const connect = () => mysql.createConnection({ host, port: Number(port), user, password, database })
const rowsOf = async (client, sql) => (await client.query(sql))[0]`
  )
}
function siteWith(dependencies: Record<string, string>, driver: string): Files {
  return {
    'package.json': JSON.stringify({
      name: 'site',
      private: true,
      type: 'module',
      scripts: { start: 'node server.js' },
      dependencies
    }),
    'server.js': `import { createServer } from 'node:http'
${driver}
createServer(async (request, response) => {
  if (request.url !== '/visits') return response.end('ready')
  try {
    const client = await connect()
    await client.query('create table if not exists visits (at int)')
    await client.query('insert into visits values (1)')
    response.end(JSON.stringify(await rowsOf(client, 'select count(*) as n from visits')))
    await client.end()
  } catch (error) {
    response.writeHead(500).end(error.message)
  }
}).listen(process.env.PORT, '0.0.0.0')`
  }
}

describe.each(databaseTypes)('%s', (type) => {
  test('is created and reachable from the server by its URI', async () => {
    const made = await create(type)
    await ask(made.hostUri, 'create table goods (name varchar(20))')
    await ask(made.hostUri, "insert into goods values ('tea')")
    expect(await ask(made.hostUri, 'select name from goods')).toBe('tea')
    const test = await unwrap(user.api.POST('/api/databases/{id}/test', at(made.id)))
    expect(test).toMatchObject({ ok: true, serverVersion: expect.stringMatching(/^(PostgreSQL|MariaDB) \d/) })
    expect(test.ok && test.latencyMs).toBeGreaterThan(0)
    expect((await show(made)).sizeBytes).toBeGreaterThan(0)
  })

  test("is reachable from the project's container, also after a password change", async () => {
    const site = await user.createSite(world.git, sites[type])
    const made = await create(type, { projectId: site.id, autoInjectEnv: true })
    const deployment = await user.build(site.id)
    expect(deployment, deployment.buildLogs ?? '').toMatchObject({ status: 'RUNNING' })
    const visit = async () => (await world.panel.visit(site.hostname, '/visits')).body
    expect(await visit()).toMatch(/^\[\{"n":"?1"?\}\]$/)
    expect(await ask(made.hostUri, 'select count(*) from visits')).toBe('1')

    const rotated = await unwrap(user.api.POST('/api/databases/{id}/rotate-password', at(made.id)))
    expect(await ask(rotated.hostUri, 'select count(*) from visits')).toBe('1')
    await expect(ask(made.hostUri, 'select 1')).rejects.toThrow(/authentication failed|Access denied/)
    const { deployments } = await unwrap(user.api.GET('/api/projects/{id}/deployments', at(site.id)))
    expect(deployments).toHaveLength(2)
    expect((await user.waitFor(site.id, deployments[0]!.id)).status).toBe('RUNNING')
    expect(await visit()).toMatch(/^\[\{"n":"?2"?\}\]$/)
  })
})
