import { expect, test } from 'vitest'
import type { Run } from '../process/process.ts'
import { createRemoteFirewall } from './remote-firewall.ts'

const network = { bridge: 'pn012345a1', gateways: ['172.30.0.33'], account: 20_001, reachable: [] }
const rules = {
  bridgePrefix: 'pn012345',
  buildBridgePrefix: 'pn012345b',
  bridges: [],
  openPorts: [],
  nameservers: [],
  services: {
    address: '172.30.0.1',
    bridge: 'pn012345p',
    ports: [5432],
    connectionsPerAccount: 96,
    isAddressShared: false
  },
  networks: [network],
  pools: [],
  egress: { denyPrivate: true, allow: [], allowSmtp: false }
}

function machine() {
  const state = { tables: '', closed: '', ports: 40_000, inputs: [] as string[], opened: [] as string[] }
  const run: Run = async (argv, { input }) => {
    if (argv[0] === 'nft' && input !== undefined) state.inputs.push(String(input))
    if (argv[0] === 'nft') return { stdout: state.tables, stderr: '' }
    if (argv[2]!.includes('echo 1')) state.opened.push(...argv.slice(4))
    return { stdout: argv[2]!.includes('echo 1') ? '' : state.closed, stderr: '' }
  }
  const relay = async (address: string, port: number) => {
    expect(address).toBe('172.30.0.1')
    return state.ports + port
  }
  return { state, firewall: createRemoteFirewall({ table: 'panel_x', connection: { run, relay } }) }
}

test('containers reach the services at relays, over bridges from which the loopback is open', async () => {
  const { state, firewall } = machine()
  await firewall.apply(rules)
  expect(state.inputs.at(-1)).toContain('tcp dport 5432 meta mark set 0 dnat ip to 127.0.0.1:45432\n')
  await firewall.addNetwork({ ...network, bridge: 'pn012345a2' })
  await firewall.setNetworks([network])
  expect(state.opened).toEqual(['pn012345a1', 'pn012345a2', 'pn012345a1'])
})

test('rules no longer apply when they are gone, the relays are others or a bridge is new', async () => {
  const { state, firewall } = machine()
  expect(await firewall.isApplied()).toBe(false)
  await firewall.apply(rules)
  expect(await firewall.isApplied()).toBe(false)
  state.tables = 'table inet panel_x\n'
  expect(await firewall.isApplied()).toBe(true)
  state.closed = 'pn012345a1\n'
  expect(await firewall.isApplied()).toBe(false)
  state.closed = ''
  state.ports = 50_000
  expect(await firewall.isApplied()).toBe(false)
  await firewall.apply(rules)
  expect(await firewall.isApplied()).toBe(true)
})
