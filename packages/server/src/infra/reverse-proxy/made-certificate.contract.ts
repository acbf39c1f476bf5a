import { randomBytes, webcrypto, X509Certificate } from 'node:crypto'
import {
  BasicConstraintsExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator
} from '@peculiar/x509'
import type { ServedCertificate } from './reverse-proxy.ts'

const rsa = (modulusLength: number) => ({
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength
})
const algorithms = {
  ec: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  'rsa-1024': rsa(1024),
  'rsa-2048': rsa(2048),
  'rsa-4096': rsa(4096)
}

export interface MadeCertificateOptions {
  key?: keyof typeof algorithms
  /** Certificates in the chain, the one of the host among them. Default 1. */
  chainLength?: number
}

/** A certificate for tests. One key signs the whole chain: nobody verifies it. */
export async function makeCertificate(
  id: string,
  hostnames: readonly string[],
  { key = 'ec', chainLength = 1 }: MadeCertificateOptions = {}
): Promise<ServedCertificate> {
  const algorithm = algorithms[key]
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const now = Date.now()
  const chain: string[] = []
  for (let depth = 0; depth < chainLength; depth++) {
    const certificate = await X509CertificateGenerator.create(
      {
        serialNumber: randomBytes(8).toString('hex'),
        subject: depth === 0 ? [] : `CN=Issuer ${depth}`,
        issuer: `CN=Issuer ${Math.min(depth + 1, chainLength - 1)}`,
        notBefore: new Date(now - 60_000),
        notAfter: new Date(now + 86_400_000),
        publicKey: keys.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: algorithm,
        extensions:
          depth === 0
            ? [new SubjectAlternativeNameExtension(hostnames.map((value) => ({ type: 'dns', value })))]
            : [new BasicConstraintsExtension(true, undefined, true)]
      },
      webcrypto
    )
    chain.push(certificate.toString('pem'))
  }
  return {
    id,
    hostnames,
    fingerprint: fingerprintOf(new X509Certificate(chain[0]!)),
    chain: `${chain.join('\n')}\n`,
    keyPem: `${PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY')}\n`
  }
}

export const fingerprintOf = (certificate: X509Certificate): string =>
  certificate.fingerprint256.replaceAll(':', '').toLowerCase()
