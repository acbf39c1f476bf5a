/** What containers may reach of the machine they run on. They are known by the bridge that their packets come in at. */
export interface FirewallRules {
  /** Every bridge whose name begins so is one of ours, also one that is made later. */
  bridgePrefix: string
  /** Bridges with other names: of networks that were made before bridges had names of ours. */
  bridges: readonly string[]
  /** TCP ports of the machine that stay open to them: the reverse proxy's. */
  openPorts: readonly number[]
  /** IPv4 addresses that stay open to them for DNS, also where they are the machine's own or link-local. */
  nameservers: readonly string[]
  /**
   * TCP services at an address of this machine that the containers on one bridge may use, and nobody else from outside: each of them by so
   * many connections at once that an account has for all of its containers, and each container by a share of those.
   */
  services: { address: string; bridge: string; ports: readonly number[]; connectionsPerAccount: number }
}

/**
 * Keeps containers away from the machine's own services and from the metadata service of a cloud. Rules of others stay as they are.
 * Rejects with FirewallError.
 */
export interface HostFirewall {
  /** Puts the rules in the place of our previous ones, as a whole or not at all. */
  apply(rules: FirewallRules): Promise<void>
  isApplied(): Promise<boolean>
  /** Whose containers are at which addresses, in the place of what was said before; there are rules. Of the others each counts by itself. */
  setAccounts(accountsByAddress: ReadonlyMap<string, number>): Promise<void>
  /** Takes our rules away. Resolves also when there are none. */
  remove(): Promise<void>
}

/** The machine has no firewall that we can use, in a sentence for its administrator. */
export class FirewallError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'FirewallError'
  }
}
