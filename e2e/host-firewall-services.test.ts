import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createNftables } from '../packages/server/src/infra/host-firewall/nftables.ts'
import { run } from '../packages/server/src/infra/process/run.ts'
import { docker } from './support/engine.ts'

const firewall = createNftables({ table: `panel_services_${process.pid}`, run })
const bridge = `pns${process.pid}`
let gateway: string
let service: Server
beforeAll(async () => {
  await docker('network', 'create', '--opt', `com.docker.network.bridge.name=${bridge}`, bridge)
  gateway = await docker('network', 'inspect', bridge, '--format', '{{(index .IPAM.Config 0).Gateway}}')
  service = createServer((socket) => socket.on('error', () => {}).resume()).listen(0, gateway)
  await once(service, 'listening')
  const { port } = service.address() as { port: number }
  const services = { address: gateway, bridge, ports: [port] }
  await firewall.apply({ bridgePrefix: bridge, bridges: [], openPorts: [], nameservers: [], services })
})
afterAll(async () => {
  service?.close()
  await firewall.remove()
  await docker('network', 'rm', bridge)
})

/** Opens connections from a container one after the other, and says how many are open together; then, how many once those are closed. */
async function connectionsOfContainer(): Promise<string> {
  const { port } = service.address() as { port: number }
  const script = `const { connect } = require('net')
    const open = () => new Promise((resolve) => {
      const socket = connect({ host: '${gateway}', port: ${port} })
      const late = setTimeout(() => { socket.destroy(); resolve() }, 2000)
      socket.on('error', () => {}).on('connect', () => { clearTimeout(late); resolve(socket) })
    })
    const fill = async () => { const all = []; for (let s; all.length < 40 && (s = await open()); ) all.push(s); return all }
    const end = (s) => new Promise((resolve) => s.on('close', resolve).end())
    void (async () => {
      const first = await fill()
      await Promise.all(first.map(end))
      const second = await fill()
      console.log(first.length, second.length)
      process.exit()
    })()`
  return docker('run', '--rm', '--network', bridge, 'node:20-bookworm-slim', 'node', '-e', script)
}

test('each container has its share of connections to a service, again once it has closed them', async () => {
  expect(await Promise.all([connectionsOfContainer(), connectionsOfContainer()])).toEqual(['32 32', '32 32'])
})
