import { createPrivateKey, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:tls'
import { expect, test } from 'vitest'
import { readCertificate } from './certificate.ts'
import { createSelfSigned } from './self-signed.ts'

const now = new Date('2026-03-01T12:00:00Z')

test('has the given names and validity and a matching key', async () => {
  const { chain, keyPem } = await createSelfSigned(['*.shop.test', 'shop.test'], { now, days: 90 })
  expect(readCertificate(chain)).toMatchObject({
    issuer: '*.shop.test',
    commonName: '*.shop.test',
    dnsNames: ['*.shop.test', 'shop.test'],
    validFrom: now,
    validTo: new Date('2026-05-30T12:00:00Z')
  })
  const certificate = new X509Certificate(chain)
  expect(certificate.checkPrivateKey(createPrivateKey(keyPem))).toBe(true)
  expect(certificate.verify(certificate.publicKey)).toBe(true)
  expect(certificate.ca).toBe(false)
})

test('has a unique serial number and accepts names longer than a common name', async () => {
  const long = `${'a'.repeat(60)}.${'b'.repeat(60)}.test`
  const [one, two] = await Promise.all([1, 2].map(() => createSelfSigned([long], { now, days: 1 })))
  const facts = [one!, two!].map(({ chain }) => readCertificate(chain))
  expect(facts[0]).toMatchObject({ commonName: 'Self-signed', dnsNames: [long] })
  expect(facts[0]!.serialNumber).toMatch(/^[4-7][0-9A-F]{31}$/)
  expect(facts[0]!.serialNumber).not.toBe(facts[1]!.serialNumber)
})

test('serves TLS 1.3 to a client that trusts it', async () => {
  const { chain, keyPem } = await createSelfSigned(['shop.test'], { now: new Date(), days: 1 })
  const server = createServer({ cert: chain, key: keyPem }, (socket) => socket.end('hello'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const socket = connect({ host: '127.0.0.1', port, ca: chain, servername: 'shop.test' })
  await once(socket, 'secureConnect')
  expect([socket.authorized, socket.getProtocol()]).toEqual([true, 'TLSv1.3'])
  socket.destroy()
  server.close()
})
