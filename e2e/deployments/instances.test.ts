import { unwrap } from '@panel/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker, runningContainers } from '../support/engine.ts'
import { startLoad } from '../support/load.ts'
import { at, type Client, type RunningPanel, type Site } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { kill } from '../support/processes.ts'
import { removeProjects, sharedWorld, type World } from '../support/shared-world.ts'
import { nodeSite } from '../support/sites.ts'

let world: World
let panel: RunningPanel
let user: Client
let site: Site
beforeAll(async () => {
  world = await sharedWorld()
  panel = world.panel
  await world.change({ DEPLOY_START_TIMEOUT: '120' })
  user = await panel.signUp()
  // Says which instance answers, and fills its memory on request.
  const server = nodeSite('up')['server.js']!.toString()
  const answering = server.replace(
    "if (request.url === '/env')",
    "if (request.url === '/who') return response.end(process.env.HOSTNAME)\n" +
      "  if (request.url === '/eat') { const all = []; for (;;) all.push(Buffer.alloc(1e7, 1)) }\n" +
      "  if (request.url === '/env')"
  )
  site = await user.createSite(world.git, { ...nodeSite('up'), 'server.js': answering })
  await user.mustRun(site.id)
})
afterAll(async () => {
  await removeProjects(user)
  await world?.change({ DEPLOY_START_TIMEOUT: null })
})

const project = () => unwrap(user.api.GET('/api/projects/{id}', at(site.id)))
const containers = () => runningContainers(`panel.project=${site.id}`)
const load = () => startLoad(panel.proxyPort, site.hostname, (body) => /^up( |$)/.test(body))
const who = async (headers: Record<string, string> = {}) => (await panel.visit(site.hostname, '/who', headers)).body

async function change(body: object) {
  await unwrap(user.api.PUT('/api/projects/{id}', { ...at(site.id), body }))
  const before = (await project()).containerId
  await until(project, ({ containerId, state }) => containerId !== before && state === 'RUNNING')
}

test('three instances all answer, and scaling drops no request', async () => {
  const visitors = load()
  await change({ instances: 3 })
  const seen = await until(
    async () => new Set(await Promise.all(Array.from({ length: 12 }, () => who()))),
    (names) => names.size === 3
  )
  await until(containers, (ids) => ids.length === 3)
  await visitors.stop()
  expect(visitors.failures).toEqual([])
  expect([...seen].every((name) => /^[0-9a-f]{12}$/.test(name))).toBe(true)
})

test('a killed instance costs no request that another one can answer, and comes back', async () => {
  const visitors = load()
  const [, victim] = await containers()
  await docker('kill', victim!)
  await until(containers, (ids) => ids.length === 3)
  await visitors.stop()
  // A request whose answer had begun, or an upload that the killed instance had read, cannot be repeated.
  expect(visitors.failures.filter((line) => !line.includes('upload'))).toEqual([])
})

test('a resize replaces the containers without a build and without a failed request', async () => {
  const visitors = load()
  await change({ size: { memoryMb: 192, cpus: 0.5, pids: 128 }, stickySessions: true })
  await visitors.stop()
  expect(visitors.failures).toEqual([])
  const { containerId } = await project()
  const limits = await docker('inspect', '-f', '{{.HostConfig.Memory}} {{.HostConfig.NanoCpus}}', containerId!)
  expect(limits.trim()).toBe(`${192 * 2 ** 20} 500000000`)
})

test('a cookie keeps a client at one instance', async () => {
  const { headers, body } = await panel.visit(site.hostname, '/who')
  const cookie = String(headers['set-cookie']).split(';')[0]!
  expect(cookie).toMatch(/^panel_instance=/)
  expect(new Set(await Promise.all(Array.from({ length: 8 }, () => who({ cookie }))))).toEqual(new Set([body]))
})

test('an out-of-memory kill is named', async () => {
  await panel.visit(site.hostname, '/eat').catch(() => {})
  const overview = () => unwrap(user.api.GET('/api/overview'))
  const { items } = await until(overview, (found) => found.items.some(({ targetId }) => targetId === site.id))
  expect(items[0]).toMatchObject({ code: 'CONTAINER_OUT_OF_MEMORY', targetId: site.id, detail: '192' })
  const { notifications } = await unwrap(user.api.GET('/api/notifications'))
  expect(notifications[0]).toMatchObject({ kind: 'container-out-of-memory', link: `/projects/${site.id}/settings` })
})

test('a hung instance is restarted, and the others answer meanwhile', async () => {
  const started = async (id: string) => (await docker('inspect', '-f', '{{.State.StartedAt}}', id)).trim()
  // Not one of the earlier release, which may still be stopping.
  const hung = (await until(containers, (ids) => ids.length === 3)).at(-1)!
  const before = await started(hung)
  // Its first process is the engine's init.
  for (const line of (await docker('top', hung, '-eo', 'pid,comm')).split('\n')) {
    const [, pid] = /^\s*(\d+) +(?!docker-init)/.exec(line) ?? []
    if (pid !== undefined) kill(Number(pid), 'SIGSTOP')
  }
  const startedAgain = async () => {
    // Until the proxy has marked it as down, requests that reach it hang too.
    await who().catch(() => {})
    return started(hung)
  }
  await expect.poll(startedAgain, { timeout: 300_000, interval: 2_000 }).not.toBe(before)
  const seen = await until(
    async () => new Set(await Promise.all(Array.from({ length: 12 }, () => who()))),
    (names) => names.size === 3
  )
  expect([...seen]).toContain(hung.slice(0, 12))
  const { notifications } = await unwrap(user.api.GET('/api/notifications'))
  expect(notifications[0]).toMatchObject({ kind: 'instance-restarted', link: `/projects/${site.id}/logs` })
})
