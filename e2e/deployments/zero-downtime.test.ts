import { access, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Schema, unwrap } from '@panel/client'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { liveTestClients } from '../../packages/server/test/support/live.ts'
import { withResolvers } from '../../packages/server/test/support/with-resolvers.ts'
import { docker, findObjects, removeObjects, runningContainers } from '../support/engine.ts'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import { openWebSocket, startLoad } from '../support/load.ts'
import { at, type Client, type NewProject, type RunningPanel, type Site, startPanel } from '../support/panel.ts'
import { residentBytes } from '../support/memory.ts'
import { until } from '../support/poll.ts'
import { commandLines } from '../support/processes.ts'
import { builtNodeSite, nodeSite, siteStartedBy, startScriptOf } from '../support/sites.ts'

const keepReleases = 2

type Deployment = Schema<'Deployment'>

let git: GitHttpServer
let panel: RunningPanel
let user: Client
beforeAll(async () => {
  git = await startGitHttpServer()
  panel = await startPanel({
    WEB_PROCESS: 'separate',
    RECONCILE_FULL_SECONDS: '3600',
    GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}`,
    BUILD_CONCURRENCY: '2',
    DEPLOY_START_TIMEOUT: '30',
    DEPLOY_DRAIN_SECONDS: '60',
    KEEP_RELEASES: String(keepReleases)
  })
  user = await panel.signUp()
})
afterAll(async () => {
  await panel?.dispose()
  await git?.stop()
})

async function deploySite(word: string, values: Partial<NewProject> = {}) {
  const site = await user.createSite(git, nodeSite(word), values)
  const deployment = await user.build(site.id)
  expect(deployment, deployment.buildLogs ?? '').toMatchObject({ status: 'RUNNING' })
  return { ...site, deployment }
}

const bodyOf = async (hostname: string) => (await panel.visit(hostname)).body
const projectOf = (site: Pick<Site, 'id'>) => unwrap(user.api.GET('/api/projects/{id}', at(site.id)))
const containersOf = async (site: Pick<Site, 'id'>) => (await findObjects(`panel.project=${site.id}`)).containers
const slotsOf = (site: Pick<Site, 'id'>) =>
  panel.query<{ port: number }>('select port from container_slots where project_id = $1', [site.id])

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

test('a redeploy drops no request: keep-alive, new connections, uploads, slow responses, an open WebSocket', async () => {
  const site = await deploySite('v0')
  const load = startLoad(panel.proxyPort, site.hostname, (body) => /^v\d( |$)/.test(body))
  const socket = await openWebSocket(panel.proxyPort, site.hostname)
  try {
    for (let version = 1; version <= 6; version++) {
      await git.commit(site.repository, nodeSite(`v${version}`), `Version ${version}`)
      const redeployed = await user.build(site.id)
      expect(redeployed, redeployed.buildLogs ?? '').toMatchObject({ status: 'RUNNING' })
      expect(await bodyOf(site.hostname)).toBe(`v${version} /`)
      await socket.echo(`still there ${version}`)
    }
    await sleep(3_500) // Longest possible slow request of the old container.
  } finally {
    await load.stop()
    socket.close()
  }
  expect(load.failures).toEqual([])
  expect(load.answered()).toBeGreaterThan(500)
  expect(await bodyOf(site.hostname)).toBe('v6 /')
  await expectOnlyTheLiveOne(site)
})

describe('the live release stays up when', () => {
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
  ])('%s', async (_case, files, lastLines, reason) => {
    const site = await deploySite('old')
    const before = await projectOf(site)
    await git.commit(site.repository, files, 'Break it')
    const failed = await user.build(site.id)
    expect(failed.status).toBe('FAILED')
    expect(failed.buildLogs).toMatch(lastLines)
    expect(/^FAILED: .+/ms.exec(failed.buildLogs ?? '')?.[0]).toMatch(reason)
    expect(failed.canRollback).toBe(false)
    expect(await bodyOf(site.hostname)).toBe('old /')
    const { containerId, internalPort, deployedDomain, status } = before
    expect(await projectOf(site)).toMatchObject({ containerId, internalPort, deployedDomain, status })
    await expectOnlyTheLiveOne(site)
  })
})

describe('cancel', () => {
  async function expectNothingOf(site: Site, deployment: Deployment) {
    const left = async () => ({
      containers: await containersOf(site),
      images: await docker('images', '--quiet', `*-${site.id}:${deployment.id}`),
      slots: await slotsOf(site)
    })
    await until(left, ({ containers, images, slots }) => containers.length + slots.length === 0 && images === '')
    expect(await panel.visit(site.hostname)).toMatchObject({ status: 503 })
  }
  const cancel = (site: Site, { id }: Deployment) =>
    user.request<Deployment>('POST', `/projects/${site.id}/deployments/${id}/cancel`)
  const pressBuild = (client: Client, site: Site) => unwrap(client.api.POST('/api/projects/{id}/build', at(site.id)))

  test('during a build: the step is killed and another account’s build continues', async () => {
    const other = await panel.signUp()
    const theirs = await other.createSite(git, builtNodeSite('theirs', 'sleep 8 && echo untouched'))
    const mine = await user.createSite(git, builtNodeSite('mine', 'echo begun && sleep 6113'))
    const [their, my] = [await pressBuild(other, theirs), await pressBuild(user, mine)]
    await user.waitFor(mine.id, my.id, ({ buildLogs }) => /^begun/m.test(buildLogs ?? ''))
    expect(await commandLines()).toContain('sleep 6113')
    expect(await cancel(mine, my)).toMatchObject({ status: 200, body: { status: 'CANCELLED' } })
    await until(commandLines, (lines) => !lines.includes('sleep 6113'))
    await expectNothingOf(mine, my)
    const ended = await user.waitFor(mine.id, my.id)
    expect(ended.status).toBe('CANCELLED')
    expect(ended.buildLogs).toContain('CANCELLED on request')
    const untouched = await other.waitFor(theirs.id, their.id)
    expect(untouched, untouched.buildLogs ?? '').toMatchObject({ status: 'RUNNING' })
    expect(await bodyOf(theirs.hostname)).toBe('theirs /')
  })

  test('while it waits for the container to answer', async () => {
    const site = await user.createSite(git, siteStartedBy('sleep 6114'))
    const deployment = await pressBuild(user, site)
    await until(
      () => containersOf(site),
      (ids) => ids.length === 1
    )
    await user.waitFor(site.id, deployment.id, ({ status }) => status === 'DEPLOYING')
    expect(await cancel(site, deployment)).toMatchObject({ status: 200, body: { status: 'CANCELLED' } })
    await expectNothingOf(site, deployment)
    expect((await user.waitFor(site.id, deployment.id)).status).toBe('CANCELLED')
  })

  test('while queued behind another one of its project, which continues', async () => {
    const site = await user.createSite(git, builtNodeSite('first', 'sleep 3'))
    const [first, second] = [await pressBuild(user, site), await pressBuild(user, site)]
    expect(await cancel(site, second)).toMatchObject({ status: 200, body: { status: 'CANCELLED', duration: null } })
    expect((await user.waitFor(site.id, first.id)).status).toBe('RUNNING')
    expect((await user.waitFor(site.id, second.id)).buildLogs?.trim()).toBe('CANCELLED on request')
    expect(await cancel(site, second)).toMatchObject({ status: 409, body: { code: 'DEPLOYMENT_FINISHED' } })
    expect(await cancel(site, first)).toMatchObject({ status: 409, body: { code: 'DEPLOYMENT_FINISHED' } })
    expect(await bodyOf(site.hostname)).toBe('first /')
  })
})

test('builds of one project never overlap, and the last requested one is live', async () => {
  const site = await user.createSite(git, builtNodeSite('one', 'sleep 1'))
  const pressed: string[] = []
  for (const word of ['one', 'two', 'three']) {
    await git.commit(site.repository, builtNodeSite(word, 'sleep 1'), word)
    pressed.push((await unwrap(user.api.POST('/api/projects/{id}/build', at(site.id)))).id)
  }
  const inFlight = async () => {
    const { deployments } = await unwrap(user.api.GET('/api/projects/{id}/deployments', at(site.id)))
    const open = deployments.filter(({ status }) => ['BUILDING', 'DEPLOYING'].includes(status))
    expect(open.length).toBeLessThan(2)
    return deployments
  }
  const ended = await until(inFlight, (deployments) => deployments.every(({ status }) => status === 'RUNNING'))
  expect(ended.map(({ id }) => id)).toEqual(pressed.reverse())
  expect(await bodyOf(site.hostname)).toBe('three /')
})

test('a rollback runs the earlier image without a build', async () => {
  const site = await deploySite('one')
  await git.commit(site.repository, nodeSite('two'), 'Two')
  expect((await user.build(site.id)).status).toBe('RUNNING')
  expect(await bodyOf(site.hostname)).toBe('two /')

  const startedAt = performance.now()
  const { id } = await unwrap(
    user.api.POST('/api/projects/{id}/deployments/{deploymentId}/rollback', {
      params: { path: { id: site.id, deploymentId: site.deployment.id } }
    })
  )
  const done = await user.waitFor(site.id, id)
  console.log(`rollback to RUNNING: ${Math.round(performance.now() - startedAt)} ms`)
  expect(done).toMatchObject({ status: 'RUNNING', trigger: 'ROLLBACK', commitHash: site.commitHash })
  expect(done.buildLogs).not.toMatch(/Step|FROM|Found/)
  expect(await bodyOf(site.hostname)).toBe('one /')

  await unwrap(user.api.POST('/api/projects/{id}/deploy', at(site.id)))
  expect(await bodyOf(site.hostname)).toBe('one /')
})

test('deploy runs the newest image with the current variables', async () => {
  const site = await deploySite('env')
  await unwrap(user.api.POST('/api/projects/{id}/env', { ...at(site.id), body: { key: 'GREETING', value: 'hello' } }))
  expect(JSON.parse((await panel.visit(site.hostname, '/env')).body)).not.toHaveProperty('GREETING')
  const result = await unwrap(user.api.POST('/api/projects/{id}/deploy', at(site.id)))
  const { containerId, internalPort } = await projectOf(site)
  expect(result).toEqual({ containerId, internalPort, deployedDomain: site.hostname, containerStatus: 'running' })
  expect(JSON.parse((await panel.visit(site.hostname, '/env')).body)).toMatchObject({ GREETING: 'hello' })
  await unwrap(user.api.DELETE('/api/projects/{id}/env/{key}', { params: { path: { id: site.id, key: 'GREETING' } } }))
  await unwrap(user.api.POST('/api/projects/{id}/deploy', at(site.id)))
  expect(JSON.parse((await panel.visit(site.hostname, '/env')).body)).not.toHaveProperty('GREETING')
  const unbuilt = await user.createSite(git, nodeSite('unbuilt'))
  expect(await user.request('POST', `/projects/${unbuilt.id}/deploy`)).toMatchObject({
    status: 409,
    body: { code: 'NOT_BUILT' }
  })
})

test('a failed deployment says why, and the old release stays live', async () => {
  const site = await deploySite('steady', { startCmd: 'test -z "$BROKEN" && exec node server.js' })
  await unwrap(user.api.POST('/api/projects/{id}/env', { ...at(site.id), body: { key: 'BROKEN', value: 'yes' } }))
  const answer = await user.request<{ code: string; error: string }>('POST', `/projects/${site.id}/deploy`)
  expect(answer).toMatchObject({ body: { code: 'DEPLOYMENT_FAILED' } })
  expect(answer.body.error).toMatch(/exited with code 1|crashed and was restarted/)
  expect(await bodyOf(site.hostname)).toBe('steady /')
  await unwrap(user.api.DELETE('/api/projects/{id}/env/{key}', { params: { path: { id: site.id, key: 'BROKEN' } } }))
  for (let n = 0; n < 2; n++) await unwrap(user.api.POST('/api/projects/{id}/deploy', at(site.id)))
  const { notifications } = await unwrap(user.api.GET('/api/notifications', { params: { query: { limit: 100 } } }))
  const notified = notifications.filter(({ subject }) => subject.id === site.id)
  expect(notified.map(({ kind }) => kind)).toEqual(['deployment-recovered', 'deployment-failed'])
  expect(notified[1]!.text).toMatch(/exited with code 1|crashed and was restarted/)
})

test('a new project name changes the hostname on the next deployment and frees the old one', async () => {
  const site = await deploySite('moving')
  const name = `${site.name}-new`
  await unwrap(user.api.PUT('/api/projects/{id}', { ...at(site.id), body: { name } }))
  expect(await bodyOf(site.hostname)).toBe('moving /')
  const { deployedDomain } = await unwrap(user.api.POST('/api/projects/{id}/deploy', at(site.id)))
  expect(deployedDomain).toBe(`${name}.apps.localhost`)
  expect(await bodyOf(deployedDomain)).toBe('moving /')
  expect(await panel.visit(site.hostname)).toMatchObject({ status: 404 })
  const heir = await user.createSite(git, nodeSite('heir'), { name: site.name })
  expect((await user.build(heir.id)).status).toBe('RUNNING')
  expect(await bodyOf(site.hostname)).toBe('heir /')
})

test('a deleted project leaves nothing: container, volumes, images, route, workspace, key', async () => {
  const site = await deploySite('doomed')
  await unwrap(user.api.POST('/api/projects/{id}/git/ssh-key', at(site.id)))
  await git.commit(site.repository, nodeSite('doomed too'), 'Another')
  expect((await user.build(site.id)).status).toBe('RUNNING')
  const workspaces = join(panel.dataDir, 'workspaces')
  await access(join(workspaces, 'projects', site.id))
  expect(await readdir(join(workspaces, 'keys', site.id))).toHaveLength(1)
  const label = `panel.project=${site.id}`
  await docker('volume', 'create', '--label', label, '--label', `panel.instance=${panel.instanceId}`, `e2e-${site.id}`)
  await access(join(workspaces, 'projects', 'by-id', site.id))

  expect((await user.request('DELETE', `/projects/${site.id}`)).status).toBeLessThan(300)
  expect((await user.request('GET', `/projects/${site.id}`)).status).toBe(404)
  await until(
    async () => Object.values(await findObjects(label)).flat(),
    (left) => left.length === 0
  )
  expect(await panel.visit(site.hostname)).toMatchObject({ status: 404 })
  await until(
    () => Promise.all(['projects', 'projects/by-id', 'keys'].map((directory) => readdir(join(workspaces, directory)))),
    (entries) => !entries.flat().includes(site.id)
  )
})

test('a project deleted during a build leaves nothing either', async () => {
  const site = await user.createSite(git, builtNodeSite('doomed', 'echo begun && sleep 6115'))
  const { id } = await unwrap(user.api.POST('/api/projects/{id}/build', at(site.id)))
  await user.waitFor(site.id, id, ({ buildLogs }) => /^begun/m.test(buildLogs ?? ''))
  await user.request('DELETE', `/projects/${site.id}`)
  await until(commandLines, (lines) => !lines.includes('sleep 6115'))
  await until(
    async () => Object.values(await findObjects(`panel.project=${site.id}`)).flat(),
    (left) => left.length === 0
  )
  await until(
    () => readdir(join(panel.dataDir, 'workspaces', 'projects')),
    (entries) => !entries.includes(site.id)
  )
})

test('stop, start, restart, remove, status and logs', async () => {
  const site = await deploySite('switch')
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

  expect(await requestAction('start')).toMatchObject({
    status: 200,
    body: { message: 'Started', containerStatus: 'running' }
  })
  expect(await bodyOf(site.hostname)).toBe('switch /')
  expect(await projectOf(site)).toMatchObject({ status: 'ACTIVE', containerStatus: 'running' })
  expect(await requestAction('restart')).toMatchObject({
    status: 200,
    body: { message: 'Started', containerStatus: 'running' }
  })
  expect(await bodyOf(site.hostname)).toBe('switch /')

  const { logs } = await unwrap(user.api.GET('/api/projects/{id}/logs', at(site.id)))
  expect(logs.match(/listening on 3000/g)).toHaveLength(3)
  const tail = await unwrap(
    user.api.GET('/api/projects/{id}/logs', { params: { path: { id: site.id }, query: { tail: 1 } } })
  )
  expect(tail.logs.trim()).toBe('listening on 3000')

  expect(await requestAction('remove')).toMatchObject({ status: 200, body: { containerStatus: null } })
  const found = await findObjects(`panel.project=${site.id}`)
  expect(found).toMatchObject({ containers: [], volumes: [] })
  expect(await projectOf(site)).toMatchObject({
    status: 'STOPPED',
    containerId: null,
    containerStatus: null,
    internalPort: null
  })
  expect(await slotsOf(site)).toEqual([])
  expect(await panel.visit(site.hostname)).toMatchObject({ status: 503 })
  expect(await requestAction('start')).toMatchObject({ status: 409, body: { code: 'CONTAINER_MISSING' } })
  expect(await unwrap(user.api.POST('/api/projects/{id}/deploy', at(site.id)))).toMatchObject({
    containerStatus: 'running'
  })
  expect(await bodyOf(site.hostname)).toBe('switch /')
})

test('a crashed container is restarted, and one removed by hand is recreated', async () => {
  const site = await deploySite('phoenix')
  await panel.visit(site.hostname, '/exit')
  await until(
    () => panel.visit(site.hostname),
    ({ status, body }) => status === 200 && body === 'phoenix /'
  )
  const { logs } = await unwrap(user.api.GET('/api/projects/{id}/logs', at(site.id)))
  expect(logs).toContain('last words')
  await docker('rm', '--force', (await projectOf(site)).containerId!)
  await until(
    () => panel.visit(site.hostname),
    ({ status, body }) => status === 200 && body === 'phoenix /'
  )
  await expectOnlyTheLiveOne(site)
})

describe('logs that are followed', () => {
  const live = liveTestClients(() => panel.url)
  afterEach(() => live.close())

  interface Sent {
    text: string
    next: number | string
  }
  const textOf = (sent: readonly unknown[]) => (sent as Sent[]).map(({ text }) => text).join('')

  async function follow(name: string, input: object, mayTake: () => Promise<void> = () => Promise.resolve()) {
    const client = live.make({ cookie: user.cookie })
    client.socket.offAny()
    const sent: Sent[] = []
    const states: string[] = []
    const ended: unknown[] = []
    client.socket.on(`${name.replace('-', ':')}-state`, ({ state }: { state: string }, taken: () => void) => {
      states.push(state)
      taken()
    })
    client.socket.on(name.replace('-', ':'), (data: Sent, taken: () => void) => {
      sent.push(data)
      void mayTake().then(taken)
    })
    client.socket.on(`ended:${name}`, (data) => ended.push(data))
    await new Promise<void>((resolve) => client.socket.once('connect', resolve).connect())
    expect(await client.ask(`subscribe:${name}`, input)).toMatchObject({ ok: true })
    return { sent, states, ended, socket: client.socket }
  }

  test('of a deployment: line by line, interrupted and resumed, identical to the API', async () => {
    const lines =
      'for (let i = 0; i < 60; i++) { console.log(`step ${i} ä`); await new Promise((r) => setTimeout(r, 100)) }'
    const site = await user.createSite(git, {
      ...builtNodeSite('told', 'node build.js'),
      'build.js': lines
    })
    const { id: deploymentId } = await unwrap(user.api.POST('/api/projects/{id}/build', at(site.id)))
    const whole = await follow('deployment-log', { deploymentId })
    const first = await follow('deployment-log', { deploymentId })
    await until(
      () => Promise.resolve(textOf(first.sent)),
      (text) => text.includes('step 20')
    )
    expect(textOf(first.sent)).not.toContain('step 59')
    first.socket.disconnect()
    const second = await follow('deployment-log', { deploymentId, after: first.sent.at(-1)!.next })
    await until(
      () => Promise.resolve(whole.ended.length + second.ended.length),
      (ended) => ended === 2
    )
    const { buildLogs, status } = await user.waitFor(site.id, deploymentId)
    expect(status, buildLogs ?? '').toBe('RUNNING')
    expect(textOf(whole.sent)).toBe(buildLogs)
    expect(textOf(first.sent) + textOf(second.sent)).toBe(buildLogs)
  })

  const count = 100_000
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

  test('of a container: a slow reader gets all 100,000 lines beside a fast one, also across kill -9 of the worker', async () => {
    const site = await user.createSite(git, { ...nodeSite('count'), 'server.js': writer })
    expect(await user.build(site.id)).toMatchObject({ status: 'RUNNING' })
    const gate = withResolvers()
    const fast = await follow('container-log', { projectId: site.id })
    const slow = await follow('container-log', { projectId: site.id }, () => Promise.race([gate.promise, sleep(5_000)]))
    const held: Awaited<ReturnType<typeof follow>>[] = []
    for (let n = 0; n < 8; n++) held.push(await follow('container-log', { projectId: site.id }, () => sleep(20_000)))
    await until(
      () => Promise.resolve([fast, slow, ...held].flatMap(({ states }) => states)),
      (states) => states.length === 10
    )
    const memory = async () => {
      const sizes = await Promise.all([panel.pid(), ...(await panel.webPids())].map(residentBytes))
      return sizes.reduce((sum, size) => sum + size, 0)
    }
    const before = await memory()
    await panel.visit(site.hostname, '/count')
    await until(
      () => Promise.resolve(textOf(fast.sent).includes(`line ${count - 1} `)),
      (isThere) => isThere
    )
    expect(slow.sent.length).toBeLessThan(fast.sent.length / 2)
    await expect.poll(async () => (await memory()) - before).toBeLessThan(24 * 2 ** 20)
    for (const { sent, ended, socket } of held) {
      expect(textOf(sent).length).toBeLessThan(2 ** 20)
      expect(ended).toEqual([])
      socket.disconnect()
    }
    gate.resolve()
    await until(
      () => Promise.resolve(slow.sent.length),
      (chunks) => chunks > 20
    )
    await panel.killWorker()
    await panel.start()
    await until(
      () => Promise.resolve(textOf(slow.sent).includes(`line ${count - 1} `)),
      (isThere) => isThere
    )
    const expected = Array.from({ length: count }, (_, line) => line)
    for (const { sent } of [fast, slow]) expect(numbers(textOf(sent))).toEqual(expected)

    const { containerId } = await projectOf(site)
    const redeployed = await user.build(site.id)
    expect(redeployed.status).toBe('RUNNING')
    expect((await projectOf(site)).containerId).not.toBe(containerId)
    await panel.visit(site.hostname, '/count')
    await until(
      () => Promise.resolve(numbers(textOf(fast.sent)).length),
      (lines) => lines === 2 * count
    )
    expect(numbers(textOf(fast.sent)).slice(count)).toEqual(expected)
  })
})

describe('cleanup', () => {
  const foreign = `e2e-foreign-${process.pid}`
  const instances = { none: [], another: ['--label', 'panel.instance=0123456789', '--label', 'panel.project=somebody'] }
  beforeAll(async () => {
    for (const [name, labels] of Object.entries(instances)) {
      const own = ['--label', foreign, ...labels]
      await docker('volume', 'create', ...own, `${foreign}-${name}`)
      await docker('create', '--name', `${foreign}-${name}`, ...own, 'node:24-trixie-slim', 'sleep', '1')
      const changes = [`LABEL ${foreign}=`, ...labels.filter((_, index) => index % 2).map((label) => `LABEL ${label}`)]
      const flags = changes.flatMap((change) => ['--change', change])
      await docker('commit', ...flags, `${foreign}-${name}`, `panel-${foreign}-${name}:latest`)
    }
  })
  afterAll(async () => {
    await removeObjects(foreign)
  })

  test('keeps the last releases and never touches foreign images', async () => {
    const before = await findObjects(foreign)
    expect(before).toMatchObject({ containers: { length: 2 }, images: { length: 2 }, volumes: { length: 2 } })
    const site = await deploySite('r0')
    const ids = [site.deployment.id]
    for (let release = 1; release <= 3; release++) {
      await git.commit(site.repository, nodeSite(`r${release}`), `Release ${release}`)
      ids.push((await user.build(site.id)).id)
    }
    const tags = async () => (await docker('images', '--format', '{{.Tag}}', `panel-${site.id}`)).split('\n').sort()
    await until(tags, (found) => found.length <= keepReleases)
    expect(await tags()).toEqual(ids.slice(-keepReleases).sort())
    const { deployments } = await unwrap(user.api.GET('/api/projects/{id}/deployments', at(site.id)))
    expect(deployments.map((one) => one.canRollback)).toEqual([true, true, false, false])
    const tooOld = await user.request('POST', `/projects/${site.id}/deployments/${ids[0]}/rollback`)
    expect(tooOld).toMatchObject({ status: 409 })

    await git.commit(site.repository, startScriptOf('exit 1'), 'Broken')
    for (let attempt = 0; attempt < keepReleases; attempt++) expect((await user.build(site.id)).status).toBe('FAILED')
    await unwrap(user.api.POST('/api/projects/{id}/deploy', at(site.id)))
    expect(await bodyOf(site.hostname)).toBe('r3 /')
    expect(await findObjects(foreign)).toEqual(before)
    expect(await runningContainers(`panel.project=${site.id}`)).not.toHaveLength(0)
  })
})
