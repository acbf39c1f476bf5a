import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { AppError } from '../../errors.ts'
import { readPemBlocks } from '../../infra/x509/pem.ts'
import { hasUnusualExponent, minRsaBits } from './certificate-chain.policy.ts'

/** A handshake with a longer key takes the shared proxy tens of milliseconds. */
const maxRsaBits = 4096

const curves = new Set(['prime256v1', 'secp384r1', 'secp521r1'])

const labels = new Set(['PRIVATE KEY', 'RSA PRIVATE KEY', 'EC PRIVATE KEY'])

/** Parses an uploaded private key. Throws AppError KEY_INVALID; its message never contains any of the input. */
export function readPrivateKey(text: string): KeyObject {
  const blocks = readPemBlocks(text) ?? []
  // `openssl ecparam -genkey` writes the curve as a separate block before the key.
  const keys = blocks.filter(({ label }) => label.endsWith('PRIVATE KEY'))
  const [block] = keys
  if (!block && blocks.some(({ label }) => label.endsWith('PUBLIC KEY')))
    throw invalid('This is a public key. Upload the private key of the certificate.')
  if (!block) throw invalid('No private key in PEM format found (-----BEGIN PRIVATE KEY-----).')
  if (keys.length > 1) throw invalid('The input contains more than one private key.')
  if (block.label === 'ENCRYPTED PRIVATE KEY' || /^Proc-Type:.*ENCRYPTED/m.test(block.pem))
    throw invalid('The private key is encrypted. Remove its passphrase first: openssl pkey -in key.pem -out plain.pem')
  if (!labels.has(block.label)) throw invalid(`The key format "${block.label}" is not supported.`)
  const key = parse(block.pem)
  requireSupported(key)
  requireIntact(key)
  return key
}

function parse(pem: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch {
    // No cause: details about the key must not reach the log.
    throw invalid('The private key could not be parsed.')
  }
}

function requireSupported(key: KeyObject): void {
  const { asymmetricKeyType, asymmetricKeyDetails } = key
  if (asymmetricKeyType === 'ed25519') return
  if (asymmetricKeyType === 'rsa') {
    if (hasUnusualExponent(key)) throw invalid('The RSA key has an unsafe public exponent.')
    const bits = asymmetricKeyDetails?.modulusLength ?? 0
    if (bits >= minRsaBits && bits <= maxRsaBits) return
    throw invalid(`An RSA key must have ${minRsaBits} to ${maxRsaBits} bits; this one has ${bits}.`)
  }
  if (asymmetricKeyType === 'ec') {
    if (curves.has(asymmetricKeyDetails?.namedCurve ?? '')) return
    throw invalid('Unsupported elliptic curve. Supported curves are P-256, P-384 and P-521.')
  }
  throw invalid('Unsupported key type. Supported types are RSA, ECDSA (P-256, P-384 and P-521) and Ed25519.')
}

/** A damaged private key can still contain the matching public key, so sign and verify. */
function requireIntact(key: KeyObject): void {
  const probe = Buffer.from('probe')
  const digest = key.asymmetricKeyType === 'ed25519' ? null : 'sha256'
  try {
    if (verify(digest, probe, createPublicKey(key), sign(digest, probe, key))) return
  } catch {}
  throw invalid('The private key is damaged.')
}

const invalid = (message: string) => new AppError('KEY_INVALID', message)
