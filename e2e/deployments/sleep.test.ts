import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { unwrap } from '@panel/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker } from '../support/engine.ts'
import { openWebSocket } from '../support/load.ts'
import { at, type Client, type RunningPanel, type Site } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { removeProjects, sharedWorld } from '../support/shared-world.ts'
import { nodeSite } from '../support/sites.ts'

let panel: RunningPanel
let user: Client
let site: Site
beforeAll(async () => {
  const world = await sharedWorld()
  panel = world.panel
  user = await panel.signUp()
  site = await user.createSite(world.git, nodeSite('up'))
  await user.mustRun(site.id)
  await change({ sleepAfterMinutes: 1 })
})
afterAll(() => removeProjects(user))

const change = (body: object) => unwrap(user.api.PUT('/api/projects/{id}', { ...at(site.id), body }))
const project = () => unwrap(user.api.GET('/api/projects/{id}', at(site.id)))
const started = async () =>
  (await docker('inspect', '-f', '{{.State.Running}} {{.State.StartedAt}}', (await project()).containerId!)).trim()
const isUp = async () => (await started()).startsWith('true')

async function putToSleep() {
  // A connection of the request before may still be open.
  await until(
    () => user.request('POST', `/projects/${site.id}/sleep`),
    ({ status }) => status === 200
  )
  expect([await isUp(), (await project()).state]).toEqual([false, 'SLEEPING'])
}

function post(bytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port: panel.proxyPort, path: '/upload', method: 'POST', headers: { host: site.hostname } },
      (response) => text(response).then(resolve, reject)
    )
    sent.on('error', reject)
    sent.end(Buffer.alloc(bytes, 'x'))
  })
}

const visits = (count: number) =>
  Promise.all(Array.from({ length: count }, async (_none, at) => (await panel.visit(site.hostname, `/${at}`)).body))
const answers = (count: number) => Array.from({ length: count }, (_none, at) => `up /${at}`)

test('twenty requests and a large upload at once wake a site: none fails, and the body arrives whole', async () => {
  await putToSleep()
  const upload = post(5_000_000)
  expect(await visits(20)).toEqual(answers(20))
  expect(await upload).toBe('5000000')
  expect(await project()).toMatchObject({ state: 'RUNNING', asleepSince: null })
})

test('a WebSocket wakes a site and keeps it awake', async () => {
  await putToSleep()
  const socket = await openWebSocket(panel.proxyPort, site.hostname)
  await socket.echo('hello')
  expect(await user.request('POST', `/projects/${site.id}/sleep`)).toMatchObject({ status: 409 })
  await socket.echo('still here')
  socket.close()
})

test('requests wait for a panel that is killed while it wakes their site', async () => {
  await putToSleep()
  const waiting = visits(20)
  await panel.kill()
  await panel.start()
  expect(await waiting).toEqual(answers(20))
  expect(await post(10)).toBe('10')
  expect(await project()).toMatchObject({ asleepSince: null })
})

test('a site whose container was removed by hand is redeployed by the next request', async () => {
  await putToSleep()
  const { containerId } = await project()
  await docker('rm', '-f', containerId!)
  void panel.visit(site.hostname).catch(() => {})
  await until(project, (found) => found.containerId !== containerId && found.state === 'RUNNING')
  expect(await visits(1)).toEqual(answers(1))
})

test('without a request it falls asleep on its own, and stays asleep', async () => {
  await expect.poll(async () => (await project()).state, { timeout: 240_000, interval: 2_000 }).toBe('SLEEPING')
  const before = await until(started, (text) => text.startsWith('false'))
  expect(await started()).toBe(before)
  expect(await visits(1)).toEqual(answers(1))
})
