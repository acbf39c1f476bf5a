import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { freemem } from 'node:os'
import { promisify } from 'node:util'
import { docker } from '../e2e/support/engine.ts'
import { until } from '../e2e/support/poll.ts'
import { createDockerEngine } from '../packages/server/src/infra/container-engine/docker.ts'
import { restoreEngineRules, shortenEngineRules } from '../packages/server/src/infra/host-firewall/engine-rules.ts'
import { createNftables } from '../packages/server/src/infra/host-firewall/nftables.ts'
import { run } from '../packages/server/src/infra/process/run.ts'
import { formatSubnet, freeSubnets, freeSubnetsIn, parseSubnet } from '../packages/server/src/net/ipv4-subnet.ts'
import { accountNetworkNames, bridgePrefix, buildBridgePrefix } from '../packages/server/src/net/network-names.ts'
import { accountNetworkPrefix } from '../packages/server/src/net/panel-network.ts'
import { median, report } from './figures.ts'
import { step } from './step.ts'

const execute = promisify(execFile)
const accounts = 200
const rounds = 100
const exchanges = 200
const connections = 10

/** What a network for each of 200 accounts costs: to make, to keep, and for each packet that passes. */
export async function benchNetworks(): Promise<void> {
  const instanceId = randomBytes(5).toString('hex')
  const engine = createDockerEngine({ socketPath: '/var/run/docker.sock' })
  const firewall = createNftables({ table: `panel_bench_${instanceId}`, run })
  const pool = freeSubnets(
    (await engine.takenSubnets()).flatMap((cidr) => parseSubnet(cidr) ?? []),
    16
  ).next().value!
  const subnets = [...freeSubnetsIn([pool], [], accountNetworkPrefix)].slice(0, accounts + 1).map(formatSubnet)
  const labels = { 'panel.instance': instanceId }
  const made: { name: string; bridge: string; gateway: string; gateways: string[]; account: number; reachable: [] }[] =
    []
  const make = async (number: number) => {
    const names = accountNetworkNames(instanceId, number)
    const before = performance.now()
    const { gateway } = await engine.ensureNetwork(names.name, labels, {
      bridge: names.bridge,
      subnet: subnets[number]!
    })
    const created = performance.now()
    made.push({ ...names, gateway, gateways: [gateway], account: 20_000 + number, reachable: [] })
    await firewall.addNetwork(made.at(-1)!)
    return { createMs: created - before, firewallMs: performance.now() - created }
  }
  const stopNeighbour = await startNeighbour(instanceId)
  let container: string | undefined
  try {
    const own = await engine.ensureNetwork(`panel-${instanceId}`, labels, { bridge: `${bridgePrefix(instanceId)}p`, subnet: subnets[0]! }) // oxfmt-ignore
    const service = await startEcho(own.gateway)
    await firewall.apply({
      bridgePrefix: bridgePrefix(instanceId),
      buildBridgePrefix: buildBridgePrefix(instanceId),
      bridges: [],
      openPorts: [],
      nameservers: [],
      services: { address: own.gateway, bridge: own.bridge, ports: [service.port], connectionsPerAccount: 290, isAddressShared: false }, // oxfmt-ignore
      networks: [],
      pools: [],
      egress: { denyPrivate: true, allow: [{ to: '10.78.0.2' }], allowSmtp: false }
    })
    await shortenEngineRules(run, bridgePrefix(instanceId))
    const first = await make(1)
    container = await startProbe(accountNetworkNames(instanceId, 1).name, subnets[1]!)
    const measure = async () => ({
      outward: await exchangeFromContainer(container!, '10.78.0.2', 8025),
      toService: await exchangeFromContainer(container!, made[0]!.gateway, service.port),
      connect: await connectFromContainer(container!, made[0]!.gateway, service.port),
      inward: await exchangeMicroseconds(addressIn(subnets[1]!), 8026)
    })
    const alone = await step('measuring among one network', measure)
    const [freeBefore, engineBefore] = [freemem(), await engineMegabytes()]
    const rest: Awaited<ReturnType<typeof make>>[] = []
    await step(`making ${accounts} networks`, async () => {
      for (let number = 2; number <= accounts; number++) rest.push(await make(number))
    })
    const [freeAfter, engineAfter] = [freemem(), await engineMegabytes()]
    const among = await step(`measuring among ${accounts} networks`, measure)

    const early = [first, ...rest.slice(0, 9)]
    const late = rest.slice(-10)
    const of = (all: readonly (typeof first)[], member: keyof typeof first) => median(all.map((each) => each[member]))
    const row = (name: string, then: number, now: number, unit: string, aim: string) =>
      report(name, `${now.toFixed(unit === 'ms' ? 0 : 1)} / ${then.toFixed(unit === 'ms' ? 0 : 1)} ${unit}`, { value: now / then, aim }) // oxfmt-ignore
    row(`network made, of ${accounts}, of the first`, of(early, 'createMs'), of(late, 'createMs'), 'ms', '<= 3x')
    row('firewall told of one more', of(early, 'firewallMs'), of(late, 'firewallMs'), 'ms', '<= 1.5x')
    row('proxy to container and back', alone.inward, among.inward, 'µs', '<= 1.2x')
    row('container to database port and back', alone.toService, among.toService, 'µs', '<= 1.2x')
    row('container connects to database port', alone.connect, among.connect, 'µs', '<= 1.5x')
    row('container to the Internet and back', alone.outward, among.outward, 'µs', '<= 1.2x')
    const each = (bytes: number) => `${(bytes / (accounts - 1)).toFixed(0)} KB`
    report('memory of the machine, a network', each((freeBefore - freeAfter) / 1024))
    report("of it the container engine's", each((engineAfter - engineBefore) * 1024))
    const before = performance.now()
    await firewall.setNetworks(made)
    report('firewall told of all', `${(performance.now() - before).toFixed(0)} ms`)
    service.close()
  } finally {
    await step('removing the networks', async () => {
      if (container !== undefined) await docker('rm', '--force', container)
      for (const { name } of made) await engine.removeNetwork(name)
      await engine.removeNetwork(`panel-${instanceId}`)
      await firewall.remove()
      await restoreEngineRules(run, bridgePrefix(instanceId))
      await stopNeighbour()
    })
  }
}

const addressIn = (subnet: string) => subnet.replace(/(\d+)\/\d+$/, (_, last: string) => String(Number(last) + 2))

async function engineMegabytes(): Promise<number> {
  const pid = (await readFile('/var/run/docker.pid', 'utf8')).trim()
  return Number(/^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
}

async function startEcho(host: string) {
  const server = createServer((socket) =>
    socket
      .setNoDelay()
      .on('error', () => {})
      .pipe(socket)
  ).listen(0, host)
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}

const echo = (port: number) =>
  `require('net').createServer((socket) => socket.setNoDelay().on('error', () => {}).pipe(socket)).listen(${port})`

/** As a host on the Internet, which packets are forwarded to. */
async function startNeighbour(instanceId: string): Promise<() => Promise<void>> {
  const name = `bn${instanceId.slice(0, 6)}`
  await execute('ip', ['netns', 'add', name])
  await execute('ip', ['link', 'add', name, 'type', 'veth', 'peer', 'name', 'uplink', 'netns', name])
  await execute('ip', ['address', 'add', '10.78.0.1/30', 'dev', name])
  await execute('ip', ['link', 'set', name, 'up'])
  const inside = (...argv: string[]) => execute('ip', ['netns', 'exec', name, ...argv])
  await inside('ip', 'address', 'add', '10.78.0.2/30', 'dev', 'uplink')
  await inside('ip', 'link', 'set', 'uplink', 'up')
  await inside('ip', 'route', 'add', 'default', 'via', '10.78.0.1')
  const server = execFile('ip', ['netns', 'exec', name, 'node', '-e', echo(8025)])
  return async () => {
    server.kill('SIGKILL')
    await execute('ip', ['netns', 'delete', name])
  }
}

async function startProbe(network: string, subnet: string): Promise<string> {
  const address = addressIn(subnet)
  const id = await docker('run', '--detach', '--network', network, '--ip', address, 'node:24-trixie-slim', 'node', '-e', echo(8026)) // oxfmt-ignore
  await until(
    () => exchangeMicroseconds(address, 8026, 1).catch(() => undefined),
    (found) => found !== undefined
  )
  return id
}

/**
 * Microseconds of one byte there and back over a connection that stays, and of a connection: of the fastest of many rounds, since whatever
 * else the machine does only slows some of them.
 */
const measuring = `
  const { connect } = require('net'); const { once } = require('events')
  const fastest = async (rounds, each, work) => {
    let best = Infinity
    for (; rounds > 0; rounds--) {
      const before = performance.now()
      for (let left = each; left > 0; left--) await work()
      best = Math.min(best, (performance.now() - before) * 1000 / each)
    }
    return best
  }
  const exchange = async (host, port, rounds, each) => {
    const socket = connect({ host, port }).setNoDelay()
    await once(socket, 'connect')
    const best = await fastest(rounds, each, async () => { socket.write('x'); await once(socket, 'data') })
    socket.destroy()
    return best
  }
  const open = (host, port, rounds, each) => fastest(rounds, each, async () => {
    const socket = connect({ host, port })
    await once(socket, 'connect')
    socket.resetAndDestroy()
  })
`

const measured = async (argv: readonly string[], call: string): Promise<number> => {
  const script = `${measuring}; ${call}.then((value) => { console.log(value); process.exit() }, () => process.exit(1))`
  const [file = 'node', ...args] = [...argv, 'node', '-e', script]
  return Number((await execute(file, args)).stdout)
}

const exchangeMicroseconds = (host: string, port: number, count = rounds) =>
  measured([], `exchange('${host}', ${port}, ${count}, ${exchanges})`)

const exchangeFromContainer = (container: string, host: string, port: number) =>
  measured(['docker', 'exec', container], `exchange('${host}', ${port}, ${rounds}, ${exchanges})`)

const connectFromContainer = (container: string, host: string, port: number) =>
  measured(['docker', 'exec', container], `open('${host}', ${port}, ${rounds}, ${connections})`)
