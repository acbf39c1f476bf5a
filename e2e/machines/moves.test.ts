import { setTimeout as sleep } from 'node:timers/promises'
import type { Machine as MachineView, MachineDetails } from '@panel/contract/machines'
import { beforeAll, expect, test } from 'vitest'
import { startLoad } from '../support/load.ts'
import { panelWithMachines } from '../support/machines.ts'
import type { Client, Site } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { nodeSite } from '../support/sites.ts'
import type { SshMachine } from '../support/ssh-machine.ts'

// A project that keeps no files leaves a machine that is drained, and survives a kill of the panel while it moves.

const world = panelWithMachines()
let machine: SshMachine
let admin: Client
let m1: MachineView
let m2: MachineView
let site: Site

beforeAll(async () => {
  machine = world.machines[0]!
  admin = world.admin
  m2 = await world.add(machine, 'm2', ['far'])
  m1 = (await world.list()).find(({ isOwn }) => isOwn)!
  site = await admin.createSite(world.git, nodeSite('v1'), { keepsFiles: false, machineLabels: ['far'] })
  await admin.mustRun(site.id)
  await admin.call('PUT', `/projects/${site.id}`, { machineLabels: [] })
  await until(openDeployments, (n) => n === 0)
})

const counts = async () => [await world.containers(site.id), await world.containers(site.id, machine)].map(({ length }) => length) // oxfmt-ignore
const openDeployments = async () =>
  (await world.panel.query(`select id from deployments where status in ('QUEUED', 'BUILDING', 'DEPLOYING')`)).length
const placeOf = async () =>
  (await world.panel.query<{ nodeId: string }>('select node_id as "nodeId" from projects where id = $1', [site.id]))[0]!

test('leaves a machine that is drained without a failed request', async () => {
  const load = startLoad(world.panel.proxyPort, site.hostname, (text) => /^v1( |$)/.test(text))
  try {
    const { drain } = await admin.call<MachineDetails>('POST', `/machines/${m2.id}/drain`)
    expect(drain).toMatchObject({ moving: 1, staying: 0 })
    await until(counts, ([here, there]) => here === 1 && there === 0)
    await sleep(3_500) // Longest possible slow request of the old container.
  } finally {
    await load.stop()
  }
  expect(load.failures).toEqual([])
  expect(await world.details(m2.id)).toMatchObject({ sites: [], drain: { moving: 0, staying: 0 } })
  await admin.call('PATCH', `/machines/${m2.id}`, { isPaused: false })
})

test('a panel that is killed in the middle of a move ends with one container, and the site serves', async () => {
  for (const afterMs of [300, 900, 1_800]) {
    const goal = (await placeOf()).nodeId === m1.id ? m2 : m1
    await world.move(site.id, goal.id)
    await sleep(afterMs)
    await world.panel.kill()
    expect((await counts()).some((count) => count > 0)).toBe(true)
    await world.panel.start()
    await world.serves(site, 'v1 /')
    await until(async () => (await counts()).toSorted(), ([a, b]) => a === 0 && b === 1) // oxfmt-ignore
    await until(openDeployments, (n) => n === 0)
  }
})
