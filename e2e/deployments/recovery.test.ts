import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Deployment } from '@panel/contract/deployments'
import type { Project } from '@panel/contract/projects'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sendCommand } from '../../packages/server/src/infra/reverse-proxy/haproxy-socket.ts'
import { docker, findObjects, runningContainers } from '../support/engine.ts'
import type { Files } from '../support/git-repositories.ts'
import { startLoad } from '../support/load.ts'
import type { Client, RunningPanel, Site } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { kill } from '../support/processes.ts'
import { removeProjects, sharedWorld, type World } from '../support/shared-world.ts'
import { builtNodeSite, nodeSite } from '../support/sites.ts'

let world: World
let panel: RunningPanel
let user: Client
let home: Site
const made: Site[] = []
beforeAll(async () => {
  world = await sharedWorld()
  panel = world.panel
  user = await panel.signUp()
  home = await create(nodeSite('home'))
  await user.mustRun(home.id)
})
afterAll(() => removeProjects(user))

afterEach(({ task }) => {
  if (task.result?.state === 'fail') console.error(panel.output().slice(-5_000))
})

async function create(files: Files): Promise<Site> {
  const site = await user.createSite(world.git, files)
  made.push(site)
  return site
}
const press = (site: Pick<Site, 'id'>) => user.call<Deployment>('POST', `/projects/${site.id}/build`)
const see = (site: Pick<Site, 'id'>, { id }: Pick<Deployment, 'id'>) =>
  user.call<Deployment>('GET', `/projects/${site.id}/deployments/${id}`)
const isServing = async (site: Pick<Site, 'hostname'>, word: string) =>
  (await panel.visit(site.hostname)).body.startsWith(word)
const loadOnHome = () => startLoad(panel.proxyPort, home.hostname, (body) => body.startsWith('home'))

async function liveRoutes(): Promise<string[]> {
  const { adminSocket, map } = await world.proxyPaths()
  const lines = (await sendCommand(adminSocket, `show map ${map}`)).split('\n').filter((line) => line !== '')
  const names = made.map(({ hostname }) => `${hostname}/`)
  return lines
    .map((line) => line.split(' ')[1]!)
    .filter((route) => names.includes(route))
    .sort()
}

/** No open deployment; containers, ports and routes of these projects are those of their live releases. */
async function untilClean(): Promise<void> {
  const ids = made.map(({ id }) => id)
  await until(
    async () => {
      const [open, wanted, slots, names, objects, routes] = await Promise.all([
        panel.query<{ id: string }>(
          `select id from deployments where status in ('QUEUED', 'BUILDING', 'DEPLOYING') and project_id = any($1)`,
          [ids]
        ),
        panel.query<{ id: string; port: number }>(
          'select container_id as id, internal_port as port from projects where live_deployment_id is not null and id = any($1)',
          [ids]
        ),
        panel.query<{ port: number }>('select port from container_slots where project_id = any($1)', [ids]),
        panel.query<{ hostname: string }>('select hostname from host_names where project_id = any($1)', [ids]),
        Promise.all(ids.map((id) => findObjects(`panel.project=${id}`))),
        liveRoutes().catch(() => [])
      ])
      return {
        open: open.map(({ id }) => id),
        containers: [wanted.map(({ id }) => id).sort(), objects.flatMap(({ containers }) => containers).sort()],
        slots: [wanted.map(({ port }) => port).sort(), slots.map(({ port }) => port).sort()],
        routes: [names.map(({ hostname }) => `${hostname}/`).sort(), routes]
      }
    },
    ({ open, containers, slots, routes }) =>
      open.length === 0 && [containers, slots, routes].every(([a, b]) => JSON.stringify(a) === JSON.stringify(b))
  )
}

describe('kill -9 of the panel', () => {
  test('during a fetch, the leftovers block nothing; right after a deletion, no object of the project remains', async () => {
    const site = await create({ ...nodeSite('fetched'), 'large.bin': Buffer.from(noise(900_000)) })
    const connection = { gitUrl: world.git.url(site.repository, 'slow'), branch: 'main', isPrivate: false }
    await user.call('POST', `/projects/${site.id}/git/connect`, connection).catch(() => {})
    const deployment = await press(site)
    await sleep(400)
    await panel.killWorker()
    await panel.start()
    expect(['RUNNING', 'FAILED']).toContain((await user.waitFor(site.id, deployment.id)).status)
    await user.mustRun(site.id)
    await user.call('DELETE', `/projects/${site.id}`)
    await panel.killWorker()
    await panel.start()
    await untilClean()
    await until(
      () => findObjects(`panel.project=${site.id}`),
      ({ containers, volumes, images }) => containers.length + volumes.length + images.length === 0
    )
  })

  test('at random moments of a redeploy: it ends RUNNING or FAILED with a reason, and no request is lost', async () => {
    const load = loadOnHome()
    for (const delayMs of [150, 500, 800, 1200].map((ms) => ms + Math.random() * 150)) {
      const requested = user.request('POST', `/projects/${home.id}/deploy`).catch(() => {})
      await sleep(delayMs)
      await panel.killWorker()
      await panel.start()
      await requested
      await untilClean()
      const { deployments } = await user.call<{ deployments: Deployment[] }>('GET', `/projects/${home.id}/deployments`)
      for (const { status, buildLogs } of deployments) {
        expect(['RUNNING', 'FAILED']).toContain(status)
        if (status === 'FAILED') expect(buildLogs).toMatch(/^FAILED: \S/m)
      }
      expect(await isServing(home, 'home')).toBe(true)
    }
    await load.stop()
    expect(load.failures).toEqual([])
  })
})

test('kill -9 of master and worker of the proxy: it is restarted with every route', async () => {
  const before = await liveRoutes()
  expect(before).toContain(`${home.hostname}/`)
  const { all: pids } = await world.proxyProcesses()
  for (const pid of pids) kill(pid, 'SIGKILL')
  await until(
    async () => (await world.proxyProcesses()).all,
    (now) => now.length > 1 && now.every((pid) => !pids.includes(pid))
  )
  await until(
    () => liveRoutes().catch(() => []),
    (now) => JSON.stringify(now) === JSON.stringify(before)
  )
  await until(
    () => isServing(home, 'home').catch(() => false),
    (is) => is
  )
})

test('the embedded store is killed and down for a while: 503, shown in health, sites stay up; then sessions are valid and deployments in progress have failed', async () => {
  const clusterDirectory = join(panel.dataDir, 'postgres', 'cluster')
  const health = async () =>
    ((await (await fetch(`${panel.url}/api/health`)).json()) as { parts: Record<string, { status: string }> }).parts
  const panelPid = panel.pid()
  const site = await create(builtNodeSite('outage', 'sleep 300'))
  const deployment = await press(site)
  await user.waitFor(site.id, deployment.id, ({ buildLogs }) => buildLogs?.includes('sleep 300') === true)
  const load = loadOnHome()
  const hidden = `${clusterDirectory}.hidden`
  const postmaster = parseInt(await readFile(join(clusterDirectory, 'postmaster.pid'), 'utf8'), 10)
  await rename(clusterDirectory, hidden)
  try {
    kill(postmaster, 'SIGKILL')
    await until(
      () => user.request('GET', '/projects'),
      (answer) => answer.status === 503
    )
    expect(await user.request('GET', '/projects')).toMatchObject({ status: 503, body: { code: 'STORE_UNAVAILABLE' } })
    await until(health, (parts) => parts.store?.status === 'unreachable')
    await sleep(6_000)
  } finally {
    await rename(hidden, clusterDirectory)
  }
  await until(
    () => user.request('GET', '/projects'),
    (answer) => answer.status === 200
  )
  expect(panel.pid()).toBe(panelPid)
  await until(health, (parts) => parts.store?.status === 'ok')
  await until(
    () => see(site, deployment),
    ({ status, buildLogs }) => status === 'FAILED' && /^FAILED: \S/m.test(buildLogs ?? '')
  )
  await world.git.commit(site.repository, nodeSite('outage'), 'Quick')
  await user.mustRun(site.id)
  await load.stop()
  expect(load.failures).toEqual([])
  await user.call('DELETE', `/projects/${site.id}`)
  await untilClean()
})

test('a container stopped or removed by hand, and routes deleted by hand, come back', async () => {
  const projectOf = () => user.call<Project>('GET', `/projects/${home.id}`)
  const untilServing = () =>
    until(
      () => isServing(home, 'home'),
      (is) => is
    )
  const { containerId } = await projectOf()
  await docker('stop', '--time', '1', containerId!)
  await until(
    () => runningContainers(`panel.project=${home.id}`),
    (ids) => ids.length === 1
  )
  await untilServing()
  expect(await projectOf()).toMatchObject({ containerId, containerStatus: 'running' })

  await docker('rm', '--force', containerId!)
  const after = await until(
    projectOf,
    (project) => project.containerId !== containerId && project.containerStatus === 'running'
  )
  expect(await runningContainers(`panel.project=${home.id}`)).toEqual([after.containerId])
  await untilServing()

  const { adminSocket, map } = await world.proxyPaths()
  await sendCommand(adminSocket, `clear map ${map}`)
  expect((await panel.visit(home.hostname)).status).toBe(404)
  await untilServing()
  await untilClean()
})

test('foreign objects are never touched', async () => {
  const name = `panel-foreign-${Date.now()}`
  const image = 'node:24-trixie-slim'
  const others = ['--label', 'panel.instance=other', '--label', 'panel.project=other']
  try {
    await docker('tag', image, `panel-foreign:${name}`)
    for (const [suffix, labels] of [
      ['plain', []],
      ['labelled', others]
    ] as const) {
      await docker('volume', 'create', ...labels, `${name}-${suffix}`)
      await docker('create', '--name', `${name}-${suffix}`, ...labels, image, 'true')
    }
    await docker('run', '--detach', '--name', `${name}-running`, image, 'sleep', '600')
    await panel.kill()
    await panel.start()
    await docker('rm', '--force', ...(await runningContainers(`panel.project=${home.id}`)))
    await until(
      () => runningContainers(`panel.project=${home.id}`),
      (ids) => ids.length === 1
    )
    await untilClean()
    const containers = await docker('ps', '--all', '--filter', `name=${name}`, '--format', '{{.Names}} {{.State}}')
    expect(containers.split('\n').sort()).toEqual([
      `${name}-labelled created`,
      `${name}-plain created`,
      `${name}-running running`
    ])
    expect((await docker('volume', 'ls', '--quiet', '--filter', `name=${name}`)).split('\n')).toHaveLength(2)
    expect(await docker('images', '--quiet', `panel-foreign:${name}`)).not.toBe('')
  } finally {
    const containers = ['plain', 'labelled', 'running'].map((suffix) => `${name}-${suffix}`)
    await docker('rm', '--force', ...containers).catch(() => {})
    await docker('volume', 'rm', ...['plain', 'labelled'].map((suffix) => `${name}-${suffix}`)).catch(() => {})
    await docker('rmi', `panel-foreign:${name}`).catch(() => {})
  }
})

/** Incompressible bytes. */
function noise(length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let state = 12_345
  for (let index = 0; index < length; index++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    bytes[index] = state >>> 16
  }
  return bytes
}
