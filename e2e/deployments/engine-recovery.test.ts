import { readFile } from 'node:fs/promises'
import type { Deployment } from '@panel/contract/deployments'
import type { ContainerMetric } from '@panel/contract/monitoring'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { liveTestClients } from '../../packages/server/test/support/live.ts'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import { startLoad } from '../support/load.ts'
import { createMachine, type Machine } from '../support/machine.ts'
import { type Client, type RunningPanel, type Site, startPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { kill, pause } from '../support/processes.ts'
import { builtNodeSite, nodeSite, siteStartedBy } from '../support/sites.ts'

const nodeImage = 'node:24-trixie-slim'

// Own machine, because the engine of this one also runs the sites of other tests.
let machine: Machine
let git: GitHttpServer
let panel: RunningPanel
let user: Client
let home: Site
beforeAll(async () => {
  machine = await createMachine([nodeImage])
  git = await startGitHttpServer(machine.hostAddress)
  panel = await startPanel(
    {
      GIT_EXTRA_HOSTS: `${machine.hostAddress}:${git.port}`,
      BUILD_CONCURRENCY: '2',
      // All load comes from this address.
      PROXY_UNLIMITED_SOURCES: machine.hostAddress,
      BUILD_IMAGE_STATIC: nodeImage,
      BUILD_IMAGE_PYTHON: nodeImage,
      BUILD_IMAGE_PHP: nodeImage,
      BUILD_IMAGE_COMPILERS: nodeImage
    },
    machine
  )
  user = await panel.signUp()
  home = await user.createSite(git, tickingSite())
  const deployment = await user.build(home.id)
  expect(deployment, deployment.buildLogs ?? '').toMatchObject({ status: 'RUNNING' })
})
afterAll(async () => {
  await panel?.dispose()
  await git?.stop()
  await machine?.remove()
})
afterEach(({ task }) => {
  if (task.result?.state === 'fail') console.error(panel.output().slice(-5_000))
})

function tickingSite() {
  const files = nodeSite('home')
  return {
    ...files,
    'server.js': `${files['server.js']}\nlet n = 0\nsetInterval(() => console.log('tick ' + ++n), 100)\n`
  }
}

const enginePid = async () => Number(await readFile(machine.runtimePath('/run/docker.pid'), 'utf8'))
const containers = async (...filters: string[]) =>
  (await machine.run('docker', 'ps', '--quiet', '--no-trunc', ...filters)).split('\n').filter((line) => line !== '')
const health = async () =>
  ((await (await fetch(`${panel.url}/api/health`)).json()) as { parts: Record<string, { status: string }> }).parts
const see = (site: Site, { id }: Deployment) => user.call<Deployment>('GET', `/projects/${site.id}/deployments/${id}`)
const press = (site: Site) => user.call<Deployment>('POST', `/projects/${site.id}/build`)
const loadOnHome = () =>
  startLoad(panel.proxyPort, home.hostname, (body) => body.startsWith('home'), { address: machine.address })

const untilFailed = (site: Site, deployment: Deployment) =>
  until(
    () => see(site, deployment),
    ({ status, buildLogs }) => status === 'FAILED' && /^FAILED: \S/m.test(buildLogs ?? '')
  )

const untilClean = () =>
  until(
    async () => {
      const wanted = await panel.query<{ id: string; port: number }>(
        'select container_id as id, internal_port as port from projects where live_deployment_id is not null'
      )
      const slots = await panel.query<{ port: number }>('select port from container_slots')
      return {
        containers: [wanted.map(({ id }) => id).sort(), (await containers('--all')).sort()],
        slots: [wanted.map(({ port }) => port).sort(), slots.map(({ port }) => port).sort()]
      }
    },
    (found) => Object.values(found).every(([a, b]) => JSON.stringify(a) === JSON.stringify(b))
  )

async function startTwo() {
  const building = await user.createSite(git, builtNodeSite('never', 'sleep 600'))
  const deploying = await user.createSite(git, siteStartedBy('sleep 600'))
  const deployments = [await press(building), await press(deploying)] as const
  await user.waitFor(building.id, deployments[0].id, ({ buildLogs }) => buildLogs?.includes('sleep 600') === true)
  await user.waitFor(deploying.id, deployments[1].id, ({ buildLogs }) => buildLogs?.includes('Waiting for') === true)
  const both = [
    [building, deployments[0]],
    [deploying, deployments[1]]
  ] as const
  return {
    both,
    remove: async () => {
      for (const [site] of both) await user.call('DELETE', `/projects/${site.id}`)
    }
  }
}

async function readTicks() {
  const clients = liveTestClients(() => panel.url)
  const reader = await clients.connect({ cookie: user.cookie })
  for (const [name, input] of [['container-log', { projectId: home.id, tail: 10 }], ['metrics']] as const)
    expect(await reader.ask(`subscribe:${name}`, input)).toMatchObject({ ok: true })
  const ticks = () => {
    const text = (reader.of('container:log') as { text: string }[]).map((part) => part.text).join('')
    return [...text.matchAll(/^tick (\d+)$(?=\n)/gm)].map(([, n]) => Number(n))
  }
  await expect.poll(() => ticks().length).toBeGreaterThan(10)
  return {
    told: (event: string) => reader.of(event),
    async expectMore() {
      const before = ticks().length
      await expect.poll(() => ticks().length).toBeGreaterThan(before + 50)
      const [first = 0] = ticks()
      expect(ticks()).toEqual(ticks().map((_, index) => first + index))
    },
    close: () => clients.close()
  }
}

async function buildsAgain() {
  const site = await user.createSite(git, nodeSite('again'))
  const deployment = await user.build(site.id)
  expect(deployment, deployment.buildLogs ?? '').toMatchObject({ status: 'RUNNING' })
  expect(await panel.visit(site.hostname)).toMatchObject({ status: 200 })
  await user.call('DELETE', `/projects/${site.id}`)
}

test('kill -9 of the engine: sites stay up, deployments in progress fail, and the engine is restarted', async () => {
  const { both, remove } = await startTwo()
  const load = loadOnHome()
  const reader = await readTicks()
  const before = await containers('--filter', `label=panel.project=${home.id}`)
  const killed = await enginePid()
  kill(killed, 'SIGKILL')
  for (const [site, deployment] of both) await untilFailed(site, deployment)
  await until(
    () => enginePid().catch(() => 0),
    (pid) => pid > 0 && pid !== killed
  )
  await until(health, (parts) => parts.containerEngine?.status === 'ok')
  expect(await containers('--filter', `label=panel.project=${home.id}`)).toEqual(before)
  await reader.expectMore()
  await untilClean()
  await buildsAgain()
  await load.stop()
  expect(load.failures).toEqual([])
  reader.close()
  await remove()
  await untilClean()
})

test('a hanging engine: 503 in bounded time, shown in health, sites stay up, then all recovers', async () => {
  const load = loadOnHome()
  const pid = await enginePid()
  const waiting = await user.createSite(git, nodeSite('waiting'))
  const reader = await readTicks()
  await pause(pid)
  const pressed = await press(waiting)
  try {
    await until(health, (parts) => parts.containerEngine?.status === 'unreachable')
    expect(await user.request('GET', `/projects/${home.id}/container/status`)).toMatchObject({
      status: 503,
      body: { code: 'CONTAINER_ENGINE_UNAVAILABLE' }
    })
    expect(await user.request('GET', '/projects')).toMatchObject({ status: 200 })
    const figures = await user.call<ContainerMetric[]>('GET', '/monitoring/containers')
    expect(figures.find(({ projectId }) => projectId === home.id)?.ramUsed).toBeGreaterThan(0)
    const { told: notified } = reader
    const rounds = notified('metrics:containers').length
    await expect.poll(() => notified('metrics:containers').length).toBeGreaterThan(rounds + 1)
    expect((notified('metrics:containers').at(-1) as ContainerMetric[]).map(({ projectId }) => projectId)).toContain(
      home.id
    )
  } finally {
    kill(pid, 'SIGCONT')
  }
  await until(health, (parts) => parts.containerEngine?.status === 'ok')
  expect(await enginePid()).toBe(pid)
  await reader.expectMore()
  reader.close()
  expect(await user.request('GET', `/projects/${home.id}/container/status`)).toMatchObject({ status: 200 })
  // A deployment has its own deadline while it waits for the engine.
  const waited = await user.waitFor(waiting.id, pressed.id)
  expect(waited, waited.buildLogs ?? '').toMatchObject({ status: 'RUNNING' })
  await user.call('DELETE', `/projects/${waiting.id}`)
  await load.stop()
  expect(load.failures).toEqual([])
  await untilClean()
})

describe('an engine started by the panel', () => {
  test('is monitored by the next panel after a kill', async () => {
    await panel.kill()
    await panel.start()
    const killed = await enginePid()
    kill(killed, 'SIGKILL')
    await until(
      () => enginePid().catch(() => 0),
      (pid) => pid > 0 && pid !== killed
    )
    await until(health, (parts) => parts.containerEngine?.status === 'ok')
    await untilClean()
  })

  test('gets the administrator’s settings while sites serve, and can then become part of a swarm', async () => {
    const pid = await enginePid()
    const load = loadOnHome()
    const startWith = async (settings: object) => {
      await panel.kill()
      const write = 'mkdir -p /etc/docker && printf %s "$1" > /etc/docker/daemon.json'
      await machine.run('sh', '-c', write, 'sh', JSON.stringify(settings))
      await panel.start()
    }
    await startWith({ 'live-restore': false })
    // The engine refuses this while live-restore is on.
    await machine.run('docker', 'swarm', 'init', '--advertise-addr', machine.address)
    await machine.run('docker', 'swarm', 'leave', '--force')
    await startWith({})
    expect(await machine.run('docker', 'info', '--format', '{{.LiveRestoreEnabled}}')).toBe('true')
    expect(await enginePid()).toBe(pid)
    await load.stop()
    expect(load.failures).toEqual([])
    await untilClean()
  })

  test('is stopped with its sites, and both return on the next start', async () => {
    await panel.stop()
    await until(
      () => machine.pids(),
      (pids) => pids.length === 0
    )
    await panel.start()
    await until(
      async () => (await panel.visit(home.hostname)).body,
      (body) => body.startsWith('home')
    )
    await untilClean()
  })

  test('after a power failure everything returns and deployments in progress fail', async () => {
    const { both, remove } = await startTwo()
    await Promise.all([machine.cutPower(), panel.kill()])
    await panel.start()
    for (const [site, deployment] of both) await untilFailed(site, deployment)
    await until(
      async () => (await panel.visit(home.hostname)).body,
      (body) => body.startsWith('home')
    )
    await untilClean()
    await buildsAgain()
    await remove()
    await untilClean()
  })
})
