import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ProcessError, type Run } from '../process/process.ts'
import { isBridgeFilterOn, switchOnBridgeFilter } from './bridge-filter.ts'
import { describeHostFirewall } from '../../../test/contracts/host-firewall.contract.ts'
import { createMemoryHostFirewall } from '../../../test/fakes/memory-host-firewall.ts'
import { nameserversIn } from './nameservers.ts'
import { createNftables } from './nftables.ts'
import { renderTable } from './nftables.render.ts'

describeHostFirewall('memory', async () => ({ firewall: createMemoryHostFirewall(), dispose: async () => {} }))

const rules = {
  bridgePrefix: 'pn012345',
  buildBridgePrefix: 'pn012345b',
  bridges: ['br-0123456789ab'],
  openPorts: [80, 443],
  nameservers: ['10.0.0.2'],
  services: {
    address: '172.30.0.1',
    bridge: 'pn012345p',
    ports: [5432, 3306],
    connectionsPerAccount: 96,
    isAddressShared: false
  },
  networks: [
    {
      bridge: 'pn012345a1',
      gateways: ['172.30.0.33'],
      account: 20_000,
      reachable: [{ address: '172.30.0.34', port: 6379 }]
    },
    { bridge: 'pn012345a2', gateways: ['172.30.0.65'], account: 20_001, reachable: [] }
  ],
  pools: ['172.30.0.0/16'],
  egress: {
    denyPrivate: true,
    allow: [{ to: '10.1.0.0/16' }, { to: '10.2.0.1', port: 5432 }, { to: 'fd00:1::/64' }],
    allowSmtp: false
  }
}

test('renders the complete table', () => {
  expect(renderTable('panel_0123456789', rules)).toMatchInlineSnapshot(`
    "table inet panel_0123456789
    delete table inet panel_0123456789
    table inet panel_0123456789 {
      map accounts {
        type ifname : mark
      }
      set gateways {
        type mark . ipv4_addr
      }
      set reachable {
        type ifname . ipv4_addr . inet_service
      }
      set pools {
        type ipv4_addr
        flags interval
        elements = { 172.30.0.0/16 }
      }
      set service_containers {
        type ipv4_addr . inet_service
        size 65535
        flags dynamic
      }
      set service_accounts {
        type mark . inet_service
        size 65535
        flags dynamic
      }
      chain to_services {
        meta mark set iifname map @accounts
        meta mark . ip daddr @gateways meta mark set 0 dnat ip to 172.30.0.1
        meta mark set 0
      }
      chain prerouting {
        type nat hook prerouting priority -110
        policy accept
        iifname "pn012345*" tcp dport { 5432, 3306 } jump to_services
      }
      chain new_service_connections {
        add @service_containers { ip saddr . tcp dport ct count over 40 } drop
        meta mark set iifname map @accounts add @service_accounts { meta mark . tcp dport ct count over 96 } drop
        meta mark set 0
      }
      chain from_containers_to_host {
        ct state established,related accept
        ip daddr { 10.0.0.2 } meta l4proto { tcp, udp } th dport 53 accept
        tcp dport { 80, 443 } accept
        drop
      }
      chain from_containers_to_elsewhere {
        ct direction reply accept
        ip daddr { 10.0.0.2 } meta l4proto { tcp, udp } th dport 53 accept
        ip daddr { 169.254.0.0/16, 100.100.100.200 } drop
        ip6 daddr { fe80::/10, fd00:ec2::254, fd20:ce::254 } drop
        iifname . ip daddr . tcp dport @reachable accept
        oifname "pn012345*" drop
        oifname "br-0123456789ab" drop
        tcp dport 25 reject with tcp reset
        ip daddr 10.1.0.0/16 accept
        ip daddr 10.2.0.1 tcp dport 5432 accept
        ip6 daddr fd00:1::/64 accept
        ip daddr { 10.0.0.0/8, 100.64.0.0/10, 172.16.0.0/12, 192.168.0.0/16 } reject with icmpx admin-prohibited
        ip6 daddr { fc00::/7 } reject with icmpx admin-prohibited
      }
      chain input {
        type filter hook input priority -10
        policy accept
        iifname "pn012345p" ip daddr 172.30.0.1 tcp dport { 5432, 3306 } ct state new jump new_service_connections
        iifname "pn012345p" ip daddr 172.30.0.1 tcp dport { 5432, 3306 } accept
        iifname "pn012345*" iifname != "pn012345b*" ct status dnat ip daddr 172.30.0.1 tcp dport { 5432, 3306 } ct state new jump new_service_connections
        iifname "pn012345*" iifname != "pn012345b*" ct status dnat ip daddr 172.30.0.1 tcp dport { 5432, 3306 } accept
        iifname != "lo" ip daddr 172.30.0.1 tcp dport { 5432, 3306 } drop
        iifname "pn012345*" jump from_containers_to_host
        iifname "br-0123456789ab" jump from_containers_to_host
      }
      chain forward {
        type filter hook forward priority -10
        policy accept
        iifname "pn012345*" jump from_containers_to_elsewhere
        iifname "br-0123456789ab" jump from_containers_to_elsewhere
      }
    }
    flush map inet panel_0123456789 accounts
    flush set inet panel_0123456789 gateways
    flush set inet panel_0123456789 reachable
    add element inet panel_0123456789 accounts { "pn012345a1" : 20000, "pn012345a2" : 20001 }
    add element inet panel_0123456789 gateways { 20000 . 172.30.0.33, 20001 . 172.30.0.65 }
    add element inet panel_0123456789 reachable { "pn012345a1" . 172.30.0.34 . 6379 }
    "
  `)
})

describe('nftables', () => {
  const failing = (reason: ProcessError['reason'], stderr: string): Run => {
    return () => Promise.reject(new ProcessError('nft: exited with 1', reason, 1, stderr))
  }

  test('opens published ports to the proxy alone where one comes from elsewhere', () => {
    expect(renderTable('panel_x', { ...rules, visitors: ['10.0.0.1'] })).toContain(
      '    iifname != "pn012345*" oifname "pn012345*" ct direction original ip saddr != { 10.0.0.1 } drop\n'
    )
    expect(() => renderTable('panel_x', { ...rules, visitors: ['10.0.0.1 } accept'] })).toThrow(TypeError)
  })

  test('translates ports of services that are at others', () => {
    const relays = { 5432: 40_001, 3306: 40_002 }
    const text = renderTable('panel_x', { ...rules, services: { ...rules.services, address: '127.0.0.1', relays } })
    const lines = text.split('\n').filter((line) => /40001|3306/.test(line))
    expect(lines.map((line) => line.trim())).toMatchInlineSnapshot(`
      [
        "meta mark . ip daddr @gateways tcp dport 5432 meta mark set 0 dnat ip to 127.0.0.1:40001",
        "meta mark . ip daddr @gateways tcp dport 3306 meta mark set 0 dnat ip to 127.0.0.1:40002",
        "iifname "pn012345*" tcp dport { 5432, 3306 } jump to_services",
        "iifname "pn012345*" iifname != "pn012345b*" ct status dnat ip daddr 127.0.0.1 tcp dport { 40001, 40002 } ct state new jump new_service_connections",
        "iifname "pn012345*" iifname != "pn012345b*" ct status dnat ip daddr 127.0.0.1 tcp dport { 40001, 40002 } accept",
        "iifname != "lo" tcp dport { 40001, 40002 } ct state new drop",
      ]
    `)
    expect(text).not.toContain(rules.services.bridge)
  })

  test('checks rules, then applies them from stdin', async () => {
    const calls: { argv: readonly string[]; input: unknown }[] = []
    const run: Run = async (argv, { input }) => {
      calls.push({ argv, input })
      return { stdout: '', stderr: '' }
    }
    await createNftables({ table: 'panel_x', run }).apply(rules)
    expect(calls).toEqual([
      { argv: ['nft', '-c', '-f', '-'], input: renderTable('panel_x', rules) },
      { argv: ['nft', '-f', '-'], input: renderTable('panel_x', rules) }
    ])
  })

  test('fences the default bridge too where build steps are on it, without stopping at a kernel that lacks bridge rules', async () => {
    const inputs: string[] = []
    const run: Run = async (_argv, { input }) => {
      inputs.push(String(input))
      if (!String(input).includes('ibrname')) return { stdout: '', stderr: '' }
      throw new ProcessError('nft: exited with 1', 'failed', 1, 'Error: Operation not supported')
    }
    const withBuilds = { ...rules, defaultBridge: 'docker0', egress: { ...rules.egress, allowSmtp: true } }
    await createNftables({ table: 'panel_x', run }).apply(withBuilds)
    for (const rule of [
      'iifname "docker0" jump from_containers_to_host',
      'iifname "docker0" jump from_containers_to_elsewhere',
      'oifname "docker0" drop',
      'iifname "docker0" tcp dport 25 reject with tcp reset'
    ])
      expect(inputs[0]).toContain(rule)
    expect(inputs.at(-1)).toContain('meta ibrname "docker0" drop')
  })

  test('matches the whole table name', async () => {
    const run: Run = async () => ({ stdout: 'table inet filter\ntable inet panel_xy\n', stderr: '' })
    expect(await createNftables({ table: 'panel_x', run }).isApplied()).toBe(false)
    expect(await createNftables({ table: 'panel_xy', run }).isApplied()).toBe(true)
  })

  test.each([
    ['missing', '', 'nft is not installed. Install it with: apt-get install nftables'],
    ['failed', 'Error: Operation not permitted\nmore', 'nft: Error: Operation not permitted'],
    ['failed', '', 'nft: exited with 1']
  ] as const)('reports %s %j', async (reason, stderr, message) => {
    const firewall = createNftables({ table: 'panel_x', run: failing(reason, stderr) })
    for (const work of [firewall.apply(rules), firewall.remove(), firewall.isApplied()])
      await expect(work).rejects.toMatchObject({ name: 'FirewallError', message })
  })
})

describe('bridge filter', () => {
  let directory: string
  beforeEach(async () => void (directory = await mkdtemp(join(tmpdir(), 'bridge-'))))
  afterEach(() => rm(directory, { recursive: true, force: true }))
  const noRun: Run = async ([file]) => {
    throw new Error(`${file} was not expected`)
  }
  const read = (name: string) => readFile(join(directory, name), 'utf8')

  test('enables both families', async () => {
    await writeFile(join(directory, 'bridge-nf-call-iptables'), '0\n')
    await writeFile(join(directory, 'bridge-nf-call-ip6tables'), '0\n')
    expect(await isBridgeFilterOn(directory)).toBe(false)
    await switchOnBridgeFilter(noRun, directory)
    expect(await isBridgeFilterOn(directory)).toBe(true)
    expect(await read('bridge-nf-call-ip6tables')).toBe('1')
  })

  test('loads a missing module', async () => {
    const run: Run = async (argv) => {
      expect(argv).toEqual(['modprobe', 'br_netfilter'])
      await writeFile(join(directory, 'bridge-nf-call-iptables'), '1\n')
      return { stdout: '', stderr: '' }
    }
    await switchOnBridgeFilter(run, directory)
    expect(await isBridgeFilterOn(directory)).toBe(true)
  })

  test('reports an unavailable module and a read-only setting', async () => {
    const run: Run = () => Promise.reject(new ProcessError('modprobe: is not installed', 'missing', undefined, ''))
    await expect(switchOnBridgeFilter(run, directory)).rejects.toThrow('br_netfilter is missing')
    expect(await isBridgeFilterOn(directory)).toBeUndefined()
    await writeFile(join(directory, 'bridge-nf-call-iptables'), '1\n')
    await mkdir(join(directory, 'bridge-nf-call-ip6tables'))
    await expect(switchOnBridgeFilter(noRun, directory)).rejects.toThrow()
  })
})

test('returns unique non-loopback IPv4 nameservers', () => {
  const text =
    'search x\nnameserver 10.0.0.2\n#nameserver 9.9.9.9\n nameserver\t169.254.169.254\nnameserver 127.0.0.53\n'
  expect(nameserversIn(`${text}nameserver 2001:db8::1\nnameserver 10.0.0.2\nnameserver 1.1.1.1;x\n`)).toEqual([
    '10.0.0.2',
    '169.254.169.254'
  ])
})
