export interface AccountNetwork {
  bridge: string
  /** Addresses of the panel's machine on the account's networks there, at which its containers reach services. */
  gateways: readonly string[]
  account: number
  /** TCP services of its containers that the others in it reach. Nothing else passes between them. */
  reachable: readonly { address: string; port: number }[]
}

/** Outgoing traffic of containers. Cloud metadata services are always blocked. */
export interface Egress {
  denyPrivate: boolean
  /** Exceptions to denyPrivate, optionally for one port. */
  allow: readonly { to: string; port?: number }[]
  allowSmtp: boolean
}

/** What containers may reach. They are identified by the bridge their packets arrive on. */
export interface FirewallRules {
  /** All bridges with this prefix are covered, also those created later. */
  bridgePrefix: string
  buildBridgePrefix: string
  /** Bridges with other names, from earlier versions. */
  bridges: readonly string[]
  /** The engine's default bridge, if BuildKit's steps are on it. */
  defaultBridge?: string | undefined
  /** TCP ports of the machine that stay open to containers: the reverse proxy's. */
  openPorts: readonly number[]
  /** IPv4 addresses that stay open for DNS, even local or link-local ones. */
  nameservers: readonly string[]
  /**
   * TCP services at an address of this machine. Only panel containers on `bridge` (there) and account containers (at the
   * gateway of their networks) have access. Connections are limited per account and, to a share of that, per container.
   */
  services: {
    address: string
    bridge: string
    ports: readonly number[]
    connectionsPerAccount: number
    /** Whether accounts may also use `address`, which older connection strings contain. */
    isAddressShared: boolean
    /** Where `address` has them, by their port, if accounts know them by other ports. */
    relays?: Readonly<Record<number, number>>
  }
  networks: readonly AccountNetwork[]
  /** CIDRs of account networks, so that other panels on the machine avoid them. */
  pools: readonly string[]
  /** IPv4 addresses that alone may open connections to containers from elsewhere. Default: what the engine publishes. */
  visitors?: readonly string[]
  /** Interface of the encrypted network between machines, which containers must not use, except for `open`. */
  tunnel?: { interface: string; open?: { address: string; ports: readonly number[] } }
  egress: Egress
}

/** Protects the machine's services and cloud metadata from containers. Rejects with FirewallError. */
export interface HostFirewall {
  apply(rules: FirewallRules): Promise<void>
  isApplied(): Promise<boolean>
  /** Replaces the list of account networks; rules must be applied. */
  setNetworks(networks: readonly AccountNetwork[]): Promise<void>
  /** Also for a known one, whose list of services has grown. */
  addNetwork(network: AccountNetwork): Promise<void>
  remove(): Promise<void>
}

export class FirewallError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'FirewallError'
  }
}
