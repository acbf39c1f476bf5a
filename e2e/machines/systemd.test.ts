import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMachinePackages } from '../../packages/server/src/infra/machine-packages/machine-packages.ts'
import { createBootRules } from '../../packages/server/src/infra/host-firewall/boot-rules.ts'
import { createNftables } from '../../packages/server/src/infra/host-firewall/nftables.ts'
import { createWireguard } from '../../packages/server/src/infra/machine-tunnel/wireguard.ts'
import type { RunThere } from '../../packages/server/src/infra/node-connection/node-connection.ts'
import { createEdgeProcess } from '../../packages/server/src/infra/reverse-proxy/edge-process.ts'
import { haproxyPaths } from '../../packages/server/src/infra/reverse-proxy/haproxy-paths.ts'
import { readInfo } from '../../packages/server/src/infra/reverse-proxy/haproxy-socket.ts'
import { until } from '../support/poll.ts'
import { bootSystemdMachine, type SystemdMachine } from '../support/systemd-machine.ts'

// What the panel does on an added machine where systemd runs, with packages of its own.

let machine: SystemdMachine
beforeAll(async () => {
  machine = await bootSystemdMachine('bookworm')
  await machine.run('apt-get', 'update')
})
afterAll(() => machine?.remove())

const install = [
  'env',
  'DEBIAN_FRONTEND=noninteractive',
  'apt-get',
  'install',
  '-y',
  '--no-install-recommends'
] as const

const warnings: unknown[] = []
const logger = { warn: (...logged: unknown[]) => warnings.push(logged) }
const run: RunThere = async (argv, { input }) => {
  await machine.write('/srv/input', String(input ?? ''))
  return { stdout: await machine.run('sh', '-c', 'exec "$@" </srv/input', 'sh', ...argv), stderr: '' }
}
const loadState = (unit: string) => machine.run('systemctl', 'show', '--property=LoadState', '--value', unit)

test('packages that are installed are upgraded, others are not installed', async () => {
  await machine.run(...install, 'runc')
  const control = 'Package: runc\nVersion: 99\nArchitecture: all\nMaintainer: x <x@example.com>\nDescription: x\n'
  const makeRepository = `
    mkdir -p /srv/new/DEBIAN /srv/repository; cd /srv/repository
    printf %s "$1" >/srv/new/DEBIAN/control; dpkg-deb --build /srv/new /srv/repository/new.deb
    printf '%sFilename: ./new.deb\\nSize: %s\\nSHA256: %s\\n' "$1" "$(stat -c %s new.deb)" "$(sha256sum new.deb | cut -d' ' -f1)" >Packages
    echo 'deb [trusted=yes] file:/srv/repository ./' >/etc/apt/sources.list.d/new.list`
  await machine.run('sh', '-ec', makeRepository, 'sh', control)
  const connection = { run: async (argv: readonly string[]) => ({ stdout: await machine.run(...argv), stderr: '' }) }
  await createMachinePackages({ connection, root: '/opt/panel' }).upgrade(new AbortController().signal)
  expect(await machine.run('dpkg-query', '-W', '-f', '${Version}', 'runc')).toBe('99')
  expect(await machine.succeeds('dpkg-query', '-W', 'docker.io')).toBe(false)
})

test('the proxy for visitors is a unit: it starts with the machine and after a crash, without the panel', async () => {
  const [directory, runtimeDirectory] = ['/srv/edge', '/srv/edge-run']
  const paths = haproxyPaths(directory, runtimeDirectory)
  const info = () => readInfo(machine.pathOf(paths.adminSocket))
  const shell = (script: string, args: readonly string[]) => machine.run('sh', '-ec', script, 'sh', ...args)
  const program = createEdgeProcess(shell, paths, { directory, runtimeDirectory, info })
  const { user } = await program.prepare()
  const configure = async (description: string) => {
    const config = `global
  description ${description}
  uid ${user.uid}
  gid ${user.gid}
  chroot ${paths.emptyDirectory}
  stats socket ${paths.adminSocket} mode 600 level admin expose-fd listeners
defaults
  mode http
  timeout connect 1s
  timeout client 1s
  timeout server 1s
frontend web
  bind :80
  http-request return status 200
`
    await machine.write(`${paths.config}.new`, config)
    await program.checkConfig()
  }
  const serves = async () =>
    (await fetch(`http://${machine.address}/`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined))?.ok === true // oxfmt-ignore
  const show = (property: string) => machine.run('systemctl', 'show', `--property=${property}`, '--value', 'edge-run')

  await configure('first')
  await program.start('first')
  expect([await serves(), await show('UnitFileState'), await show('Type')]).toEqual([true, 'enabled', 'notify'])

  await configure('second')
  await program.reload('second')
  expect([await serves(), await show('NRestarts')]).toEqual([true, '0'])

  await machine.run('systemctl', 'kill', '--signal=KILL', 'edge-run')
  await until(async () => (await serves()) && (await show('NRestarts')) === '1', Boolean)

  // As at the start of the machine: /run is empty, and the target starts what it wants.
  await machine.run('systemctl', 'stop', 'edge-run')
  await machine.run('rm', '-r', runtimeDirectory)
  expect(await serves()).toBe(false)
  await machine.run('systemctl', 'start', 'multi-user.target')
  await until(serves, Boolean)
  expect(await program.find()).toMatchObject({ description: 'second' })

  await program.remove()
  await until(serves, (isServing) => !isServing)
  expect([machine.exists(directory), await show('LoadState')]).toEqual([false, 'not-found'])
})

test('the firewall rules of containers are loaded when the machine starts, before the engine and without the panel', async () => {
  await machine.run(...install, 'nftables')
  const [table, path] = ['panel_x', '/var/lib/panel-x/panel_x.nft']
  const boot = createBootRules({ run, table, path, logger })
  const firewall = createNftables({ table, run, boot })
  const network = { bridge: 'pn012345a1', gateways: ['172.30.0.33'], account: 20_001, reachable: [] }
  await firewall.apply({
    bridgePrefix: 'pn012345',
    buildBridgePrefix: 'pn012345b',
    bridges: [],
    openPorts: [],
    nameservers: [],
    services: { address: '127.0.0.1', bridge: 'pn012345p', ports: [5432], relays: { 5432: 40_000 }, connectionsPerAccount: 96, isAddressShared: false }, // oxfmt-ignore
    networks: [network],
    pools: [],
    egress: { denyPrivate: true, allow: [], allowSmtp: false }
  })
  await firewall.setNetworks([network, { ...network, bridge: 'pn012345a2' }])

  // As at the start of the machine, where Debian's unit begins with "flush ruleset".
  await machine.run('systemctl', 'stop', 'panel_x-firewall')
  await machine.run('nft', 'flush', 'ruleset')
  expect(await firewall.isApplied()).toBe(false)
  await machine.run('systemctl', 'start', 'sysinit.target')
  await until(firewall.isApplied, Boolean)
  const rules = await machine.run('nft', 'list', 'table', 'inet', 'panel_x')
  expect(rules).toContain('iifname "pn012345*" jump from_containers_to_host')
  expect(rules).toContain('"pn012345a2"')
  expect(rules).not.toContain('40000') // Nothing forwards it yet.
  const order = await machine.run('systemctl', 'show', '--property=Before,After', 'panel_x-firewall')
  expect(order).toMatch(/Before=.*docker\.service/)
  expect(order).toMatch(/After=.*nftables\.service/)

  await firewall.remove()
  expect(await firewall.isApplied()).toBe(false)
  expect(machine.exists(path)).toBe(false)
  expect(await loadState('panel_x-firewall')).toBe('not-found')
  expect(warnings).toEqual([])
})

test('the encrypted network is made again when the machine starts, before the engine and without the panel', async () => {
  await machine.run(...install, 'wireguard-tools', 'wireguard-go')
  const [interfaceName, keyPath, startPath] = ['pw012345', '/srv/keys/pw012345.key', '/var/lib/panel-x/pw012345.sh']
  const tunnel = createWireguard({ run, interfaceName, keyPath, startPath, logger })
  const peer = {
    publicKey: 'Nm/83UwxQi2wkWjDZ6YhCBK1XJrOGZniT28+hNmAo0A=',
    address: '10.83.0.1',
    ownAddress: '10.83.0.2'
  }
  const ensure = () => tunnel.ensure({ port: 51820, peers: [peer] })
  const isThere = () => machine.succeeds('ip', 'link', 'show', 'dev', interfaceName)
  const state = () =>
    machine.run(
      'sh',
      '-ec',
      'wg showconf "$1"; ip -o -4 address show "$1"; ip route show dev "$1"',
      'sh',
      interfaceName
    )
  const made = await ensure()
  const before = (await state()).replace(/^\d+: /m, '')
  expect(before).toContain(peer.publicKey)

  // As at the start of the machine.
  await machine.run('ip', 'link', 'del', 'dev', interfaceName)
  await machine.run('systemctl', 'start', 'multi-user.target')
  await until(isThere, Boolean)
  expect((await state()).replace(/^\d+: /m, '')).toBe(before)
  expect(await ensure()).toEqual({ ...made, isNew: false })
  expect(await machine.run('systemctl', 'show', '--property=Before', `panel-${interfaceName}`)).toContain(
    'docker.service'
  )

  await tunnel.remove()
  expect([await isThere(), machine.exists(keyPath), machine.exists(startPath)]).toEqual([false, false, false])
  expect(await loadState(`panel-${interfaceName}`)).toBe('not-found')
  expect(warnings).toEqual([])
})
