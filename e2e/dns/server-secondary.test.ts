import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { zoneText } from '../../packages/server/test/contracts/dns-server.contract.ts'
import type { DnsServer } from '../../packages/server/src/infra/dns-server/dns-server.ts'
import {
  type Address,
  ask,
  createTestSecondary,
  eventually,
  serialOf,
  startKnot,
  startTestKnot,
  stopKnot,
  type TestKnot,
  type TestSecondary
} from './server.harness.ts'
import { freePort } from '../../packages/server/test/support/ports.ts'

const transferKey = randomBytes(32).toString('base64')
let first: TestKnot
let second: TestSecondary
let server: DnsServer
beforeAll(async () => {
  const at: Address = { address: '127.0.0.2', port: await freePort() }
  first = await startTestKnot({ transferKey, secondaries: [at], listen: [{ address: '127.0.0.1', port: at.port }] })
  second = await createTestSecondary(at, { address: '127.0.0.1', port: at.port }, transferKey)
  server = first.newClient()
  await second.start()
})
afterAll(async () => {
  await second?.close()
  await first?.close()
})

const primary = () => first.options.listen[0]!
const arrives = (name: string, answer: string) => eventually(async () => (await second.answer(name)) === answer)
const set = (...zones: [string, boolean][]) => server.setZones(zones.map(([name, isSigned]) => ({ name, isSigned })))

test('additions, changes, signing and deletions reach the second server', async () => {
  await server.putZone('shop.test', zoneText('shop.test', '192.0.2.1'))
  await set(['shop.test', false])
  await arrives('shop.test', '192.0.2.1')
  await server.putZone('shop.test', zoneText('shop.test', '192.0.2.2', 1))
  await arrives('shop.test', '192.0.2.2')
  expect(await serialOf(second.at, 'shop.test')).toBe(await serialOf(primary(), 'shop.test'))
  await set(['shop.test', true])
  const isSigned = async () => (await ask(second.at, 'shop.test', 'A', ['+dnssec'])).text.includes('RRSIG')
  await eventually(isSigned)
  await set(['shop.test', false])
  await eventually(async () => !(await isSigned()))
  await set()
  await arrives('shop.test', 'nobody')
})

test('the second server survives the loss of the first and its own restart', async () => {
  await server.putZone('blog.test', zoneText('blog.test', '192.0.2.3'))
  await set(['blog.test', true])
  await arrives('blog.test', '192.0.2.3')
  await stopKnot(first.options)
  expect(await second.answer('blog.test')).toBe('192.0.2.3')
  await second.stop()
  await second.start()
  await arrives('blog.test', '192.0.2.3')
  await startKnot(first.options)
  await second.stop()
  await server.putZone('blog.test', zoneText('blog.test', '192.0.2.4'))
  await second.start()
  await second.knotc('zone-refresh')
  await arrives('blog.test', '192.0.2.4')
})

test('zone transfers require the key', async () => {
  await server.putZone('shop.test', zoneText('shop.test', '192.0.2.1'))
  await set(['shop.test', false])
  const fetch = (name: string, ...more: string[]) => ask(primary(), name, 'AXFR', more)
  const withKey = ['-y', `hmac-sha256:panel-transfer:${transferKey}`]
  const otherKey = ['-y', `hmac-sha256:panel-transfer:${randomBytes(32).toString('base64')}`]
  expect((await fetch('shop.test', ...withKey)).text).toContain('192.0.2.1\n')
  expect((await fetch('catalog.panel.invalid', ...withKey)).text).toContain('shop.test.')
  for (const more of [[], otherKey])
    for (const name of ['shop.test', 'catalog.panel.invalid']) {
      const { text } = await fetch(name, ...more)
      expect(text).toContain('server replied with error')
      expect(text).not.toMatch(/192\.0\.2\.1\n|PTR/)
    }
  for (const at of [primary(), second.at]) expect((await ask(at, 'catalog.panel.invalid', 'SOA')).records).toEqual([])
})
