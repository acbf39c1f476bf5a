import { X509Certificate } from 'node:crypto'
// Import first: in Node 20, toLegacyObject otherwise leaves tls.createSecureContext undefined.
import 'node:tls'
import { oneLine } from '../../text/one-line.ts'

export interface CertificateFacts {
  issuer: string
  commonName: string
  dnsNames: string[]
  serialNumber: string
  validFrom: Date
  validTo: Date
  fingerprint: string
}

/** Reads the first certificate of a PEM chain. Throws node:crypto's error on invalid input. */
export const readCertificate = (chainPem: string): CertificateFacts => certificateFacts(new X509Certificate(chainPem))

export function certificateFacts(certificate: X509Certificate): CertificateFacts {
  const names = certificate.toLegacyObject() as { subject?: NameAttributes; issuer?: NameAttributes }
  const dnsNames = readDnsNames(certificate.subjectAltName ?? '')
  return {
    issuer: issuerText(names.issuer),
    commonName: attribute(names.subject, 'CN') || (dnsNames[0] ?? ''),
    dnsNames,
    serialNumber: certificate.serialNumber,
    validFrom: new Date(certificate.validFrom),
    validTo: new Date(certificate.validTo),
    fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase()
  }
}

type NameAttributes = Record<string, string | string[] | undefined>

const maxAttributeLength = 200

function attribute(attributes: NameAttributes | undefined, name: string): string {
  const value = attributes?.[name]
  return oneLine(Array.isArray(value) ? value.join(', ') : (value ?? ''), maxAttributeLength)
}

function issuerText(attributes: NameAttributes | undefined): string {
  const organisation = attribute(attributes, 'O')
  const commonName = attribute(attributes, 'CN')
  if (organisation === '' || commonName === '' || organisation === commonName)
    return organisation || commonName || 'unnamed'
  return `${organisation} (${commonName})`
}

// node:crypto formats this as "DNS:a, IP Address:1.2.3.4" and JSON-quotes ambiguous values.
const alternativeName = /([A-Za-z ]+):("(?:[^"\\]|\\.)*"|[^,"]*)(?:, |$)/y

const hostName = /^(\*\.)?([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/

export function readDnsNames(subjectAltName: string): string[] {
  const names = new Set<string>()
  alternativeName.lastIndex = 0
  for (let match = alternativeName.exec(subjectAltName); match; match = alternativeName.exec(subjectAltName)) {
    const [, kind, text = ''] = match
    // A quoted value contains a comma, quote or control character and fails the hostName test.
    const name = text.toLowerCase()
    if (kind === 'DNS' && name.length <= 253 && hostName.test(name)) names.add(name)
  }
  return [...names]
}
