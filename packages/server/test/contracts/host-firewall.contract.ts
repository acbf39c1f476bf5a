import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FirewallError, type HostFirewall } from '../../src/infra/host-firewall/host-firewall.ts'

/** The same behaviour of the real one and of the fake. */
export function describeHostFirewall(
  name: string,
  make: () => Promise<{ firewall: HostFirewall; dispose: () => Promise<void> }>
): void {
  describe(`host firewall: ${name}`, () => {
    const rules = {
      bridgePrefix: 'pntest',
      bridges: ['br-0123456789ab'],
      openPorts: [80, 443],
      nameservers: ['10.0.0.2'],
      services: { address: '172.30.0.1', bridge: 'pntestp', ports: [5432, 3306], connectionsPerAccount: 96 }
    }
    let firewall: HostFirewall
    let dispose: () => Promise<void>
    beforeAll(async () => ({ firewall, dispose } = await make()))
    afterAll(() => dispose?.())

    test('rules come, come anew, and go', async () => {
      expect(await firewall.isApplied()).toBe(false)
      await firewall.remove()
      await firewall.apply(rules)
      await firewall.apply({
        ...rules,
        bridges: [],
        openPorts: [],
        nameservers: [],
        services: { ...rules.services, ports: [] }
      })
      expect(await firewall.isApplied()).toBe(true)
      await firewall.remove()
      await firewall.remove()
      expect(await firewall.isApplied()).toBe(false)
    })

    test('whose an address is is said again and again, where there are rules', async () => {
      await firewall.apply(rules)
      await firewall.setAccounts(
        new Map([
          ['172.30.0.10', 20_001],
          ['172.30.0.11', 20_001]
        ])
      )
      await firewall.setAccounts(new Map([['172.30.0.11', 20_002]]))
      await firewall.setAccounts(new Map())
      await expect(firewall.setAccounts(new Map([['172.30.0.0/16', 20_001]]))).rejects.toThrow(TypeError)
      await expect(firewall.setAccounts(new Map([['172.30.0.10', 0]]))).rejects.toThrow(TypeError)
      await firewall.remove()
      await expect(firewall.setAccounts(new Map())).rejects.toThrow(FirewallError)
    })

    test.each([
      ['bridgePrefix', { bridgePrefix: 'a" accept #' }],
      ['bridges', { bridges: ['br-0"; flush ruleset; #'] }],
      ['openPorts', { openPorts: [70_000] }],
      ['nameservers', { nameservers: ['1.1.1.1 } accept #'] }],
      ['address of services', { services: { ...rules.services, address: '0.0.0.0/0 accept #' } }],
      ['bridge of services', { services: { ...rules.services, bridge: 'a" accept #' } }]
    ])('what is no rule is refused and changes nothing: %s', async (_, change) => {
      await firewall.apply(rules)
      await expect(firewall.apply({ ...rules, ...change })).rejects.toThrow(TypeError)
      expect(await firewall.isApplied()).toBe(true)
      await firewall.remove()
    })
  })
}
