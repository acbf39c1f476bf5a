export type RouteTarget =
  | { kind: 'container'; address: string; port: number }
  /** A status page with 503 and Retry-After. */
  | { kind: 'stopped' }
  | { kind: 'starting' }
  /** The panel itself (PANEL_DOMAIN). */
  | { kind: 'panel' }
  /** Only the panel's paths for mail clients and mail servers (autoconfig, MTA-STS). */
  | { kind: 'mail' }
  /** A 404 page; keeps a host name from falling through to a wildcard route. */
  | { kind: 'nothing' }

export interface Route {
  /** Lower-case host name of at least two labels, or `*.<parent>` for one label below the parent. */
  hostname: string
  /** For example `/app`; absent for the whole host. The longest prefix wins. */
  pathPrefix?: string
  target: RouteTarget
  /** Redirects HTTP to HTTPS with 301, except the ACME challenge path. */
  forceHttps: boolean
  /** Site id for traffic statistics (letters, digits, `_`, `-`); without it requests are not counted. */
  site?: string
}

/** A certificate selected by SNI. */
export interface ServedCertificate {
  /** Letters, digits, `_` and `-`. */
  id: string
  /** SHA-256 of the certificate in lower-case hex; changes with the content. */
  fingerprint: string
  /** Host names or `*.<parent>`. An exact match wins over a wildcard. */
  hostnames: readonly string[]
  /** PEM, leaf first. */
  chain: string
  /** PKCS #8 PEM. */
  keyPem: string
}

export type CertificateVersion = Pick<ServedCertificate, 'id' | 'fingerprint'>

/** Undefined if the certificate no longer exists. */
export type LoadCertificate = (id: string) => Promise<ServedCertificate | undefined>

/**
 * Networks of the containers, in CIDR notation. Routes may target container addresses only, never a gateway, which is
 * the host itself.
 */
export interface ContainerNetwork {
  /** The network once shared by all accounts, or the panel's own containers' network. */
  subnet: string
  gateway: string
  /** Pools of networks of size `networkPrefix`, each with its second address as gateway. */
  pools: readonly string[]
  networkPrefix: number
}

/**
 * The reverse proxy. Changes are live when the promise resolves, without a restart and without affecting other
 * connections. They reach the disk a moment later for a proxy that restarts on its own; sync after starting it. Rejects
 * with AdapterError reverse-proxy-unavailable when the proxy is not responding; the change may still be on disk or
 * live, so set the wanted route again or sync. Rejects with RouteRefusedError, changing nothing, on an invalid route (a
 * bug in the caller, which validates user input).
 */
export interface ReverseProxy {
  ping(): Promise<string>
  /** Adds or changes one route; the cost does not depend on the number of routes. */
  set(route: Route): Promise<void>
  /** Resolves if there is no such route. */
  remove(hostname: string, pathPrefix?: string): Promise<void>
  /** Atomically sets the exact list of routes; resolves with whether anything changed. */
  sync(routes: readonly Route[]): Promise<boolean>
  /**
   * Serves a certificate, replacing the one with this id, without dropping connections. Rejects with
   * CertificateRefusedError and keeps the previous one if the key does not match or it cannot be loaded.
   */
  setCertificate(certificate: ServedCertificate): Promise<void>
  /** Resolves if there is no such certificate. */
  removeCertificate(id: string): Promise<void>
  /**
   * Sets the exact list of certificates (id and fingerprint); calls `load` only for missing ones. A certificate that
   * fails keeps its previous version and does not affect the others; after the rest is done, rejects with
   * CertificateRefusedError naming the failed ones. Those that `load` does not find are removed. Resolves with whether
   * anything changed. Compares everything that is running and all files; with `isAudit: false` only if this process
   * does not know that exactly these are served.
   */
  syncCertificates(
    wanted: readonly CertificateVersion[],
    load: LoadCertificate,
    options?: { isAudit?: boolean }
  ): Promise<boolean>
  /** Open connections from this host to a container. */
  connectionCount(address: string, port: number): Promise<number>
}

/** An invalid route. */
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
