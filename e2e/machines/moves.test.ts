import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Machine as MachineView } from '@panel/contract/machines'
import type { Run, ScheduledJob } from '@panel/contract/runs'
import type { TcpPort } from '@panel/contract/tcp-ports'
import { beforeAll, expect, test } from 'vitest'
import { containerPorts } from '../../packages/server/test/support/ports.ts'
import { docker } from '../support/engine.ts'
import { startLoad } from '../support/load.ts'
import { lines, panelWithMachines } from '../support/machines.ts'
import type { Client, RunningPanel, Site } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { nodeSite } from '../support/sites.ts'

// A project with a TCP port, a worker and scheduled jobs on three machines: it is moved, drained, deployed and deleted at once.

const { first } = await containerPorts()
const world = panelWithMachines({ DEFAULT_MAX_TCP_PORTS: '1', TCP_PORTS: `${first}-${first + 2}` }, { count: 2 })
let panel: RunningPanel
let admin: Client
let nodes: MachineView[]
let site: Site
let tcpPort: number
let startedAt: number

const application = (word: string) => ({
  ...nodeSite(word),
  'server.js': `${nodeSite(word)['server.js']}
import { hostname } from 'node:os'
import { createServer as listen } from 'node:net'
listen((socket) => socket.on('error', () => {}).end(hostname())).listen(7000, '0.0.0.0')`,
  'worker.js': `process.on('SIGTERM', () => setTimeout(process.exit, 1000)); setInterval(() => {}, 1000)`,
  Procfile: 'web: node server.js\nworker: node worker.js\n'
})

beforeAll(async () => {
  ;({ admin, panel } = world)
  startedAt = Date.now()
  await world.add(world.machines[0]!, 'm2')
  await world.add(world.machines[1]!, 'm3')
  nodes = await world.list()
  site = await admin.createSite(world.git, application('v1'), { keepsFiles: false })
  await admin.mustRun(site.id)
  const { publishedPort } = await admin.call<TcpPort>('POST', `/projects/${site.id}/tcp-ports`, { containerPort: 7000, kind: 'PORT', publishedPort: null }) // oxfmt-ignore
  tcpPort = publishedPort!
})

const machineOf = (id: string) => (id === nodes[0]!.id ? undefined : world.machines[nodes.findIndex((node) => node.id === id) - 1]!) // oxfmt-ignore
const on = (id: string, projectId = site.id) => world.containers(projectId, machineOf(id))
const nodeOf = async (projectId = site.id) =>
  (await panel.query<{ node: string }>('select node_id as node from projects where id = $1', [projectId]))[0]!.node
const openDeployments = async () =>
  (await panel.query(`select id from deployments where status in ('QUEUED', 'BUILDING', 'DEPLOYING')`)).length
const idle = () => until(openDeployments, (n) => n === 0)
/** Site and worker, on the machine of the project alone. */
async function isWhole(): Promise<void> {
  await idle()
  const at = await nodeOf()
  const counts = async () => Promise.all(nodes.map(async ({ id }) => (await on(id)).length))
  const wanted = JSON.stringify(nodes.map(({ id }) => (id === at ? 2 : 0)))
  await until(counts, (found) => JSON.stringify(found) === wanted)
  await world.serves(site, 'v1 /')
}
async function othersOf(projectId = site.id): Promise<string[]> {
  const at = await nodeOf(projectId)
  return nodes.map(({ id }) => id).filter((id) => id !== at)
}

async function answerOfPort(): Promise<string> {
  const socket = connect(tcpPort, '127.0.0.1').setEncoding('utf8')
  const [answer] = (await once(socket, 'data').catch(() => [''])) as [string]
  socket.destroy()
  return answer
}
/** The port routes to the container that is live. */
async function portRoutesThere(): Promise<void> {
  const ids = await on(await nodeOf())
  await until(answerOfPort, (answer) => answer !== '' && ids.some((id) => id.startsWith(answer)))
}

/** Most workers that ran at once, by the events of all engines. */
async function mostWorkersAtOnce(): Promise<number> {
  const filter = ['label=panel.process=worker', `label=panel.project=${site.id}`, 'event=start', 'event=die']
  const since = String(Math.floor(startedAt / 1000))
  const argv = ['events', '--since', since, '--until', String(Math.ceil(Date.now() / 1000)), ...filter.flatMap((each) => ['--filter', each]), '--format', '{{.TimeNano}} {{.Action}}'] // oxfmt-ignore
  const logs = await Promise.all([docker(...argv), ...world.machines.map((machine) => machine.run('docker', ...argv))])
  const events = logs.flatMap(lines).toSorted((a, b) => (BigInt(a.split(' ')[0]!) < BigInt(b.split(' ')[0]!) ? -1 : 1))
  expect(events.length).toBeGreaterThan(2)
  let [running, most] = [0, 0]
  for (const event of events) {
    running += event.endsWith('start') ? 1 : -1
    most = Math.max(most, running)
  }
  return most
}

async function withoutFailedRequest(work: () => Promise<void>): Promise<void> {
  const load = startLoad(panel.proxyPort, site.hostname, (text) => /^v1( |$)/.test(text))
  try {
    await work()
    await sleep(3_500) // Longest possible slow request of the old container.
  } finally {
    await load.stop()
  }
  expect(load.failures).toEqual([])
  expect(load.answered()).toBeGreaterThan(100)
}

test('it moves: its port routes to the new place, its worker runs once, and its command continues', async () => {
  const path = `/projects/${site.id}/runs`
  const { id } = await admin.call<Run>('POST', path, { command: 'sleep 15; echo done' })
  const run = () => admin.call<Run>('GET', `${path}/${id}`)
  await until(run, ({ status }) => status === 'RUNNING')
  for (const goal of await othersOf()) {
    const { deploymentId } = await world.move(site.id, goal)
    expect(await admin.waitFor(site.id, deploymentId)).toMatchObject({ status: 'RUNNING' })
    expect(await nodeOf()).toBe(goal)
    await portRoutesThere()
  }
  expect(await until(run, ({ endedAt }) => endedAt !== null)).toMatchObject({ status: 'SUCCEEDED' })
  await isWhole()
  expect(await mostWorkersAtOnce()).toBe(1)
})

test('its machine is drained: no request fails, its worker runs once, and its jobs run at the new place', async () => {
  if ((await nodeOf()) === nodes[0]!.id)
    await admin.waitFor(site.id, (await world.move(site.id, nodes[1]!.id)).deploymentId)
  await isWhole()
  const from = await nodeOf()
  const job = await admin.call<ScheduledJob>('POST', `/projects/${site.id}/scheduled-jobs`, { name: 'job', schedule: '0 0 1 1 *', command: 'sleep 2' }) // oxfmt-ignore
  const due = () => panel.query('update scheduled_jobs set next_run_at = now() where id = $1', [job.id])
  const runs = async () => (await admin.call<{ runs: Run[] }>('GET', `/projects/${site.id}/runs?scheduledJobId=${job.id}`)).runs // oxfmt-ignore
  await withoutFailedRequest(async () => {
    await due()
    await admin.call('POST', `/machines/${from}/drain`)
    await until(nodeOf, (at) => at !== from)
    await isWhole()
  })
  await until(runs, ([run]) => run !== undefined && run.endedAt !== null)
  await due()
  const ended = await until(runs, (found) => found.length === 2 && found.every(({ endedAt }) => endedAt !== null))
  expect(ended.map(({ status }) => status)).toEqual(['SUCCEEDED', 'SUCCEEDED'])
  await portRoutesThere()
  await isWhole()
  expect(await mostWorkersAtOnce()).toBe(1)
  await admin.call('PATCH', `/machines/${from}`, { isPaused: false })
})

test('a panel that is killed in the middle of a move ends with one set of containers, and the site serves', async () => {
  for (const ms of [300, 900, 1_800]) {
    await world.move(site.id, (await othersOf())[0]!)
    await sleep(ms)
    await panel.kill()
    await panel.start()
    await world.serves(site, 'v1 /')
    await isWhole()
  }
})

test('two moves at once, or a move and a build: one set of containers, at the place of the last', async () => {
  const goals = await othersOf()
  await Promise.all(goals.map((goal) => world.move(site.id, goal)))
  await isWhole()
  expect(goals).toContain(await nodeOf())
  const [goal] = await othersOf()
  const [{ deploymentId }, built] = await Promise.all([world.move(site.id, goal!), admin.build(site.id)])
  expect(built).toMatchObject({ status: 'RUNNING' })
  expect(await admin.waitFor(site.id, deploymentId)).toMatchObject({ status: 'RUNNING' })
  await isWhole()
  expect(await nodeOf()).toBe(goal)
  expect(await mostWorkersAtOnce()).toBe(1)
})

test('a move and the removal of the project at once: nothing is left anywhere', async () => {
  const goal = (await othersOf())[0]!
  await world.move(site.id, goal)
  await sleep(500)
  await admin.call('DELETE', `/projects/${site.id}`)
  await idle()
  await until(async () => (await Promise.all(nodes.map(({ id }) => on(id)))).flat(), (found) => found.length === 0) // oxfmt-ignore
  await until(() => panel.query('select 1 from container_slots'), (rows) => rows.length === 0) // oxfmt-ignore
  await expect(world.move(site.id, goal)).rejects.toThrow('NOT_FOUND')
})
