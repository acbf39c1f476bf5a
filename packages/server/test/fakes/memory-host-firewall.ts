import { FirewallError, type FirewallRules, type HostFirewall } from '../../src/infra/host-firewall/host-firewall.ts'
import { renderTable } from '../../src/infra/host-firewall/nftables.render.ts'

/** A firewall for tests where there is none. */
interface MemoryHostFirewall extends HostFirewall {
  /** What is in force. */
  rules: FirewallRules | undefined
  /** Why every call fails from now on. */
  problem: string | undefined
}

export function createMemoryHostFirewall(): MemoryHostFirewall {
  const check = () => {
    if (firewall.problem !== undefined) throw new FirewallError(firewall.problem)
  }
  const firewall: MemoryHostFirewall = {
    rules: undefined,
    problem: undefined,
    apply: async (rules) => {
      check()
      renderTable('memory', rules)
      firewall.rules = rules
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
