import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Deployment } from '@panel/contract/deployments'
import type { ProjectMetric } from '@panel/contract/monitoring'
import type { NotificationList } from '@panel/contract/notifications'
import type { Overview } from '@panel/contract/overview'
import type { ProcessList, ProjectProcess } from '@panel/contract/processes'
import { containerSlots } from '../src/db/schema/container-slots.ts'
import { processMetrics } from '../src/db/schema/monitoring.ts'
import { measureContainers } from '../src/features/container-disk/container-disk.jobs.ts'
import { recordOutOfMemory } from '../src/features/container-memory/out-of-memory.service.ts'
import { reconcileContainers } from '../src/features/deployments/containers.reconcile.ts'
import { runQueue } from '../src/features/deployments/deployment-runner.jobs.ts'
import { readLogs } from '../src/features/deployments/deployments.repository.ts'
import { condenseMetrics, recordMinute } from '../src/features/monitoring/recording.jobs.ts'
import { syncProcesses } from '../src/features/processes/process-containers.service.ts'
import { reconcileProcesses } from '../src/features/processes/processes.reconcile.ts'
import { purgeProject } from '../src/features/projects/purge.jobs.ts'
import { label } from '../src/infra/container-engine/labels.ts'
import type { ImageBuilder } from '../src/infra/image-builder/image-builder.ts'
import { createMemoryEngine, type MemoryContainerEngine } from './fakes/memory-container-engine.ts'
import { createMemoryHostMetrics } from './fakes/memory-host-metrics.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

const gitUrl = 'https://github.com/owner/repository'
const mebibyte = 2 ** 20
const minuteMs = 60_000
const start = new Date('2026-11-23T12:00:00Z')

let now = start
let engine: MemoryContainerEngine
let panel: TestPanel
let admin: Client
let ann: Client
/** Of the next builds. */
let procfile: Record<string, string>
/** Names of containers in the order of their starts and removals. */
let happened: string[]
beforeAll(async () => {
  engine = createMemoryEngine()
  const { removeContainer } = engine
  engine.removeContainer = async (id) => {
    const found = engine.containers.get(id)
    if (found) happened.push(`- ${nameOf(found.spec)}`)
    await removeContainer(id)
  }
  const builder: ImageBuilder = {
    build: async ({ tag }) => {
      await engine.pullImage(tag, () => {})
      return { imageId: tag, port: 3000, readOnlyRoot: false, filesAt: '/data', description: 'x', processes: procfile }
    },
    detect: () => Promise.reject(new Error('not called'))
  }
  const settings = { WORKERS_PER_ACCOUNT: '5', DEPLOY_MEMORY_LIMIT: '256m', DEPLOY_CPU_LIMIT: '2' }
  panel = await createTestPanel(settings, { builder, engine, now: () => now })
  admin = await panel.signUp('admin')
})
afterAll(() => panel.close())
beforeEach(async () => {
  now = start
  engine.fail = undefined
  engine.afterStart = ({ spec, state }) => {
    happened.push(`+ ${nameOf(spec)}`)
    if (spec.name.endsWith('-release')) Object.assign(state, { running: false, status: 'exited', exitCode: 0 })
  }
  happened = []
  procfile = { web: 'node web.js', worker: 'node worker.js', release: 'node migrate.js' }
  ann = await panel.signUp()
})

const nameOf = ({ labels, name }: { labels: Readonly<Record<string, string>>; name: string }) =>
  labels[label.process] === undefined ? (name.endsWith('-release') ? 'release' : 'web') : `${labels[label.process]} ${name.split('-').at(-1)}` // oxfmt-ignore
const worker = {
  lease: { workerId: 1 },
  signal: new AbortController().signal,
  buildNetworks: { acquire: async () => ({ name: 'n', release: async () => {} }) }
}
async function deploy(id: string, path = 'build'): Promise<Deployment> {
  const requested = (await ann.request('POST', `/api/projects/${id}/${path}`)).json<Deployment>()
  await runQueue(panel.deps, worker, 'build')
  await runQueue(panel.deps, worker, 'image')
  return (await ann.request('GET', `/api/projects/${id}/deployments/${requested.id}`)).json()
}
async function deployed(values: object = {}): Promise<string> {
  const { id } = await ann.createProject({ gitUrl, type: 'NODEJS', ...values })
  expect(await deploy(id)).toMatchObject({ status: 'RUNNING' })
  return id
}
const containersOf = (id: string, process = 'worker') =>
  [...engine.containers.values()].filter(({ spec }) => spec.labels[label.project] === id && spec.labels[label.process] === process) // oxfmt-ignore
const namesOf = (id: string) =>
  containersOf(id)
    .map(({ spec }) => spec.name.split(`${id}-`)[1]!)
    .toSorted()
const list = async (id: string) => (await ann.request('GET', `/api/projects/${id}/processes`)).json<ProcessList>()
const show = async (id: string, name = 'worker'): Promise<ProjectProcess> =>
  (await list(id)).processes.find((each) => each.name === name)!
async function patch(id: string, values: object, name = 'worker') {
  const answer = await ann.request('PATCH', `/api/projects/${id}/processes/${name}`, values)
  await syncProcesses(panel.deps, id)
  return answer
}
const reconcile = async () => {
  while ((await reconcileContainers(panel.deps, { stopped: new AbortController().signal })) === 'again');
  return reconcileProcesses(panel.deps)
}

describe('a deployment with a Procfile', () => {
  test('runs the release command, then the site, then its workers with the release’s image and variables', async () => {
    const { id } = await ann.createProject({ gitUrl, type: 'NODEJS' })
    await ann.request('POST', `/api/projects/${id}/env`, { key: 'QUEUE', value: 'jobs' })
    const deployment = await deploy(id)
    expect(deployment.status).toBe('RUNNING')
    expect(happened).toEqual(['+ release', '- release', '+ web', '+ worker 1'])
    const [container] = containersOf(id)
    expect(container!.spec).toMatchObject({
      name: `panel-${panel.deps.instanceId}-${id}-worker-1`,
      program: ['/bin/sh', '-c', 'exec node worker.js'],
      env: { QUEUE: 'jobs', PANEL_DEPLOYMENT: deployment.id, PANEL_PROCESS: 'worker.1' },
      memoryBytes: 256 * mebibyte,
      cpus: 2
    })
    expect(container!.spec).not.toHaveProperty('hostPort')
    expect((await list(id)).processes).toMatchObject([
      { name: 'web', type: 'WEB', command: 'node web.js', source: 'PROCFILE', instances: 1, state: 'RUNNING' },
      { name: 'release', type: 'RELEASE', command: 'node migrate.js', instances: null, state: null },
      { name: 'worker', type: 'WORKER', command: 'node worker.js', instances: 1, state: 'RUNNING', memoryMb: 256 }
    ])
  })

  test('the project’s release command comes before the Procfile’s', async () => {
    let command: string | undefined
    const { afterStart } = engine
    engine.afterStart = (container) => {
      if (container.spec.name.endsWith('-release')) command = container.spec.oneOff!.at(-1)
      return afterStart(container)
    }
    const id = await deployed({ releaseCmd: 'npm run migrate' })
    expect(command).toBe('npm run migrate')
    expect(await show(id, 'release')).toMatchObject({ source: 'SETTING', procfileCommand: 'node migrate.js' })
  })

  test('stops the old worker before the new one starts, also in a rollback, which has its own Procfile', async () => {
    const id = await deployed()
    const first = containersOf(id)[0]!.spec.env.PANEL_DEPLOYMENT!
    procfile = { web: 'node web.js', worker: 'node new.js', mailer: 'node mailer.js' }
    happened = []
    await deploy(id)
    expect(happened.slice(0, 3)).toEqual(['+ web', '- worker 1', expect.stringMatching(/^\+ (worker|mailer) 1$/)])
    expect(containersOf(id)[0]!.spec.program!.at(-1)).toBe('exec node new.js')
    expect((await list(id)).processes.map(({ name }) => name)).toEqual(['web', 'mailer', 'worker'])
    await deploy(id, `deployments/${first}/rollback`)
    expect(containersOf(id)[0]!.spec.program!.at(-1)).toBe('exec node worker.js')
    expect(containersOf(id, 'mailer')).toEqual([])
    expect((await list(id)).processes.map(({ name }) => name)).toEqual(['web', 'release', 'worker'])
  })

  test('a release that fails leaves the workers as they are', async () => {
    const id = await deployed()
    const [before] = containersOf(id)
    const { afterStart } = engine
    engine.afterStart = async (container) => {
      await afterStart(container)
      if (container.spec.name.endsWith('-release')) container.state.exitCode = 1
    }
    expect(await deploy(id)).toMatchObject({ status: 'FAILED', failure: { phase: 'RELEASE' } })
    expect(containersOf(id)).toEqual([before])
  })

  test('a worker that cannot be stopped has no successor until it is', async () => {
    const id = await deployed()
    const [before] = containersOf(id)
    const { stopContainer } = engine
    engine.stopContainer = () => Promise.reject(new Error('stuck'))
    expect(await deploy(id)).toMatchObject({ status: 'RUNNING' })
    expect(containersOf(id)).toEqual([before])
    engine.stopContainer = stopContainer
    expect(await reconcile()).toBe('again')
    expect(containersOf(id)).toHaveLength(1)
    expect(containersOf(id)[0]!.state.id).not.toBe(before!.state.id)
  })
})

describe('scaling', () => {
  test('starts and stops containers of the live release without a build', async () => {
    const id = await deployed()
    expect((await patch(id, { instances: 3 })).json()).toMatchObject({ instances: 3, state: 'STARTING' })
    expect(namesOf(id)).toEqual(['worker-1', 'worker-2', 'worker-3'])
    const first = containersOf(id).find(({ spec }) => spec.name.endsWith('worker-1'))
    await patch(id, { instances: 1 })
    expect(containersOf(id)).toEqual([first])
    await patch(id, { instances: 0 })
    expect(containersOf(id)).toEqual([])
    expect(await show(id)).toMatchObject({ instances: 0, state: 'STOPPED', running: [] })
    const slots = await panel.deps.db.select().from(containerSlots).where(eq(containerSlots.projectId, id))
    expect(slots.map(({ kind }) => kind)).toEqual(['SITE'])
  })

  test('the account’s limit counts all its workers', async () => {
    const id = await deployed()
    const refused = await patch(id, { instances: 6 })
    expect([refused.statusCode, refused.json()]).toMatchObject([403, { code: 'QUOTA_EXCEEDED' }])
    expect((await patch(id, { instances: 5 })).statusCode).toBe(200)
    const other = await deployed()
    expect(await show(other)).toMatchObject({ instances: 0, state: 'STOPPED' })
    expect((await patch(other, { instances: 1 })).statusCode).toBe(403)
  })

  test.each([
    ['memory above the server’s limit', { memoryMb: 257 }, 403],
    ['cores above the server’s limit', { cpus: 2.5 }, 403],
    ['negative instances', { instances: -1 }, 400],
    ['a command of two lines', { command: 'a\nb' }, 400]
  ])('%s is refused', async (_title, values, status) => {
    const id = await deployed()
    expect((await patch(id, values)).statusCode).toBe(status)
  })

  test('memory, cores and command replace the containers', async () => {
    const id = await deployed()
    await patch(id, { memoryMb: 64, cpus: 0.5, command: 'node other.js' })
    expect(containersOf(id)[0]!.spec).toMatchObject({
      memoryBytes: 64 * mebibyte,
      cpus: 0.5,
      program: ['/bin/sh', '-c', 'exec node other.js'],
      env: { NODE_OPTIONS: '--max-old-space-size=48' }
    })
    expect(await show(id)).toMatchObject({ source: 'SETTING', procfileCommand: 'node worker.js' })
    await patch(id, { command: null })
    expect(containersOf(id)[0]!.spec.program!.at(-1)).toBe('exec node worker.js')
    const audited = JSON.stringify(await panel.audited({ action: 'process.updated', targetId: id }))
    expect(audited).toContain('memoryMb')
    expect(audited).not.toContain('other.js')
  })

  test('a restart replaces the containers of one process, with the current variables', async () => {
    procfile = { worker: 'a', mailer: 'b' }
    const id = await deployed()
    const [mailer] = containersOf(id, 'mailer')
    await ann.request('POST', `/api/projects/${id}/env`, { key: 'QUEUE', value: 'new' })
    happened = []
    expect((await ann.request('POST', `/api/projects/${id}/processes/worker/restart`)).statusCode).toBe(200)
    await syncProcesses(panel.deps, id)
    expect(happened).toEqual(['- worker 1', '+ worker 1'])
    expect(containersOf(id)[0]!.spec.env.QUEUE).toBe('new')
    expect(containersOf(id, 'mailer')).toEqual([mailer])
  })
})

describe('a worker that is not in the Procfile', () => {
  const create = (id: string, values: object = {}) =>
    ann.request('POST', `/api/projects/${id}/processes`, { name: 'extra', command: 'node extra.js', ...values })

  test('is added, survives a deployment, and is deleted', async () => {
    const id = await deployed()
    expect((await create(id)).statusCode).toBe(201)
    await syncProcesses(panel.deps, id)
    await deploy(id)
    expect(containersOf(id, 'extra')[0]!.spec.program!.at(-1)).toBe('exec node extra.js')
    const removed = await ann.request('DELETE', `/api/projects/${id}/processes/extra`)
    expect(removed.statusCode).toBe(200)
    await syncProcesses(panel.deps, id)
    expect(containersOf(id, 'extra')).toEqual([])
  })

  test.each([
    ['web', 400],
    ['release', 400],
    ['a b', 400],
    ['worker', 409]
  ])('%s is refused', async (name, status) => {
    const id = await deployed()
    expect((await create(id, { name })).statusCode).toBe(status)
  })

  test('one of the Procfile cannot be deleted; web and release have no instances to set', async () => {
    const id = await deployed()
    expect((await ann.request('DELETE', `/api/projects/${id}/processes/worker`)).statusCode).toBe(409)
    expect((await patch(id, { instances: 2 }, 'web')).statusCode).toBe(409)
    expect((await patch(id, { instances: 2 }, 'release')).statusCode).toBe(409)
    expect((await patch(id, { instances: 2 }, 'missing')).statusCode).toBe(404)
  })
})

describe('the workers follow their project', () => {
  test('when it is stopped and started', async () => {
    const id = await deployed()
    await ann.request('POST', `/api/projects/${id}/container/stop`)
    await reconcile()
    expect(containersOf(id)).toEqual([])
    expect(await show(id)).toMatchObject({ instances: 1, state: 'STOPPED' })
    await ann.request('POST', `/api/projects/${id}/container/start`)
    await reconcile()
    expect(containersOf(id)).toHaveLength(1)
  })

  test('when its account is suspended and resumed', async () => {
    const id = await deployed()
    await admin.request('POST', `/api/users/${ann.user.id}/suspend`)
    await reconcile()
    expect(containersOf(id)).toEqual([])
    await admin.request('POST', `/api/users/${ann.user.id}/resume`)
    await reconcile()
    expect(containersOf(id)).toHaveLength(1)
  })

  test('when its container is removed, and when it is deleted', async () => {
    const [id, other] = [await deployed(), await deployed()]
    await ann.request('POST', `/api/projects/${id}/container/remove`)
    await ann.request('DELETE', `/api/projects/${other}`)
    await purgeProject(panel.deps, other, {})
    expect(containersOf(other)).toEqual([])
    await reconcile()
    expect(containersOf(id)).toEqual([])
  })
})

describe('reconcile', () => {
  test('starts what is missing or stopped and removes what is too many', async () => {
    const id = await deployed()
    await patch(id, { instances: 2 })
    const [first, second] = containersOf(id)
    await engine.removeContainer(first!.state.id)
    await engine.stopContainer(second!.state.id, 0)
    await reconcile()
    expect(containersOf(id).map(({ state }) => state.status)).toEqual(['running', 'running'])
    const extra = { ...second!.spec, name: 'extra', labels: { ...second!.spec.labels, [label.deployment]: `${id}-worker-9` } } // oxfmt-ignore
    await engine.startContainer(await engine.createContainer(extra))
    await reconcile()
    expect(namesOf(id)).toEqual(['worker-1', 'worker-2'])
    expect(await reconcile()).toBe('done')
  })

  test('a worker that cannot start does not touch the site and is tried again', async () => {
    const id = await deployed()
    engine.fail = 'create'
    await patch(id, { instances: 2 })
    expect(await reconcile()).toBe('again')
    engine.fail = undefined
    await reconcile()
    expect(namesOf(id)).toEqual(['worker-1', 'worker-2'])
  })

  test('an unavailable engine is said in the list', async () => {
    const id = await deployed()
    engine.fail = 'unreachable'
    expect(await show(id)).toMatchObject({ state: 'UNKNOWN', running: [] })
  })
})

describe('a crash loop', () => {
  const crash = (id: string, restartCount: number) =>
    Object.assign(containersOf(id)[0]!.state, { status: 'restarting', restarting: true, restartCount, exitCode: 3 })
  const notifications = async () =>
    (await ann.request('GET', '/api/notifications')).json<NotificationList>().notifications.map(({ kind }) => kind)
  const attention = async () =>
    (await ann.request('GET', '/api/overview')).json<Overview>().items.map(({ code }) => code)

  test('is shown with its last lines, in attention and as one notification, until the worker is steady', async () => {
    const id = await deployed()
    await ann.request('POST', `/api/projects/${id}/env`, { key: 'TOKEN', value: 'correct-horse-battery' })
    const { state } = containersOf(id)[0]!
    engine.write(state.id, 'no queue at correct-horse-battery\n')
    crash(id, 1)
    expect(await reconcile()).toBe('again')
    expect(await notifications()).toEqual([])
    crash(id, 2)
    await reconcile()
    expect(await show(id)).toMatchObject({
      state: 'CRASH_LOOPING',
      crashingSince: start.toISOString(),
      lastLines: expect.stringMatching(/^no queue at (?!correct)/) as string,
      running: [{ instance: 1, status: 'restarting', restartCount: 2, exitCode: 3 }]
    })
    expect(await attention()).toContain('WORKER_CRASH_LOOPING')
    Object.assign(state, { status: 'running', restarting: false, startedAt: now.toISOString() })
    await reconcile()
    expect(await show(id)).toMatchObject({ state: 'CRASH_LOOPING' })
    now = new Date(now.getTime() + 60_000)
    await reconcile()
    expect(await show(id)).toMatchObject({ state: 'RUNNING', crashingSince: null, lastLines: null })
    crash(id, 4)
    await reconcile()
    expect(await notifications()).toEqual(['worker-crashing'])
    expect((await ann.request('GET', `/api/projects/${id}`)).json()).toMatchObject({ containerStatus: 'running' })
  })

  test('ends with the next release', async () => {
    const id = await deployed()
    crash(id, 5)
    await reconcile()
    await deploy(id)
    expect(await show(id)).toMatchObject({ state: 'RUNNING', crashingSince: null })
    expect(await attention()).not.toContain('WORKER_CRASH_LOOPING')
  })
})

test('an out-of-memory kill of a worker is named in the log, in one notification and in what needs attention', async () => {
  const id = await deployed()
  await patch(id, { instances: 2, memoryMb: 64 })
  for (const { state } of [...containersOf(id), ...containersOf(id)]) await recordOutOfMemory(panel.deps, state.id)
  expect(await show(id)).toMatchObject({ outOfMemoryAt: start.toISOString() })
  expect(await show(id, 'web')).toMatchObject({ outOfMemoryAt: null })
  const { notifications } = (await ann.request('GET', '/api/notifications')).json<NotificationList>()
  expect(notifications).toMatchObject([{ kind: 'worker-out-of-memory', link: `/projects/${id}/processes` }])
  const attention = async () => (await ann.request('GET', '/api/overview')).json<Overview>().items
  expect(await attention()).toMatchObject([{ code: 'WORKER_OUT_OF_MEMORY', targetId: id, detail: 'worker (64 MB)' }])
  const live = containersOf(id)[0]!.spec.env.PANEL_DEPLOYMENT!
  expect((await readLogs(panel.deps.db, [live], 65_536)).get(live)!.match(/64 MB/g)).toHaveLength(1)
  await patch(id, { memoryMb: 128 })
  expect(await show(id)).toMatchObject({ outOfMemoryAt: null })
  expect(await attention()).toEqual([])
})

test('an engine that hangs while a worker is replaced holds up nothing else, and no second one starts', async () => {
  const [id, other] = [await deployed(), await deployed()]
  const [before] = containersOf(id)
  const { stopContainer } = engine
  let letGo = () => {}
  const hung = new Promise<void>((resolve) => (letGo = resolve))
  engine.stopContainer = async (container, seconds) => {
    if (container === before!.state.id) await hung
    return stopContainer(container, seconds)
  }
  await ann.request('POST', `/api/projects/${id}/processes/worker/restart`)
  const replacing = syncProcesses(panel.deps, id)
  try {
    // Another panel, or the next change, that finds the same difference.
    const again = syncProcesses(panel.deps, id)
    expect((await ann.request('PATCH', `/api/projects/${id}/processes/worker`, { instances: 2 })).statusCode).toBe(200)
    expect(await show(id)).toMatchObject({ instances: 2, running: [{ containerId: before!.state.id }] })
    await patch(other, { instances: 2 })
    expect(namesOf(other)).toEqual(['worker-1', 'worker-2'])
    expect(containersOf(id)).toEqual([before])
    letGo()
    expect(await Promise.all([replacing, again])).toEqual([true, true])
  } finally {
    letGo()
    engine.stopContainer = stopContainer
  }
  expect(namesOf(id)).toEqual(['worker-1', 'worker-2'])
  expect(containersOf(id)).not.toContain(before)
})

test('the log of one instance, and of one without a container', async () => {
  const id = await deployed()
  engine.write(containersOf(id)[0]!.state.id, 'one\ntwo\n')
  const read = (query: string) => ann.request('GET', `/api/projects/${id}/logs?${query}`)
  expect((await read('process=worker&tail=1')).json()).toEqual({ logs: 'two\n' })
  expect((await read('process=worker&instance=2')).statusCode).toBe(409)
  expect((await read('process=web')).statusCode).toBe(400)
})

describe('the metrics of a worker', () => {
  const hostMetrics = createMemoryHostMetrics()
  const record = async (received: number) => {
    for (const id of engine.containers.keys()) {
      const network = { received, sent: 2 * received }
      hostMetrics.containers.set(id, {
        cpuSeconds: received / 100,
        memoryUsed: mebibyte,
        memoryLimit: undefined,
        network
      })
    }
    now = new Date(now.getTime() + minuteMs)
    await recordMinute({ ...panel.deps, hostMetrics })
  }
  const history = async (id: string, query: string) =>
    (await ann.request('GET', `/api/projects/${id}/metrics?range=${query}`)).json<ProjectMetric[]>()

  test('are those of all its instances, apart from the site’s, and kept as long', async () => {
    const id = await deployed()
    await patch(id, { instances: 2 })
    await record(10)
    expect(await history(id, '1h&process=worker')).toMatchObject([{ ramUsed: 2 * mebibyte, diskUsed: null }])
    expect(await history(id, '1h')).toMatchObject([{ ramUsed: mebibyte }])
    expect(await history(id, '1h&process=other')).toEqual([])
    now = new Date(now.getTime() + 20 * minuteMs)
    await condenseMetrics(panel.deps)
    expect(await history(id, '7d&process=worker')).toMatchObject([{ ramUsed: 2 * mebibyte }])
    const stranger = await panel.signUp()
    const answer = await stranger.request('GET', `/api/projects/${id}/metrics?process=worker`)
    expect(answer.statusCode).toBe(403)
    await ann.request('DELETE', `/api/projects/${id}`)
    expect(await panel.deps.db.$count(processMetrics, eq(processMetrics.projectId, id))).toBe(0)
  })

  test('lose no bytes to a minute in which the engine did not respond, and the site’s are recorded', async () => {
    const id = await deployed()
    await record(10)
    await record(100)
    engine.fail = 'unreachable'
    await record(700)
    engine.fail = undefined
    await record(1_000)
    const received = (points: ProjectMetric[]) => points.slice(1).map(({ networkReceived }) => networkReceived)
    expect(received(await history(id, '1h&process=worker'))).toEqual([90, 900])
    expect(received(await history(id, '1h'))).toEqual([90, 600, 300])
  })
})

test('a worker above the disk limit is replaced, and its project continues', async () => {
  const id = await deployed()
  const [full] = containersOf(id)
  engine.written.set(full!.state.id, 1e15)
  await measureContainers(panel.deps)
  await reconcile()
  expect(containersOf(id)).toHaveLength(1)
  expect(containersOf(id)[0]!.state.id).not.toBe(full!.state.id)
  expect((await ann.request('GET', `/api/projects/${id}`)).json()).toMatchObject({ status: 'ACTIVE' })
})
