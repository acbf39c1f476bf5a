import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MailSigner } from '../../src/infra/mail-signer/mail-signer.ts'

export const makeKey = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'der' }
  })

export interface MailSignerEnvironment {
  signer: MailSigner
  close(): Promise<void>
}

/** Contract of the fake and the real signer. */
export function describeMailSigner(name: string, open: () => Promise<MailSignerEnvironment>): void {
  describe(`mail signer: ${name}`, () => {
    const { privateKey } = makeKey()
    let environment: MailSignerEnvironment
    let signer: MailSigner
    beforeAll(async () => {
      environment = await open()
      signer = environment.signer
    })
    afterAll(() => environment?.close())
    const put = (domain: string, signsWith: string, ...selectors: string[]) =>
      signer.putKeys({ domain, signsWith, keys: selectors.map((selector) => ({ selector, privateKey })) })
    const signing = async () => Object.fromEntries(await signer.listSigning())

    test('answers', () => signer.ping())

    test('creates a new key of the requested type each time', async () => {
      const made = [await signer.makeKey(), await signer.makeKey()]
      for (const { publicKey, privateKey: pem, keyLength } of made) {
        const key = createPrivateKey(pem)
        expect([key.asymmetricKeyType, key.asymmetricKeyDetails?.modulusLength]).toEqual(['rsa', keyLength])
        const der = createPublicKey(pem).export({ type: 'spki', format: 'der' })
        expect(publicKey).toBe(der.toString('base64'))
      }
      expect(made[0]!.publicKey).not.toBe(made[1]!.publicKey)
      const keys = made.map(({ privateKey: pem }, index) => ({ selector: `m${index}`, privateKey: pem }))
      await signer.putKeys({ domain: 'made.test', keys, signsWith: 'm1' })
      expect(await signing()).toEqual({ 'made.test': 'm1' })
      await signer.removeKeys('made.test')
    })

    test('keys of a domain are replaced completely without affecting others', async () => {
      await put('one.test', 's1', 's1')
      await put('two.test', 's1', 's1')
      expect(await signing()).toEqual({ 'one.test': 's1', 'two.test': 's1' })
      await put('one.test', 's2', 's1', 's2')
      expect(await signing()).toEqual({ 'one.test': 's2', 'two.test': 's1' })
      await signer.removeKeys('one.test')
      await signer.removeKeys('one.test')
      expect(await signing()).toEqual({ 'two.test': 's1' })
      await signer.removeKeys('two.test')
    })

    test('refuses a selector without a key and invalid names', async () => {
      await expect(put('one.test', 's2', 's1')).rejects.toThrow(TypeError)
      await expect(put('../one', 's1', 's1')).rejects.toThrow(TypeError)
      await expect(put('one.test', 's 1', 's 1')).rejects.toThrow(TypeError)
      await expect(signer.removeKeys('*')).rejects.toThrow(TypeError)
      expect(await signing()).toEqual({})
    })
  })
}
