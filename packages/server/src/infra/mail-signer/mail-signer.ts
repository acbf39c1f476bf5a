export interface SigningKeys {
  domain: string
  /** All keys that are not RETIRED, PKCS #8 PEM. */
  keys: readonly { selector: string; privateKey: string }[]
  signsWith: string
}

export interface NewSigningKey {
  /** SPKI DER in Base64: the `p=` tag of the DNS record. */
  publicKey: string
  /** PKCS #8 PEM. */
  privateKey: string
  keyLength: number
}

/** The DKIM signer for outgoing mail (RFC 6376). Rejects with AdapterError mail-server-unavailable. */
export interface MailSigner {
  ping(): Promise<void>
  /** Works while the signer is down. */
  makeKey(): Promise<NewSigningKey>
  /** Replaces the domain's keys. Once resolved, the next message is signed with them. */
  putKeys(keys: SigningKeys): Promise<void>
  removeKeys(domain: string): Promise<void>
  /** Signing selector by domain; omits domains whose key file is missing, so that they are applied again. */
  listSigning(): Promise<ReadonlyMap<string, string>>
}
