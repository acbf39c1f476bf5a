/** A network of an account. */
export interface AccountNetwork {
  bridge: string
  /** The machine's address on it: there the account's containers reach the services. */
  gateway: string
  /** Whose it is, by number. */
  account: number
}

/** Where containers may connect to beyond the machine. Cloud metadata they never reach, whatever is said here. */
export interface Egress {
  /** Whether private, shared and link-local addresses are refused. */
  denyPrivate: boolean
  /** Addresses and networks that are not refused then, with a port where only that is meant. */
  allow: readonly { to: string; port?: number }[]
  /** Whether containers may send mail by themselves, through port 25. Builds never may. */
  allowSmtp: boolean
}

/** What containers may reach of the machine they run on and beyond. They are known by the bridge that their packets come in at. */
export interface FirewallRules {
  /** Every bridge whose name begins so is one of ours, also one that is made later. */
  bridgePrefix: string
  /** Among those with the prefix, the bridges of builds begin so. */
  buildBridgePrefix: string
  /** Bridges with other names: of networks that were made before bridges had names of ours. */
  bridges: readonly string[]
  /** TCP ports of the machine that stay open to them: the reverse proxy's. */
  openPorts: readonly number[]
  /** IPv4 addresses that stay open to them for DNS, also where they are the machine's own or link-local. */
  nameservers: readonly string[]
  /**
   * TCP services at an address of this machine. The panel's own containers, on `bridge`, use them there, those of an account at the gateway
   * of any of its networks, and nobody else from outside: each of them by so many connections at once that an account has for all of its
   * containers, and each container by a share of those.
   */
  services: {
    address: string
    bridge: string
    ports: readonly number[]
    connectionsPerAccount: number
    /** Whether accounts reach them at `address` too: connection strings of before they had networks of their own name it. */
    isAddressShared: boolean
  }
  networks: readonly AccountNetwork[]
  /** CIDR: where networks of accounts come from, for other panels on the machine to keep clear of. */
  pools: readonly string[]
  egress: Egress
}

/**
 * Keeps containers away from the machine's own services and from the metadata service of a cloud. Rules of others stay as they are.
 * Rejects with FirewallError.
 */
export interface HostFirewall {
  /** Puts the rules in the place of our previous ones, as a whole or not at all. */
  apply(rules: FirewallRules): Promise<void>
  isApplied(): Promise<boolean>
  /** The networks of accounts, in the place of what was said before; there are rules. */
  setNetworks(networks: readonly AccountNetwork[]): Promise<void>
  /** One more of them, or one that is known already. Does not grow with those that there are. */
  addNetwork(network: AccountNetwork): Promise<void>
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
