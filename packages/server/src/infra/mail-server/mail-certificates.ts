export interface MailCertificate {
  /** Letters, digits, `_` and `-`. */
  id: string
  /** SHA-256 of the certificate, lower-case hex; changes with the content. */
  fingerprint: string
  /** Full hostnames in lower case; each belongs to one certificate. */
  hostnames: readonly string[]
  /** Served without SNI and for unknown names; at most one. Without any, a self-signed certificate is served. */
  isDefault: boolean
}

export interface MailCertificateContent {
  chain: string
  keyPem: string
}

export interface MailCertificates {
  /**
   * Serves exactly these certificates by SNI, without ending sessions; `load` is called only for new ones. Certificates
   * that are invalid or gone are skipped; invalid ones make sync reject after all others are done. Resolves with
   * whether anything changed.
   */
  sync(
    wanted: readonly MailCertificate[],
    load: (id: string) => Promise<MailCertificateContent | undefined>
  ): Promise<boolean>
}
