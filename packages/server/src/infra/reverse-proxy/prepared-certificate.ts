import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { messageOf } from '../../text/message-of.ts'
import { type CrtEntry, fitsOnLine, isCertificateId, type KeyKind, versionOf } from './crt-list.render.ts'
import { isRoutableName } from './routable-name.ts'
import { CertificateRefusedError, type ServedCertificate } from './reverse-proxy.ts'

/** A certificate that was checked, in the form that the proxy reads. */
export interface PreparedCertificate extends CrtEntry {
  /** The certificate, its chain and the key, without a blank line. */
  pem: string
}

const fingerprintPattern = /^[0-9a-f]{64}$/
const blockPattern = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g
// With its command it must fit into one buffer of 32 KiB (tune.bufsize); the proxy hangs up on a longer one.
const pemMaxBytes = 31_000

/**
 * Checks a certificate and writes its PEM anew from what was understood of it: in the text that a user gave, a blank line would end
 * the payload of a command and the rest would run as commands. Throws CertificateRefusedError.
 */
export function prepareCertificate(certificate: ServedCertificate): PreparedCertificate {
  const { id, fingerprint, hostnames, chain, keyPem } = certificate
  assertCertificateId(id)
  if (!fingerprintPattern.test(fingerprint)) refuse(id, 'its fingerprint is none')
  const isNamed = Array.isArray(hostnames) && hostnames.length > 0 && hostnames.every(isRoutableName)
  if (!isNamed || !fitsOnLine(hostnames)) refuse(id, 'its host names cannot be served')
  const { leaf, chainPem } = parseChain(id, chain)
  if (leaf.fingerprint256.replaceAll(':', '').toLowerCase() !== fingerprint)
    refuse(id, 'its fingerprint is that of another one')
  const key = parseKey(id, keyPem)
  if (!leaf.checkPrivateKey(key)) refuse(id, 'the key belongs to another one')
  const pem = `${chainPem}${key.export({ type: 'pkcs8', format: 'pem' }).toString().trim()}\n`
  if (pem.length > pemMaxBytes)
    refuse(id, `chain and key have ${pem.length} bytes together, the limit is ${pemMaxBytes}`)
  return { id, version: versionOf(fingerprint), keyKind: kindOf(key), hostnames: [...new Set(hostnames)], pem }
}

/** An id reaches the proxy's admin socket and the file system. */
export function assertCertificateId(id: string): void {
  if (!isCertificateId(id)) refuse(String(id).slice(0, 100), 'its id is none')
}

/** Says why the text is no certificate with its key, or undefined. */
export function certificateProblem(pem: string): string | undefined {
  try {
    return new X509Certificate(pem).checkPrivateKey(createPrivateKey(pem)) ? undefined : 'the key is another one'
  } catch (error) {
    return messageOf(error)
  }
}

function parseChain(id: string, chain: string): { leaf: X509Certificate; chainPem: string } {
  try {
    const [leaf, ...others] = (chain.match(blockPattern) ?? []).map((block) => new X509Certificate(block))
    if (!leaf) throw new Error('it has no certificate')
    return { leaf, chainPem: [leaf, ...others].map((one) => `${one.toString().trim()}\n`).join('') }
  } catch (cause) {
    return refuse(id, `its chain cannot be read: ${messageOf(cause)}`, cause)
  }
}

function parseKey(id: string, keyPem: string): KeyObject {
  try {
    return createPrivateKey(keyPem)
  } catch (cause) {
    // Without the cause's text, in case that it quotes the key.
    return refuse(id, 'its key cannot be read', cause)
  }
}

function kindOf({ asymmetricKeyType }: KeyObject): KeyKind {
  return asymmetricKeyType === 'ec' || asymmetricKeyType === 'rsa' ? asymmetricKeyType : 'other'
}

function refuse(id: string, problem: string, cause?: unknown): never {
  throw new CertificateRefusedError(
    `The reverse proxy refuses the certificate ${JSON.stringify(id)}: ${problem}`,
    cause === undefined ? undefined : { cause }
  )
}
