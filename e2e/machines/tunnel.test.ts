import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { randomInt } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JoinCommand, Machine as MachineView } from '@panel/contract/machines'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { tunnelInterface } from '../../packages/server/src/net/network-names.ts'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import { type Client, type RunningPanel, type Site, startPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { makeRootDirectory } from '../support/root-directory.ts'
import { nodeSite } from '../support/sites.ts'
import { createSshMachine, type SshMachine } from '../support/ssh-machine.ts'

// The encrypted network between machines, by wireguard-go where the kernel has no WireGuard.

const port = randomInt(40_000, 50_000)
const subnet = `10.83.${randomInt(1, 255)}`
const [panelAddress, address] = [`${subnet}.1`, `${subnet}.2`]
const page = 'not-readable-on-the-way'

let machine: SshMachine
let git: GitHttpServer
let panel: RunningPanel
let admin: Client
let m2: MachineView
let far: Site
let near: Site
let tunnel: string
/** Of this computer, to the machine. */
let link: string

beforeAll(async () => {
  machine = await createSshMachine()
  link = `pm${machine.pid}`
  // As a firewall that lets in answers only: the panel's side opens the way.
  await nft(`add table inet ${link}
    add chain inet ${link} input { type filter hook input priority 0; }
    add rule inet ${link} input iifname "${link}" meta l4proto udp ct state new drop`)
  git = await startGitHttpServer()
  panel = await startPanel({
    DATA_DIR: await makeRootDirectory(),
    PANEL_DOMAIN: 'panel.test',
    GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}`,
    MACHINE_TUNNEL_PORT: String(port),
    MACHINE_TUNNEL_SUBNET: `${subnet}.0/24`,
    // What keeps containers out of the encrypted network is not the rule for private addresses.
    EGRESS_DENY_PRIVATE: 'false'
  })
  tunnel = tunnelInterface(panel.instanceId)
  // Other machines have other files.
  await machine.run('mount', '-t', 'tmpfs', '-o', 'mode=755', 'none', panel.dataDir)
  admin = await panel.signUp('admin')
})
afterAll(async () => {
  await panel?.dispose()
  await git?.stop()
  if (tunnel) await here('ip', 'link', 'del', 'dev', tunnel).catch(() => {})
  if (link) await nft(`delete table inet ${link}`)
  await machine?.remove()
})
afterEach(({ task }) => {
  if (task.result?.state === 'fail') console.error(panel?.output().slice(-5_000))
})

const here = async (...argv: [string, ...string[]]) => (await run(argv, { timeoutMs: 30_000 })).stdout
const nft = (input: string) => run(['nft', '-f', '-'], { timeoutMs: 10_000, input })
const body = async () => (await panel.visit(far.hostname).catch(() => undefined))?.body
const serves = () => until(body, (found) => found === `${page} /`)
const interfaces = async () =>
  [await here('ip', '-o', 'link'), await machine.run('ip', '-o', 'link')].map((text) => text.includes(` ${tunnel}: `))
const containersOf = async (run: (...argv: [string, ...string[]]) => Promise<string>, { id }: Site) =>
  (await run('docker', 'ps', '--no-trunc', '--quiet', '--filter', `label=panel.project=${id}`)).split('\n').filter(Boolean) // oxfmt-ignore

async function published(): Promise<{ hostIp: string; hostPort: string }> {
  const [id] = await containersOf(machine.run, far)
  const found = await machine.run('docker', 'inspect', '--format', '{{range .NetworkSettings.Ports}}{{(index . 0).HostIp}}:{{(index . 0).HostPort}}{{end}}', id!) // oxfmt-ignore
  const [hostIp, hostPort] = found.split(':') as [string, string]
  return { hostIp, hostPort }
}

test('a machine joins with encryption', async () => {
  const { command } = await admin.call<JoinCommand>('POST', '/machine-joins', { name: 'm2', isEncrypted: true })
  const there = `-H 'Host: panel.test' 'http://${machine.hostAddress}:${panel.proxyPort}`
  expect(await machine.run('sh', '-ec', command.replace(`'https://panel.test`, there))).toBe('{"message":"m2 was added."}') // oxfmt-ignore
  m2 = (await admin.call<{ machines: MachineView[] }>('GET', '/machines')).machines.find(({ isOwn }) => !isOwn)!
  expect(m2).toMatchObject({ isEncrypted: true, status: 'ACTIVE', problems: [] })
  expect(await interfaces()).toEqual([true, true])
})

test('sites there are served through the encrypted network', async () => {
  await admin.call('PATCH', `/machines/${m2.id}`, { labels: ['far'] })
  far = await admin.createSite(git, nodeSite(page), { keepsFiles: false, machineLabels: ['far'] })
  near = await admin.createSite(git, nodeSite('near'))
  await admin.mustRun(far.id)
  await admin.mustRun(near.id)
  expect((await published()).hostIp).toBe(address)
  expect(await body()).toBe(`${page} /`)
})

test('what passes between the machines is unreadable', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'panel-capture-'))
  const capture = async (device: string) => {
    const path = join(directory, device)
    const child = spawn('tcpdump', ['-i', device, '--immediate-mode', '-U', '-w', path], {
      stdio: ['ignore', 'ignore', 'pipe']
    })
    await once(child.stderr, 'data')
    return {
      stop: async () => {
        child.kill('SIGINT')
        await once(child, 'exit')
      },
      isReadable: async () => (await readFile(path)).includes(page),
      packets: async (filter: string) => (await here('tcpdump', '-n', '-r', path, filter)).split('\n').filter(Boolean)
    }
  }
  const [outside, inside] = [await capture(link), await capture(tunnel)]
  await until(async () => (await body()) === `${page} /` && inside.isReadable(), Boolean)
  for (let visit = 0; visit < 10; visit++) await serves()
  await until(
    () => outside.packets(`udp port ${port}`),
    ({ length }) => length > 20
  )
  await Promise.all([outside.stop(), inside.stop()])
  expect(await outside.isReadable()).toBe(false)
  expect(await outside.packets(`ip and not udp port ${port} and not tcp port ${machine.port}`)).toEqual([])
  await rm(directory, { recursive: true })
})

test('containers reach nothing through it but the proxy, and others nothing', async () => {
  const { hostPort } = await published()
  const [onPanel, onMachine] = [(await containersOf(here, near))[0]!, (await containersOf(machine.run, far))[0]!]
  const dial = (host: string, to: number | string) => ['node', '-e', `require('net').connect(${to}, '${host}').on('connect', () => { console.log('open'); process.exit() }).on('error', () => console.log('closed')).setTimeout(2000, () => { console.log('closed'); process.exit() })`] as const // oxfmt-ignore
  const fromPanels = async (...[host, to]: Parameters<typeof dial>) => (await here('docker', 'exec', onPanel, ...dial(host, to))).trim() // oxfmt-ignore
  const fromMachines = (...[host, to]: Parameters<typeof dial>) => machine.run('docker', 'exec', onMachine, ...dial(host, to)) // oxfmt-ignore
  const service = createServer().listen(0, panelAddress)
  await once(service, 'listening')
  const { port: servicePort } = service.address() as { port: number }
  try {
    expect(await here(process.execPath, ...dial(address, hostPort).slice(1))).toBe('open\n')
    expect(await fromPanels(address, hostPort)).toBe('closed')
    expect(await fromPanels(panelAddress, servicePort)).toBe('closed')
    expect(await machine.run(process.execPath, ...dial(panelAddress, servicePort).slice(1))).toBe('open')
    expect(await fromMachines(panelAddress, servicePort)).toBe('closed')
    expect(await fromMachines(address, hostPort)).toBe('closed')
    expect(await fromMachines(panelAddress, panel.proxyPort)).toBe('open')
  } finally {
    service.close()
  }
  // From beside the encrypted network, to the machine's address in it.
  await here('ip', 'route', 'add', `${address}/32`, 'via', machine.address, 'dev', link, 'metric', '9')
  const aside = ['curl', '--silent', '--max-time', '2', '--interface', link, `http://${address}:${hostPort}/`] as const
  await expect(here(...aside)).rejects.toThrow()
  await here('ip', 'route', 'del', `${address}/32`, 'via', machine.address, 'dev', link)
})

test('sites serve on when the panel is killed, and it takes the network over', async () => {
  const before = await here('wg', 'show', tunnel, 'latest-handshakes')
  await panel.kill()
  expect(await body()).toBe(`${page} /`)
  await panel.start()
  await until(async () => (await admin.call<MachineView>('POST', `/machines/${m2.id}/check`)).problems, ({ length }) => length === 0) // oxfmt-ignore
  expect((await here('wg', 'show', tunnel, 'latest-handshakes')).split('\t')[0]).toBe(before.split('\t')[0])
  expect(await body()).toBe(`${page} /`)
})

test('either end is restored', async () => {
  await here('ip', 'link', 'del', 'dev', tunnel)
  await serves()
  await machine.run('ip', 'link', 'del', 'dev', tunnel)
  await serves()
  expect(await interfaces()).toEqual([true, true])
})

test('a machine that does not answer in it has a problem', async () => {
  await machine.run('nft', `add table inet blocked; add chain inet blocked input { type filter hook input priority 0; }; add rule inet blocked input udp dport ${port} drop`) // oxfmt-ignore
  await machine.run('ip', 'link', 'del', 'dev', tunnel)
  const { problems } = await admin.call<MachineView>('POST', `/machines/${m2.id}/check`)
  expect(problems.map(({ sentences }) => sentences[0]!.code)).toEqual(['TUNNEL_SILENT'])
  await machine.run('nft', 'delete table inet blocked')
  await serves()
})

test('encryption changes only while no project is there, and leaves nothing behind', async () => {
  const change = (isEncrypted: boolean) => admin.request<MachineView>('PATCH', `/machines/${m2.id}`, { isEncrypted })
  expect((await change(false)).status).toBe(409)
  await admin.call('DELETE', `/projects/${far.id}`)
  const off = await until(
    () => change(false),
    ({ status }) => status === 200
  )
  expect(off.body).toMatchObject({ isEncrypted: false, problems: [] })
  expect(await interfaces()).toEqual([false, false])
  expect((await change(true)).body).toMatchObject({ isEncrypted: true, problems: [] })
  expect(await interfaces()).toEqual([true, true])
  await admin.call('DELETE', `/machines/${m2.id}`)
  expect(await interfaces()).toEqual([false, false])
  await expect(machine.run('ls', join(panel.dataDir, `machines/${tunnel}.key`))).rejects.toThrow()
})
