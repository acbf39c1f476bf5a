/** Keys of one domain at the signer. */
export interface SigningKeys {
  /** In lower case. */
  domain: string
  /** All that may have signed mail which is still under way. PKCS#8 PEM. */
  keys: readonly { selector: string; privateKey: string }[]
  /** The selector that signs from now on. */
  signsWith: string
}

/** A key pair of a kind that the signer takes. */
export interface NewSigningKey {
  /** SPKI, DER in Base64: the `p=` of its record. */
  publicKey: string
  /** PKCS#8 PEM. */
  privateKey: string
  /** Bits. */
  keyLength: number
}

/** Signs outgoing mail (RFC 6376). Rejects with AdapterError mail-server-unavailable where it does not take the keys over. */
export interface MailSigner {
  /** Rejects where it does not answer. */
  ping(): Promise<void>
  /** Needs no signer that runs. */
  makeKey(): Promise<NewSigningKey>
  /** Replaces the domain's keys, and no other's; when it resolves the next message is signed so. */
  putKeys(keys: SigningKeys): Promise<void>
  removeKeys(domain: string): Promise<void>
  /** By domain, the selector that signs; without those whose key has got lost, so that they are put anew. */
  listSigning(): Promise<ReadonlyMap<string, string>>
}
