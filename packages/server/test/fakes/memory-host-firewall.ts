import { FirewallError, type FirewallRules, type HostFirewall } from '../../src/infra/host-firewall/host-firewall.ts'
import { renderAccounts, renderTable } from '../../src/infra/host-firewall/nftables.render.ts'

/** A firewall for tests where there is none. */
interface MemoryHostFirewall extends HostFirewall {
  /** What is in force. */
  rules: FirewallRules | undefined
  /** Whose each address is. */
  accounts: ReadonlyMap<string, number>
  /** Why every call fails from now on. */
  problem: string | undefined
}

export function createMemoryHostFirewall(): MemoryHostFirewall {
  const check = () => {
    if (firewall.problem !== undefined) throw new FirewallError(firewall.problem)
  }
  const firewall: MemoryHostFirewall = {
    rules: undefined,
    accounts: new Map(),
    problem: undefined,
    apply: async (rules) => {
      check()
      renderTable('memory', rules)
      firewall.rules = rules
      firewall.accounts = new Map()
    },
    setAccounts: async (accountsByAddress) => {
      check()
      renderAccounts('memory', accountsByAddress)
      if (firewall.rules === undefined) throw new FirewallError('there are no rules')
      firewall.accounts = accountsByAddress
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
