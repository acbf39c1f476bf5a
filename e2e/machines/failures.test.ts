import type { Machine as MachineView } from '@panel/contract/machines'
import type { Run } from '@panel/contract/runs'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { docker } from '../support/engine.ts'
import { panelWithMachines } from '../support/machines.ts'
import type { Client, RunningPanel, Site } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { siteStartedBy } from '../support/sites.ts'
import type { SshMachine } from '../support/ssh-machine.ts'
import { openTerminal } from '../support/terminal.ts'

// The panel's machine and two others with many sites. Others are cut off, killed, hang, are full and are lost for good.

const world = panelWithMachines({ BUILD_CONCURRENCY: '4' }, { count: 2, engineMegabytes: 3_000 })
const siteCount = 12
let panel: RunningPanel
let admin: Client
/** The panel's own has no program to break it. */
let places: (SshMachine | undefined)[]
let m1: MachineView
let m2: MachineView
let m3: MachineView
let one: SshMachine
let two: SshMachine
let sites: Site[]
/** With a worker. */
let shop: Site

const application = siteStartedBy(
  `node -e "require('http').createServer((_, response) => response.end('here')).listen(process.env.PORT); process.on('SIGTERM', process.exit)"`
)

beforeAll(async () => {
  ;({ admin, panel } = world)
  ;[one, two] = world.machines as [SshMachine, SshMachine]
  places = [undefined, one, two]
})

const pause = (id: string, isPaused: boolean) => admin.call('PATCH', `/machines/${id}`, { isPaused })
const check = async (id: string) =>
  (await admin.call<MachineView>('POST', `/machines/${id}/check`)).problems.map(({ sentences }) => sentences[0]!.code)

/** Number of containers of each project on each machine. */
async function situation(): Promise<Map<string, number[]>> {
  const counts = new Map(sites.map(({ id }) => [id, places.map(() => 0)]))
  for (const [at, place] of places.entries()) {
    const list = ['ps', '--all', '--filter', `label=panel.instance=${panel.instanceId}`, '--format', '{{.Label "panel.project"}}'] // oxfmt-ignore
    const found = place ? await place.run('docker', ...list) : await docker(...list)
    for (const id of found.split('\n')) if (counts.has(id)) counts.get(id)![at]!++
  }
  return counts
}

const expected = ({ id }: Site) => (id === shop.id ? 2 : 1)
/** Every site answers, and has one set of containers, on one machine. */
async function allSettled(): Promise<void> {
  for (const site of sites) await world.serves(site, 'here')
  const wrong = async () => {
    const counts = await situation()
    return sites
      .map((site) => [site.name, counts.get(site.id)!] as const)
      .filter(([name, found]) => found.toSorted().at(-1) !== expected(sites.find((site) => site.name === name)!) || found.filter((n) => n > 0).length !== 1) // oxfmt-ignore
  }
  await until(wrong, (found) => found.length === 0)
  for (const site of sites) expect(await world.body(site)).toBe('here')
}
const nothingOn = (at: number) =>
  until(situation, (counts) => [...counts.values()].every((found) => found[at] === 0)) // oxfmt-ignore
const workers = async (at: number) => {
  const list = ['ps', '--quiet', '--filter', `label=panel.project=${shop.id}`, '--filter', 'label=panel.process']
  const found = places[at] ? await places[at].run('docker', ...list) : await docker(...list)
  return found.split('\n').filter(Boolean).length
}
const nodeOf = async ({ id }: Site) =>
  (await panel.query<{ node: string }>('select node_id as node from projects where id = $1', [id]))[0]!.node
const openDeployments = async () =>
  (await panel.query(`select id from deployments where status in ('QUEUED', 'BUILDING', 'DEPLOYING')`)).length
const idle = () => until(openDeployments, (n) => n === 0)

async function restartAfter(request: Promise<unknown>, ms: number): Promise<void> {
  request.catch(() => {}) // The panel does not answer any more.
  await sleep(ms)
  await panel.kill()
  await panel.start()
}

test('a panel that is killed while it adds or removes a machine has it or does not', async () => {
  const named = async () => (await world.list()).find(({ name }) => name === 'm2')
  await restartAfter(one.addTo(admin, 'm2'), 100)
  const added = (await named()) ?? (await one.addTo(admin, 'm2'))
  await world.becomes(added.id, 'ACTIVE')
  await restartAfter(admin.call('DELETE', `/machines/${added.id}`), 10)
  if (await named()) await admin.call('DELETE', `/machines/${added.id}`)
  expect(await world.list()).toHaveLength(1)
  m2 = await world.add(one, 'm2')
  m3 = await world.add(two, 'm3')
  m1 = (await world.list()).find(({ isOwn }) => isOwn)!
})

test('twelve sites are placed on one of them', async () => {
  for (const { id } of [m1, m3]) await pause(id, true)
  sites = []
  shop = await admin.createSite(world.git, application, { keepsFiles: false })
  sites.push(shop)
  while (sites.length < siteCount)
    sites.push(await admin.createSite(world.git, { 'index.html': 'here' }, { type: 'STATIC', keepsFiles: false }))
  const command = `node -e "process.on('SIGTERM', () => setTimeout(process.exit, 1000)); setInterval(() => {}, 1000)"`
  await admin.call('POST', `/projects/${shop.id}/processes`, { name: 'worker', command, instances: 1 })
  const built = await Promise.all(sites.map(({ id }) => admin.build(id, 550_000)))
  expect(built.map(({ status }) => status)).toEqual(sites.map(() => 'RUNNING'))
  for (const { id } of [m1, m3]) await pause(id, false)
  await allSettled()
  expect([...(await situation()).values()].map(([, there]) => there)).toEqual(sites.map(expected))
})

test('it is cut off: they start elsewhere, but no worker a second time, and nothing is left there when it is back', async () => {
  const run = await admin.call<Run>('POST', `/projects/${shop.id}/runs`, { command: 'sleep 30; echo done' })
  const shown = () => admin.call<Run>('GET', `/projects/${shop.id}/runs/${run.id}`)
  await until(shown, ({ status }) => status === 'RUNNING')
  await until(async () => (await situation()).get(shop.id)![1], (found) => found === 3) // oxfmt-ignore
  await one.cutOff()
  await world.becomes(m2.id, 'AWAY')
  for (const site of sites) await world.serves(site, 'here')
  await idle()
  expect(new Set(await Promise.all(sites.map(nodeOf)))).toEqual(new Set([m1.id, m3.id]))
  expect(await Promise.all([0, 1, 2].map(workers))).toEqual([0, 1, 0])
  expect(await shown()).toMatchObject({ status: 'RUNNING', endedAt: null })
  await one.reconnect()
  await world.becomes(m2.id, 'ACTIVE')
  expect(await until(shown, ({ endedAt }) => endedAt !== null)).toMatchObject({ status: 'SUCCEEDED', exitCode: 0 })
  await nothingOn(1)
  await allSettled()
})

test('it is drained while the panel is killed: all leave it once', async () => {
  await restartAfter(admin.call('POST', `/machines/${m3.id}/drain`), 1_500)
  expect((await world.details(m3.id)).machine.isDraining).toBe(true)
  await nothingOn(2)
  await idle()
  await allSettled()
  await pause(m3.id, false)
})

test('its engine and its SSH server are killed: they start elsewhere', async () => {
  await Promise.all(sites.slice(0, 6).map(({ id }) => world.move(id, m3.id)))
  await idle()
  await allSettled()
  await two.killServers()
  await world.becomes(m3.id, 'AWAY')
  for (const site of sites) await world.serves(site, 'here')
  await idle()
  await two.startServers()
  await world.becomes(m3.id, 'ACTIVE')
  await nothingOn(2)
  await allSettled()
})

test('its engine hangs: the others are repaired, it shows a problem, and sites there serve', async () => {
  const moved = sites.slice(0, 4)
  for (const { id } of moved) if ((await nodeOf({ id } as Site)) !== m3.id) await world.move(id, m3.id)
  await idle()
  await allSettled()
  two.hangEngine()
  try {
    expect(await check(m3.id)).toContain('ENGINE')
    for (const site of sites) expect(await world.body(site)).toBe('here')
    await expect(world.move(sites[5]!.id, m3.id)).rejects.toThrow('INVALID_TARGET')
    // Repaired and deployed as ever.
    const near = sites[6]!
    if ((await nodeOf(near)) !== m1.id) await admin.waitFor(near.id, (await world.move(near.id, m1.id)).deploymentId)
    const [container] = await world.containers(near.id)
    await docker('rm', '--force', container!)
    await until(() => world.containers(near.id), ([found]) => found !== undefined && found !== container) // oxfmt-ignore
    await world.serves(near, 'here')
    await admin.mustRun(near.id)
    // What is deployed meanwhile goes to another machine.
    await admin.mustRun(moved[1]!.id)
    expect(await nodeOf(moved[1]!)).not.toBe(m3.id)
    expect((await admin.request('GET', `/projects/${moved[2]!.id}/logs`)).status).toBe(503)
  } finally {
    two.continueEngine()
  }
  await until(() => check(m3.id), (found) => !found.includes('ENGINE')) // oxfmt-ignore
  await allSettled()
})

test('its disk is full: nothing new goes there until it has room', async () => {
  const site = sites[7]!
  if ((await nodeOf(site)) === m3.id) await admin.waitFor(site.id, (await world.move(site.id, m1.id)).deploymentId)
  await two.run(
    'sh',
    '-c',
    'fallocate -l 2G /var/lib/docker/filling || cat /dev/zero > /var/lib/docker/filling || true'
  )
  expect(await check(m3.id)).toContain('DISK')
  await expect(world.move(site.id, m3.id)).rejects.toThrow('INVALID_TARGET')
  for (const each of sites) expect(await world.body(each)).toBe('here')
  await two.run('rm', '/var/lib/docker/filling')
  expect(await check(m3.id)).not.toContain('DISK')
  const { deploymentId } = await world.move(site.id, m3.id)
  expect(await admin.waitFor(site.id, deploymentId)).toMatchObject({ status: 'RUNNING' })
  await allSettled()
})

test('it is removed as lost: its rows are gone, and it can be added again, which removes what it had', async () => {
  if ((await nodeOf(shop)) !== m3.id) await admin.waitFor(shop.id, (await world.move(shop.id, m3.id)).deploymentId)
  await allSettled()
  const { type } = await openTerminal(panel, admin, shop.id)
  await type('echo open\n')
  const run = await admin.call<Run>('POST', `/projects/${shop.id}/runs`, { command: 'sleep 600' })
  const shown = () => admin.call<Run>('GET', `/projects/${shop.id}/runs/${run.id}`)
  await until(shown, ({ status }) => status === 'RUNNING')
  await two.cutOff()
  await world.becomes(m3.id, 'AWAY')
  for (const site of sites) await world.serves(site, 'here')
  await idle()
  await admin.call('DELETE', `/machines/${m3.id}?lost=true`)
  for (const site of sites) await world.serves(site, 'here')
  await until(async () => (await workers(0)) + (await workers(1)), (found) => found === 1) // oxfmt-ignore
  expect(await until(shown, ({ endedAt }) => endedAt !== null)).toMatchObject({ problem: 'CONTAINER_GONE' })
  const rows = () => panel.query(`select 1 from container_slots where retired_at is not null union all select 1 from terminals where ended_at is null`) // oxfmt-ignore
  await until(rows, (found) => found.length === 0)

  await two.reconnect()
  expect(Number(await two.run('sh', '-c', 'docker ps --quiet | wc -l'))).toBeGreaterThan(0)
  m3 = await world.add(two, 'm3')
  expect(m3).toMatchObject({ name: 'm3', status: 'ACTIVE' })
  await nothingOn(2)
  await allSettled()
  const { deploymentId } = await world.move(shop.id, m3.id)
  expect(await admin.waitFor(shop.id, deploymentId)).toMatchObject({ status: 'RUNNING' })
  await allSettled()
  expect(await Promise.all([0, 1, 2].map(workers))).toEqual([0, 0, 1])
})
