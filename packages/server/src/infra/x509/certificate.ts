import { X509Certificate } from 'node:crypto'
// Before any certificate is read: toLegacyObject loads Node 20's own parts of TLS in an order that leaves tls.createSecureContext undefined.
import 'node:tls'
import { oneLine } from '../../text/one-line.ts'

/** What people want to know of a certificate. */
export interface CertificateFacts {
  /** For people, for example "Let's Encrypt (R11)". */
  issuer: string
  /** Of the subject; the first DNS name where it has none, as those of today. */
  commonName: string
  /** Lower case; `*.<parent>` for a wildcard. */
  dnsNames: string[]
  /** Upper-case hexadecimal. */
  serialNumber: string
  validFrom: Date
  validTo: Date
  /** SHA-256, lower-case hexadecimal. */
  fingerprint: string
}

/** Of the first certificate of a chain in PEM. Throws what node:crypto throws when there is none. */
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

/** Where a name occurs twice it is an array. */
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

// node:crypto writes "DNS:a, IP Address:1.2.3.4" and puts a value that could be taken for more than one into JSON quotes.
const alternativeName = /([A-Za-z ]+):("(?:[^"\\]|\\.)*"|[^,"]*)(?:, |$)/y

const hostName = /^(\*\.)?([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/

/** Names that are no host names are left out: no host can ever be meant by them. */
export function readDnsNames(subjectAltName: string): string[] {
  const names = new Set<string>()
  alternativeName.lastIndex = 0
  for (let match = alternativeName.exec(subjectAltName); match; match = alternativeName.exec(subjectAltName)) {
    const [, kind, text = ''] = match
    // What is quoted has a comma, a quote or a control character in it.
    const name = text.toLowerCase()
    if (kind === 'DNS' && name.length <= 253 && hostName.test(name)) names.add(name)
  }
  return [...names]
}
