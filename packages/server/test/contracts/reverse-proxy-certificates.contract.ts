import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeCertificate } from '../fixtures/certificate.fixture.ts'
import type { ReverseProxyHarness } from './reverse-proxy.contract.ts'
import type { Route, ServedCertificate } from '../../src/infra/reverse-proxy/reverse-proxy.ts'

/** Certificate contract of every ReverseProxy. */
export function describeCertificates(getHarness: () => ReverseProxyHarness): void {
  describe('certificates', () => {
    const refused = { name: 'CertificateRefusedError' }
    const none = async () => undefined
    const proxy = () => getHarness().proxy
    const served = (hostname: string) => getHarness().servedFingerprint(hostname)
    let one: ServedCertificate
    let other: ServedCertificate
    let route: Route

    beforeAll(async () => {
      one = await makeCertificate('one', ['a.example.com', 'b.example.com'])
      other = await makeCertificate('other', ['a.example.com', 'b.example.com'])
      route = { hostname: 'a.example.com', target: getHarness().targets[0], forceHttps: false }
    })
    beforeEach(async () => {
      await proxy().syncCertificates([], none)
    })

    test('is served for its names between set and remove', async () => {
      expect(await served('a.example.com')).toBe('default')
      await proxy().setCertificate(one)
      expect(await served('a.example.com')).toBe(one.fingerprint)
      expect(await served('b.example.com')).toBe(one.fingerprint)
      expect(await served('c.example.com')).toBe('default')
      await proxy().removeCertificate('one')
      await proxy().removeCertificate('one')
      expect(await served('a.example.com')).toBe('default')
    })

    test('new content replaces the old one with its names', async () => {
      await proxy().setCertificate(one)
      await proxy().setCertificate({ ...other, id: 'one', hostnames: ['b.example.com', 'c.example.com'] })
      expect(await served('a.example.com')).toBe('default')
      expect(await served('b.example.com')).toBe(other.fingerprint)
      expect(await served('c.example.com')).toBe(other.fingerprint)
      await proxy().setCertificate({ ...other, id: 'one', hostnames: ['a.example.com'] })
      expect(await served('a.example.com')).toBe(other.fingerprint)
      expect(await served('c.example.com')).toBe('default')
      await proxy().setCertificate(one)
      await proxy().setCertificate(one)
      expect(await served('a.example.com')).toBe(one.fingerprint)
    })

    test.each([
      ['ec', 'ec'],
      ['rsa-2048', 'ec'],
      ['ec', 'rsa-2048']
    ] as const)('an exact name (%s) wins over a wildcard (%s) in any order', async (exactKey, wildcardKey) => {
      const exact = await makeCertificate('exact', ['a.example.com', 'example.com'], { key: exactKey })
      const wildcard = await makeCertificate('wild', ['*.example.com', 'w.example.com'], { key: wildcardKey })
      for (const order of [
        [exact, wildcard],
        [wildcard, exact]
      ]) {
        for (const certificate of order) await proxy().setCertificate(certificate)
        expect(await served('a.example.com')).toBe(exact.fingerprint)
        expect(await served('example.com')).toBe(exact.fingerprint)
        expect(await served('b.example.com')).toBe(wildcard.fingerprint)
        expect(await served('w.example.com')).toBe(wildcard.fingerprint)
        expect(await served('x.b.example.com')).toBe('default')
        await proxy().removeCertificate('exact')
        expect(await served('a.example.com')).toBe(wildcard.fingerprint)
        expect(await served('example.com')).toBe('default')
        await proxy().removeCertificate('wild')
        expect(await served('a.example.com')).toBe('default')
      }
    })

    test('sync serves exactly the given ones and requests only missing ones', async () => {
      const next = { ...(await makeCertificate('next', ['next.example.com'])) }
      const all = new Map([one, { ...other, hostnames: ['c.example.com'] }, next].map((each) => [each.id, each]))
      const requested: string[] = []
      const load = async (id: string) => {
        requested.push(id)
        return all.get(id)
      }
      await proxy().setCertificate(one)
      await proxy().setCertificate(await makeCertificate('old', ['old.example.com']))
      await proxy().setCertificate(await makeCertificate('next', ['next.example.com']))
      expect(await proxy().syncCertificates([...all.values()], load)).toBe(true)
      expect(requested.toSorted()).toEqual(['next', 'other'])
      expect(await served('a.example.com')).toBe(one.fingerprint)
      expect(await served('c.example.com')).toBe(other.fingerprint)
      expect(await served('next.example.com')).toBe(next.fingerprint)
      expect(await served('old.example.com')).toBe('default')
      expect(await proxy().syncCertificates([...all.values()].toReversed(), load)).toBe(false)
      all.delete('next')
      expect(await proxy().syncCertificates([one, { ...next, fingerprint: other.fingerprint }], load)).toBe(true)
      expect(await served('next.example.com')).toBe('default')
      expect(await served('c.example.com')).toBe('default')
      expect(await served('a.example.com')).toBe(one.fingerprint)
    })

    test('failures in sync do not block others and keep the old content', async () => {
      const previous = await makeCertificate('broken', ['broken.example.com'])
      await proxy().setCertificate(previous)
      const broken = { ...(await makeCertificate('broken', ['broken.example.com'])), keyPem: one.keyPem }
      const hostile = { ...other, id: 'x\n\nclear map' }
      const lost = { id: 'lost', fingerprint: '1'.repeat(64) }
      const all = new Map([broken, hostile, one].map((each) => [each.id, each]))
      const sync = proxy().syncCertificates([broken, hostile, lost, one], async (id) => {
        if (id === 'lost') throw new Error('the store is away')
        return all.get(id)
      })
      await expect(sync).rejects.toMatchObject(refused)
      await expect(sync).rejects.toThrow(/"broken".*"lost"|"lost".*"broken"/)
      expect(await served('broken.example.com')).toBe(previous.fingerprint)
      expect(await served('a.example.com')).toBe(one.fingerprint)
    })

    test('concurrent changes all count, and the last one per certificate wins', async () => {
      const numbers = Array.from({ length: 20 }, (_, index) => index)
      const made = await Promise.all(numbers.map((number) => makeCertificate(`n${number}`, [`n${number}.example.com`])))
      await Promise.all([
        ...made.map((certificate) =>
          proxy().setCertificate({ ...other, id: certificate.id, hostnames: certificate.hostnames })
        ),
        proxy().removeCertificate('n3'),
        ...made.slice(5).map((certificate) => proxy().setCertificate(certificate)),
        proxy().removeCertificate('n7')
      ])
      expect(await served('n0.example.com')).toBe(other.fingerprint)
      expect(await served('n3.example.com')).toBe('default')
      expect(await served('n5.example.com')).toBe(made[5]!.fingerprint)
      expect(await served('n7.example.com')).toBe('default')
      expect(await served('n19.example.com')).toBe(made[19]!.fingerprint)
    })

    test.each(hostileCertificates)('refuses %s and keeps serving the old one', async (_, change) => {
      await proxy().setCertificate(one)
      const hostile = change({ ...other, id: 'one' }, one)
      await expect(proxy().setCertificate(hostile)).rejects.toMatchObject(refused)
      if (hostile.id !== 'one') await expect(proxy().removeCertificate(hostile.id)).rejects.toMatchObject(refused)
      expect(await served('a.example.com')).toBe(one.fingerprint)
      expect(await proxy().syncCertificates([one], none)).toBe(false)
    })

    test.each([
      [
        'between the certificates',
        (chain: string, key: string) => [`${chain}\n\nclear map {map}\nshow info\n\n${chain}`, key]
      ],
      [
        'inside the key',
        (chain: string, key: string) => [chain, key.replace('-----END', '\n\n-----END') + '\n\nclear map {map}']
      ],
      [
        'before and after',
        (chain: string, key: string) => [`clear map {map}\n\n${chain}`, `\n\nclear map {map}\n\n${key}`]
      ]
    ] as const)('does not run commands %s', async (_, write) => {
      await proxy().sync([route])
      const [chain, keyPem] = write(one.chain, one.keyPem).map((text) => text.replace('{map}', getHarness().mapPath))
      await proxy()
        .setCertificate({ ...one, chain: chain!, keyPem: keyPem! })
        .catch((error: unknown) => expect(error).toMatchObject(refused))
      expect(await proxy().sync([route])).toBe(false)
      await proxy().setCertificate(one)
      expect(await served('a.example.com')).toBe(one.fingerprint)
    })

    test('a hanging proxy is REVERSE_PROXY_UNAVAILABLE and recovers', async () => {
      const unavailable = { kind: 'reverse-proxy-unavailable' }
      await proxy().setCertificate(one)
      await getHarness().whileHanging(async () => {
        await expect(proxy().setCertificate({ ...other, id: 'one' })).rejects.toMatchObject(unavailable)
        await expect(proxy().removeCertificate('one')).rejects.toMatchObject(unavailable)
        await expect(proxy().syncCertificates([], none)).rejects.toMatchObject(unavailable)
      })
      await proxy().setCertificate({ ...other, id: 'one' })
      expect(await served('a.example.com')).toBe(other.fingerprint)
      await proxy().syncCertificates([one], async () => one)
      expect(await served('a.example.com')).toBe(one.fingerprint)
    })
  })
}

type Change = (certificate: ServedCertificate, another: ServedCertificate) => ServedCertificate

const hostileCertificates: [string, Change][] = [
  ...['', '.', '..', '../x', 'a/b', 'a b', 'a;b', 'a\nb', 'a\n', 'a.pem', 'ä', 'a\0', '*', 'a'.repeat(65)].map(
    (id): [string, Change] => [`the id ${JSON.stringify(id).slice(0, 40)}`, (certificate) => ({ ...certificate, id })]
  ),
  ...[
    [],
    [''],
    ['localhost'],
    ['*'],
    ['*.com'],
    ['*.*.example.com'],
    ['!a.example.com'],
    ['A.example.com'],
    ['a.example.com\n'],
    ['a.example.com', 'b.example.com\n\nclear map'],
    ['a.example.com b.example.com'],
    ['[verify'],
    ['10.0.0.1'],
    ['ä.example.com'],
    Array.from({ length: 200 }, (_, number) => `${'a.'.repeat(100)}n${number}.example.com`)
  ].map((hostnames): [string, Change] => [
    `the names ${JSON.stringify(hostnames).slice(0, 40)}`,
    (certificate) => ({ ...certificate, hostnames })
  ]),
  ...['', '0'.repeat(64), 'A'.repeat(64), 'a'.repeat(63), `${'a'.repeat(64)}\n`].map(
    (fingerprint): [string, Change] => [
      `the fingerprint ${JSON.stringify(fingerprint).slice(0, 20)}`,
      (certificate) => ({ ...certificate, fingerprint })
    ]
  ),
  ['another key', (certificate, another) => ({ ...certificate, keyPem: another.keyPem })],
  ['another certificate', (certificate, another) => ({ ...certificate, chain: another.chain })],
  ['no chain', (certificate) => ({ ...certificate, chain: '' })],
  ['no key', (certificate) => ({ ...certificate, keyPem: '' })],
  ['a key in place of the chain', (certificate) => ({ ...certificate, chain: certificate.keyPem })],
  ['a chain in place of the key', (certificate) => ({ ...certificate, keyPem: certificate.chain })],
  ['garbage for a chain', (certificate) => ({ ...certificate, chain: certificate.chain.replace(/[A-Z]{3}/g, 'AAAA') })],
  [
    'garbage for a key',
    (certificate) => ({ ...certificate, keyPem: '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n' })
  ],
  ['a chain longer than a buffer', (certificate) => ({ ...certificate, chain: certificate.chain.repeat(80) })]
]
