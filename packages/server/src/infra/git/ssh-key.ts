import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

interface DeployKey {
  /** One line of authorized_keys: `ssh-ed25519 AAAA… panel-deploy`. */
  publicKey: string
  /** The text of the private key file. */
  privateKey: string
}

const keyType = 'ssh-ed25519'

/** A new Ed25519 pair. Written in OpenSSH's own format, since ssh before 9.6 reads no Ed25519 key in PKCS#8. */
export function createDeployKey(comment = 'panel-deploy'): DeployKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const point = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  const seed = Buffer.from(privateKey.export({ format: 'jwk' }).d ?? '', 'base64url')
  const publicBlob = Buffer.concat([string(keyType), string(point)])
  const pem = openSshPrivateKey(
    publicBlob,
    Buffer.concat([string(keyType), string(point), string(Buffer.concat([seed, point]))]),
    comment
  )
  return { publicKey: `${keyType} ${publicBlob.toString('base64')} ${comment}`, privateKey: pem }
}

/** ssh refuses a private key that others can read. */
export async function writePrivateKey(path: string, privateKey: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeFile(`${path}.new`, privateKey, { mode: 0o600 })
  await chmod(`${path}.new`, 0o600) // The mode above counts only for a file that was not there.
  await rename(`${path}.new`, path)
}

/** PROTOCOL.key of OpenSSH: no cipher, no key derivation, one key, padded to 8 bytes with 1, 2, 3, … */
function openSshPrivateKey(publicBlob: Buffer, privateFields: Buffer, comment: string): string {
  const check = randomBytes(4)
  const section = Buffer.concat([check, check, privateFields, string(comment)])
  const padding = Buffer.from(Array.from({ length: -section.length & 7 }, (_, index) => index + 1))
  const body = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    string('none'),
    string('none'),
    string(''),
    uint32(1),
    string(publicBlob),
    string(Buffer.concat([section, padding]))
  ])
  const lines = body.toString('base64').match(/.{1,70}/g) ?? []
  return ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join('\n')
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function string(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([uint32(bytes.length), bytes])
}
