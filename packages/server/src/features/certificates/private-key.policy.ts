import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { AppError } from '../../errors.ts'
import { readPemBlocks } from '../../infra/x509/pem.ts'
import { hasUnusualExponent, minRsaBits } from './certificate-chain.policy.ts'

/** One handshake with a longer one takes the proxy, which all sites share, tens of milliseconds. */
const maxRsaBits = 4096

const curves = new Set(['prime256v1', 'secp384r1', 'secp521r1'])

const labels = new Set(['PRIVATE KEY', 'RSA PRIVATE KEY', 'EC PRIVATE KEY'])

/** The private key of an upload. Throws AppError KEY_INVALID, whose message never has anything of the text. */
export function readPrivateKey(text: string): KeyObject {
  const blocks = readPemBlocks(text) ?? []
  // OpenSSL's `ecparam -genkey` writes the curve as a block of its own in front of the key.
  const keys = blocks.filter(({ label }) => label.endsWith('PRIVATE KEY'))
  const [block] = keys
  if (!block && blocks.some(({ label }) => label.endsWith('PUBLIC KEY')))
    throw invalid('This is a public key. The private key that belongs to the certificate is needed.')
  if (!block) throw invalid('There is no private key in PEM format (-----BEGIN PRIVATE KEY-----).')
  if (keys.length > 1) throw invalid('There is more than one private key.')
  if (block.label === 'ENCRYPTED PRIVATE KEY' || /^Proc-Type:.*ENCRYPTED/m.test(block.pem))
    throw invalid('The private key is encrypted. Remove its passphrase first: openssl pkey -in key.pem -out plain.pem')
  if (!labels.has(block.label)) throw invalid(`A key of the format "${block.label}" is not supported.`)
  const key = parse(block.pem)
  requireSupported(key)
  requireWhole(key)
  return key
}

function parse(pem: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch {
    // Without the cause: what is thrown about a key is not for the log.
    throw invalid('The private key cannot be read.')
  }
}

function requireSupported(key: KeyObject): void {
  const { asymmetricKeyType, asymmetricKeyDetails } = key
  if (asymmetricKeyType === 'ed25519') return
  if (asymmetricKeyType === 'rsa') {
    if (hasUnusualExponent(key)) throw invalid('The RSA key has a public exponent that is not safe.')
    const bits = asymmetricKeyDetails?.modulusLength ?? 0
    if (bits >= minRsaBits && bits <= maxRsaBits) return
    throw invalid(`An RSA key must have ${minRsaBits} to ${maxRsaBits} bits; this one has ${bits}.`)
  }
  if (asymmetricKeyType === 'ec') {
    if (curves.has(asymmetricKeyDetails?.namedCurve ?? '')) return
    throw invalid('Of the elliptic curves, P-256, P-384 and P-521 are supported.')
  }
  throw invalid('Keys of RSA, of the elliptic curves P-256, P-384 and P-521, and Ed25519 are supported.')
}

/** A key of which a part was damaged still has the public half that belongs to the certificate. */
function requireWhole(key: KeyObject): void {
  const probe = Buffer.from('probe')
  const digest = key.asymmetricKeyType === 'ed25519' ? null : 'sha256'
  try {
    if (verify(digest, probe, createPublicKey(key), sign(digest, probe, key))) return
  } catch {
    // The same as a signature that is wrong.
  }
  throw invalid('The private key is damaged.')
}

const invalid = (message: string) => new AppError('KEY_INVALID', message)
