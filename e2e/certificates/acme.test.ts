import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { AcmeAuthority, AcmeOrderRequest } from '../../packages/server/src/infra/acme/acme.ts'
import { readCertificate } from '../../packages/server/src/infra/x509/certificate.ts'
import { checkUpload } from '../../packages/server/src/features/certificates/upload.policy.ts'
import { describeAcme } from '../../packages/server/test/contracts/acme.contract.ts'
import { type AcmeEnvironment, authorityAt, expectNothingLeft, pathOf, startAcmeEnvironment } from './acme.harness.ts'
import type { Pebble } from '../support/pebble.ts'

let environment: AcmeEnvironment
let pebble: Pebble
const eabKey = 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W'

beforeAll(async () => {
  environment = await startAcmeEnvironment()
  for (const name of ['shop.test', 'www.shop.test', 'blocked.test'])
    environment.dns.set(name, 'A', { values: ['127.0.0.1'] })
  pebble = await environment.pebbleWith({ blocked: ['blocked.test'] })
})

afterEach(() => environment.release())

afterAll(() => environment?.close())

describeAcme('Pebble', async () => ({
  authority: authorityAt(pebble),
  publish: environment.publish,
  unpublish: environment.unpublish,
  close: async () => {}
}))

const certificatesOf = (chain: string) =>
  chain.match(/-----BEGIN[^]+?END CERTIFICATE-----/g)!.map((pem) => new X509Certificate(pem))

describe('a certificate', () => {
  test('for two names by http-01: the leaf, its intermediate, and the root that we know', async () => {
    const request = environment.watch(['shop.test', 'www.shop.test'])
    const { chain, keyPem } = await authorityAt(pebble).order(request)
    const [leaf, intermediate] = certificatesOf(chain)
    const root = new X509Certificate(await pebble.rootPem())
    expect(leaf!.verify(intermediate!.publicKey) && intermediate!.verify(root.publicKey)).toBe(true)
    expect(leaf!.checkPrivateKey(createPrivateKey(keyPem))).toBe(true)
    expect(request.orders).toEqual([{ orderUrl: expect.stringMatching(/^https:/), keyPem }])
    expect(request.published.map(({ hostname }) => hostname).sort()).toEqual(['shop.test', 'www.shop.test'])
    expectNothingLeft(request)
    expect(readCertificate(chain).dnsNames.sort()).toEqual(['shop.test', 'www.shop.test'])
    const checked = checkUpload({ certificatePem: chain, keyPem, hostname: 'www.shop.test', now: new Date() })
    expect(checked).toMatchObject({ chain, keyPem })
  })

  test('for a name and its wildcard by dns-01: two values at one name at the same time', async () => {
    const values = () => environment.textsOf('wild.test').size
    let most = 0
    const request = environment.watch(['wild.test', '*.wild.test'], {
      challengeType: 'dns-01',
      async publish(challenge) {
        await environment.publish(challenge)
        most = Math.max(most, values())
      }
    })
    const { chain } = await authorityAt(pebble).order(request)
    expect(readCertificate(chain).dnsNames.sort()).toEqual(['*.wild.test', 'wild.test'])
    expect(request.published.map(({ hostname }) => hostname)).toEqual(['wild.test', 'wild.test'])
    expect([most, values()]).toEqual([2, 0])
    expectNothingLeft(request)
  })

  test('has the lifetime set by the authority', async () => {
    const short = await environment.pebbleWith({ validitySeconds: 5 * 24 * 3600 })
    const { validFrom, validTo } = readCertificate(
      (await authorityAt(short).order(environment.watch(['shop.test']))).chain
    )
    expect(Math.round((validTo.getTime() - validFrom.getTime()) / 3_600_000)).toBe(5 * 24)
  })

  test('is ordered for many names, and eight times at once, with one account', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `n${index}.many.test`)
    for (const name of names) environment.dns.set(name, 'A', { values: ['127.0.0.1'] })
    const authority = authorityAt(pebble)
    const requests = [
      environment.watch(names),
      ...Array.from({ length: 7 }, () => environment.watch(['shop.test', 'www.shop.test']))
    ]
    const issued = await Promise.all(requests.map((request) => authority.order(request)))
    expect(new Set(issued.map(({ chain }) => readCertificate(chain).fingerprint)).size).toBe(8)
    expect(new Set(issued.map(({ keyPem }) => keyPem)).size).toBe(8)
    expect(authority.store.urls.size).toBe(1)
    requests.forEach(expectNothingLeft)
    expect(environment.tokens.size).toBe(0)
  })

  test('comes although every second nonce is refused', async () => {
    const picky = authorityAt(await environment.pebbleWith({ env: { PEBBLE_WFE_NONCEREJECT: '50' } }))
    const issued = await Promise.all([1, 2, 3].map(() => picky.order(environment.watch(['shop.test']))))
    expect(issued).toHaveLength(3)
  })

  test('needs no validation for names that are already validated', async () => {
    const authority = authorityAt(await environment.pebbleWith({ env: { PEBBLE_AUTHZREUSE: '100' } }))
    await authority.order(environment.watch(['shop.test']))
    const again = environment.watch(['shop.test'])
    expect((await authority.order(again)).chain).toContain('BEGIN CERTIFICATE')
    expect(again.published).toEqual([])
  })
})

describe('the account', () => {
  test('is reused', async () => {
    const authority = authorityAt(pebble)
    await authority.order(environment.watch(['shop.test']))
    const first = authority.store.saved
    await authority.order(environment.watch(['shop.test']))
    expect(authority.store.saved).toEqual(first)
    expect(authority.store.urls.size).toBe(1)
  })

  test('is found by its key if the URL was lost', async () => {
    const authority = authorityAt(pebble, { email: 'admin@shop.test' })
    await authority.order(environment.watch(['shop.test']))
    authority.store.saved = { keyPem: authority.store.saved!.keyPem }
    await authority.order(environment.watch(['shop.test']))
    expect(authority.store.urls.size).toBe(1)
  })

  test('is created again if the authority does not know it', async () => {
    const forgetful = await environment.pebbleWith()
    const authority = authorityAt(forgetful)
    await authority.order(environment.watch(['shop.test']))
    await forgetful.kill()
    await forgetful.start()
    const issued = await Promise.all([1, 2, 3].map(() => authority.order(environment.watch(['shop.test']))))
    expect(issued).toHaveLength(3)
    expect(authority.store.urls.size).toBe(2)
  })

  test('is created again even during an order of the old account', async () => {
    const forgetful = await environment.pebbleWith()
    const authority = authorityAt(forgetful)
    const first = environment.watch(['shop.test'])
    await authority.order(first)
    await forgetful.kill()
    await forgetful.start()
    const second = environment.watch(['shop.test'], { resume: first.orders[0]! })
    await authority.order(second)
    expect(second.orders).toHaveLength(1)
  })

  test('is bound to an external account if required', async () => {
    const binding = await environment.pebbleWith({ eab: { 'kid-1': eabKey } })
    const bound = authorityAt(binding, { externalAccount: { kid: 'kid-1', hmacKey: eabKey } })
    expect((await bound.order(environment.watch(['shop.test']))).chain).toContain('BEGIN CERTIFICATE')
    bound.store.saved = { keyPem: bound.store.saved!.keyPem }
    expect((await bound.order(environment.watch(['shop.test']))).chain).toContain('BEGIN CERTIFICATE')

    await expect(authorityAt(binding).order(environment.watch(['shop.test']))).rejects.toMatchObject({
      kind: 'refused'
    })
    for (const externalAccount of [
      { kid: 'kid-1', hmacKey: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
      { kid: 'kid-2', hmacKey: eabKey }
    ]) {
      const request = environment.watch(['shop.test'])
      await expect(authorityAt(binding, { externalAccount }).order(request)).rejects.toMatchObject({ kind: 'refused' })
      expect(request.orders).toEqual([])
    }
  })
})

describe('the authority refuses', () => {
  test.each<[string, string[], Partial<AcmeOrderRequest>, RegExp]>([
    [
      'a wrong token',
      ['shop.test'],
      { publish: async (challenge) => void environment.tokens.set(pathOf(challenge), 'something else') },
      /something else/
    ],
    ['no token', ['shop.test'], { publish: async () => {} }, /404/],
    [
      'a wrong value of the TXT record',
      ['text.test'],
      { challengeType: 'dns-01', publish: (challenge) => environment.publish({ ...challenge, dnsValue: 'wrong' }) },
      /Correct value not found/
    ],
    ['a name that does not exist', ['missing.test'], {}, /missing\.test/],
    ['one name of several', ['shop.test', 'missing.test', 'www.shop.test'], {}, /missing\.test/],
    ['no TXT record', ['missing.test'], { challengeType: 'dns-01', publish: async () => {} }, /missing\.test/]
  ])('%s', async (_, names, given, words) => {
    const request = environment.watch(names, given)
    await expect(authorityAt(pebble).order(request)).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringMatching(words)
    })
    expect(request.published).toHaveLength(names.length)
    expectNothingLeft(request)
  })

  test('a name that it does not accept', async () => {
    const request = environment.watch(['shop.test', 'blocked.test'])
    await expect(authorityAt(pebble).order(request)).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringMatching(/blocked\.test|forbids|policy/i)
    })
    expect(request.orders).toEqual([])
  })

  test('a wildcard is never proved with http-01', async () => {
    const request = environment.watch(['*.shop.test'])
    await expect(authorityAt(pebble).order(request)).rejects.toMatchObject({ kind: 'refused' })
    expect(request.orders).toEqual([])
  })
})

describe('our own failure', () => {
  test('to publish is reported, and nothing is left behind', async () => {
    const failure = new Error('the name server is away')
    const request = environment.watch(['shop.test', 'www.shop.test'], {
      publish: async (challenge) => {
        await environment.publish(challenge)
        throw failure
      }
    })
    await expect(authorityAt(pebble).order(request)).rejects.toBe(failure)
    expectNothingLeft(request)
    expect(environment.tokens.size).toBe(0)
  })

  test('to clean up is reported, and the order can continue', async () => {
    const failure = new Error('the name server is away')
    const request = environment.watch(['shop.test', 'www.shop.test'], { unpublish: () => Promise.reject(failure) })
    const authority = authorityAt(pebble)
    await expect(authority.order(request)).rejects.toBe(failure)
    expectNothingLeft(request)
    const resumed = environment.watch(['shop.test', 'www.shop.test'], { resume: request.orders[0]! })
    await authority.order(resumed)
    expect([resumed.orders, resumed.published]).toEqual([[], []])
  })

  test('to store the order ends it before validation', async () => {
    const request = environment.watch(['shop.test'], { onOrder: () => Promise.reject(new Error('the store is away')) })
    await expect(authorityAt(pebble).order(request)).rejects.toThrow('the store is away')
    expect(request.published).toEqual([])
  })
})

describe('an interrupted order', () => {
  async function cutOff(authority: AcmeAuthority, step: 'onOrder' | 'publish' | 'unpublish') {
    const controller = new AbortController()
    const abort = async () => controller.abort()
    const request = environment.watch(['shop.test', 'www.shop.test'], { signal: controller.signal, [step]: abort })
    await expect(authority.order(request)).rejects.toMatchObject({ kind: 'aborted' })
    expectNothingLeft(request)
    return request.orders[0]!
  }

  test.each([
    ['onOrder', 2],
    ['publish', 2],
    ['unpublish', 0]
  ] as const)('continues after %s', async (step, proofs) => {
    const authority = authorityAt(pebble)
    const resume = await cutOff(authority, step)
    const resumed = environment.watch(['shop.test', 'www.shop.test'], { resume })
    const { chain, keyPem } = await authority.order(resumed)
    expect(resumed.orders).toEqual([])
    expect(resumed.published).toHaveLength(proofs)
    expect(keyPem).toBe(resume.keyPem)
    expect(certificatesOf(chain)[0]!.checkPrivateKey(createPrivateKey(keyPem))).toBe(true)
  })

  test('continues while the authority validates', async () => {
    const authority = authorityAt(pebble)
    const controller = new AbortController()
    environment.hold()
    const request = environment.watch(['shop.test'], { signal: controller.signal })
    const cut = authority.order(request)
    await expect.poll(() => environment.held(), { timeout: 60_000 }).toBeGreaterThan(0)
    controller.abort()
    await expect(cut).rejects.toMatchObject({ kind: 'aborted' })
    expectNothingLeft(request)

    const resumed = environment.watch(['shop.test'], {
      resume: request.orders[0]!,
      async publish(challenge) {
        await environment.publish(challenge)
        environment.release()
      }
    })
    await authority.order(resumed)
    expect(resumed.orders).toEqual([])
  })

  test('gets the same certificate before the download', async () => {
    const authority = authorityAt(pebble)
    const first = environment.watch(['shop.test'])
    const issued = await authority.order(first)
    const again = environment.watch(['shop.test'], { resume: first.orders[0]! })
    expect(await authority.order(again)).toEqual(issued)
    expect([again.orders, again.published]).toEqual([[], []])
  })

  test.each<[string, (authority: AcmeAuthority) => Promise<{ orderUrl: string; keyPem: string }>]>([
    [
      'that failed',
      async (authority) => {
        const request = environment.watch(['shop.test'], { publish: async () => {} })
        await expect(authority.order(request)).rejects.toMatchObject({ kind: 'refused' })
        return request.orders[0]!
      }
    ],
    [
      'of other names',
      async (authority) => {
        const request = environment.watch(['www.shop.test'])
        await authority.order(request)
        return request.orders[0]!
      }
    ],
    [
      'that the authority does not know',
      async () => ({ orderUrl: pebble.directoryUrl.replace('/dir', '/my-order/nothing'), keyPem: newKey() })
    ],
    [
      'of another account',
      async () => {
        const request = environment.watch(['shop.test'])
        await authorityAt(pebble).order(request)
        return request.orders[0]!
      }
    ]
  ])('an order %s is replaced by a new one', async (_, begin) => {
    const authority = authorityAt(pebble)
    const resume = await begin(authority)
    const request = environment.watch(['shop.test'], { resume })
    const { keyPem } = await authority.order(request)
    expect(request.orders).toHaveLength(1)
    expect(keyPem).not.toBe(resume.keyPem)
  })

  test('asks the authority nothing if it had not begun', async () => {
    const request = environment.watch(['shop.test'], { signal: AbortSignal.abort() })
    await expect(authorityAt(pebble).order(request)).rejects.toMatchObject({ kind: 'aborted' })
    expect(request.orders).toEqual([])
  })
})

const newKey = () =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
