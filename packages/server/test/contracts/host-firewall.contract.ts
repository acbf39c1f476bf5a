import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FirewallError, type HostFirewall } from '../../src/infra/host-firewall/host-firewall.ts'

/** Contract of the fake and the real firewall. */
export function describeHostFirewall(
  name: string,
  make: () => Promise<{ firewall: HostFirewall; dispose: () => Promise<void> }>
): void {
  describe(`host firewall: ${name}`, () => {
    const rules = {
      bridgePrefix: 'pntest',
      buildBridgePrefix: 'pntestb',
      bridges: ['br-0123456789ab'],
      openPorts: [80, 443],
      nameservers: ['10.0.0.2'],
      services: {
        address: '172.30.0.1',
        bridge: 'pntestp',
        ports: [5432, 3306],
        connectionsPerAccount: 96,
        isAddressShared: false
      },
      networks: [{ bridge: 'pntesta1', gateways: ['172.30.0.33'], account: 20_001, reachable: [] }],
      pools: ['172.30.0.0/16'],
      egress: {
        denyPrivate: true,
        allow: [{ to: '10.1.0.0/16' }, { to: '10.2.0.1', port: 5432 }, { to: 'fd00:1::/64' }],
        allowSmtp: false
      }
    }
    let firewall: HostFirewall
    let dispose: () => Promise<void>
    beforeAll(async () => ({ firewall, dispose } = await make()))
    afterAll(() => dispose?.())

    test('rules are applied, replaced and removed', async () => {
      expect(await firewall.isApplied()).toBe(false)
      await firewall.remove()
      await firewall.apply(rules)
      await firewall.apply({
        ...rules,
        bridges: [],
        openPorts: [],
        nameservers: [],
        services: { ...rules.services, ports: [] },
        networks: [],
        pools: [],
        egress: { denyPrivate: false, allow: [], allowSmtp: true }
      })
      await firewall.apply({
        ...rules,
        services: { ...rules.services, isAddressShared: true },
        egress: { ...rules.egress, allowSmtp: true }
      })
      expect(await firewall.isApplied()).toBe(true)
      await firewall.remove()
      await firewall.remove()
      expect(await firewall.isApplied()).toBe(false)
    })

    test('services that are reached at other ports', async () => {
      await firewall.apply({ ...rules, services: { ...rules.services, relays: { 5432: 40_001, 3306: 40_002 } } })
      expect(await firewall.isApplied()).toBe(true)
      await firewall.addNetwork({ ...rules.networks[0]!, gateways: [] })
      await firewall.remove()
    })

    test('networks can be set repeatedly and individually while rules are active', async () => {
      await firewall.apply(rules)
      const [network] = rules.networks
      const other = { bridge: 'pntesta2', gateways: ['172.30.0.65'], account: 20_001, reachable: [] }
      await firewall.setNetworks([network!, other])
      await firewall.addNetwork(other)
      const services = ['172.30.0.66', '172.30.0.67'].map((address) => ({ address, port: 6379 }))
      await firewall.addNetwork({ ...other, reachable: services.slice(1) })
      await firewall.addNetwork({ ...other, reachable: services })
      await firewall.setNetworks([{ ...other, reachable: services }])
      await firewall.setNetworks([])
      await firewall.addNetwork({ ...other, account: 20_002 })
      await expect(firewall.addNetwork({ ...other, account: 20_003 })).rejects.toThrow(FirewallError)
      for (const wrong of [
        { gateways: ['172.30.0.0/16'] },
        { account: 0 },
        { bridge: 'a" : 1 } ; flush ruleset #' },
        { reachable: [{ address: '172.30.0.0/16', port: 6379 }] }
      ]) {
        await expect(firewall.setNetworks([{ ...other, ...wrong }])).rejects.toThrow(TypeError)
        await expect(firewall.addNetwork({ ...other, ...wrong })).rejects.toThrow(TypeError)
      }
      await firewall.remove()
      await expect(firewall.setNetworks([])).rejects.toThrow(FirewallError)
      await expect(firewall.addNetwork(other)).rejects.toThrow(FirewallError)
    })

    test.each([
      ['bridgePrefix', { bridgePrefix: 'a" accept #' }],
      ['bridges', { bridges: ['br-0"; flush ruleset; #'] }],
      ['openPorts', { openPorts: [70_000] }],
      ['nameservers', { nameservers: ['1.1.1.1 } accept #'] }],
      ['address of services', { services: { ...rules.services, address: '0.0.0.0/0 accept #' } }],
      ['bridges of builds', { buildBridgePrefix: 'a" accept #' }],
      ['networks', { networks: [{ ...rules.networks[0]!, bridge: 'a" : 1 }; flush ruleset' }] }],
      ['pools', { pools: ['0.0.0.0/0 } }; flush ruleset'] }],
      ['exceptions', { egress: { ...rules.egress, allow: [{ to: '10.0.0.1 accept; flush ruleset' }] } }],
      ['exceptions for IPv6', { egress: { ...rules.egress, allow: [{ to: 'fd00::1%a accept #' }] } }],
      ['ports of relays', { services: { ...rules.services, relays: { 5432: 40_001 } } }],
      ['bridge of services', { services: { ...rules.services, bridge: 'a" accept #' } }]
    ])('invalid rules change nothing: %s', async (_, change) => {
      await firewall.apply(rules)
      await expect(firewall.apply({ ...rules, ...change })).rejects.toThrow(TypeError)
      expect(await firewall.isApplied()).toBe(true)
      await firewall.remove()
    })
  })
}
