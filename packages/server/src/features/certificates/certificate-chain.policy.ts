import type { KeyObject, X509Certificate } from 'node:crypto'
import { loadX509 } from '../../infra/x509/load-x509.ts'

/** Without the root, which clients already have. `foreign` are certificates that issued nothing in the chain. */
export function buildChain(
  leaf: X509Certificate,
  others: readonly X509Certificate[]
): { chain: X509Certificate[]; foreign: X509Certificate[] } {
  const chain = [leaf]
  let rest = [...others]
  while (!isRoot(chain.at(-1)!)) {
    const issuers = rest.filter((candidate) => hasIssued(candidate, chain.at(-1)!))
    // If a CA is both a root and cross-signed, take the longer path through the cross-signature.
    const issuer = issuers.find((candidate) => !isRoot(candidate))
    if (!issuer) break
    chain.push(issuer)
    rest = rest.filter((candidate) => candidate !== issuer)
  }
  return { chain, foreign: rest.filter((candidate) => !chain.some((certificate) => hasIssued(candidate, certificate))) }
}

function hasIssued(candidate: X509Certificate, certificate: X509Certificate): boolean {
  return (
    candidate !== certificate &&
    (candidate.ca || isRoot(candidate)) &&
    certificate.checkIssued(candidate) &&
    isSignedBy(certificate, candidate)
  )
}

const isRoot = (certificate: X509Certificate): boolean =>
  certificate.subject === certificate.issuer && isSignedBy(certificate, certificate)

function isSignedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return certificate.verify(issuer.publicKey)
  } catch {
    return false // incompatible key type
  }
}

/** What OpenSSL's default security level would reject. The signature of a root is never checked. */
export function weakness(certificate: X509Certificate): string | undefined {
  const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey
  if (asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) < minRsaBits)
    return `an RSA key of fewer than ${minRsaBits} bits`
  if (isRoot(certificate)) return undefined
  const { hash } = new (loadX509().X509Certificate)(certificate.raw).signatureAlgorithm as { hash?: { name?: string } }
  return hash?.name !== undefined && weakHashes.has(hash.name) ? `a signature with ${hash.name}` : undefined
}

export const minRsaBits = 2048

const maxRsaExponent = 2n ** 32n

/** Verification time grows with the exponent: call before using an untrusted key (DoS). */
export function hasUnusualExponent({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  if (asymmetricKeyType !== 'rsa' && asymmetricKeyType !== 'rsa-pss') return false
  const exponent = asymmetricKeyDetails?.publicExponent ?? 0n
  return exponent < 3n || exponent % 2n === 0n || exponent > maxRsaExponent
}

const weakHashes = new Set(['SHA-1', 'MD5', 'MD2'])
