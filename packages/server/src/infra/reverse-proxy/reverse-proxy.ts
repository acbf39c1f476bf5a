/** Where requests for a host name go. */
export type RouteTarget =
  | { kind: 'container'; address: string; port: number }
  /** A page that says so, with 503 and Retry-After. */
  | { kind: 'stopped' }
  | { kind: 'starting' }
  /** The panel itself (PANEL_DOMAIN). */
  | { kind: 'panel' }
  /** What of the panel is for mail programs and mail servers, of a domain that has mail: those paths and no others. */
  | { kind: 'mail' }
  /** The page of an address without a site: holds a host name that would else fall to a wildcard. */
  | { kind: 'nothing' }

export interface Route {
  /** A full host name of two labels or more in lower case, or `*.<parent>` for one label below the parent. */
  hostname: string
  /** `/app`, or absent for the whole host. The longest prefix wins. */
  pathPrefix?: string
  target: RouteTarget
  /** Answers plain HTTP with 301 to HTTPS; the ACME challenge path is exempt. */
  forceHttps: boolean
  /** By what its requests are counted: an identifier of letters, digits, `_` and `-`. Without it they are not. */
  site?: string
}

/** A certificate that the proxy serves by SNI. */
export interface ServedCertificate {
  /** An identifier of letters, digits, `_` and `-`. */
  id: string
  /** SHA-256 of the certificate, lower-case hexadecimal: tells one content of `id` from another. */
  fingerprint: string
  /** Full host names or `*.<parent>`. Of two certificates, the one that names a host exactly is served before a wildcard. */
  hostnames: readonly string[]
  /** PEM: the certificate, then its chain. */
  chain: string
  /** PKCS #8 PEM. */
  keyPem: string
}

/** Which content of a certificate is wanted. */
export type CertificateVersion = Pick<ServedCertificate, 'id' | 'fingerprint'>

/** Undefined when there is no such certificate any more. */
export type LoadCertificate = (id: string) => Promise<ServedCertificate | undefined>

/**
 * Where containers have their addresses: a route leads there and never to a gateway, which is the host itself. All in CIDR notation.
 */
export interface ContainerNetwork {
  /** Of the network that accounts once shared, or of the panel's own containers alone. */
  subnet: string
  /** Its gateway. */
  gateway: string
  /** Made up of networks of that size, of each of which the first address but one is the gateway. */
  pools: readonly string[]
  networkPrefix: number
}

/**
 * The reverse proxy in our words. Changes are live when the promise resolves, without a restart and without touching
 * connections of other routes. They are on disk a moment later, so that a proxy that restarts alone comes back with them; who starts it
 * syncs, for what came in that moment.
 * Rejects with AdapterError reverse-proxy-unavailable when the proxy does not answer. The change may be on disk, or live, all the
 * same: the caller who gives up sets the route it wants again, or syncs. Rejects with RouteRefusedError, and changes nothing,
 * when a route is not one (a defect of the caller, who has checked user input before).
 */
export interface ReverseProxy {
  /** Version of the running proxy. */
  ping(): Promise<string>
  /** Adds or changes one route, independent of how many others there are. */
  set(route: Route): Promise<void>
  /** Resolves also when there is no such route. */
  remove(hostname: string, pathPrefix?: string): Promise<void>
  /** Makes the proxy serve exactly these routes, atomically; resolves with whether anything had to change. */
  sync(routes: readonly Route[]): Promise<boolean>
  /**
   * Serves a certificate from now on, in place of the one that had this id, without dropping a connection. Rejects with
   * CertificateRefusedError, and serves what it did before, when the key does not belong to it or it cannot be loaded.
   */
  setCertificate(certificate: ServedCertificate): Promise<void>
  /** Resolves also when there is no such certificate. */
  removeCertificate(id: string): Promise<void>
  /**
   * Makes the proxy serve exactly the certificates of this list (id and fingerprint); `load` is asked only for those that it lacks.
   * One that is refused or cannot be loaded does not keep the others back and leaves served what was served for its id: when all
   * the rest is done, sync rejects with CertificateRefusedError, which names them. One that `load` does not find is removed.
   * Resolves with whether anything had to change. It compares all that runs and all files; with `isAudit: false` not where this process
   * knows that exactly these are served.
   */
  syncCertificates(
    wanted: readonly CertificateVersion[],
    load: LoadCertificate,
    options?: { isAudit?: boolean }
  ): Promise<boolean>
  /** Connections that this host, which is the proxy's, still holds to a container. */
  connectionCount(address: string, port: number): Promise<number>
}

/** A route that must not reach the proxy. */
export class RouteRefusedError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'RouteRefusedError'
  }
}

/** A certificate that the proxy cannot serve: a defect of the caller, who has checked it before. */
export class CertificateRefusedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CertificateRefusedError'
  }
}
