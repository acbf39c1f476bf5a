import { type KeyObject, X509Certificate } from 'node:crypto'
import { AppError } from '../../errors.ts'
import { certificateFacts, type CertificateFacts } from '../../infra/x509/certificate.ts'
import { readPemBlocks } from '../../infra/x509/pem.ts'
import { buildChain, hasUnusualExponent, weakness } from './certificate-chain.policy.ts'
import { readPrivateKey } from './private-key.policy.ts'

interface CertificateUpload {
  /** Certificate and chain in any order, with or without the root and surrounding text. */
  certificatePem: string
  keyPem: string
  hostname: string
  now: Date
}

interface CheckedCertificate {
  chain: string
  keyPem: string
  facts: CertificateFacts
}

const maxCertificates = 10

/** The proxy accepts both in one command with a 32 KiB buffer. */
const maxBytes = 30_000

/** Re-encodes the upload, so that none of the input text is passed on. Throws AppError with the problem. */
export function checkUpload({ certificatePem, keyPem, hostname, now }: CertificateUpload): CheckedCertificate {
  const certificates = readCertificates(certificatePem)
  const key = readPrivateKey(keyPem)
  const leaf = certificates.find((certificate) => certificate.checkPrivateKey(key))
  if (!leaf) throw new AppError('KEY_MISMATCH', 'The private key does not match the certificate.')
  const chain = requireChain(leaf, certificates)
  const facts = certificateFacts(leaf)
  requireServable(leaf, chain)
  requireValid(chain, now)
  if (!covers(facts.dnsNames, hostname)) {
    const names = facts.dnsNames.length === 0 ? 'no hostname' : facts.dnsNames.slice(0, 10).join(', ')
    throw new AppError('CERTIFICATE_HOST_MISMATCH', `The certificate does not cover ${hostname}. It covers ${names}.`)
  }
  return { ...serialise(chain, key), facts }
}

function readCertificates(text: string): X509Certificate[] {
  const blocks = readPemBlocks(text)
  if (!blocks) throw invalid('The certificate is incomplete: a PEM block has no end line.')
  const pems = blocks.filter(({ label }) => label === 'CERTIFICATE' || label === 'X509 CERTIFICATE')
  if (pems.length === 0) throw invalid('No certificate in PEM format found (-----BEGIN CERTIFICATE-----).')
  if (pems.length > maxCertificates)
    throw invalid(`There are ${pems.length} certificates; ${maxCertificates} are allowed.`)
  const certificates = new Map<string, X509Certificate>()
  for (const [index, { pem }] of pems.entries()) {
    const which = `Certificate ${index + 1} of ${pems.length}`
    const certificate = parse(pem)
    if (certificate && hasUnusualExponent(certificate.publicKey))
      throw invalid(`${which} has an RSA key with an unsafe public exponent.`)
    if (!certificate || !isReadable(certificate)) throw invalid(`${which} could not be parsed.`)
    certificates.set(certificate.fingerprint256, certificate)
  }
  return [...certificates.values()]
}

function parse(pem: string): X509Certificate | undefined {
  try {
    const certificate = new X509Certificate(pem)
    void certificate.publicKey // lazy getter: throws if invalid
    return certificate
  } catch {
    return undefined
  }
}

/** These throw if the certificate is malformed. */
function isReadable(certificate: X509Certificate): boolean {
  try {
    void weakness(certificate)
    const { validFrom, validTo } = certificateFacts(certificate)
    return !Number.isNaN(validFrom.getTime()) && !Number.isNaN(validTo.getTime())
  } catch {
    return false
  }
}

function requireChain(leaf: X509Certificate, certificates: readonly X509Certificate[]): X509Certificate[] {
  const { chain, foreign } = buildChain(
    leaf,
    certificates.filter((certificate) => certificate !== leaf)
  )
  const [unrelated] = foreign
  if (!unrelated) return chain
  const { commonName, issuer } = certificateFacts(unrelated)
  const text = `The certificate "${commonName}" (issued by ${issuer}) is not part of the chain. Remove it.`
  throw new AppError('CHAIN_INVALID', text)
}

const serverAuthentication = '1.3.6.1.5.5.7.3.1'
const anyPurpose = '2.5.29.37.0'

function requireServable(leaf: X509Certificate, chain: readonly X509Certificate[]): void {
  // Node exposes the extended key usage as `keyUsage`; without it, all purposes are allowed.
  const purposes = leaf.keyUsage as readonly string[] | undefined
  if (purposes && !purposes.includes(serverAuthentication) && !purposes.includes(anyPurpose))
    throw invalid('The certificate is not valid for TLS servers (extended key usage).')
  for (const certificate of chain) {
    const weak = weakness(certificate)
    if (weak)
      throw invalid(`The certificate "${certificateFacts(certificate).commonName}" has ${weak}, which is insecure.`)
  }
}

function requireValid(chain: readonly X509Certificate[], now: Date): void {
  for (const certificate of chain) {
    const { commonName, validFrom, validTo } = certificateFacts(certificate)
    if (validTo < now) throw expired(`The certificate "${commonName}" expired on ${validTo.toISOString()}.`)
    if (validFrom > now)
      throw expired(`The certificate "${commonName}" is not valid before ${validFrom.toISOString()}.`)
  }
}

/** RFC 6125: SANs only; a wildcard matches exactly one label, and not directly below a top-level domain. */
export function covers(dnsNames: readonly string[], hostname: string): boolean {
  const wanted = hostname.toLowerCase()
  const dot = wanted.indexOf('.')
  const parent = wanted.slice(dot + 1)
  if (dnsNames.includes(wanted)) return true
  return dot > 0 && !wanted.startsWith('*.') && parent.includes('.') && dnsNames.includes(`*.${parent}`)
}

function serialise(chain: readonly X509Certificate[], key: KeyObject): { chain: string; keyPem: string } {
  const text = {
    chain: chain.map((certificate) => certificate.toString()).join(''),
    keyPem: key.export({ type: 'pkcs8', format: 'pem' }).toString()
  }
  const bytes = text.chain.length + text.keyPem.length
  if (bytes > maxBytes)
    throw invalid(`Certificate, chain and key are too large: ${bytes} bytes. The limit is ${maxBytes} bytes.`)
  return text
}

const invalid = (message: string) => new AppError('CERTIFICATE_INVALID', message)
const expired = (message: string) => new AppError('CERTIFICATE_EXPIRED', message)
