import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { messageOf } from '../../text/message-of.ts'
import { type CrtEntry, fitsOnLine, isCertificateId, type KeyKind, versionOf } from './crt-list.render.ts'
import { isRoutableName } from './routable-name.ts'
import { CertificateRefusedError, type ServedCertificate } from './reverse-proxy.ts'

export interface PreparedCertificate extends CrtEntry {
  /** Certificate, chain and key, without a blank line. */
  pem: string
}

const fingerprintPattern = /^[0-9a-f]{64}$/
const blockPattern = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g
// Must fit into one buffer of 32 KiB (tune.bufsize) with its command; the proxy closes the connection otherwise.
const pemMaxBytes = 31_000

/** Re-serialises the PEM: in the user's text a blank line would end the payload, and the rest would run as commands. */
export function prepareCertificate(certificate: ServedCertificate): PreparedCertificate {
  const { id, fingerprint, hostnames, chain, keyPem } = certificate
  assertCertificateId(id)
  if (!fingerprintPattern.test(fingerprint)) refuse(id, 'invalid fingerprint')
  const isNamed = Array.isArray(hostnames) && hostnames.length > 0 && hostnames.every(isRoutableName)
  if (!isNamed || !fitsOnLine(hostnames)) refuse(id, 'invalid hostnames')
  const { leaf, chainPem } = parseChain(id, chain)
  if (leaf.fingerprint256.replaceAll(':', '').toLowerCase() !== fingerprint)
    refuse(id, 'the fingerprint does not match the certificate')
  const key = parseKey(id, keyPem)
  if (!leaf.checkPrivateKey(key)) refuse(id, 'the key does not match the certificate')
  const pem = `${chainPem}${key.export({ type: 'pkcs8', format: 'pem' }).toString().trim()}\n`
  if (pem.length > pemMaxBytes) refuse(id, `chain and key have ${pem.length} bytes, the limit is ${pemMaxBytes}`)
  return { id, version: versionOf(fingerprint), keyKind: kindOf(key), hostnames: [...new Set(hostnames)], pem }
}

/** The id is used in admin socket commands and file names. */
export function assertCertificateId(id: string): void {
  if (!isCertificateId(id)) refuse(String(id).slice(0, 100), 'invalid id')
}

export function certificateProblem(pem: string): string | undefined {
  try {
    return new X509Certificate(pem).checkPrivateKey(createPrivateKey(pem))
      ? undefined
      : 'the key does not match the certificate'
  } catch (error) {
    return messageOf(error)
  }
}

function parseChain(id: string, chain: string): { leaf: X509Certificate; chainPem: string } {
  try {
    const [leaf, ...others] = (chain.match(blockPattern) ?? []).map((block) => new X509Certificate(block))
    if (!leaf) throw new Error('no certificate found')
    return { leaf, chainPem: [leaf, ...others].map((one) => `${one.toString().trim()}\n`).join('') }
  } catch (cause) {
    return refuse(id, `the chain cannot be parsed: ${messageOf(cause)}`, cause)
  }
}

function parseKey(id: string, keyPem: string): KeyObject {
  try {
    return createPrivateKey(keyPem)
  } catch (cause) {
    // Without the cause's message, which might quote the key.
    return refuse(id, 'the key cannot be parsed', cause)
  }
}

function kindOf({ asymmetricKeyType }: KeyObject): KeyKind {
  return asymmetricKeyType === 'ec' || asymmetricKeyType === 'rsa' ? asymmetricKeyType : 'other'
}

function refuse(id: string, problem: string, cause?: unknown): never {
  throw new CertificateRefusedError(
    `The reverse proxy cannot serve the certificate ${JSON.stringify(id)}: ${problem}`,
    cause === undefined ? undefined : { cause }
  )
}
