import type { DomainRule } from '@panel/contract/domain-rules'

/** Projects that can have several instances. HAProxy 2.6 cannot add a backend while it runs, so there is a fixed number. */
export const poolCount = 24

export type RouteTarget =
  | { kind: 'container'; address: string; port: number }
  /** A project with several instances, whose addresses are set with `setPool`. */
  | { kind: 'pool'; number: number; isSticky: boolean }
  /** A site whose container is stopped: requests wait at the wake gate (infra/wake-gate), then go to the container. */
  | { kind: 'sleeping'; address: string; port: number }
  | { kind: 'stopped' }
  | { kind: 'starting' }
  | { kind: 'panel' }
  /** Only the panel's paths for mail clients and mail servers (autoconfig, MTA-STS). */
  | { kind: 'mail' }
  /** A 404 page; keeps a hostname from falling through to a wildcard route. */
  | { kind: 'nothing' }

export interface Route {
  /** Lower-case hostname of at least two labels, or `*.<parent>` for one label below the parent. */
  hostname: string
  pathPrefix?: string
  target: RouteTarget
  /** Redirects HTTP to HTTPS with 301, except the ACME challenge path. */
  forceHttps: boolean
  /** Site id for traffic statistics (letters, digits, `_`, `-`); without it requests are not counted. */
  site?: string
  /** Id of the set of rules that the proxy applies first. Until the set is loaded, the route answers 503. */
  rules?: string
}

type WithLogins<Rule> = Rule extends { kind: 'LOGIN' }
  ? Omit<Rule, 'users'> & { users: { username: string; digest: string }[] }
  : Rule

/** A rule with its id, and digests (`login-digest.ts`) in place of passwords. */
export type StoredRule = WithLogins<DomainRule> & { id: string }

/** The instances of a project. A sticky pool keeps a client at the same one with a cookie. */
export interface InstancePool {
  number: number
  isSticky: boolean
  members: readonly { address: string; port: number }[]
}

/** An instance that fails its health check, and since when. */
export interface DownMember {
  address: string
  port: number
  seconds: number
}

export interface RuleSet {
  id: string
  rules: readonly StoredRule[]
  /** CIDR notation. Requests from there pass the logins of the set without a password. */
  passLogins?: readonly string[]
}

export interface ServedCertificate {
  id: string
  /** SHA-256 of the certificate in lower-case hex; changes with the content. */
  fingerprint: string
  hostnames: readonly string[]
  chain: string
  keyPem: string
}

export type CertificateVersion = Pick<ServedCertificate, 'id' | 'fingerprint'>

/** Undefined if the certificate no longer exists. */
export type LoadCertificate = (id: string) => Promise<ServedCertificate | undefined>

/** Where TCP connections go that are not HTTP. */
export interface TcpRoute {
  /** A published port, or the name that a TLS client asks for: a hostname, or `*.<parent>`. */
  at: number | string
  /** Without one, connections are closed: it keeps a name from falling through to a wildcard. */
  target?: { address: string; port: number }
}

/**
 * CIDR notation. Routes may target addresses of containers and of other machines only, never a gateway, which is the host
 * itself.
 */
export interface ContainerNetwork {
  /** The network once shared by all accounts, or the panel's own containers' network. */
  subnet: string
  gateway: string
  /** Pools of networks of size `networkPrefix`, each with its second address as gateway. */
  pools: readonly string[]
  networkPrefix: number
  /** IPv4 addresses of other machines, which publish the ports of their containers; see `syncMachines`. */
  machines?: ReadonlySet<string>
}

/**
 * Changes are live when the promise resolves, and on disk a moment later; sync after each start. After AdapterError
 * reverse-proxy-unavailable the change may be live or on disk: set the route again or sync. RouteRefusedError means
 * that nothing changed.
 */
export interface ReverseProxy {
  ping(): Promise<string>
  /** Adds or changes one route; the cost does not depend on the number of routes. */
  set(route: Route): Promise<void>
  remove(hostname: string, pathPrefix?: string): Promise<void>
  /** Atomically sets the exact list of routes; resolves with whether anything changed. */
  sync(routes: readonly Route[]): Promise<boolean>
  /**
   * Replaces sets of rules, the listed ones only; a set that is in `before` only is removed. Load a set before the route
   * that names it, and remove it after. The cost follows what differs.
   */
  changeRules(before: readonly RuleSet[], after: readonly RuleSet[]): Promise<void>
  /** Sets the exact list of sets; resolves with whether anything changed. */
  syncRules(sets: readonly RuleSet[]): Promise<boolean>
  /** Does not drop connections. Rejects with CertificateRefusedError and keeps the previous one if it is unusable. */
  setCertificate(certificate: ServedCertificate): Promise<void>
  removeCertificate(id: string): Promise<void>
  /**
   * Calls `load` only for missing certificates. One that fails keeps its previous version; at the end rejects with
   * CertificateRefusedError naming the failed ones. `isAudit: false` skips the comparison if this process knows the
   * state.
   */
  syncCertificates(
    wanted: readonly CertificateVersion[],
    load: LoadCertificate,
    options?: { isAudit?: boolean }
  ): Promise<boolean>
  /**
   * New requests go to exactly these members; requests in progress at others end there. Call before a route names the
   * pool.
   */
  setPool(pool: InstancePool): Promise<void>
  /** Empties all other pools; resolves with whether anything changed. */
  syncPools(pools: readonly InstancePool[]): Promise<boolean>
  /** Members that get no requests because they do not answer. */
  listDown(pool: Pick<InstancePool, 'number' | 'isSticky'>): Promise<DownMember[]>
  /**
   * Ends the requests that wait for instances at the address of a machine that is gone, if they do not answer their health
   * checks: GET is repeated on another instance.
   */
  endRequests(address: string): Promise<void>
  /** Sets the exact ports and names; established connections stay. Resolves with whether anything changed. */
  syncTcp(routes: readonly TcpRoute[]): Promise<boolean>
  /** Sets the exact addresses of other machines. Call before a route names one that is new. */
  syncMachines(addresses: readonly string[]): Promise<boolean>
  /** Without `port`, to all ports of the address. */
  connectionCount(address: string, port?: number): Promise<number>
}

export class RouteRefusedError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'RouteRefusedError'
  }
}

/** A certificate that the proxy cannot serve: a bug in the caller, which validates it first. */
export class CertificateRefusedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CertificateRefusedError'
  }
}
