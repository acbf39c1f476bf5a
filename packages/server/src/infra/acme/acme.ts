export type ChallengeType = 'http-01' | 'dns-01'

/** What must be published so that the authority sees that a name is ours. */
export interface AcmeChallenge {
  type: ChallengeType
  /** The name that is proved, without `*.`. */
  hostname: string
  token: string
  /** http-01: the body at /.well-known/acme-challenge/<token>. */
  keyAuthorization: string
  /** dns-01: the value of the TXT record at _acme-challenge.<hostname>. */
  dnsValue: string
}

export interface AcmeOrderRequest {
  /** One or more names of one certificate; wildcards take dns-01. */
  hostnames: readonly string[]
  challengeType: ChallengeType
  /** An order that was begun before and cut off: goes on with it where the authority still has it. */
  resume?: { orderUrl: string; keyPem: string }
  /** Told once the order exists, before anything is asked of the authority that it counts. Must be durable when it resolves. */
  onOrder(order: { orderUrl: string; keyPem: string }): Promise<void>
  /** Publishes; when it resolves, the authority can see it. */
  publish(challenge: AcmeChallenge): Promise<void>
  /** Takes back what `publish` did; called for every challenge, whatever came of it. */
  unpublish(challenge: AcmeChallenge): Promise<void>
  signal: AbortSignal
}

export interface IssuedCertificate {
  /** PEM, the certificate first, then the chain. */
  chain: string
  /** PKCS #8 PEM. */
  keyPem: string
}

export interface AcmeAuthority {
  /** The directory in use. */
  readonly directoryUrl: string
  /** Names under which the authority appears in CAA records; empty where it does not say. Rejects with AcmeError. */
  caaIdentities(): Promise<string[]>
  /** Orders a certificate and waits for it. Rejects with AcmeError. */
  order(request: AcmeOrderRequest): Promise<IssuedCertificate>
}

/** Keeps our account at each authority. */
export interface AcmeAccountStore {
  /** Of this directory; undefined where there is none yet. */
  load(directoryUrl: string): Promise<{ keyPem: string; accountUrl?: string } | undefined>
  save(directoryUrl: string, account: { keyPem: string; accountUrl?: string }): Promise<void>
}

/**
 * Why there is no certificate. `unavailable`: the authority cannot be reached or is ill, try later. `rate-limited`: not before
 * `retryAfterSeconds`. `refused`: it said no to this name or account; `message` has its words. `aborted`: by the caller.
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
