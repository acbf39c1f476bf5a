import type { Machine as MachineView } from '@panel/contract/machines'
import { beforeAll, expect, test } from 'vitest'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { lines, panelWithMachines } from '../support/machines.ts'
import { type Client, type RunningPanel, type Site } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { nodeSite } from '../support/sites.ts'
import type { SshMachine } from '../support/ssh-machine.ts'

// Sites on a machine that is not the panel's own.

const world = panelWithMachines()
let machine: SshMachine
let panel: RunningPanel
let admin: Client
let m2: MachineView
let site: Site

beforeAll(async () => {
  ;({ admin, panel } = world)
  machine = world.machines[0]!
  // No other machine has its label, so it stays there also while it is cut off.
  m2 = await world.add(machine, 'm2', ['far'])
  site = await admin.createSite(world.git, nodeSite('first'), { keepsFiles: false, machineLabels: ['far'] })
})

const containers = async () =>
  lines(await machine.run('docker', 'ps', '--no-trunc', '--quiet', '--filter', `label=panel.project=${site.id}`))
const body = () => world.body(site)
const serves = (text: string) => world.serves(site, text)

test('are deployed there, served through the panel’s proxy, and redeployed', async () => {
  const { buildLogs } = await admin.mustRun(site.id)
  expect(buildLogs).toContain('Copied the image to m2')
  expect(await containers()).toHaveLength(1)
  expect(await body()).toBe('first /')
  await world.git.commit(site.repository, nodeSite('second'), 'Second')
  const { buildLogs: redeployed } = await admin.mustRun(site.id)
  const [, sent, layers] = /Copied the image to m2: (\d+) of (\d+) layers/.exec(redeployed ?? '')!
  expect(Number(sent)).toBeLessThan(Number(layers))
  expect(await body()).toBe('second /')
  await until(containers, ({ length }) => length === 1)
})

test('are reached by the panel alone, and reach no service of their machine', async () => {
  const { hostPort } = await published()
  const from = (address: string) =>
    run(['curl', '--silent', '--max-time', '3', '--interface', address, `http://${machine.address}:${hostPort}/`], {
      timeoutMs: 10_000
    }).then(
      ({ stdout }) => stdout,
      () => 'nothing'
    )
  expect(await from(machine.hostAddress)).toBe('second /')
  const stranger = machine.hostAddress.replace(/\d+$/, '250')
  await run(['ip', 'address', 'add', `${stranger}/32`, 'dev', 'lo'], { timeoutMs: 10_000 })
  try {
    await machine.run('ip', 'route', 'add', `${stranger}/32`, 'via', machine.hostAddress)
    expect(await from(stranger)).toBe('nothing')
  } finally {
    await run(['ip', 'address', 'del', `${stranger}/32`, 'dev', 'lo'], { timeoutMs: 10_000 })
  }
  const ssh = `require('net').connect(${machine.port}, '${machine.address}').on('connect', () => console.log('open')).on('error', (e) => console.log(e.code)).setTimeout(2000, () => { console.log('silent'); process.exit() })` // oxfmt-ignore
  const [id] = await containers()
  expect(['silent', 'EHOSTUNREACH', 'EACCES']).toContain((await machine.run('docker', 'exec', id!, 'node', '-e', ssh)).trim()) // oxfmt-ignore
})

test('reach sites of their account by name, as from the panel’s machine', async () => {
  const [id] = await containers()
  const visit = `fetch('http://${site.hostname}:${panel.proxyPort}/').then((a) => a.text()).then(console.log, (e) => console.log(e.cause ?? e))` // oxfmt-ignore
  expect((await machine.run('docker', 'exec', id!, 'node', '-e', visit)).trim()).toBe('second /')
})

async function published(): Promise<{ hostPort: string }> {
  const [id] = await containers()
  const address = await machine.run('docker', 'inspect', '--format', '{{range .NetworkSettings.Ports}}{{(index . 0).HostIp}}:{{(index . 0).HostPort}}{{end}}', id!) // oxfmt-ignore
  const [hostIp, hostPort] = address.split(':') as [string, string]
  expect(hostIp).toBe(machine.address)
  return { hostPort }
}

test('are stopped, started, read and repaired there', async () => {
  await admin.call('POST', `/projects/${site.id}/container/stop`)
  expect(await containers()).toEqual([])
  await admin.call('POST', `/projects/${site.id}/container/start`)
  await serves('second /')
  const { logs } = await admin.call<{ logs: string }>('GET', `/projects/${site.id}/logs`)
  expect(logs).toContain('listening on')
  await machine.run('docker', 'stop', '--time', '1', (await containers())[0]!)
  await serves('second /')
})

test('keep serving while the panel does not run, and again after their machine was cut off', async () => {
  await panel.kill()
  expect(await containers()).toHaveLength(1)
  await panel.start()
  await serves('second /')

  await machine.cutOff()
  await until(body, (found) => found !== 'second /')
  await world.becomes(m2.id, 'AWAY')
  await machine.reconnect()
  await world.becomes(m2.id, 'ACTIVE')
  await serves('second /')
  expect(await containers()).toHaveLength(1)
})

test('leave nothing there when they are deleted', async () => {
  await admin.call('DELETE', `/projects/${site.id}`)
  await until(containers, ({ length }) => length === 0)
})
