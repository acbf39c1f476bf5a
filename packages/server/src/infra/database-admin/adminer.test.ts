import { Readable } from 'node:stream'
import { beforeEach, expect, test } from 'vitest'
import { createMemoryEngine, type MemoryContainerEngine } from '../../../test/fakes/memory-container-engine.ts'
import { createMemoryDatabaseServer } from '../../../test/fakes/memory-database-server.ts'
import type { Run } from '../process/process.ts'
import { createAdminer } from './adminer.ts'
import { adminerImage, adminerRecipe } from './adminer-recipe.ts'

const monday = new Date('2026-11-16T12:00:00Z')
const nextWeek = new Date('2026-11-23T12:00:00Z')
const weekAfter = new Date('2026-11-30T12:00:00Z')
const silent = { log: () => {}, signal: new AbortController().signal }
const debootstraps: Run = async (_, { stdout }) => {
  stdout!.end('a root file system')
  return { stdout: '', stderr: '' }
}

let engine: MemoryContainerEngine
beforeEach(() => (engine = createMemoryEngine()))

function setUp(options: { mysqlPort?: number; clock?: { now: Date } } = {}) {
  const { mysqlPort = 3306, clock = { now: monday } } = options
  return createAdminer({
    engine,
    instanceId: 'i',
    network: () => engine.ensureNetwork('panel-i', { 'panel.instance': 'i' }),
    databaseServers: {
      POSTGRESQL: createMemoryDatabaseServer(),
      MYSQL: createMemoryDatabaseServer({ port: mysqlPort })
    },
    run: debootstraps,
    now: () => clock.now
  })
}
const containers = () => [...engine.containers.values()]
const only = () => {
  expect(containers()).toHaveLength(1)
  return containers()[0]!
}

test('the image is built from Debian only, is not pulled, and the container is locked down', async () => {
  const pulled: string[] = []
  const pullImage = engine.pullImage
  engine.pullImage = async (reference, onLog) => {
    pulled.push(reference)
    await pullImage(reference, onLog)
  }
  await setUp().ensure(silent)
  expect(pulled).toEqual(['debian:trixie-slim'])
  const { spec, state, imageId } = only()
  expect(imageId).toBe((await engine.findImage(adminerImage))!.id)
  expect(state).toMatchObject({ status: 'running', labels: { 'panel.instance': 'i', 'panel.role': 'database-admin' } })
  expect(spec).toMatchObject({ user: '65533:65533', address: '172.28.0.2', readOnlyRoot: true, volumes: [], binds: [] })
  expect(spec).not.toHaveProperty('hostPort')
  expect(spec.env).toMatchObject({ POSTGRESQL_SERVER: '172.30.0.1:5432', MYSQL_SERVER: '172.30.0.1:3306' })
  expect(spec.env.PANEL_SECRET).toMatch(/^[\w-]{43}$/)
})

test('the container is kept while nothing changes, started when stopped and recreated when gone', async () => {
  const admin = setUp()
  await admin.ensure(silent)
  const { id } = only().state
  await admin.ensure(silent)
  expect(only().state.id).toBe(id)
  await engine.stopContainer(id, 1)
  await admin.ensure(silent)
  expect(only().state).toMatchObject({ id, status: 'running' })
  await engine.removeContainer(id)
  await admin.ensure(silent)
  expect(only().state).toMatchObject({ status: 'running' })
})

test('a container of an earlier run or with other servers is replaced', async () => {
  await setUp().ensure(silent)
  const previous = only()
  await setUp({ mysqlPort: 3307 }).ensure(silent)
  expect(only().spec.env.MYSQL_SERVER).toBe('172.30.0.1:3307')
  expect(only().spec.env.PANEL_SECRET).not.toBe(previous.spec.env.PANEL_SECRET)
})

test('the image is rebuilt weekly and the previous one is removed', async () => {
  const clock = { now: monday }
  const admin = setUp({ clock })
  await admin.ensure(silent)
  const previous = only().imageId
  clock.now = nextWeek
  await admin.ensure(silent)
  const next = only().imageId
  expect([next === previous, engine.images.has(previous)]).toEqual([false, false])
  await admin.remove()
  clock.now = weekAfter
  await setUp({ clock }).ensure(silent)
  expect(engine.images.has(next)).toBe(false)
  expect(adminerRecipe(monday).dockerfile).not.toBe(adminerRecipe(nextWeek).dockerfile)
})

test('an image of another panel with the same name is not used', async () => {
  const admin = setUp()
  await admin.ensure(silent)
  const { state, imageId } = only()
  await engine.importImage(Readable.from([]), adminerImage, [])
  await admin.ensure(silent)
  expect([only().state.id, only().imageId]).toEqual([state.id, imageId])
})

test('requests fail before it is up and after it is removed', async () => {
  const admin = setUp()
  const request = { method: 'GET', path: '/adminer/', headers: {}, body: undefined, signal: silent.signal }
  const reported = { kind: 'database-admin-unavailable' }
  await expect(admin.request(request)).rejects.toMatchObject(reported)
  engine.fail = 'start'
  await expect(admin.ensure(silent)).rejects.toThrow('refused to start')
  await expect(admin.request(request)).rejects.toMatchObject(reported)
  engine.fail = undefined
  await admin.ensure(silent)
  await admin.remove()
  expect(containers()).toEqual([])
  await expect(admin.request(request)).rejects.toMatchObject(reported)
})
