import { setTimeout as sleep } from 'node:timers/promises'
import type { JoinCommand, Machine as MachineView, MachineDetails, MovedSite } from '@panel/contract/machines'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { findObjects } from '../support/engine.ts'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import { startLoad } from '../support/load.ts'
import { type Client, type RunningPanel, type Site, startPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { makeRootDirectory } from '../support/root-directory.ts'
import { nodeSite } from '../support/sites.ts'
import { createSshMachine, type SshMachine } from '../support/ssh-machine.ts'

// Projects that keep no files, on two machines: placed, moved, drained, and started elsewhere.

let machine: SshMachine
let git: GitHttpServer
let panel: RunningPanel
let admin: Client
let m1: MachineView
let m2: MachineView
let site: Site

beforeAll(async () => {
  machine = await createSshMachine()
  git = await startGitHttpServer()
  panel = await startPanel({
    DATA_DIR: await makeRootDirectory(),
    GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}`,
    PANEL_DOMAIN: 'panel.test'
  })
  // Other machines have other files.
  await machine.run('mount', '-t', 'tmpfs', '-o', 'mode=755', 'none', panel.dataDir)
  admin = await panel.signUp('admin')
  site = await admin.createSite(git, nodeSite('v1'), { keepsFiles: false })
})
afterAll(async () => {
  await panel?.dispose()
  await git?.stop()
  await machine?.remove()
})
afterEach(({ task }) => {
  if (task.result?.state === 'fail') console.error(panel?.output().slice(-5_000))
})

const here = async () => (await findObjects(`panel.project=${site.id}`)).containers
const there = async () =>
  (await machine.run('docker', 'ps', '--all', '--quiet', '--filter', `label=panel.project=${site.id}`))
    .split('\n')
    .filter(Boolean)
const counts = async () => [(await here()).length, (await there()).length]
const isOnly = (place: 'here' | 'there') => until(counts, ([a, b]) => (place === 'here' ? a === 1 && b === 0 : a === 0 && b === 1)) // oxfmt-ignore
const body = async () => (await panel.visit(site.hostname).catch(() => undefined))?.body
const details = (id: string) => admin.call<MachineDetails>('GET', `/machines/${id}`)
async function moveTo(id: string) {
  const { deploymentId } = await admin.call<MovedSite>('POST', `/machines/${id}/sites`, { projectId: site.id })
  return admin.waitFor(site.id, deploymentId)
}

test('a machine adds itself with one command', async () => {
  const { command } = await admin.call<JoinCommand>('POST', '/machine-joins', { name: 'm2' })
  // The name of this panel is unknown outside, and it has no certificate.
  const address = `-H 'Host: panel.test' 'http://${machine.hostAddress}:${panel.proxyPort}`
  const here = command.replace(`'https://panel.test`, address)
  expect(await machine.run('sh', '-ec', here)).toContain('m2 was added.')
  const { machines } = await admin.call<{ machines: MachineView[] }>('GET', '/machines')
  expect(machines).toHaveLength(2)
  m1 = machines.find(({ isOwn }) => isOwn)!
  m2 = machines.find(({ isOwn }) => !isOwn)!
  expect(m2).toMatchObject({ name: 'm2', address: machine.address, status: 'ACTIVE', problems: [] })
  await expect(machine.run('sh', '-ec', here)).rejects.toMatchObject({
    stdout: expect.stringContaining('LINK_INVALID')
  })
})

test('are placed on the machine with their labels', async () => {
  await admin.call('PATCH', `/machines/${m2.id}`, { labels: ['far'] })
  await admin.call('PUT', `/projects/${site.id}`, { machineLabels: ['far'] })
  await admin.mustRun(site.id)
  expect(await body()).toBe('v1 /')
  expect(await counts()).toEqual([0, 1])
  const { sites, drain } = await details(m2.id)
  expect(sites).toMatchObject([{ name: site.name, placement: { sentences: [{ code: 'LABELS' }] } }])
  expect(drain).toMatchObject({ moving: 0, staying: 1 })
})

test('are moved to another machine and back without a failed request', async () => {
  await admin.call('PUT', `/projects/${site.id}`, { machineLabels: [] })
  const load = startLoad(panel.proxyPort, site.hostname, (text) => /^v1( |$)/.test(text))
  try {
    // The new labels queued a deployment, which finds it where it can stay.
    await until(() => admin.call<{ deployments: { status: string }[] }>('GET', `/projects/${site.id}/deployments`), ({ deployments }) => deployments.every(({ status }) => status === 'RUNNING')) // oxfmt-ignore
    expect(await moveTo(m1.id)).toMatchObject({ status: 'RUNNING' })
    await isOnly('here')
    expect(await moveTo(m2.id)).toMatchObject({ status: 'RUNNING' })
    await isOnly('there')
    await sleep(3_500) // Longest possible slow request of the old container.
  } finally {
    await load.stop()
  }
  expect(load.failures).toEqual([])
  expect(load.answered()).toBeGreaterThan(100)
})

test('leave a machine that is drained without a failed request', async () => {
  const load = startLoad(panel.proxyPort, site.hostname, (text) => /^v1( |$)/.test(text))
  try {
    const { drain } = await admin.call<MachineDetails>('POST', `/machines/${m2.id}/drain`)
    expect(drain).toMatchObject({ moving: 1, staying: 0 })
    await isOnly('here')
    await sleep(3_500)
  } finally {
    await load.stop()
  }
  expect(load.failures).toEqual([])
  expect(await details(m2.id)).toMatchObject({ sites: [], drain: { moving: 0, staying: 0 } })
  await admin.call('PATCH', `/machines/${m2.id}`, { isPaused: false })
})

test('a panel that is killed in the middle of a move ends with one container, and the site serves', async () => {
  for (const [target, afterMs] of [
    [m2, 300],
    [m1, 900],
    [m2, 1_800]
  ] as const) {
    const { nodeId } = await project()
    const goal = nodeId === target.id ? (target === m1 ? m2 : m1) : target
    await admin.call('POST', `/machines/${goal.id}/sites`, { projectId: site.id })
    await sleep(afterMs)
    await panel.kill()
    expect((await counts()).some((count) => count > 0)).toBe(true)
    await panel.start()
    await until(body, (found) => found === 'v1 /')
    await until(async () => (await counts()).toSorted(), ([a, b]) => a === 0 && b === 1) // oxfmt-ignore
    await until(openDeployments, (n) => n === 0)
  }
})
const project = async () =>
  (await panel.query<{ nodeId: string }>('select node_id as "nodeId" from projects where id = $1', [site.id]))[0]!
const openDeployments = async () =>
  (await panel.query(`select id from deployments where status in ('QUEUED', 'BUILDING', 'DEPLOYING')`)).length

test('start elsewhere when their machine is lost; one is left when it is back', async () => {
  if ((await project()).nodeId !== m2.id) await moveTo(m2.id)
  await isOnly('there')
  await machine.run('ip', 'link', 'set', 'uplink', 'down')
  await until(body, (found) => found !== 'v1 /')
  await until(body, (found) => found === 'v1 /')
  expect(await here()).toHaveLength(1)
  expect((await details(m2.id)).machine.status).toBe('AWAY')

  await machine.run('ip', 'link', 'set', 'uplink', 'up')
  await isOnly('here')
  expect(await body()).toBe('v1 /')
  await until(async () => (await details(m2.id)).machine.status, (status) => status === 'ACTIVE') // oxfmt-ignore
})

test('a machine without projects is removed', async () => {
  await admin.call('DELETE', `/machines/${m2.id}`)
  expect((await admin.call<{ machines: unknown[] }>('GET', '/machines')).machines).toHaveLength(1)
  expect(await body()).toBe('v1 /')
})
