import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DnsServer, ZoneRefusedError } from '../../src/infra/dns-server/dns-server.ts'
import { catalogName } from '../../src/infra/dns-server/zone-name.ts'

interface DnsServerEnvironment {
  server: DnsServer
  /** Resolves with the address of a name, or `nobody` if the server is not authoritative. */
  answer: (name: string) => Promise<string>
  /** Runs the work while the server hangs. */
  whileHanging: (work: () => Promise<void>) => Promise<void>
  close: () => Promise<void>
}

export const zoneText = (name: string, address: string, serial = 2026010101): string => `$ORIGIN ${name}.
$TTL 300
@ IN SOA ns1.panel.test. hostmaster.panel.test. ${serial} 7200 3600 1209600 300
@ IN NS ns1.panel.test.
@ IN A ${address}
`

const plain = (...names: string[]) => names.map((name) => ({ name, isSigned: false }))

/** Contract of the fake and the real server. */
export function describeDnsServer(name: string, make: () => Promise<DnsServerEnvironment>): void {
  describe(`name server: ${name}`, () => {
    let environment: DnsServerEnvironment
    let server: DnsServer
    beforeAll(async () => {
      environment = await make()
      server = environment.server
    })
    afterAll(() => environment?.close())

    test('a zone is served after put and list, updated by put, and removed', async () => {
      await server.putZone('shop.test', zoneText('shop.test', '192.0.2.1'))
      expect(await environment.answer('shop.test')).toBe('nobody')
      expect(await server.setZones(plain('shop.test'))).toBe(true)
      expect(await environment.answer('shop.test')).toBe('192.0.2.1')
      await server.putZone('shop.test', zoneText('shop.test', '192.0.2.2', 2026010102))
      expect(await environment.answer('shop.test')).toBe('192.0.2.2')
      expect(await server.setZones(plain('shop.test'))).toBe(false)
      expect(await server.setZones([])).toBe(true)
      expect(await environment.answer('shop.test')).toBe('nobody')
      expect(await server.listZoneFiles()).not.toContain('shop.test')
    })

    test('a refused zone keeps its old content, others too', async () => {
      await server.putZone('a.test', zoneText('a.test', '192.0.2.1'))
      await server.putZone('b.test', zoneText('b.test', '192.0.2.2'))
      await server.setZones(plain('a.test', 'b.test'))
      await expect(server.putZone('a.test', 'no zone')).rejects.toThrow(ZoneRefusedError)
      expect(await environment.answer('a.test')).toBe('192.0.2.1')
      expect(await environment.answer('b.test')).toBe('192.0.2.2')
    })

    test('its keys are copied into a new directory, several times', async () => {
      await server.putZone('signed.test', zoneText('signed.test', '192.0.2.1'))
      await server.setZones([{ name: 'signed.test', isSigned: true }])
      const directory = await mkdtemp(join(tmpdir(), 'panel-dns-state-'))
      for (const name of ['first', 'second']) {
        await server.copyState(join(directory, name))
        expect(await readdir(join(directory, name))).toContain('keys')
      }
      await rm(directory, { recursive: true })
    })

    test('a key is restored from a copy, although the zone has got another one', async () => {
      const zone = [{ name: 'kept.test', isSigned: true }]
      const directory = await mkdtemp(join(tmpdir(), 'panel-dns-key-'))
      const dsOf = async () => (await server.readDs('kept.test')).map(({ digest }) => digest)
      await server.putZone('kept.test', zoneText('kept.test', '192.0.2.1'))
      await server.setZones(zone)
      const before = await dsOf()
      await server.copyState(join(directory, 'copy'))
      await server.setZones([])
      await server.putZone('kept.test', zoneText('kept.test', '192.0.2.1'))
      await server.setZones(zone)
      await server.restoreKey('kept.test', join(directory, 'copy'))
      await expect.poll(dsOf, { timeout: 10_000 }).toEqual(before)
      await rm(directory, { recursive: true })
    })

    test('a list older than a put keeps the file', async () => {
      await server.setZones([])
      await server.putZone('early.test', zoneText('early.test', '192.0.2.3'))
      await server.setZones(plain())
      expect(await server.listZoneFiles()).toContain('early.test')
      await server.setZones(plain('early.test'))
      expect(await environment.answer('early.test')).toBe('192.0.2.3')
    })

    test('a zone can be listed before its file exists', async () => {
      await server.setZones(plain('late.test'))
      await server.putZone('late.test', zoneText('late.test', '192.0.2.4'))
      expect(await environment.answer('late.test')).toBe('192.0.2.4')
      expect([...(await server.readSerials()).keys()]).toEqual(['late.test'])
    })

    test('the last of concurrent lists wins', async () => {
      const names = ['one.test', 'two.test', 'three.test']
      for (const name of names) await server.putZone(name, zoneText(name, '192.0.2.5'))
      await Promise.all([
        server.setZones(plain(...names)),
        server.setZones(plain('one.test', 'two.test')),
        server.setZones(plain('two.test'))
      ])
      expect(await Promise.all(names.map(environment.answer))).toEqual(['nobody', '192.0.2.5', 'nobody'])
    })

    test('zones are written concurrently', async () => {
      const names = Array.from({ length: 30 }, (_, index) => `many${index}.test`)
      await Promise.all(names.map((name) => server.putZone(name, zoneText(name, '192.0.2.6'))))
      await server.setZones(plain(...names))
      await Promise.all(names.map((name) => server.putZone(name, zoneText(name, '192.0.2.7', 2026010102))))
      expect(new Set(await Promise.all(names.map(environment.answer)))).toEqual(new Set(['192.0.2.7']))
    })

    test('unsigned and missing zones have no DS records', async () => {
      await server.putZone('shop.test', zoneText('shop.test', '192.0.2.1'))
      await server.setZones(plain('shop.test'))
      expect(await server.readDs('shop.test')).toEqual([])
      expect(await server.readDs('nowhere.test')).toEqual([])
    })

    test.each(['../zone', 'a/b', 'A.test', '', '.', 'a.test.', '-s', '+serial'])(
      'refuses an invalid zone name: %s',
      async (bad) => {
        await expect(server.putZone(bad, zoneText('a.test', '192.0.2.1'))).rejects.toThrow(TypeError)
        await expect(server.setZones(plain(bad))).rejects.toThrow(TypeError)
        await expect(server.readDs(bad)).rejects.toThrow(TypeError)
      }
    )

    test('the catalog name is refused as a zone', async () => {
      await server.putZone('shop.test', zoneText('shop.test', '192.0.2.1'))
      await expect(server.putZone(catalogName, zoneText(catalogName, '192.0.2.66'))).rejects.toThrow(ZoneRefusedError)
      await server.setZones(plain('shop.test'))
      expect(await server.setZones(plain(catalogName, 'shop.test'))).toBe(false)
      expect(await server.listZoneFiles()).not.toContain(catalogName)
      expect(await server.readDs(catalogName)).toEqual([])
      await server.putZone('shop.test', zoneText('shop.test', '192.0.2.2', 2026010102))
      expect(await environment.answer('shop.test')).toBe('192.0.2.2')
      await server.setZones(plain(catalogName))
      expect(await environment.answer('shop.test')).toBe('nobody')
    })

    test('a hanging server is unavailable, and repeating recovers', async () => {
      await server.putZone('shop.test', zoneText('shop.test', '192.0.2.1'))
      await server.setZones(plain('shop.test'))
      const changed = zoneText('shop.test', '192.0.2.8', 2026010109)
      await environment.whileHanging(async () => {
        const calls = [
          () => server.ping(),
          () => server.putZone('shop.test', changed),
          () => server.setZones(plain('shop.test', 'more.test')),
          () => server.readDs('shop.test'),
          () => server.readSerials(),
          () => server.copyState(join(tmpdir(), 'panel-dns-state-of-none')),
          () => server.reload()
        ]
        for (const call of calls) await expect(call()).rejects.toMatchObject({ kind: 'name-server-unavailable' })
      })
      expect(await server.ping()).toMatch(/./)
      await server.putZone('shop.test', changed)
      await server.putZone('more.test', zoneText('more.test', '192.0.2.9'))
      await server.setZones(plain('shop.test', 'more.test'))
      expect(await environment.answer('shop.test')).toBe('192.0.2.8')
      expect(await environment.answer('more.test')).toBe('192.0.2.9')
    })
  })
}
