import { KeyObject, randomBytes, webcrypto } from 'node:crypto'
import { loadX509 } from './load-x509.ts'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/** Upper bound of a common name (RFC 5280 §A.1). */
const maxCommonName = 64

const dayMs = 24 * 60 * 60 * 1000

export async function createSelfSigned(
  hostnames: readonly string[],
  { now, days }: { now: Date; days: number }
): Promise<{ chain: string; keyPem: string }> {
  const {
    BasicConstraintsExtension,
    ExtendedKeyUsage,
    ExtendedKeyUsageExtension,
    KeyUsageFlags,
    KeyUsagesExtension,
    SubjectAlternativeNameExtension,
    SubjectKeyIdentifierExtension,
    X509CertificateGenerator
  } = loadX509()
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const [first = ''] = hostnames
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      keys,
      signingAlgorithm: algorithm,
      serialNumber: serialNumber(),
      // As an array: in a string a comma would start the next attribute.
      name: [{ CN: [first.length > maxCommonName ? 'Self-signed' : first] }],
      notBefore: now,
      notAfter: new Date(now.getTime() + days * dayMs),
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
        new SubjectAlternativeNameExtension(hostnames.map((value) => ({ type: 'dns', value }))),
        await SubjectKeyIdentifierExtension.create(keys.publicKey, false, webcrypto)
      ]
    },
    webcrypto
  )
  return {
    chain: `${certificate.toString('pem').trim()}\n`,
    keyPem: KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString()
  }
}

/** 126 random bits, positive and never zero: the two highest bits are 01. */
function serialNumber(): string {
  const bytes = randomBytes(16)
  bytes[0] = (bytes[0]! & 0x3f) | 0x40
  return bytes.toString('hex')
}
