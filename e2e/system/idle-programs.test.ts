import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { processesIn } from '../../packages/server/src/infra/process/processes-in.ts'
import { engineDirectory } from '../../packages/server/src/process/paths.ts'
import { exists } from '../../packages/server/src/infra/disk/exists.ts'
import { type Client, type RunningPanel, startPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { ownDatabases } from '../support/shared-databases.ts'

let panel: RunningPanel
let user: Client
beforeAll(async () => {
  panel = await startPanel(ownDatabases)
  user = await panel.signUp()
})
afterAll(() => panel?.dispose())
afterEach(({ task }) => {
  if (task.result?.state === 'fail') console.error(panel.output().slice(-5_000))
})

const engines = ['postgresql', 'mysql'] as const

async function states(): Promise<Record<string, [string, boolean]>> {
  const answer = await fetch(`${panel.url}/api/health`)
  const { parts } = (await answer.json()) as { parts: Record<string, { status: string }> }
  const entries = engines.map(async (name): Promise<[string, [string, boolean]]> => {
    const data = `${engineDirectory({ DATA_DIR: panel.dataDir }, { folder: name })}/data`
    const processes = (await exists(data)) ? await processesIn(data) : []
    return [name, [parts[name]!.status, processes.length > 0]]
  })
  return Object.fromEntries(await Promise.all(entries))
}
const idle = ['idle', false]
const running = ['ok', true]

const uniqueName = () => `idle_${randomBytes(4).toString('hex')}`
/** Retries once, because a slow start is refused while the server starts. */
async function createDatabase(type: 'POSTGRESQL' | 'MYSQL'): Promise<string> {
  const answer = await until(
    () => user.request<{ id: string }>('POST', '/databases', { name: uniqueName(), type }),
    ({ status }) => status !== 503
  )
  expect(answer).toMatchObject({ status: 201 })
  return answer.body.id
}
const connect = (id: string) => user.call('POST', `/databases/${id}/test`)

test('a database server without databases is idle until the first one is created', async () => {
  expect(panel.output()).toContain('MariaDB is idle. It starts with the first MariaDB database.')
  await expect.poll(states).toEqual({ postgresql: idle, mysql: idle })
  const id = await createDatabase('MYSQL')
  expect(await connect(id)).toMatchObject({ ok: true })
  await expect.poll(states).toEqual({ postgresql: idle, mysql: running })
})

test('concurrent first databases share one start', async () => {
  const made = await Promise.all([1, 2, 3].map(() => createDatabase('POSTGRESQL')))
  for (const id of made) expect(await connect(id)).toMatchObject({ ok: true })
  await expect.poll(states).toEqual({ postgresql: running, mysql: running })
  for (const id of made) await user.call('DELETE', `/databases/${id}`)
})

test('on start, servers with databases run and others are idle', async () => {
  await panel.stop()
  await panel.start()
  await expect.poll(states).toEqual({ postgresql: idle, mysql: running })
})

test('an idle server left running by a killed panel is adopted', async () => {
  const id = await createDatabase('POSTGRESQL')
  await user.call('DELETE', `/databases/${id}`)
  await panel.kill()
  await panel.start()
  await expect.poll(states).toEqual({ postgresql: running, mysql: running })
})
