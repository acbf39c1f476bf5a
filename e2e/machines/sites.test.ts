import type { Machine as MachineView } from '@panel/contract/machines'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import { type Client, type RunningPanel, type Site, startPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { makeRootDirectory } from '../support/root-directory.ts'
import { nodeSite } from '../support/sites.ts'
import { createSshMachine, type SshMachine } from '../support/ssh-machine.ts'

// Sites on a machine that is not the panel's own.

let machine: SshMachine
let git: GitHttpServer
let panel: RunningPanel
let admin: Client
let m2: MachineView
let site: Site

beforeAll(async () => {
  machine = await createSshMachine()
  git = await startGitHttpServer()
  panel = await startPanel({ DATA_DIR: await makeRootDirectory(), GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}` })
  // Other machines have other files.
  await machine.run('mount', '-t', 'tmpfs', '-o', 'mode=755', 'none', panel.dataDir)
  admin = await panel.signUp('admin')
  m2 = await machine.addTo(admin, 'm2')
  // No other machine has its label, so it stays there also while it is cut off.
  await admin.call('PATCH', `/machines/${m2.id}`, { labels: ['far'] })
  site = await admin.createSite(git, nodeSite('first'), { keepsFiles: false, machineLabels: ['far'] })
})
afterAll(async () => {
  await panel?.dispose()
  await git?.stop()
  await machine?.remove()
})
afterEach(({ task }) => {
  if (task.result?.state === 'fail') console.error(panel?.output().slice(-5_000))
})

const containers = async () =>
  (await machine.run('docker', 'ps', '--no-trunc', '--quiet', '--filter', `label=panel.project=${site.id}`))
    .split('\n')
    .filter(Boolean)
const body = async () => (await panel.visit(site.hostname).catch(() => undefined))?.body
const serves = (text: string) => until(body, (found) => found === text)

test('are deployed there, served through the panel’s proxy, and redeployed', async () => {
  const { buildLogs } = await admin.mustRun(site.id)
  expect(buildLogs).toContain('Copied the image to the machine of the project')
  expect(await containers()).toHaveLength(1)
  expect(await body()).toBe('first /')
  await git.commit(site.repository, nodeSite('second'), 'Second')
  await admin.mustRun(site.id)
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

const status = async () =>
  (await admin.call<{ machines: MachineView[] }>('GET', '/machines')).machines.find(({ id }) => id === m2.id)?.status

test('keep serving while the panel does not run, and again after their machine was cut off', async () => {
  await panel.kill()
  expect(await containers()).toHaveLength(1)
  await panel.start()
  await serves('second /')

  await machine.run('ip', 'link', 'set', 'uplink', 'down')
  await until(body, (found) => found !== 'second /')
  await until(status, (found) => found === 'AWAY')
  await machine.run('ip', 'link', 'set', 'uplink', 'up')
  await until(status, (found) => found === 'ACTIVE')
  await serves('second /')
  expect(await containers()).toHaveLength(1)
})

test('leave nothing there when they are deleted', async () => {
  await admin.call('DELETE', `/projects/${site.id}`)
  await until(containers, ({ length }) => length === 0)
})
