import { generateKeyPairSync } from 'node:crypto'
import { AdapterError } from '../../src/infra/adapter-error.ts'
import { assertMailDomain } from '../../src/infra/mail-server/mail-names.ts'
import type { MailSigner, NewSigningKey, SigningKeys } from '../../src/infra/mail-signer/mail-signer.ts'
import { lazy } from '../../src/concurrency/lazy.ts'
import { assertSelector } from '../../src/infra/mail-signer/signing-tables.render.ts'

export interface MemoryMailSigner extends MailSigner {
  readonly keys: Map<string, SigningKeys>
  isUnavailable: boolean
}

// Small and few keys: generation is slow and no test depends on key quality.
let made = 0
const madeKeys = Array.from({ length: 4 }, () =>
  lazy(async (): Promise<NewSigningKey> => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 1024,
      publicKeyEncoding: { type: 'spki', format: 'der' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' }
    })
    return { publicKey: publicKey.toString('base64'), privateKey, keyLength: 1024 }
  })
)

export function createMemoryMailSigner(): MemoryMailSigner {
  const assertThere = () => {
    if (signer.isUnavailable)
      throw new AdapterError('mail-server-unavailable', 'The DKIM signer (OpenDKIM) is not responding')
  }
  const signer: MemoryMailSigner = {
    keys: new Map(),
    isUnavailable: false,
    async ping() {
      assertThere()
    },
    makeKey: async () => madeKeys[made++ % 4]!(),
    async putKeys(keys) {
      assertMailDomain(keys.domain)
      for (const { selector } of keys.keys) assertSelector(selector)
      if (!keys.keys.some(({ selector }) => selector === keys.signsWith))
        throw new TypeError(`${keys.domain} has no key with the signing selector`)
      assertThere()
      signer.keys.set(keys.domain, structuredClone(keys) as SigningKeys)
    },
    async removeKeys(domain) {
      assertMailDomain(domain)
      assertThere()
      signer.keys.delete(domain)
    },
    async listSigning() {
      return new Map([...signer.keys].map(([domain, { signsWith }]) => [domain, signsWith]))
    }
  }
  return signer
}
