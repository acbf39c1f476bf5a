export type ChallengeType = 'http-01' | 'dns-01'

export interface AcmeChallenge {
  type: ChallengeType
  hostname: string
  token: string
  /** http-01: the body served at /.well-known/acme-challenge/<token>. */
  keyAuthorization: string
  /** dns-01: the value of the TXT record at _acme-challenge.<hostname>. */
  dnsValue: string
}

export interface AcmeOrderRequest {
  hostnames: readonly string[]
  challengeType: ChallengeType
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
  chain: string
  keyPem: string
}

export interface AcmeAuthority {
  readonly directoryUrl: string
  /** `caaIdentities` of the directory (for CAA records); empty if it has none. Rejects with AcmeError. */
  caaIdentities(): Promise<string[]>
  order(request: AcmeOrderRequest): Promise<IssuedCertificate>
}

export interface AcmeAccountStore {
  load(directoryUrl: string): Promise<{ keyPem: string; accountUrl?: string } | undefined>
  save(directoryUrl: string, account: { keyPem: string; accountUrl?: string }): Promise<void>
}

/**
 * unavailable: retry later. rate-limited: after `retryAfterSeconds`. refused: by the CA, in its words. aborted: by us.
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
