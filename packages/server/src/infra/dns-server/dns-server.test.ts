import { expect, test } from 'vitest'
import { describeDnsServer, zoneText } from '../../../test/contracts/dns-server.contract.ts'
import { createMemoryDnsServer } from '../../../test/fakes/memory-dns-server.ts'

describeDnsServer('memory', async () => {
  const server = createMemoryDnsServer()
  return {
    server,
    async answer(name) {
      return server.served.has(name) ? (/ A (\S+)/.exec(server.files.get(name) ?? '')?.[1] ?? 'failure') : 'nobody'
    },
    async whileHanging(work) {
      server.fail = true
      await work()
      server.fail = false
    },
    async close() {}
  }
})

test('the fake returns its DS records while the zone is signed', async () => {
  const server = createMemoryDnsServer()
  const record = { keyTag: 1, algorithm: 13, digestType: 2, digest: 'FF' }
  server.ds.set('shop.test', [record])
  await server.putZone('shop.test', zoneText('shop.test', '192.0.2.1', 7))
  await server.setZones([{ name: 'shop.test', isSigned: true }])
  expect(await server.readDs('shop.test')).toEqual([record])
  expect(await server.readSerials()).toEqual(new Map([['shop.test', 7]]))
  await server.setZones([{ name: 'shop.test', isSigned: false }])
  expect(await server.readDs('shop.test')).toEqual([])
})
