/** Which certificate is served to whom. */
export interface MailCertificate {
  /** Letters, digits, `_` and `-`. */
  id: string
  /** SHA-256 of the certificate, lower-case hexadecimal: tells one content of `id` from another. */
  fingerprint: string
  /** Full names of hosts, in lower case. No host is in two. */
  hostnames: readonly string[]
  /** Also to who names no host, or one that has none: at most one is. Without it, one that the servers made themselves. */
  isDefault: boolean
}

/** Its content: PEM of the certificate with its chain, and PKCS #8 PEM of the key. */
export interface MailCertificateContent {
  chain: string
  keyPem: string
}

export interface MailCertificates {
  /**
   * Serves exactly these, by SNI; `load` is asked only for those that are not there yet. No session ends by it. One that cannot be served or is
   * gone is left out; where that is so of one, sync rejects when all the rest is done. Resolves with whether anything had to change.
   */
  sync(
    wanted: readonly MailCertificate[],
    load: (id: string) => Promise<MailCertificateContent | undefined>
  ): Promise<boolean>
}
