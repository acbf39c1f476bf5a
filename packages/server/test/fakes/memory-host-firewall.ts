import {
  type AccountNetwork,
  FirewallError,
  type FirewallRules,
  type HostFirewall
} from '../../src/infra/host-firewall/host-firewall.ts'
import { renderNetwork, renderNetworks, renderTable } from '../../src/infra/host-firewall/nftables.render.ts'

export interface MemoryHostFirewall extends HostFirewall {
  /** Active rules. */
  rules: FirewallRules | undefined
  readonly networks: Map<string, AccountNetwork>
  /** Makes every call fail with this message. */
  problem: string | undefined
}

export function createMemoryHostFirewall(): MemoryHostFirewall {
  const networks: MemoryHostFirewall['networks'] = new Map()
  const check = () => {
    if (firewall.problem !== undefined) throw new FirewallError(firewall.problem)
  }
  const set = (all: readonly AccountNetwork[]) => {
    networks.clear()
    for (const network of all) networks.set(network.bridge, network)
  }
  const checkRules = () => {
    check()
    if (firewall.rules === undefined) throw new FirewallError('there are no rules')
  }
  const firewall: MemoryHostFirewall = {
    rules: undefined,
    networks,
    problem: undefined,
    apply: async (rules) => {
      check()
      renderTable('memory', rules)
      firewall.rules = rules
      set(rules.networks)
    },
    setNetworks: async (all) => {
      renderNetworks('memory', all)
      checkRules()
      set(all)
    },
    addNetwork: async (network) => {
      renderNetwork('memory', network)
      checkRules()
      const known = networks.get(network.bridge)
      if (known && known.account !== network.account) throw new FirewallError('the bridge is known as that of another')
      networks.set(network.bridge, network)
    },
    isApplied: async () => {
      check()
      return firewall.rules !== undefined
    },
    remove: async () => {
      check()
      firewall.rules = undefined
    }
  }
  return firewall
}
