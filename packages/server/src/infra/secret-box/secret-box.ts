import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/** AES-256-GCM, `iv_hex:tag_hex:ciphertext_hex`; the key is SHA-256 of ENCRYPTION_KEY. */
export interface SecretBox {
  seal(plain: string): string
  /** Throws unless the text was sealed with this key. */
  open(sealed: string): string
}

export function createSecretBox(encryptionKey: string): SecretBox {
  const key = createHash('sha256').update(encryptionKey).digest()
  return {
    seal(plain) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: 16 })
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return `${iv.toString('hex')}:${cipher.getAuthTag().toString('hex')}:${text.toString('hex')}`
    },
    open(sealed) {
      const match = /^([0-9a-f]{24}):([0-9a-f]{32}):((?:[0-9a-f]{2})*)$/.exec(sealed)
      if (!match) throw new Error('not a sealed secret')
      const [iv, tag, text] = match.slice(1).map((part) => Buffer.from(part, 'hex')) as [Buffer, Buffer, Buffer]
      const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: 16 })
      decipher.setAuthTag(tag)
      return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
    }
  }
}
