import { setTimeout as sleep } from 'node:timers/promises'
import type { Machine as MachineView } from '@panel/contract/machines'
import { beforeAll, expect, test } from 'vitest'
import { startLoad } from '../support/load.ts'
import { joinCommand, panelWithMachines } from '../support/machines.ts'
import type { Client, Site } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { nodeSite } from '../support/sites.ts'
import type { SshMachine } from '../support/ssh-machine.ts'

// A second machine: it joins, takes a site, which moves, and is lost and back.

const world = panelWithMachines({ PANEL_DOMAIN: 'panel.test' })
let machine: SshMachine
let admin: Client
let m1: MachineView
let m2: MachineView
let site: Site

beforeAll(async () => {
  admin = world.admin
  machine = world.machines[0]!
})

const counts = async () => [await world.containers(site.id), await world.containers(site.id, machine)].map(({ length }) => length) // oxfmt-ignore
const isOnly = (place: 'here' | 'there') =>
  until(counts, ([here, there]) => (place === 'here' ? here === 1 && there === 0 : here === 0 && there === 1))
async function moveTo(id: string) {
  const { deploymentId } = await world.move(site.id, id)
  expect(await admin.waitFor(site.id, deploymentId)).toMatchObject({ status: 'RUNNING' })
}

test('it adds itself with one command', async () => {
  const command = await joinCommand(world, machine, 'm2')
  expect(await machine.run(...command)).toContain('m2 was added.')
  const machines = await world.list()
  expect(machines).toHaveLength(2)
  m1 = machines.find(({ isOwn }) => isOwn)!
  m2 = machines.find(({ isOwn }) => !isOwn)!
  expect(m2).toMatchObject({ name: 'm2', address: machine.address, status: 'ACTIVE', problems: [] })
  await expect(machine.run(...command)).rejects.toMatchObject({ stdout: expect.stringContaining('LINK_INVALID') })
})

test('a site is placed there by its labels', async () => {
  await admin.call('PATCH', `/machines/${m2.id}`, { labels: ['far'] })
  site = await admin.createSite(world.git, nodeSite('v1'), { keepsFiles: false, machineLabels: ['far'] })
  await admin.mustRun(site.id)
  expect(await world.body(site)).toBe('v1 /')
  expect(await counts()).toEqual([0, 1])
  const { sites, drain } = await world.details(m2.id)
  expect(sites).toMatchObject([{ name: site.name, placement: { sentences: [{ code: 'LABELS' }] } }])
  expect(drain).toMatchObject({ moving: 0, staying: 1 })
})

test('it moves without a failed request, to the panel’s machine and back', async () => {
  await admin.call('PUT', `/projects/${site.id}`, { machineLabels: [] })
  const load = startLoad(world.panel.proxyPort, site.hostname, (text) => /^v1( |$)/.test(text))
  try {
    // The new labels queued a deployment, which finds it where it can stay.
    await until(() => admin.call<{ deployments: { status: string }[] }>('GET', `/projects/${site.id}/deployments`), ({ deployments }) => deployments.every(({ status }) => status === 'RUNNING')) // oxfmt-ignore
    await moveTo(m1.id)
    await isOnly('here')
    await moveTo(m2.id)
    await isOnly('there')
    await sleep(3_500) // Longest possible slow request of the old container.
  } finally {
    await load.stop()
  }
  expect(load.failures).toEqual([])
  expect(load.answered()).toBeGreaterThan(100)
})

test('it starts elsewhere when the machine is lost; one is left when it is back', async () => {
  await machine.cutOff()
  await until(() => world.body(site), (found) => found !== 'v1 /') // oxfmt-ignore
  await world.serves(site, 'v1 /')
  expect(await world.containers(site.id)).toHaveLength(1)
  expect((await world.details(m2.id)).machine.status).toBe('AWAY')

  await machine.reconnect()
  await isOnly('here')
  expect(await world.body(site)).toBe('v1 /')
  await world.becomes(m2.id, 'ACTIVE')
})

test('without projects it is removed', async () => {
  await admin.call('DELETE', `/machines/${m2.id}`)
  expect(await world.list()).toHaveLength(1)
  expect(await world.body(site)).toBe('v1 /')
})
