import { setTimeout as sleep } from 'node:timers/promises'
import type { Machine as MachineView } from '@panel/contract/machines'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { startLoad } from '../support/load.ts'
import { panelWithMachines } from '../support/machines.ts'
import type { Client, Site } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { nodeSite } from '../support/sites.ts'
import type { SshMachine } from '../support/ssh-machine.ts'

// Four sites that keep no files, on two added machines, which fail in different ways.

const world = panelWithMachines({}, { count: 2 })
let admin: Client
let sites: Site[]
const places: { machine: SshMachine; id: string }[] = []

beforeAll(async () => {
  admin = world.admin
  for (const [index, machine] of world.machines.entries())
    places.push({ machine, id: (await world.add(machine, `m${index + 2}`)).id })
  sites = await Promise.all(
    Array.from({ length: 4 }, () => admin.createSite(world.git, nodeSite('up'), { keepsFiles: false }))
  )
  await Promise.all(sites.map(({ id }) => admin.mustRun(id)))
})

// Two sites on each added machine.
beforeEach(async () => {
  for (const { id } of places) await isFit(id)
  for (const [index, site] of sites.entries()) await place(site, places[index % 2]!.id)
})

/** A check found it without problems; there is one each minute. */
const isFit = (id: string) => until(async () => (await world.details(id)).machine, ({ status, problems }) => status === 'ACTIVE' && problems.length === 0) // oxfmt-ignore
const own = async () => (await world.list()).find(({ isOwn }) => isOwn)!.id
const sitesOn = async (id: string) => (await world.details(id)).sites.map(({ projectId }) => projectId)
async function place(site: Site, id: string): Promise<void> {
  await until(openDeployments, (n) => n === 0)
  if ((await sitesOn(id)).includes(site.id)) return
  const { deploymentId } = await world.move(site.id, id)
  expect(await admin.waitFor(site.id, deploymentId)).toMatchObject({ status: 'RUNNING' })
}
const openDeployments = async () =>
  (await world.panel.query(`select id from deployments where status in ('QUEUED', 'BUILDING', 'DEPLOYING')`)).length
const allServe = () => Promise.all(sites.map((site) => world.serves(site, 'up /')))
const containers = async (site: Site) => [
  await world.containers(site.id),
  ...(await Promise.all(places.map(({ machine }) => world.containers(site.id, machine))))
]
/** Each site has one container, in one place. */
const eachIsOnce = async () => {
  for (const site of sites)
    await until(
      () => containers(site),
      (found) => found.flat().length === 1
    )
}
const leaves = async (id: string) =>
  until(
    () => sitesOn(id),
    (found) => found.length === 0
  )

test('a machine that loses its power: its sites start elsewhere, and once each when it is back', async () => {
  const [m2] = places
  await m2!.machine.cutPower()
  await leaves(m2!.id)
  await allServe()
  await m2!.machine.boot()
  await world.becomes(m2!.id, 'ACTIVE')
  await eachIsOnce()
  await allServe()
})

test('both added machines at once: all sites serve from the panel’s machine', async () => {
  for (const { machine } of places) await machine.cutOff()
  for (const { id } of places) await leaves(id)
  await allServe()
  expect((await sitesOn(await own())).toSorted()).toEqual(sites.map(({ id }) => id).toSorted())
  for (const { machine } of places) await machine.reconnect()
  for (const { id } of places) await world.becomes(id, 'ACTIVE')
  await eachIsOnce()
})

test('an engine that is killed: its sites serve on, and what is deployed meanwhile starts elsewhere', async () => {
  const [m2] = places
  const [stays, , moves] = sites as [Site, Site, Site]
  const before = await world.containers(stays.id, m2!.machine)
  const load = startLoad(world.panel.proxyPort, stays.hostname, (text) => /^up( |$)/.test(text))
  try {
    m2!.machine.killEngine()
    try {
      await until(
        async () => (await world.details(m2!.id)).machine.problems.flatMap(({ sentences }) => sentences),
        (sentences) => sentences.some(({ code }) => code === 'ENGINE')
      )
      await admin.mustRun(moves.id)
      expect(await sitesOn(m2!.id)).toEqual([stays.id])
    } finally {
      await m2!.machine.startEngine()
    }
    await isFit(m2!.id)
    await eachIsOnce()
    await sleep(3_500) // Longest possible slow request.
  } finally {
    await load.stop()
  }
  expect(load.failures).toEqual([])
  expect(await world.containers(stays.id, m2!.machine)).toEqual(before)
})

test('a panel that is killed while it drains a machine moves the rest when it is back', async () => {
  const [m2] = places
  for (const site of sites) await place(site, m2!.id)
  await admin.call('POST', `/machines/${m2!.id}/drain`)
  await sleep(700)
  await world.panel.kill()
  await world.panel.start()
  await leaves(m2!.id)
  await eachIsOnce()
  await allServe()
  await admin.call('PATCH', `/machines/${m2!.id}`, { isPaused: false })
})

test('a machine that was removed as lost and is added again has none of its earlier containers', async () => {
  const [, m3] = places
  await m3!.machine.cutOff()
  await leaves(m3!.id)
  await world.becomes(m3!.id, 'AWAY')
  await admin.call('DELETE', `/machines/${m3!.id}?lost=true`)
  await m3!.machine.reconnect()
  const left = async () => (await Promise.all(sites.map(({ id }) => world.containers(id, m3!.machine)))).flat().length
  expect(await left()).toBeGreaterThan(0)
  const again: MachineView = await world.add(m3!.machine, 'm3')
  m3!.id = again.id
  await world.becomes(again.id, 'ACTIVE')
  await until(left, (found) => found === 0)
  await allServe()
})
