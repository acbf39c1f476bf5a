import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createNftables } from '../../packages/server/src/infra/host-firewall/nftables.ts'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { accountOf } from '../../packages/server/test/contracts/database-server.contract.ts'
import { startTestEngine, type TestEngine } from '../databases/servers.harness.ts'
import { docker } from '../support/engine.ts'
import { until } from '../support/poll.ts'

const firewall = createNftables({ table: `panel_services_${process.pid}`, run })
const prefix = `pns${process.pid}`
interface TestNetwork {
  bridge: string
  gateway: string
  subnet: string
}
let own: TestNetwork
let first: TestNetwork
let second: TestNetwork
let service: Server
let engine: TestEngine
const started: string[] = []

async function makeNetwork(bridge: string): Promise<TestNetwork> {
  await docker('network', 'create', '--opt', `com.docker.network.bridge.name=${bridge}`, bridge)
  const ask = (member: string) =>
    docker('network', 'inspect', bridge, '--format', `{{(index .IPAM.Config 0).${member}}}`)
  return { bridge, gateway: await ask('Gateway'), subnet: await ask('Subnet') }
}

beforeAll(async () => {
  own = await makeNetwork(`${prefix}p`)
  first = await makeNetwork(`${prefix}a1`)
  second = await makeNetwork(`${prefix}a2`)
  service = createServer((socket) => socket.on('error', () => {}).resume()).listen(0, own.gateway)
  await once(service, 'listening')
  engine = await startTestEngine('PostgreSQL', {
    listen: ['127.0.0.1', own.gateway],
    containerSubnets: [own.subnet, first.subnet, second.subnet]
  })
  const { port } = service.address() as { port: number }
  const { gateway: address, bridge } = own
  await firewall.apply({
    bridgePrefix: prefix,
    buildBridgePrefix: `${prefix}b`,
    bridges: [],
    openPorts: [],
    nameservers: [],
    services: { address, bridge, ports: [port, engine.port], connectionsPerAccount: 96, isAddressShared: false },
    networks: [{ ...first, gateways: [first.gateway], account: 20_001, reachable: [] }],
    pools: [],
    egress: { denyPrivate: true, allow: [], allowSmtp: false }
  })
  await firewall.addNetwork({ ...second, gateways: [second.gateway], account: 20_002, reachable: [] })
})
afterEach(async () => {
  if (started.length > 0) await docker('rm', '--force', ...started.splice(0))
})
afterAll(async () => {
  service?.close()
  await engine?.close()
  await firewall.remove()
  await docker('network', 'rm', own.bridge, first.bridge, second.bridge)
})

/** Opens connections from a container; reports how many are open together, and how many after they close. */
async function connectionsOfContainer({ bridge, gateway }: TestNetwork): Promise<string> {
  const { port } = service.address() as { port: number }
  const script = `const { connect } = require('net')
    const open = () => new Promise((resolve) => {
      const socket = connect({ host: '${gateway}', port: ${port} })
      const late = setTimeout(() => { socket.destroy(); resolve() }, 2000)
      socket.on('error', () => {}).on('connect', () => { clearTimeout(late); resolve(socket) })
    })
    const fill = async () => { const all = []; for (let s; all.length < 50 && (s = await open()); ) all.push(s); return all }
    const end = (s) => new Promise((resolve) => s.on('close', resolve).end())
    void (async () => {
      const first = await fill()
      await Promise.all(first.map(end))
      const second = await fill()
      console.log(first.length, second.length)
      process.exit()
    })()`
  return docker('run', '--rm', '--network', bridge, 'node:24-trixie-slim', 'node', '-e', script)
}

test('connections per container to a service are limited and released on close', async () => {
  expect(await Promise.all([connectionsOfContainer(first), connectionsOfContainer(first)])).toEqual(['40 40', '40 40'])
})

test('services are unreachable at another account’s gateway or their own address', async () => {
  expect(await connectionsOfContainer({ ...first, gateway: second.gateway })).toBe('0 0')
  expect(await connectionsOfContainer({ ...first, gateway: own.gateway })).toBe('0 0')
  expect(await connectionsOfContainer(own)).toBe('40 40')
})

/** A container that holds 40 PostgreSQL logins half open on request, as anyone without a password can. */
async function createFlood(number: number): Promise<{ begin: () => void }> {
  const script = `const { connect } = require('net')
    const text = Buffer.from('user\\0nobody\\0database\\0nowhere\\0\\0')
    const head = Buffer.alloc(8)
    head.writeUInt32BE(text.length + 8)
    head.writeUInt32BE(196608, 4)
    const hold = () => {
      const socket = connect({ host: '${first.gateway}', port: ${engine.port} }, () => socket.write(Buffer.concat([head, text])))
      socket.on('error', () => {}).on('close', () => setTimeout(hold, 100)).resume()
    }
    process.stdin.once('data', () => { for (let i = 0; i < 40; i++) hold() })`
  const name = `${prefix}-flood-${number}`
  started.push(name)
  const argv = ['run', '--rm', '--interactive', '--name', name, '--network', first.bridge, 'node:24-trixie-slim', 'node', '-e', script] // oxfmt-ignore
  const client = spawn('/usr/bin/docker', argv, { stdio: ['pipe', 'ignore', 'ignore'] })
  await until(
    () => docker('inspect', name, '--format', '{{.State.Running}}').catch(() => ''),
    (found) => found === 'true'
  )
  return { begin: () => client.stdin.write('\n') }
}

const connectionsToEngine = async () => {
  const { stdout } = await run(['ss', '-Htn', 'state', 'established', `( src ${own.gateway}:${engine.port} )`], { timeoutMs: 10_000 }) // oxfmt-ignore
  return stdout.split('\n').length - 1
}

test('unauthenticated containers of one account leave logins for others', async () => {
  const other = accountOf('other')
  await engine.server.provision(other)
  const floods = await Promise.all([1, 2, 3, 4].map(createFlood))
  for (const { begin } of floods) begin()
  await until(connectionsToEngine, (count) => count >= 96)
  for (let times = 0; times < 5; times++) {
    expect(await connectionsToEngine()).toBeLessThanOrEqual(96)
    await engine.as(other, 'SELECT 1')
  }
  expect(await connectionsOfContainer(second)).toBe('40 40')
})
