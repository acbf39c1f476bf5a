import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import type { FirewallRule, FirewallState } from '@panel/contract/firewall'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createNftServerFirewall } from '../../packages/server/src/infra/server-firewall/nft-server-firewall.ts'
import { renderServerTable } from '../../packages/server/src/infra/server-firewall/server-ruleset.render.ts'
import { run } from '../../packages/server/src/infra/process/run.ts'
import type { Run } from '../../packages/server/src/infra/process/process.ts'
import { serverFirewallTable } from '../../packages/server/src/net/network-names.ts'
import { describeServerFirewall } from '../../packages/server/test/contracts/server-firewall.contract.ts'
import { createMachine, type Machine } from '../support/machine.ts'
import { type Client, type RunningPanel, startPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { kill, killProcesses } from '../support/processes.ts'

const execute = promisify(execFile)
const nodeImage = 'node:24-trixie-slim'
const confirmSeconds = 5
const panelDomain = 'panel.example.test'
const settings = {
  PANEL_DOMAIN: panelDomain,
  FIREWALL_CONFIRM_SECONDS: String(confirmSeconds),
  BUILD_IMAGE_STATIC: nodeImage,
  BUILD_IMAGE_PYTHON: nodeImage,
  BUILD_IMAGE_PHP: nodeImage,
  BUILD_IMAGE_COMPILERS: nodeImage
}

/** Every command of the adapter runs in a network namespace of its own. */
describeServerFirewall('nftables', async () => {
  const holder = spawn('unshare', ['--net', '--', 'sh', '-c', 'echo ready && exec sleep infinity'], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  await once(holder.stdout, 'data')
  const directory = await mkdtemp(join(tmpdir(), 'panel-firewall-'))
  const inside: Run = (argv, options) => run(['nsenter', `--net=/proc/${holder.pid}/ns/net`, '--', ...argv], options)
  const options = {
    table: 'panel_0000000000_server',
    bridgePrefix: 'pntest',
    directory,
    run: inside,
    logger: { warn() {} }
  }
  return {
    firewall: createNftServerFirewall(options),
    async isInForce(ruleset) {
      const { stdout } = await inside(['nft', 'list', 'ruleset'], { timeoutMs: 10_000 })
      if (ruleset === undefined) return !stdout.includes(options.table)
      return stdout.includes(`chain ${renderServerTable(options, ruleset).chain} {`)
    },
    async dispose() {
      await killProcesses(directory)
      holder.kill('SIGKILL')
      await rm(directory, { recursive: true, force: true })
    }
  }
})

// The administrator is this machine, at `machine.hostAddress`. The stranger has a network namespace of its own.
let machine: Machine
let stranger: Stranger
let panel: RunningPanel
let admin: Client
let service: ReturnType<typeof spawn>
beforeAll(async () => {
  machine = await createMachine([nodeImage])
  stranger = await connectStranger(machine)
  panel = await startPanel(settings, machine)
  admin = await panel.signUp()
  const server = `require('http').createServer((_, response) => response.end('service')).listen(${servicePort}, '::')`
  const [file, ...args] = machine.enter(process.execPath, '-e', server)
  service = spawn(file, args, { stdio: 'ignore' })
  const published = ['--publish', `${publishedPort}:${containerPort}`]
  const answering = `require('http').createServer((_, response) => response.end('container')).listen(${containerPort})`
  await machine.run('docker', 'run', '--detach', ...published, nodeImage, 'node', '-e', answering)
  await until(() => stranger.reaches(publishedPort), (answer) => answer === 'container') // oxfmt-ignore
  await until(() => stranger.reaches(servicePort), (answer) => answer === 'service') // oxfmt-ignore
})
afterAll(async () => {
  service?.kill('SIGKILL')
  await panel?.dispose()
  await stranger?.remove()
  await machine?.remove()
})
afterEach(({ task }) => {
  if (task.result?.state === 'fail') console.error(panel?.output().slice(-5_000))
})

const servicePort = 18_300
const publishedPort = 18_301
const containerPort = 9_000

interface Stranger {
  address: string
  /** What answers at the port: the body, or `nothing`. */
  reaches(port: number, address?: string): Promise<string>
  remove(): Promise<void>
}

/** A client with its own addresses, connected to the machine and to nothing else. */
async function connectStranger({ pid, run: inMachine }: Machine): Promise<Stranger> {
  const holder = spawn('unshare', ['--net', '--', 'sh', '-c', 'echo ready && exec sleep infinity'], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  await once(holder.stdout, 'data')
  const enter = ['nsenter', `--net=/proc/${holder.pid}/ns/net`, '--']
  const inside = async (...argv: string[]) => {
    const [file, ...args] = [...enter, ...argv]
    return (await execute(file!, args)).stdout
  }
  const ends = ['name', 'stranger', 'netns', String(pid), 'type', 'veth', 'peer', 'name', 'cable', 'netns', String(holder.pid)] // oxfmt-ignore
  await execute('ip', ['link', 'add', ...ends])
  await inMachine('ip', 'address', 'add', '203.0.113.1/24', 'dev', 'stranger')
  await inMachine('ip', '-6', 'address', 'add', '2001:db8::1/64', 'dev', 'stranger', 'nodad')
  await inMachine('ip', 'link', 'set', 'stranger', 'up')
  await inside('ip', 'address', 'add', '203.0.113.7/24', 'dev', 'cable')
  await inside('ip', '-6', 'address', 'add', '2001:db8::7/64', 'dev', 'cable', 'nodad')
  await inside('ip', 'link', 'set', 'cable', 'up')
  return {
    address: '203.0.113.7',
    async reaches(port, address = '203.0.113.1') {
      const url = `http://${address.includes(':') ? `[${address}]` : address}:${port}/`
      return inside('curl', '--silent', '--noproxy', '*', '--max-time', '1', url).catch(() => 'nothing')
    },
    async remove() {
      holder.kill('SIGKILL')
    }
  }
}

const rule = (values: Partial<FirewallRule> = {}): FirewallRule => ({
  action: 'ALLOW',
  protocol: 'TCP',
  ports: [],
  source: null,
  note: '',
  enabled: true,
  ...values
})
const forAdmin = () => rule({ source: machine.hostAddress })
const read = () => admin.call<FirewallState>('GET', '/firewall')
async function save(rules: FirewallRule[], values: Partial<FirewallState> = {}): Promise<FirewallState> {
  const { version } = await read()
  return admin.call('PUT', '/firewall', { version, enabled: true, defaultAction: 'DENY', rules, ...values })
}
const turnOff = async () => {
  if ((await read()).pending) await admin.call('POST', '/firewall/revert')
  await save([], { enabled: false })
}
/** curl opens a connection of its own each time. */
async function confirmFromNewConnection(changeId: string): Promise<FirewallState> {
  const data = JSON.stringify({ changeId })
  const headers = ['--header', `cookie: ${admin.cookie}`, '--header', 'content-type: application/json']
  const { stdout } = await execute('curl', [
    '--silent',
    ...headers,
    '--data',
    data,
    `${panel.url}/api/firewall/confirm`
  ])
  return JSON.parse(stdout) as FirewallState
}
const tables = () => machine.run('nft', 'list', 'tables')
const seenByStranger = async () => {
  const [service, overIpv6, published] = await Promise.all([
    stranger.reaches(servicePort),
    stranger.reaches(servicePort, '2001:db8::1'),
    stranger.reaches(publishedPort)
  ])
  return { service, overIpv6, published }
}
const open = { service: 'service', overIpv6: 'service', published: 'container' }
const shut = { service: 'nothing', overIpv6: 'nothing', published: 'nothing' }

test('off by default: there is no table', async () => {
  expect(await read()).toMatchObject({ enabled: false, pending: null })
  expect(await tables()).not.toContain(serverFirewallTable(panel.instanceId))
})

test('an unconfirmed change blocks the stranger and is reverted automatically', async () => {
  const { pending } = await save([forAdmin()])
  expect(pending).not.toBeNull()
  expect(await seenByStranger()).toEqual(shut)
  await until(seenByStranger, ({ service }) => service === 'service')
  expect(await seenByStranger()).toEqual(open)
  await until(read, (state) => state.pending === null)
  expect(await read()).toMatchObject({ enabled: false, rules: [] })
  expect(await tables()).not.toContain(serverFirewallTable(panel.instanceId))
})

test('rules that would shut the administrator out are refused', async () => {
  const { version } = await read()
  const body = { version, enabled: true, defaultAction: 'DENY', rules: [rule({ source: stranger.address })] }
  const answer = await admin.request<{ code: string }>('PUT', '/firewall', { ...body, allowSshLockout: true })
  expect([answer.status, answer.body.code]).toEqual([409, 'FIREWALL_LOCKOUT'])
})

test('a confirmed change stays, also for a published container port, and over a restart of the panel', async () => {
  const published = rule({ ports: [String(publishedPort)], source: '203.0.113.0/24' })
  const { pending } = await save([forAdmin(), published])
  expect(await confirmFromNewConnection(pending!.id)).toMatchObject({ enabled: true, pending: null })
  await waitPastDeadline()
  expect(await seenByStranger()).toEqual({ ...shut, published: 'container' })
  await panel.stop()
  await machine.run('nft', 'delete', 'table', 'inet', serverFirewallTable(panel.instanceId))
  await panel.start()
  await until(seenByStranger, ({ service }) => service === 'nothing')
  expect(await seenByStranger()).toEqual({ ...shut, published: 'container' })
})

test('the connection that the change came by does not confirm it', async () => {
  await turnOff()
  const { pending } = await save([forAdmin()])
  // The client keeps its connection open.
  const answer = await admin.request<{ code: string }>('POST', '/firewall/confirm', { changeId: pending!.id })
  expect([answer.status, answer.body.code]).toEqual([409, 'FIREWALL_CONNECTION_OLD'])
  await admin.call('POST', '/firewall/revert')
  expect(await seenByStranger()).toEqual(open)
})

test('through the proxy of the panel: an old connection does not confirm the change, a new one does', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const call = async (method: string, path: string, body?: object) => {
    const request = httpRequest({
      host: machine.address,
      port: panel.proxyPort,
      path: `/api/firewall${path}`,
      method,
      agent,
      headers: { host: panelDomain, cookie: admin.cookie, ...(body && { 'content-type': 'application/json' }) }
    })
    request.end(body && JSON.stringify(body))
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    return JSON.parse(await text(response)) as FirewallState & { code?: string }
  }
  try {
    const { version } = await call('GET', '')
    const { pending } = await call('PUT', '', { version, enabled: true, defaultAction: 'DENY', rules: [forAdmin()] })
    const change = { changeId: pending!.id }
    expect((await call('POST', '/confirm', change)).code).toBe('FIREWALL_CONNECTION_OLD')
    await expect(call('POST', '/reconnect')).rejects.toThrow('socket hang up')
    expect(await call('POST', '/confirm', change)).toMatchObject({ enabled: true, pending: null })
  } finally {
    agent.destroy()
  }
  await turnOff()
})

test('kill -9 of the panel while a change is pending: it goes back all the same', async () => {
  await save([forAdmin()])
  await panel.kill()
  expect(await stranger.reaches(servicePort)).toBe('nothing')
  await until(seenByStranger, ({ service }) => service === 'service')
  expect(await seenByStranger()).toEqual(open)
  await panel.start()
  await until(read, (state) => state.pending === null)
  expect(await read()).toMatchObject({ enabled: false })
})

test('kill -9 of the rollback process too: the panel reverts the change when it comes back', async () => {
  await save([forAdmin()])
  await panel.kill()
  const lines = await machine.run('pgrep', '--full', 'panel-firewall-rollback')
  const pids = (await machine.pids()).filter((pid) => lines.split('\n').includes(String(pid)))
  for (const pid of pids) kill(pid, 'SIGKILL')
  await panel.start()
  await until(seenByStranger, ({ service }) => service === 'service')
  await until(read, (state) => state.pending === null)
})

test('what other tools wrote is left alone', async () => {
  await machine.run('nft', 'add', 'table', 'inet', 'other_tool')
  const before = (await tables()).split('\n').sort()
  const { pending } = await save([forAdmin()])
  await confirmFromNewConnection(pending!.id)
  const own = `table inet ${serverFirewallTable(panel.instanceId)}`
  expect((await tables()).split('\n').sort()).toEqual([...before, own].sort())
  await turnOff()
  expect((await tables()).split('\n').sort()).toEqual(before)
  await machine.run('nft', 'delete', 'table', 'inet', 'other_tool')
})

test('./panel firewall off', async () => {
  const { pending } = await save([forAdmin()])
  await confirmFromNewConnection(pending!.id)
  expect(await stranger.reaches(servicePort)).toBe('nothing')
  const root = new URL('../../', import.meta.url).pathname
  const off = ['env', `DATA_DIR=${panel.dataDir}`, `PANEL_NODE=${process.execPath}`, `${root}panel`, 'firewall', 'off']
  expect(await machine.run(...off)).toContain('The firewall is off.')
  expect(await seenByStranger()).toEqual(open)
  expect(await read()).toMatchObject({ enabled: false, rules: [forAdmin()] })
})

test('another panel removes the rules of one that was killed and did not come back', async () => {
  const { pending } = await save([forAdmin()])
  await confirmFromNewConnection(pending!.id)
  await panel.kill()
  expect(await stranger.reaches(servicePort)).toBe('nothing')
  const other = await startPanel(settings, machine)
  try {
    expect(await seenByStranger()).toEqual(open)
    expect(await tables()).not.toContain(serverFirewallTable(panel.instanceId))
  } finally {
    await other.dispose()
  }
})

async function waitPastDeadline(): Promise<void> {
  const end = Date.now() + (confirmSeconds + 2) * 1000
  await until(async () => Date.now(), (now) => now > end) // oxfmt-ignore
}
