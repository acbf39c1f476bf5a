export type ChallengeType = 'http-01' | 'dns-01'

/** What to publish so that the CA can validate a hostname. */
export interface AcmeChallenge {
  type: ChallengeType
  /** Without `*.`. */
  hostname: string
  token: string
  /** http-01: the body served at /.well-known/acme-challenge/<token>. */
  keyAuthorization: string
  /** dns-01: the value of the TXT record at _acme-challenge.<hostname>. */
  dnsValue: string
}

export interface AcmeOrderRequest {
  /** Names of one certificate; wildcards require dns-01. */
  hostnames: readonly string[]
  challengeType: ChallengeType
  /** An interrupted order; resumed if the CA still has it. */
  resume?: { orderUrl: string; keyPem: string }
  /** Called when the order exists and before it is used. Must be durable when it resolves. */
  onOrder(order: { orderUrl: string; keyPem: string }): Promise<void>
  /** Must resolve only when the CA can see the challenge. */
  publish(challenge: AcmeChallenge): Promise<void>
  /** Undoes `publish`; called for every published challenge, also after a failure. */
  unpublish(challenge: AcmeChallenge): Promise<void>
  signal: AbortSignal
}

export interface IssuedCertificate {
  /** PEM, leaf first. */
  chain: string
  /** PKCS #8 PEM. */
  keyPem: string
}

export interface AcmeAuthority {
  readonly directoryUrl: string
  /** `caaIdentities` of the directory (for CAA records); empty if it has none. Rejects with AcmeError. */
  caaIdentities(): Promise<string[]>
  /** Orders a certificate and waits until it is issued. Rejects with AcmeError. */
  order(request: AcmeOrderRequest): Promise<IssuedCertificate>
}

/** Stores our ACME account per directory. */
export interface AcmeAccountStore {
  load(directoryUrl: string): Promise<{ keyPem: string; accountUrl?: string } | undefined>
  save(directoryUrl: string, account: { keyPem: string; accountUrl?: string }): Promise<void>
}

/**
 * Why no certificate was issued. `unavailable`: the CA is unreachable or has a problem, retry later. `rate-limited`:
 * retry after `retryAfterSeconds`. `refused`: the CA rejected the name or account; `message` is the CA's text.
 * `aborted`: by the caller.
 */
export class AcmeError extends Error {
  readonly kind: 'unavailable' | 'rate-limited' | 'refused' | 'aborted'
  readonly retryAfterSeconds: number | undefined

  constructor(
    kind: AcmeError['kind'],
    message: string,
    options: { retryAfterSeconds?: number | undefined; cause?: unknown } = {}
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AcmeError'
    this.kind = kind
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}
