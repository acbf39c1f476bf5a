import { type KeyObject, X509Certificate } from 'node:crypto'
import { AppError } from '../../errors.ts'
import { certificateFacts, type CertificateFacts } from '../../infra/x509/certificate.ts'
import { readPemBlocks } from '../../infra/x509/pem.ts'
import { buildChain, hasUnusualExponent, weakness } from './certificate-chain.policy.ts'
import { readPrivateKey } from './private-key.policy.ts'

interface CertificateUpload {
  /** The certificate and its chain in any order, with or without the root, and with any text around them. */
  certificatePem: string
  keyPem: string
  /** That it is for: a host name or `*.<parent>`. */
  hostname: string
  now: Date
}

interface CheckedCertificate {
  /** PEM: the certificate, then its intermediates. */
  chain: string
  /** PKCS #8 PEM. */
  keyPem: string
  facts: CertificateFacts
}

const maxCertificates = 10

/** The proxy takes both in one command, in a buffer of 32 KiB. */
const maxBytes = 30_000

/**
 * What can be served of an upload, or an AppError with what is wrong. All of it is written anew from what was understood: of the
 * text that came nothing goes on.
 */
export function checkUpload({ certificatePem, keyPem, hostname, now }: CertificateUpload): CheckedCertificate {
  const certificates = readCertificates(certificatePem)
  const key = readPrivateKey(keyPem)
  const leaf = certificates.find((certificate) => certificate.checkPrivateKey(key))
  if (!leaf) throw new AppError('KEY_MISMATCH', 'The private key does not belong to the certificate.')
  const chain = requireChain(leaf, certificates)
  const facts = certificateFacts(leaf)
  requireServable(leaf, chain)
  requireValid(chain, now)
  if (!covers(facts.dnsNames, hostname)) {
    const names = facts.dnsNames.length === 0 ? 'no host name' : facts.dnsNames.slice(0, 10).join(', ')
    throw new AppError('CERTIFICATE_HOST_MISMATCH', `The certificate is not for ${hostname}, but for ${names}.`)
  }
  return { ...serialise(chain, key), facts }
}

function readCertificates(text: string): X509Certificate[] {
  const blocks = readPemBlocks(text)
  if (!blocks) throw invalid('The certificate is cut off: a block in PEM format has no end.')
  const pems = blocks.filter(({ label }) => label === 'CERTIFICATE' || label === 'X509 CERTIFICATE')
  if (pems.length === 0) throw invalid('There is no certificate in PEM format (-----BEGIN CERTIFICATE-----).')
  if (pems.length > maxCertificates)
    throw invalid(`There are ${pems.length} certificates; ${maxCertificates} are allowed.`)
  const certificates = new Map<string, X509Certificate>()
  for (const [index, { pem }] of pems.entries()) {
    const which = `Certificate ${index + 1} of ${pems.length}`
    const certificate = parse(pem)
    if (certificate && hasUnusualExponent(certificate.publicKey))
      throw invalid(`${which} has an RSA key with a public exponent that is not safe.`)
    if (!certificate || !isReadable(certificate)) throw invalid(`${which} cannot be read.`)
    certificates.set(certificate.fingerprint256, certificate)
  }
  return [...certificates.values()]
}

function parse(pem: string): X509Certificate | undefined {
  try {
    const certificate = new X509Certificate(pem)
    void certificate.publicKey // Read on demand, as the rest is.
    return certificate
  } catch {
    return undefined
  }
}

/** Each of these throws where the inside of the certificate is broken. */
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
  const [stranger] = foreign
  if (!stranger) return chain
  const { commonName, issuer } = certificateFacts(stranger)
  const text = `The certificate "${commonName}" (issued by ${issuer}) has not signed any other of the chain. Leave it out.`
  throw new AppError('CHAIN_INVALID', text)
}

const serverAuthentication = '1.3.6.1.5.5.7.3.1'
const anyPurpose = '2.5.29.37.0'

function requireServable(leaf: X509Certificate, chain: readonly X509Certificate[]): void {
  // Node's word for the extended key usage; a certificate without it is for everything.
  const purposes = leaf.keyUsage as readonly string[] | undefined
  if (purposes && !purposes.includes(serverAuthentication) && !purposes.includes(anyPurpose))
    throw invalid('The certificate is not for web servers (extended key usage).')
  for (const certificate of chain) {
    const weak = weakness(certificate)
    if (weak)
      throw invalid(`The certificate "${certificateFacts(certificate).commonName}" has ${weak}, which is not safe.`)
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

/** RFC 6125: alternative names only; a wildcard stands for exactly one label, and not for one right below a top-level domain. */
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
    throw invalid(`Certificate, chain and key have ${bytes} bytes together; ${maxBytes} are allowed.`)
  return text
}

const invalid = (message: string) => new AppError('CERTIFICATE_INVALID', message)
const expired = (message: string) => new AppError('CERTIFICATE_EXPIRED', message)
