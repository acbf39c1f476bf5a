import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Schema, unwrap } from '@panel/client'
import { databaseTypes, type DatabaseType } from '@panel/contract/databases'
import { expect, test } from 'vitest'
import { ask } from './clients.harness.ts'
import { createSecretBox } from '../../packages/server/src/infra/secret-box/secret-box.ts'
import { panelSettingsPath } from '../../packages/server/src/process/paths.ts'
import { at } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { sharedWorld } from '../support/shared-world.ts'

type Database = Schema<'Database'>

const databasesOf: Record<DatabaseType, string> = {
  POSTGRESQL: 'select datname from pg_database',
  MYSQL: 'select schema_name from information_schema.schemata'
}
const accountsOf: Record<DatabaseType, string> = {
  POSTGRESQL: 'select rolname from pg_roles',
  MYSQL: 'select user from mysql.user'
}

test('kill -9 of the panel while creating, deleting and changing leaves nothing half done', async () => {
  const { panel } = await sharedWorld()
  const user = await panel.signUp()
  let count = 0
  const uniqueName = (prefix: string) => `${prefix}_${process.pid}_${++count}`
  const create = (type: DatabaseType, name: string) => unwrap(user.api.POST('/api/databases', { body: { name, type } }))

  const settings = await readFile(panelSettingsPath({ DATA_DIR: panel.dataDir }), 'utf8')
  const secretBox = createSecretBox(/^ENCRYPTION_KEY=(.*)$/m.exec(settings)![1]!)
  const askAdmin = async ({ type, hostUri }: Database, sql: string): Promise<string[]> => {
    const key = `${type.toLowerCase()}_admin_password`
    const [setting] = await panel.query<{ value: string }>('select value from settings where key = $1', [key])
    const [scheme, database] = type === 'POSTGRESQL' ? ['postgresql', 'postgres'] : ['mysql', 'mysql']
    const login = `panel:${encodeURIComponent(secretBox.open(setting!.value))}`
    return (await ask(`${scheme}://${login}@127.0.0.1:${new URL(hostUri).port}/${database}`, sql)).split('\n')
  }

  const keptDatabases: Database[] = []
  let cutOff = 0
  for (const delayMs of [0, 30, 150]) {
    const kept = await Promise.all(databaseTypes.map((type) => create(type, uniqueName('kept'))))
    const dropped = await Promise.all(databaseTypes.map((type) => create(type, uniqueName('dropped'))))
    const made = databaseTypes.flatMap((type) => [1, 2].map(() => ({ name: uniqueName('made'), type })))
    keptDatabases.push(...kept)
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

  const { databases } = await unwrap(user.api.GET('/api/databases', { params: { query: { limit: 100 } } }))
  for (const type of databaseTypes) {
    const rows = databases.filter((database) => database.type === type)
    const mine = new RegExp(`^(u_)?(kept|dropped|made)_${process.pid}_`)
    const own = (found: string[]) => found.filter((name) => mine.test(name)).sort()
    const administered = keptDatabases.find((database) => database.type === type)!
    expect(own(await askAdmin(administered, databasesOf[type]))).toEqual(own(rows.map((row) => row.name)))
    expect(own(await askAdmin(administered, accountsOf[type]))).toEqual(own(rows.map((row) => row.username)))
    for (const row of rows)
      expect([row.name, await unwrap(user.api.POST('/api/databases/{id}/test', at(row.id)))]).toMatchObject([
        row.name,
        { ok: true }
      ])
  }
  expect(databases.map((row) => row.name)).toEqual(expect.arrayContaining(keptDatabases.map(({ name }) => name)))
})
