import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

interface DeployKey {
  publicKey: string
  privateKey: string
}

const keyType = 'ssh-ed25519'

/** New Ed25519 key pair in OpenSSH's format: ssh before 9.6 does not read Ed25519 keys in PKCS#8. */
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

/** Mode 0600: ssh rejects private keys that others can read. */
export async function writePrivateKey(path: string, privateKey: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeFile(`${path}.new`, privateKey, { mode: 0o600 })
  await chmod(`${path}.new`, 0o600) // writeFile's mode only applies to new files
  await rename(`${path}.new`, path)
}

/** OpenSSH PROTOCOL.key: no cipher, no KDF, one key, padded to 8 bytes with 1, 2, 3, … */
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
