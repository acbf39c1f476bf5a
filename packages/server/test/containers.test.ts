import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eq, sql } from 'drizzle-orm'
import { ensureNode } from '../src/db/nodes.ts'
import { containerSlots } from '../src/db/schema/container-slots.ts'
import { projects } from '../src/db/schema/projects.ts'
import { reconcileContainers } from '../src/features/deployments/containers.reconcile.ts'
import { reconcileAccountCages } from '../src/features/containers/account-cages.reconcile.ts'
import { deleteSlot } from '../src/features/containers/container-slots.repository.ts'
import { findUid } from '../src/features/users/account-access.ts'
import { reserveSlot } from '../src/features/containers/host-port.service.ts'
import { createMemoryEngine, type MemoryContainerEngine } from './fakes/memory-container-engine.ts'
import { createMemoryReverseProxy, type MemoryReverseProxy } from './fakes/memory-reverse-proxy.ts'
import { label } from '../src/infra/container-engine/labels.ts'
import { newId } from '../src/security/ids.ts'
import { deployedSite } from './support/deployed-site.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let ann: Client
let bob: Client
let engine: MemoryContainerEngine
let proxy: MemoryReverseProxy
beforeAll(async () => {
  engine = createMemoryEngine()
  proxy = createMemoryReverseProxy()
  panel = await createTestPanel({ DEPLOY_START_TIMEOUT: '1' }, { engine, proxy })
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
})
afterAll(() => panel.close())
beforeEach(() => {
  engine.fail = undefined
  proxy.fail = false
})

const requestAction = (id: string, action: string, client = ann) =>
  client.request('POST', `/api/projects/${id}/container/${action}`)
const status = (id: string) => ann.request('GET', `/api/projects/${id}/container/status`)
const logs = (id: string, query = '') => ann.request('GET', `/api/projects/${id}/logs${query}`)
const project = async (id: string) => (await panel.deps.db.select().from(projects).where(eq(projects.id, id)))[0]!

const deployed = () => deployedSite(panel, ann, engine)

describe('nothing deployed', () => {
  test.each(['start', 'stop', 'restart', 'remove'])('%s is 409', async (action) => {
    const { id } = await ann.createProject()
    const answer = await requestAction(id, action)
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'CONTAINER_MISSING'])
    expect((await project(id)).status).toBe('ACTIVE')
  })

  test('no status, no logs', async () => {
    const { id } = await ann.createProject()
    expect((await status(id)).json()).toEqual({ containerStatus: null, containerId: null })
    expect([(await logs(id)).statusCode, (await logs(id)).json().code]).toEqual([409, 'CONTAINER_MISSING'])
  })
})

describe('actions', () => {
  test.each(['kill', 'START', 'exec', '__proto__', 'constructor', 'start%20', '..'])(
    '%s is refused',
    async (action) => {
      const { id } = await ann.createProject()
      const answer = await requestAction(id, action)
      expect([400, 404]).toContain(answer.statusCode)
      expect(['VALIDATION_ERROR', 'NOT_FOUND']).toContain(answer.json().code)
    }
  )

  test('an unknown action is 400', async () => {
    const answer = await requestAction((await ann.createProject()).id, 'kill')
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('stop: the project is STOPPED and its hostname shows a page', async () => {
    const { id, containerId, hostname } = await deployed()
    const answer = await requestAction(id, 'stop')
    expect([answer.statusCode, answer.json()]).toEqual([200, { message: 'Stopped', containerStatus: 'exited' }])
    expect(await project(id)).toMatchObject({ status: 'STOPPED', containerStatus: 'exited', containerId })
    expect(proxy.find(hostname, '/')!.target).toEqual({ kind: 'stopped' })
    expect((await status(id)).json()).toEqual({ containerStatus: 'exited', containerId })
    expect((await requestAction(id, 'stop')).statusCode).toBe(200)
  })

  test.each(['start', 'restart'])('%s after a stop: ACTIVE and routed again', async (action) => {
    const { id, hostname } = await deployed()
    await requestAction(id, 'stop')
    const answer = await requestAction(id, action)
    expect([answer.statusCode, answer.json()]).toEqual([200, { message: 'Started', containerStatus: 'running' }])
    expect(await project(id)).toMatchObject({ status: 'ACTIVE', containerStatus: 'running' })
    expect(proxy.find(hostname, '/')!.target).toMatchObject({ kind: 'container' })
  })

  test('start reports a program that fails', async () => {
    const { id, containerId } = await deployed()
    await requestAction(id, 'stop')
    engine.afterStart = ({ state }) => {
      if (state.id === containerId) Object.assign(state, { status: 'exited', running: false, exitCode: 3 })
    }
    const answer = await requestAction(id, 'start')
    engine.afterStart = () => {}
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { message: 'Started. The container did not become ready: it exited with code 3', containerStatus: 'exited' }
    ])
  })

  test('a health check decides whether a restart succeeded', async () => {
    const { id } = await deployed()
    const health = { path: '/health', status: 204, timeoutSeconds: 1, graceSeconds: 1 }
    const change = (value: unknown) => ann.request('PUT', `/api/projects/${id}`, { health: value })
    expect((await change({ path: 'health' })).json().code).toBe('VALIDATION_ERROR')
    expect((await change(health)).json().health).toEqual(health)
    engine.status = 503
    expect((await requestAction(id, 'restart')).json().message).toContain('GET /health answered 503 instead of 204')
    engine.status = 204
    expect((await requestAction(id, 'restart')).json().message).toBe('Started')
    expect((await change(null)).json().health).toBeNull()
  })

  test('of a project that does not speak HTTP, an open port decides, and it cannot sleep', async () => {
    const { id, containerId } = await deployed()
    engine.status = undefined
    const health = { path: null, status: null, timeoutSeconds: 1, graceSeconds: 1 }
    const change = (value: object) => ann.request('PUT', `/api/projects/${id}`, value)
    expect((await change({ health })).json().health).toEqual(health)
    expect((await requestAction(id, 'restart')).json().message).toBe('Started')
    engine.listening.set(containerId, [])
    expect((await requestAction(id, 'restart')).json().message).toContain('accepted no connection on port')
    expect((await change({ sleepAfterMinutes: 30 })).json().code).toBe('VALIDATION_ERROR')
  })

  test('remove: deletes container and volumes, keeps the project STOPPED', async () => {
    const { id, containerId } = await deployed()
    const answer = await requestAction(id, 'remove')
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { message: 'Container removed. Files in /data and volumes were kept.', containerStatus: null }
    ])
    expect(await project(id)).toMatchObject({
      status: 'STOPPED',
      containerId: null,
      containerStatus: null,
      internalPort: null,
      liveDeploymentId: null
    })
    expect(engine.containers.has(containerId)).toBe(false)
    expect(engine.volumes.has(`volume-${id}`)).toBe(false)
    expect(await panel.deps.db.select().from(containerSlots).where(eq(containerSlots.projectId, id))).toEqual([])
    expect((await requestAction(id, 'remove')).json().code).toBe('CONTAINER_MISSING')
    expect((await ann.request('GET', `/api/projects/${id}`)).json()).toMatchObject({
      status: 'STOPPED',
      containerId: null
    })
  })

  test('of concurrent removals one succeeds', async () => {
    const { id } = await deployed()
    const answers = await Promise.all([1, 2, 3].map(() => requestAction(id, 'remove')))
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 409, 409])
  })

  test('a container removed by hand', async () => {
    const { id, containerId } = await deployed()
    await engine.removeContainer(containerId)
    expect((await status(id)).json()).toEqual({ containerStatus: 'missing', containerId })
    for (const action of ['start', 'restart'])
      expect((await requestAction(id, action)).json().code).toBe('CONTAINER_MISSING')
    expect((await logs(id)).json().code).toBe('CONTAINER_MISSING')
    expect((await requestAction(id, 'stop')).json()).toEqual({ message: 'Stopped', containerStatus: 'missing' })
    expect((await requestAction(id, 'remove')).statusCode).toBe(200)
  })
})

describe('logs', () => {
  test.each(['?tail=0', '?tail=10001', '?tail=-1', '?tail=all', '?tail=1.5', '?tail=', '?since=10m'])(
    '%s is refused',
    async (query) => {
      const answer = await logs((await ann.createProject()).id, query)
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'VALIDATION_ERROR'])
    }
  )

  test.each([
    ['', 'one\ntwo\nthree\n'],
    ['?tail=1', 'three\n'],
    ['?tail=2', 'two\nthree\n'],
    ['?tail=10000', 'one\ntwo\nthree\n'],
    ['?since=2020-01-01T00:00:00Z', 'one\ntwo\nthree\n'],
    ['?since=2999-01-01T00:00:00Z', '']
  ])('the last lines: %s', async (query, expected) => {
    const { id } = await deployed()
    expect((await logs(id, query)).json()).toEqual({ logs: expected })
  })
})

describe('components down', () => {
  test('container engine: 503 on every action that needs it', async () => {
    const { id } = await deployed()
    engine.fail = 'unreachable'
    for (const answer of [
      await requestAction(id, 'start'),
      await requestAction(id, 'restart'),
      await requestAction(id, 'stop'),
      await status(id),
      await logs(id)
    ]) {
      expect([answer.statusCode, answer.json().code]).toEqual([503, 'CONTAINER_ENGINE_UNAVAILABLE'])
    }
    expect((await ann.request('GET', `/api/projects/${id}`)).statusCode).toBe(200)
  })

  test('proxy: 503, and the request is remembered', async () => {
    const { id } = await deployed()
    proxy.fail = true
    const answer = await requestAction(id, 'stop')
    expect([answer.statusCode, answer.json().code]).toEqual([503, 'REVERSE_PROXY_UNAVAILABLE'])
    expect((await project(id)).status).toBe('STOPPED')
    expect((await ann.createProject()).status).toBe('ACTIVE')
  })
})

describe('access', () => {
  test('another’s is 403, a missing one 404', async () => {
    const { id, containerId } = await deployed()
    for (const action of ['start', 'stop', 'restart', 'remove']) {
      expect((await requestAction(id, action, bob)).json().code).toBe('FORBIDDEN')
      expect((await requestAction('nothing', action)).json().code).toBe('NOT_FOUND')
    }
    for (const path of ['container/status', 'logs']) {
      expect((await bob.request('GET', `/api/projects/${id}/${path}`)).json().code).toBe('FORBIDDEN')
      expect((await ann.request('GET', `/api/projects/nothing/${path}`)).json().code).toBe('NOT_FOUND')
    }
    expect(engine.containers.get(containerId)!.state.status).toBe('running')
    const actions = await panel.audited({ actorId: bob.user.id })
    expect(actions.map(({ action }) => action)).toEqual(['user.registered'])
  })
})

test('cgroup limits are restored for accounts with containers', async () => {
  const { containerId } = await deployed()
  const { spec } = engine.containers.get(containerId)!
  for (const account of ['20001', '20002', '20001'])
    await engine.createContainer({ ...spec, name: newId(), labels: { ...spec.labels, [label.account]: account } })
  await reconcileAccountCages({ engine, instanceId: 'test' })
  expect([...engine.cages]).toEqual([20_001, 20_002])
})

test('removing a stale deployment also re-examines its image', async () => {
  const { id: projectId } = await ann.createProject()
  const values = { nodeId: panel.deps.nodeId, projectId, deploymentId: newId(), containerPort: 80 }
  const slot = await reserveSlot(panel.deps, (await findUid(panel.deps.db, ann.user.id))!, values)
  const waiting = async () =>
    (await panel.deps.db.execute(sql`select 1 from pgboss.job where name = 'images.clean' and state = 'created'`)).rows
      .length
  await panel.deps.db.execute(sql`delete from pgboss.job where name = 'images.clean'`)
  expect(await reconcileContainers(panel.deps, { stopped: new AbortController().signal })).toBe('again')
  expect(await panel.deps.db.select().from(containerSlots).where(eq(containerSlots.port, slot.port))).toEqual([])
  expect(await waiting()).toBe(1)
})

describe('host ports', () => {
  let uid: number
  beforeAll(async () => void (uid = (await findUid(panel.deps.db, ann.user.id))!))
  const configOf = (first: number, count: number) => ({
    ...panel.deps.config,
    DEPLOY_PORT_RANGE_START: first,
    DEPLOY_PORT_RANGE_END: first + count - 1
  })
  let lastRange = 12_000
  const freeRange = () => (lastRange += 100)
  const reserve = async (config: ReturnType<typeof configOf>, projectId: string) =>
    (
      await reserveSlot({ ...panel.deps, config }, uid, {
        nodeId: panel.deps.nodeId,
        projectId,
        deploymentId: newId(),
        containerPort: 80
      })
    ).port

  test('the lowest free one is used; none left is PORTS_EXHAUSTED', async () => {
    const { id } = await ann.createProject()
    const first = freeRange()
    const config = configOf(first, 3)
    expect([await reserve(config, id), await reserve(config, id), await reserve(config, id)]).toEqual([
      first,
      first + 1,
      first + 2
    ])
    await expect(reserve(config, id)).rejects.toMatchObject({ code: 'PORTS_EXHAUSTED' })
    await panel.deps.db.delete(containerSlots).where(eq(containerSlots.port, first + 1))
    expect(await reserve(config, id)).toBe(first + 1)
  })

  test('a port of a foreign process is skipped and not reserved', async () => {
    const { id } = await ann.createProject()
    const first = freeRange()
    engine.foreignPorts.add(first)
    expect(await reserve(configOf(first, 2), id)).toBe(first + 1)
    await expect(reserve(configOf(first, 2), id)).rejects.toMatchObject({ code: 'PORTS_EXHAUSTED' })
    expect(await panel.deps.db.select().from(containerSlots).where(eq(containerSlots.port, first))).toEqual([])
  })

  test('another node has its own ports', async () => {
    const { id } = await ann.createProject()
    const first = freeRange()
    const config = configOf(first, 1)
    await ensureNode(panel.deps.db, 'm2', 'm2')
    const slot = { projectId: id, containerPort: 80 }
    const reserveAt = (nodeId: string) =>
      reserveSlot({ ...panel.deps, config }, uid, { ...slot, nodeId, deploymentId: newId() })
    expect(await reserveAt('m2')).toMatchObject({ nodeId: 'm2', port: first })
    expect(await reserveAt(panel.deps.nodeId)).toMatchObject({ nodeId: panel.deps.nodeId, port: first })
    await expect(reserveAt('m2')).rejects.toMatchObject({ code: 'PORTS_EXHAUSTED' })
    const [ours] = await panel.deps.db.select().from(containerSlots).where(eq(containerSlots.nodeId, 'm2'))
    await deleteSlot(panel.deps.db, ours!)
    expect(await panel.deps.db.select().from(containerSlots).where(eq(containerSlots.port, first))).toHaveLength(1)
  })

  test('an unknown node has none', async () => {
    const { id } = await ann.createProject()
    const slot = { nodeId: 'nowhere', projectId: id, deploymentId: newId(), containerPort: 80 }
    await expect(reserveSlot(panel.deps, uid, slot)).rejects.toThrow()
  })

  test('twenty concurrent requests get the twenty free ports', async () => {
    const { id } = await ann.createProject()
    const first = freeRange()
    const ports = await Promise.all(Array.from({ length: 20 }, () => reserve(configOf(first, 20), id)))
    expect(ports.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => first + i))
  })
})
