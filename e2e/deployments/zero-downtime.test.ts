import { access, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Schema, unwrap } from '@panel/client'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { liveTestClients } from '../../packages/server/test/support/live.ts'
import { withResolvers } from '../../packages/server/test/support/with-resolvers.ts'
import { docker, findObjects } from '../support/engine.ts'
import { openWebSocket, startLoad } from '../support/load.ts'
import { at, type Client, type RunningPanel, type Site } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { commandLines } from '../support/processes.ts'
import { removeProjects, sharedWorld, type World } from '../support/shared-world.ts'
import { builtNodeSite, nodeSite, siteStartedBy, startScriptOf } from '../support/sites.ts'

type Deployment = Schema<'Deployment'>

let world: World
let panel: RunningPanel
let user: Client
beforeAll(async () => {
  world = await sharedWorld()
  panel = world.panel
  user = await panel.signUp()
  // The old container keeps the WebSocket for several redeployments.
  await world.change({ DEPLOY_DRAIN_SECONDS: '60', DEPLOY_START_TIMEOUT: '30' })
})
afterAll(async () => {
  await removeProjects(user)
  await world?.change({ DEPLOY_START_TIMEOUT: null })
})

const bodyOf = async (hostname: string) => (await panel.visit(hostname)).body
const projectOf = (site: Pick<Site, 'id'>) => unwrap(user.api.GET('/api/projects/{id}', at(site.id)))
const containersOf = async (site: Pick<Site, 'id'>) => (await findObjects(`panel.project=${site.id}`)).containers
const slotsOf = (site: Pick<Site, 'id'>) =>
  panel.query<{ port: number }>('select port from container_slots where project_id = $1', [site.id])
const redeploy = (site: Pick<Site, 'id'>) => unwrap(user.api.POST('/api/projects/{id}/deploy', at(site.id)))
const pressBuild = (site: Pick<Site, 'id'>) => unwrap(user.api.POST('/api/projects/{id}/build', at(site.id)))

async function expectOnlyTheLiveOne(site: Pick<Site, 'id'>) {
  const { containerId, internalPort } = await projectOf(site)
  const ids = await until(
    () => containersOf(site),
    (found) => found.length === 1
  )
  expect(ids).toEqual([containerId])
  const slots = await until(
    () => slotsOf(site),
    (found) => found.length === 1
  )
  expect(slots).toEqual([{ port: internalPort }])
}

describe('a site from its first release to its deletion', () => {
  const release = (word: string) => ({
    ...nodeSite(word),
    ...startScriptOf('test -z "$BROKEN" && exec node server.js')
  })
  const setVariable = (key: string, value: string) =>
    unwrap(user.api.POST('/api/projects/{id}/env', { ...at(site.id), body: { key, value } }))
  const variables = async () => JSON.parse((await panel.visit(site.hostname, '/env')).body) as Record<string, string>
  let site: Site
  beforeAll(async () => {
    site = await user.createSite(world.git, release('v0'))
    await user.mustRun(site.id)
  })

  test('a redeploy drops no request: keep-alive, new connections, uploads, slow responses, an open WebSocket', async () => {
    const load = startLoad(panel.proxyPort, site.hostname, (body) => /^v\d( |$)/.test(body))
    const socket = await openWebSocket(panel.proxyPort, site.hostname)
    try {
      for (const version of [1, 2]) {
        await world.git.commit(site.repository, release(`v${version}`), `Version ${version}`)
        await user.mustRun(site.id)
        expect(await bodyOf(site.hostname)).toBe(`v${version} /`)
        await socket.echo(`still there ${version}`)
      }
      await sleep(3_500) // Longest possible slow request of the old container.
    } finally {
      await load.stop()
      socket.close()
    }
    expect(load.failures).toEqual([])
    expect(load.answered()).toBeGreaterThan(100)
    expect(await bodyOf(site.hostname)).toBe('v2 /')
    await expectOnlyTheLiveOne(site)
  })

  test.each([
    ['the build fails', builtNodeSite('new', 'echo compiling && echo broken >&2 && exit 3'), /broken/, /code: [13]/],
    [
      'the new one exits at once',
      siteStartedBy(`node -e "console.error('my last words'); process.exit(7)"`),
      /--- last lines of the container ---\n(.*\n)*my last words/,
      /exited with code 7|crashed and was restarted/
    ],
    [
      'the new one never listens',
      siteStartedBy(`node -e "console.log('doing nothing'); setInterval(() => {}, 1e6)"`),
      /--- last lines of the container ---\n(.*\n)*doing nothing/,
      /did not answer HTTP on port 3000 within 30 s/
    ]
  ])('the live release stays up when %s', async (_case, files, lastLines, reason) => {
    const before = await projectOf(site)
    await world.git.commit(site.repository, files, 'Break it')
    const failed = await user.build(site.id)
    expect(failed.status).toBe('FAILED')
    expect(failed.buildLogs).toMatch(lastLines)
    expect(/^FAILED: .+/ms.exec(failed.buildLogs ?? '')?.[0]).toMatch(reason)
    expect(failed.canRollback).toBe(false)
    expect(await bodyOf(site.hostname)).toBe('v2 /')
    const { containerId, internalPort, deployedDomain, status } = before
    expect(await projectOf(site)).toMatchObject({ containerId, internalPort, deployedDomain, status })
    await expectOnlyTheLiveOne(site)
  })

  test('deploy runs the newest release with the current variables, and keeps the live one if it fails with them', async () => {
    await setVariable('GREETING', 'hello')
    expect(await variables()).not.toHaveProperty('GREETING')
    const result = await redeploy(site)
    const { containerId, internalPort } = await projectOf(site)
    expect(result).toEqual({ containerId, internalPort, deployedDomain: site.hostname, containerStatus: 'running' })
    expect(await variables()).toMatchObject({ GREETING: 'hello' })
    await setVariable('BROKEN', 'yes')
    const answer = await user.request<{ code: string; error: string }>('POST', `/projects/${site.id}/deploy`)
    expect(answer).toMatchObject({ body: { code: 'DEPLOYMENT_FAILED' } })
    expect(answer.body.error).toMatch(/exited with code 1|crashed and was restarted/)
    expect(await bodyOf(site.hostname)).toBe('v2 /')
    await unwrap(user.api.DELETE('/api/projects/{id}/env/{key}', { params: { path: { id: site.id, key: 'BROKEN' } } }))
  })

  test('stop, start, restart, remove, status and logs', async () => {
    const requestAction = (action: string) => user.request('POST', `/projects/${site.id}/container/${action}`)
    const status = () => unwrap(user.api.GET('/api/projects/{id}/container/status', at(site.id)))
    const { containerId } = await projectOf(site)
    expect(await status()).toEqual({ containerStatus: 'running', containerId })

    expect(await requestAction('stop')).toMatchObject({ status: 200, body: { containerStatus: 'exited' } })
    const page = await panel.visit(site.hostname)
    expect(page).toMatchObject({ status: 503, body: expect.stringContaining('stopped') as string })
    expect(await projectOf(site)).toMatchObject({ status: 'STOPPED', containerStatus: 'exited' })
    await sleep(6_000) // Longer than one reconcile round, which must not start it again.
    expect(await status()).toEqual({ containerStatus: 'exited', containerId })

    for (const action of ['start', 'restart']) {
      expect(await requestAction(action)).toMatchObject({
        status: 200,
        body: { message: 'Started', containerStatus: 'running' }
      })
      expect(await bodyOf(site.hostname)).toBe('v2 /')
    }
    expect(await projectOf(site)).toMatchObject({ status: 'ACTIVE', containerStatus: 'running' })
    const { logs } = await unwrap(user.api.GET('/api/projects/{id}/logs', at(site.id)))
    expect(logs.match(/listening on 3000/g)).toHaveLength(3)

    expect(await requestAction('remove')).toMatchObject({ status: 200, body: { containerStatus: null } })
    expect(await findObjects(`panel.project=${site.id}`)).toMatchObject({ containers: [], volumes: [] })
    expect(await projectOf(site)).toMatchObject({ status: 'STOPPED', containerId: null, internalPort: null })
    expect(await slotsOf(site)).toEqual([])
    expect(await panel.visit(site.hostname)).toMatchObject({ status: 503 })
    expect(await requestAction('start')).toMatchObject({ status: 409, body: { code: 'CONTAINER_MISSING' } })
    expect(await redeploy(site)).toMatchObject({ containerStatus: 'running' })
    expect(await bodyOf(site.hostname)).toBe('v2 /')
  })

  test('a crashed container is restarted', async () => {
    await panel.visit(site.hostname, '/exit')
    await until(
      () => panel.visit(site.hostname),
      ({ status, body }) => status === 200 && body === 'v2 /'
    )
    const { logs } = await unwrap(user.api.GET('/api/projects/{id}/logs', at(site.id)))
    expect(logs).toContain('last words')
  })

  test('a new project name changes the hostname on the next deployment and frees the old one', async () => {
    const name = `${site.name}-new`
    await unwrap(user.api.PUT('/api/projects/{id}', { ...at(site.id), body: { name } }))
    expect(await bodyOf(site.hostname)).toBe('v2 /')
    const { deployedDomain } = await redeploy(site)
    expect(deployedDomain).toBe(`${name}.apps.localhost`)
    expect(await bodyOf(deployedDomain)).toBe('v2 /')
    expect(await panel.visit(site.hostname)).toMatchObject({ status: 404 })
    site = { ...site, name, hostname: deployedDomain }
  })

  test('deleted during a build, it leaves nothing: process, container, volumes, images, route, workspace, key', async () => {
    await unwrap(user.api.POST('/api/projects/{id}/git/ssh-key', at(site.id)))
    const directories = [world.projects, join(world.projects, 'by-id'), join(panel.dataDir, 'workspaces', 'keys')]
    await access(join(world.projects, site.id))
    await access(join(world.projects, 'by-id', site.id))
    expect(await readdir(join(panel.dataDir, 'workspaces', 'keys', site.id))).toHaveLength(1)
    const label = `panel.project=${site.id}`
    await docker('volume', 'create', '--label', label, '--label', `panel.instance=${panel.instanceId}`, `e2e-${site.id}`) // oxfmt-ignore
    await world.git.commit(site.repository, builtNodeSite('doomed', 'echo begun && sleep 6115'), 'Never ends')
    const { id } = await pressBuild(site)
    await user.waitFor(site.id, id, ({ buildLogs }) => /^begun/m.test(buildLogs ?? ''))

    expect((await user.request('DELETE', `/projects/${site.id}`)).status).toBeLessThan(300)
    expect((await user.request('GET', `/projects/${site.id}`)).status).toBe(404)
    await until(commandLines, (lines) => !lines.includes('sleep 6115'))
    await until(
      async () => Object.values(await findObjects(label)).flat(),
      (left) => left.length === 0
    )
    expect(await panel.visit(site.hostname)).toMatchObject({ status: 404 })
    await until(
      () => Promise.all(directories.map((directory) => readdir(directory))),
      (entries) => !entries.flat().includes(site.id)
    )
  })
})

test('a deployment is cancelled during its build, whose step is killed, and while its container does not answer', async () => {
  const site = await user.createSite(world.git, builtNodeSite('mine', 'echo begun && sleep 6113'))
  const cancel = ({ id }: Deployment) =>
    user.request<Deployment>('POST', `/projects/${site.id}/deployments/${id}/cancel`)
  async function expectNothingOf(deployment: Deployment) {
    const left = async () => ({
      containers: await containersOf(site),
      images: await docker('images', '--quiet', `*-${site.id}:${deployment.id}`),
      slots: await slotsOf(site)
    })
    await until(left, ({ containers, images, slots }) => containers.length + slots.length === 0 && images === '')
    expect(await panel.visit(site.hostname)).toMatchObject({ status: 503 })
  }
  const building = await pressBuild(site)
  await user.waitFor(site.id, building.id, ({ buildLogs }) => /^begun/m.test(buildLogs ?? ''))
  expect(await commandLines()).toContain('sleep 6113')
  expect(await cancel(building)).toMatchObject({ status: 200, body: { status: 'CANCELLED' } })
  await until(commandLines, (lines) => !lines.includes('sleep 6113'))
  await expectNothingOf(building)
  expect((await user.waitFor(site.id, building.id)).buildLogs).toContain('CANCELLED on request')

  await world.git.commit(site.repository, siteStartedBy('sleep 6114'), 'Never answers')
  const deploying = await pressBuild(site)
  await until(
    () => containersOf(site),
    (ids) => ids.length === 1
  )
  await user.waitFor(site.id, deploying.id, ({ status }) => status === 'DEPLOYING')
  expect(await cancel(deploying)).toMatchObject({ status: 200, body: { status: 'CANCELLED' } })
  await expectNothingOf(deploying)
  expect((await user.waitFor(site.id, deploying.id)).status).toBe('CANCELLED')
})

describe('the log of a container', () => {
  const live = liveTestClients(() => panel.url)
  afterEach(() => live.close())

  const count = 20_000
  const numbers = (text: string) => [...text.matchAll(/^line (\d+) /gm)].map(([, number]) => Number(number))
  const writer = `
import { createServer } from 'node:http'
import { once } from 'node:events'
createServer(async (request, response) => {
  response.end('counting')
  if (request.url !== '/count') return
  for (let line = 0; line < ${count}; line++)
    if (!process.stdout.write('line ' + line + ' ' + 'x'.repeat(50) + '\\n')) await once(process.stdout, 'drain')
}).listen(process.env.PORT, '0.0.0.0')`

  async function follow(projectId: string, mayTake: () => Promise<void> = () => Promise.resolve()) {
    const client = live.make({ cookie: user.cookie })
    client.socket.offAny()
    const sent: { text: string }[] = []
    const states: string[] = []
    client.socket.on('container:log-state', ({ state }: { state: string }, taken: () => void) => {
      states.push(state)
      taken()
    })
    client.socket.on('container:log', (data: { text: string }, taken: () => void) => {
      sent.push(data)
      void mayTake().then(taken)
    })
    await new Promise<void>((resolve) => client.socket.once('connect', resolve).connect())
    expect(await client.ask('subscribe:container-log', { projectId })).toMatchObject({ ok: true })
    return { sent, states, text: () => sent.map(({ text }) => text).join('') }
  }

  test('is followed by a slow reader beside a fast one without loss, across kill -9 of the worker and a redeployment', async () => {
    const site = await user.createSite(world.git, { ...nodeSite('count'), 'server.js': writer })
    await user.mustRun(site.id)
    const gate = withResolvers()
    const fast = await follow(site.id)
    const slow = await follow(site.id, () => Promise.race([gate.promise, sleep(5_000)]))
    await until(
      () => Promise.resolve([...fast.states, ...slow.states]),
      (states) => states.length === 2
    )
    await panel.visit(site.hostname, '/count')
    await until(
      () => Promise.resolve(fast.text().includes(`line ${count - 1} `)),
      (isThere) => isThere
    )
    expect(slow.sent.length).toBeLessThan(fast.sent.length / 2)
    gate.resolve()
    await panel.killWorker()
    await panel.start()
    await until(
      () => Promise.resolve(slow.text().includes(`line ${count - 1} `)),
      (isThere) => isThere
    )
    const expected = Array.from({ length: count }, (_, line) => line)
    for (const { text } of [fast, slow]) expect(numbers(text())).toEqual(expected)

    const { containerId } = await projectOf(site)
    await redeploy(site)
    expect((await projectOf(site)).containerId).not.toBe(containerId)
    await panel.visit(site.hostname, '/count')
    await until(
      () => Promise.resolve(numbers(fast.text()).length),
      (lines) => lines === 2 * count
    )
    expect(numbers(fast.text()).slice(count)).toEqual(expected)
  })
})
