import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { NotificationList } from '@panel/contract/notifications'
import { containerSlots } from '../src/db/schema/container-slots.ts'
import { deployments } from '../src/db/schema/deployments.ts'
import { projects } from '../src/db/schema/projects.ts'
import { reconcileContainers } from '../src/features/deployments/containers.reconcile.ts'
import { runQueue } from '../src/features/deployments/deployment-runner.jobs.ts'
import { readLogs } from '../src/features/deployments/deployments.repository.ts'
import { syncAllRoutes } from '../src/features/domains/routing.service.ts'
import type { PastRestarts } from '../src/features/instance-health/hung-instance.policy.ts'
import { restartHungInstances } from '../src/features/instance-health/hung-instances.service.ts'
import { createMemoryEngine } from './fakes/memory-container-engine.ts'
import { createMemoryReverseProxy } from './fakes/memory-reverse-proxy.ts'
import { deployedSite, type DeployedSite } from './support/deployed-site.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'
import { renewable } from './support/renewable.ts'

const kept = { image: 'site', imageSpec: { port: 8080, readOnlyRoot: true, volumes: [] } }

let panel: TestPanel
let ann: Client
const { fake: engine, renew: renewEngine } = renewable(createMemoryEngine)
const { fake: proxy, renew: renewProxy } = renewable(createMemoryReverseProxy)
let site: DeployedSite
beforeAll(async () => {
  panel = await createTestPanel({}, { engine, proxy })
})
beforeEach(async () => {
  renewEngine()
  renewProxy()
  await panel.empty()
  ann = await panel.signUp('ann')
  site = await deployedSite(panel, ann, engine)
  await panel.deps.db.update(deployments).set(kept).where(eq(deployments.projectId, site.id))
})
afterAll(() => panel.close())

const update = (body: object, id = site.id) => ann.request('PUT', `/api/projects/${id}`, body)
const project = async () => (await panel.deps.db.select().from(projects).where(eq(projects.id, site.id)))[0]!
const slots = () => panel.deps.db.select().from(containerSlots).where(eq(containerSlots.projectId, site.id))
const route = () => proxy.find(site.hostname, '/')?.target

async function release() {
  const buildNetworks = { acquire: () => Promise.reject(new Error('nothing is built here')) }
  const worker = { signal: new AbortController().signal, lease: { workerId: 1 }, buildNetworks }
  await runQueue(panel.deps, worker, 'image')
}

async function scaleTo(instances: number) {
  expect((await update({ instances })).statusCode).toBe(200)
  await release()
}

describe('several instances', () => {
  test('serve through a pool of the proxy, and one instance as before', async () => {
    await scaleTo(3)
    const live = (await project()).liveDeploymentId!
    const running = [...engine.containers.values()].filter(({ spec }) => spec.name.includes(live))
    expect(running.map(({ spec }) => spec.name.slice(spec.name.indexOf(live)))).toEqual([
      live,
      `${live}-2`,
      `${live}-3`
    ])
    expect(route()).toEqual({ kind: 'pool', number: 1, isSticky: false })
    const members = running.map(({ spec }) => ({ address: spec.address, port: spec.containerPort }))
    expect(proxy.pools.get(1)).toEqual({ number: 1, isSticky: false, members })
    await scaleTo(1)
    expect(route()).toMatchObject({ kind: 'container', port: 8080 })
    await syncAllRoutes(panel.deps)
    expect([proxy.pools.size, (await project()).proxyPool]).toEqual([0, null])
  })

  test('stay in their pool when it becomes sticky', async () => {
    await scaleTo(2)
    await update({ stickySessions: true })
    await release()
    expect(route()).toEqual({ kind: 'pool', number: 1, isSticky: true })
  })

  test('are stopped and started together, and replaced by a restart', async () => {
    await scaleTo(2)
    const live = (await project()).liveDeploymentId!
    const isRunning = () =>
      [...engine.containers.values()].flatMap(({ spec, state }) => (spec.name.includes(live) ? [state.running] : []))
    await ann.request('POST', `/api/projects/${site.id}/container/stop`)
    expect(isRunning()).toEqual([false, false])
    expect(route()).toEqual({ kind: 'stopped' })
    await ann.request('POST', `/api/projects/${site.id}/container/start`)
    expect(isRunning()).toEqual([true, true])
    expect((await ann.request('POST', `/api/projects/${site.id}/container/restart`)).statusCode).toBe(200)
    await release()
    expect((await project()).liveDeploymentId).not.toBe(live)
    expect(proxy.pools.get(1)!.members).toHaveLength(2)
  })

  test('one that does not start fails the deployment, and removes all of its containers', async () => {
    const before = await project()
    let started = 0
    engine.afterStart = ({ state }) => {
      if (++started === 2) Object.assign(state, { running: false, status: 'exited', exitCode: 3 })
    }
    await scaleTo(3)
    const { liveDeploymentId, containerId } = await project()
    expect({ liveDeploymentId, containerId }).toEqual({
      liveDeploymentId: before.liveDeploymentId,
      containerId: before.containerId
    })
    expect([(await slots()).length, engine.containers.size]).toEqual([1, 1])
  })

  test('one that was removed by hand is replaced', async () => {
    await scaleTo(2)
    const live = (await project()).liveDeploymentId!
    const second = [...engine.containers.values()].find(({ spec }) => spec.name.endsWith(`${live}-2`))!
    await engine.removeContainer(second.state.id)
    await reconcileContainers(panel.deps, { stopped: new AbortController().signal })
    await release()
    expect((await project()).liveDeploymentId).not.toBe(live)
    expect(proxy.pools.get(1)!.members).toHaveLength(2)
  })

  test('have one log, and figures of each', async () => {
    await scaleTo(2)
    const logs = (await ann.request('GET', `/api/projects/${site.id}/logs`)).json<{ logs: string }>().logs
    expect(logs).toContain('--- instance 2 ---')
    const containers = (await ann.request('GET', '/api/monitoring/containers')).json<object[]>()
    expect(containers).toHaveLength(2)
  })
})

test.each([
  ['more than ten', 'STATIC', { instances: 11 }, 400],
  ['none', 'STATIC', { instances: 0 }, 400],
  ['several of WordPress', 'WORDPRESS', { instances: 2 }, 400]
])('%s are refused', async (_name, type, body, status) => {
  const { id } = await ann.createProject({ type })
  expect((await update(body, id)).statusCode).toBe(status)
})

test('count against the quota together', async () => {
  await panel.deps.db.execute(`update users set max_memory_mb = 600 where id = '${ann.user.id}'`)
  expect((await update({ instances: 4 })).statusCode).toBe(200)
  expect((await update({ instances: 5 })).json()).toMatchObject({ code: 'QUOTA_EXCEEDED' })
})

describe('an instance that does not answer', () => {
  let restarted: string[]
  let past: Map<string, PastRestarts>
  const check = () => restartHungInstances(panel.deps, past)
  async function hang() {
    const members = proxy.pools.get(1)!.members
    restarted = []
    past = new Map()
    const { restartContainer } = engine
    engine.restartContainer = async (id, seconds) => {
      restarted.push(engine.containers.get(id)!.spec.address)
      await restartContainer(id, seconds)
    }
    for (const { state } of engine.containers.values()) state.startedAt = '2020-01-01T00:00:00Z'
    await check()
    proxy.down = [
      { ...members[0]!, seconds: 70 },
      { ...members[2]!, seconds: 90 }
    ]
    return members
  }

  test('is restarted once, alone, and the owner is told', async () => {
    await scaleTo(3)
    const members = await hang()
    await check()
    // The other one has to wait for its turn.
    await check()
    expect(restarted).toEqual([members[2]!.address])
    const { notifications } = (await ann.request('GET', '/api/notifications')).json<NotificationList>()
    expect(notifications.map(({ kind }) => kind)).toEqual(['instance-restarted'])
    const live = (await project()).liveDeploymentId!
    expect((await readLogs(panel.deps.db, [live], 65_536)).get(live)).toContain('90 seconds')
  })

  test('is left alone if the project says so, which needs no deployment', async () => {
    await scaleTo(3)
    const { liveDeploymentId } = await project()
    const members = await hang()
    expect((await update({ restartWhenHung: false })).json()).toMatchObject({ restartWhenHung: false })
    await release()
    await check()
    expect([restarted, (await project()).liveDeploymentId]).toEqual([[], liveDeploymentId])
    await update({ restartWhenHung: true })
    await check()
    expect(restarted).toEqual([members[2]!.address])
  })
})
