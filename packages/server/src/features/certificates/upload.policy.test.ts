import 'reflect-metadata'
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  KeyObject,
  randomBytes,
  webcrypto,
  X509Certificate
} from 'node:crypto'
import {
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator
} from '@peculiar/x509'
import { beforeAll, describe, expect, test } from 'vitest'
import { AppError } from '../../errors.ts'
import { createSelfSigned } from '../../infra/x509/self-signed.ts'
import { checkUpload, covers } from './upload.policy.ts'

const now = new Date('2026-03-01T12:00:00Z')
const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const rsa = (modulusLength: number, hash = 'SHA-256') => ({
  name: 'RSASSA-PKCS1-v1_5',
  hash,
  modulusLength,
  publicExponent: new Uint8Array([1, 0, 1])
})

interface Made {
  name: string
  pem: string
  keys: webcrypto.CryptoKeyPair
  algorithm: typeof ecdsa | ReturnType<typeof rsa>
}

interface Wish {
  issuer?: Made
  ca?: boolean
  hosts?: string[]
  from?: string
  to?: string
  algorithm?: Made['algorithm']
  keys?: webcrypto.CryptoKeyPair
  purposes?: string[]
}

async function make(name: string, wish: Wish = {}): Promise<Made> {
  const algorithm = wish.algorithm ?? ecdsa
  const keys = wish.keys ?? (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']))
  const certificate = await X509CertificateGenerator.create(
    {
      subject: [{ CN: [name] }],
      issuer: [{ CN: [wish.issuer?.name ?? name] }],
      publicKey: keys.publicKey,
      signingKey: (wish.issuer?.keys ?? keys).privateKey,
      signingAlgorithm: wish.issuer?.algorithm ?? algorithm,
      serialNumber: `4${randomBytes(8).toString('hex').slice(1)}`,
      notBefore: new Date(wish.from ?? '2026-01-01T00:00:00Z'),
      notAfter: new Date(wish.to ?? '2027-01-01T00:00:00Z'),
      extensions: [
        new BasicConstraintsExtension(wish.ca ?? false, undefined, true),
        ...(wish.purposes ? [new ExtendedKeyUsageExtension(wish.purposes)] : []),
        ...(wish.hosts
          ? [new SubjectAlternativeNameExtension(wish.hosts.map((value) => ({ type: 'dns', value })))]
          : [])
      ]
    },
    webcrypto
  )
  return { name, pem: `${certificate.toString('pem')}\n`, keys, algorithm }
}

const keyOf = ({ keys }: Made) => KeyObject.from(keys.privateKey)
const pkcs8 = (made: Made) => keyOf(made).export({ type: 'pkcs8', format: 'pem' }).toString()

const upload = (certificatePem: string, keyPem: string, hostname = 'shop.test') =>
  checkUpload({ certificatePem, keyPem, hostname, now })

function codeOf(...input: Parameters<typeof upload>): string {
  try {
    upload(...input)
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
  return 'accepted'
}

let root: Made, intermediate: Made, leaf: Made, rsaLeaf: Made, other: Made

beforeAll(async () => {
  root = await make('Root', { ca: true })
  intermediate = await make('Intermediate', { ca: true, issuer: root })
  const hosts = ['shop.test', '*.shop.test']
  leaf = await make('shop.test', { issuer: intermediate, hosts })
  rsaLeaf = await make('shop.test', { issuer: intermediate, hosts, algorithm: rsa(2048) })
  other = await make('Other', { ca: true })
})

describe('accepts', () => {
  test.each<[string, () => string]>([
    ['in order', () => leaf.pem + intermediate.pem],
    ['with the root, which is left out', () => leaf.pem + intermediate.pem + root.pem],
    ['in any order', () => root.pem + intermediate.pem + leaf.pem],
    ['with one twice', () => leaf.pem + intermediate.pem + leaf.pem],
    ['with CRLF', () => (leaf.pem + intermediate.pem).replaceAll('\n', '\r\n')],
    ['with text around', () => `subject=CN = shop.test'; id #\n${leaf.pem}\n$(id)\n${intermediate.pem}trailing junk`],
    ['with the key in the same file', () => leaf.pem + pkcs8(leaf) + intermediate.pem]
  ])('%s', (_, text) => {
    const { chain, keyPem, facts } = upload(text(), pkcs8(leaf))
    const written = [leaf, intermediate].map(({ pem }) => new X509Certificate(pem).toString()).join('')
    expect(chain).toBe(written)
    expect(keyPem).toBe(pkcs8(leaf))
    expect(facts).toMatchObject({ commonName: 'shop.test', issuer: 'Intermediate' })
  })

  test.each<[string, () => string, () => Made]>([
    ['PKCS #1', () => keyOf(rsaLeaf).export({ type: 'pkcs1', format: 'pem' }).toString(), () => rsaLeaf],
    ['SEC 1', () => keyOf(leaf).export({ type: 'sec1', format: 'pem' }).toString(), () => leaf],
    [
      'the curve in front',
      () =>
        `-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n${keyOf(leaf).export({ type: 'sec1', format: 'pem' }).toString()}`,
      () => leaf
    ],
    ['CRLF and text around', () => `'; id #\r\n${pkcs8(leaf).replaceAll('\n', '\r\n')}junk`, () => leaf]
  ])('a key as %s', (_, key, made) => {
    expect(upload(made().pem, key()).keyPem).toBe(pkcs8(made()))
  })

  test('without its intermediates', () => expect(upload(leaf.pem, pkcs8(leaf)).chain.match(/BEGIN/g)).toHaveLength(1))

  test('self-signed', async () => {
    const alone = await make('shop.test', { hosts: ['shop.test'], ca: true })
    expect(codeOf(alone.pem, pkcs8(alone))).toBe('accepted')
  })

  test("the panel's own self-signed certificate", async () => {
    const { chain, keyPem } = await createSelfSigned(['*.shop.test', 'shop.test'], { now, days: 90 })
    expect(upload(chain, keyPem, '*.shop.test')).toMatchObject({ chain, keyPem })
  })

  test('Ed25519', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const imported = {
      privateKey: await webcrypto.subtle.importKey(
        'pkcs8',
        privateKey.export({ type: 'pkcs8', format: 'der' }),
        'Ed25519',
        true,
        ['sign']
      ),
      publicKey: await webcrypto.subtle.importKey(
        'spki',
        publicKey.export({ type: 'spki', format: 'der' }),
        'Ed25519',
        true,
        ['verify']
      )
    }
    const made = await make('shop.test', { issuer: intermediate, hosts: ['shop.test'], keys: imported })
    expect(codeOf(made.pem, pkcs8(made))).toBe('accepted')
  })

  test('a cross-signed CA and its root: serves the longer chain', async () => {
    const cross = await make('Root', { ca: true, issuer: other, keys: root.keys })
    const text = leaf.pem + intermediate.pem + root.pem + cross.pem + other.pem
    expect(upload(text, pkcs8(leaf)).chain.match(/BEGIN/g)).toHaveLength(3)
  })
})

describe('rejects', () => {
  test.each<[string, () => string, string]>([
    ['nothing', () => ' ', 'CERTIFICATE_INVALID'],
    ['junk', () => "'; id #", 'CERTIFICATE_INVALID'],
    ['a key only', () => pkcs8(leaf), 'CERTIFICATE_INVALID'],
    ['a block with junk in it', () => leaf.pem.replace(/M/, "';id #"), 'CERTIFICATE_INVALID'],
    ['a block cut off', () => leaf.pem.slice(0, -40), 'CERTIFICATE_INVALID'],
    [
      'a broken certificate in the chain',
      () => leaf.pem + intermediate.pem.replace(/MII/, 'MIX'),
      'CERTIFICATE_INVALID'
    ],
    ['eleven certificates', () => leaf.pem.repeat(11), 'CERTIFICATE_INVALID'],
    ['a foreign certificate', () => leaf.pem + intermediate.pem + other.pem, 'CHAIN_INVALID'],
    ['a sibling', () => leaf.pem + rsaLeaf.pem, 'CHAIN_INVALID'],
    ['the root without the intermediate', () => leaf.pem + root.pem, 'CHAIN_INVALID'],
    ['a chain of another', () => intermediate.pem + root.pem, 'KEY_MISMATCH']
  ])('%s', (_, text, code) => expect(codeOf(text(), pkcs8(leaf))).toBe(code))

  const encrypted = { cipher: 'aes-256-cbc', passphrase: 'secret' }
  const generated = (type: 'rsa' | 'rsa-pss', modulusLength: number) =>
    generateKeyPairSync(type as 'rsa', { modulusLength })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString()
  test.each<[string, () => string, string]>([
    ['nothing', () => ' ', 'KEY_INVALID'],
    ['junk', () => '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----', 'KEY_INVALID'],
    [
      'encrypted, PKCS #8',
      () => String(keyOf(leaf).export({ type: 'pkcs8', format: 'pem', ...encrypted })),
      'KEY_INVALID'
    ],
    [
      'encrypted, SEC 1',
      () => String(keyOf(leaf).export({ type: 'sec1', format: 'pem', ...encrypted })),
      'KEY_INVALID'
    ],
    [
      'a public key',
      () => KeyObject.from(leaf.keys.publicKey).export({ type: 'spki', format: 'pem' }).toString(),
      'KEY_INVALID'
    ],
    ['a certificate', () => leaf.pem, 'KEY_INVALID'],
    ['two keys', () => pkcs8(leaf) + pkcs8(rsaLeaf), 'KEY_INVALID'],
    ['RSA of 1024 bits', () => generated('rsa', 1024), 'KEY_INVALID'],
    ['RSA-PSS', () => generated('rsa-pss', 2048), 'KEY_INVALID'],
    [
      'another curve',
      () =>
        generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
          .privateKey.export({ type: 'pkcs8', format: 'pem' })
          .toString(),
      'KEY_INVALID'
    ],
    [
      'X25519',
      () => generateKeyPairSync('x25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      'KEY_INVALID'
    ],
    [
      'the format of OpenSSH',
      () => '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----',
      'KEY_INVALID'
    ],
    ['of another certificate', () => pkcs8(intermediate), 'KEY_MISMATCH'],
    ['of another kind', () => pkcs8(rsaLeaf), 'KEY_MISMATCH']
  ])('a key: %s', (_, key, code) => expect(codeOf(leaf.pem, key())).toBe(code))

  test('a key with a mismatched private half', () => {
    const jwk = keyOf(leaf).export({ format: 'jwk' })
    const { d } = keyOf(intermediate).export({ format: 'jwk' })
    const mixed = () => createPrivateKey({ key: { ...jwk, d } as never, format: 'jwk' })
    const key = (() => {
      try {
        return mixed().export({ type: 'pkcs8', format: 'pem' }).toString()
      } catch {
        return 'rejected by the library'
      }
    })()
    expect(codeOf(leaf.pem, key)).toBe('KEY_INVALID')
  })

  test('a chain with a wrong signature', async () => {
    const impostor = await make('Intermediate', { ca: true, issuer: root })
    expect(codeOf(leaf.pem + impostor.pem, pkcs8(leaf))).toBe('CHAIN_INVALID')
  })

  test('an issuer that is not a CA', async () => {
    const noAuthority = await make('Intermediate 2', { issuer: root })
    const below = await make('shop.test', { issuer: noAuthority, hosts: ['shop.test'] })
    expect(codeOf(below.pem + noAuthority.pem, pkcs8(below))).toBe('CHAIN_INVALID')
  })

  test.each<[string, Wish, string]>([
    ['expired', { to: '2026-03-01T11:59:59Z' }, 'CERTIFICATE_EXPIRED'],
    ['valid to this second', { to: '2026-03-01T12:00:00Z' }, 'accepted'],
    ['not valid yet', { from: '2026-03-01T12:00:01Z' }, 'CERTIFICATE_EXPIRED'],
    ['for mail', { purposes: ['1.3.6.1.5.5.7.3.4'] }, 'CERTIFICATE_INVALID'],
    ['for servers', { purposes: ['1.3.6.1.5.5.7.3.1'] }, 'accepted'],
    ['with a common name only', { hosts: [] }, 'CERTIFICATE_HOST_MISMATCH'],
    ['without alternative names', {}, 'CERTIFICATE_HOST_MISMATCH']
  ])('%s', async (name, wish, code) => {
    const hosts = name.startsWith('with') ? {} : { hosts: ['shop.test'] }
    const made = await make('shop.test', { issuer: intermediate, ...hosts, ...wish })
    expect(codeOf(made.pem + intermediate.pem, pkcs8(made))).toBe(code)
  })

  test('an expired intermediate', async () => {
    const old = await make('Old', { ca: true, issuer: root, to: '2026-02-01T00:00:00Z' })
    const made = await make('shop.test', { issuer: old, hosts: ['shop.test'] })
    expect(codeOf(made.pem + old.pem, pkcs8(made))).toBe('CERTIFICATE_EXPIRED')
  })

  test('what OpenSSL would reject: SHA-1, and a short key of an issuer', async () => {
    const sha1 = await make('SHA-1', { ca: true, algorithm: rsa(2048, 'SHA-1') })
    const short = await make('Short', { ca: true, algorithm: rsa(1024), issuer: root })
    for (const issuer of [sha1, short]) {
      const made = await make('shop.test', { issuer, hosts: ['shop.test'] })
      expect(codeOf(made.pem + issuer.pem, pkcs8(made))).toBe('CERTIFICATE_INVALID')
    }
  })

  describe('an unusual public exponent:', () => {
    const toNumber = (text: string) => BigInt(`0x${Buffer.from(text, 'base64url').toString('hex')}`)
    const toText = (value: bigint) => {
      const digits = value.toString(16)
      return Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex').toString('base64url')
    }
    const exponents: [string, (phi: bigint) => bigint, string][] = [
      // Matches the same private key, so the signatures are valid.
      ['as long as the key', (phi) => 65537n + phi, 'CERTIFICATE_INVALID'],
      ['more than 32 bits', () => 2n ** 32n + 1n, 'CERTIFICATE_INVALID'],
      ['even', () => 65536n, 'CERTIFICATE_INVALID'],
      ['one', () => 1n, 'CERTIFICATE_INVALID'],
      ['none of these', () => 65537n, 'accepted']
    ]

    test.each(exponents)('%s', async (_name, exponentOf, code) => {
      const authority = await make('Authority', { ca: true, algorithm: rsa(2048) })
      const { p = '', q = '', ...jwk } = keyOf(authority).export({ format: 'jwk' })
      const e = toText(exponentOf((toNumber(p) - 1n) * (toNumber(q) - 1n)))
      const spki = createPublicKey({ key: { kty: 'RSA', n: jwk.n!, e }, format: 'jwk' }).export({
        type: 'spki',
        format: 'der'
      })
      const publicKey = await webcrypto.subtle.importKey('spki', spki, authority.algorithm, true, ['verify'])
      const keys = { privateKey: authority.keys.privateKey, publicKey }
      const issuer = await make('Authority', { ca: true, algorithm: rsa(2048), keys, issuer: root })
      const made = await make('shop.test', { issuer, hosts: ['shop.test'] })
      expect(codeOf(made.pem + issuer.pem, pkcs8(made))).toBe(code)
    })

    test('in the key itself', async () => {
      const { p = '', q = '', ...jwk } = keyOf(rsaLeaf).export({ format: 'jwk' })
      const e = toText(65537n + (toNumber(p) - 1n) * (toNumber(q) - 1n))
      const key = createPrivateKey({ key: { ...jwk, p, q, e } as never, format: 'jwk' })
      expect(codeOf(rsaLeaf.pem, key.export({ type: 'pkcs8', format: 'pem' }).toString())).toBe('KEY_INVALID')
    })
  })

  test("a chain larger than the proxy's buffer", async () => {
    const hosts = Array.from({ length: 900 }, (_, index) => `host-number-${index}.shop.test`)
    const made = await make('shop.test', { issuer: intermediate, hosts: ['shop.test', ...hosts] })
    expect(codeOf(made.pem, pkcs8(made))).toBe('CERTIFICATE_INVALID')
  })

  test('without leaking key material in the message', () => {
    const secret = 'c2VjcmV0'
    const text = `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----`
    expect(() => upload(leaf.pem, text)).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining(secret) })
    )
  })
})

test.each([
  [['shop.test'], 'shop.test', true],
  [['shop.test'], 'SHOP.test', true],
  [['shop.test'], 'www.shop.test', false],
  [['*.shop.test'], 'www.shop.test', true],
  [['*.shop.test'], 'shop.test', false],
  [['*.shop.test'], 'a.www.shop.test', false],
  [['*.shop.test'], '*.shop.test', true],
  [['www.shop.test', 'shop.test'], '*.shop.test', false],
  [['*.test'], '*.shop.test', false],
  [['*.test'], 'shop.test', false],
  [['*.shop.test'], '*.www.shop.test', false],
  [[], 'shop.test', false]
])('%j covers %s: %s', (names, hostname, expected) => expect(covers(names, hostname)).toBe(expected))
