import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { appendFile, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { describeDnsServer, zoneText } from '../../packages/server/test/contracts/dns-server.contract.ts'
import { type DnsServer, ZoneRefusedError } from '../../packages/server/src/infra/dns-server/dns-server.ts'
import { createKnot } from '../../packages/server/src/infra/dns-server/knot.ts'
import type { Run } from '../../packages/server/src/infra/process/process.ts'
import { kill, pause } from '../support/processes.ts'
import { ask, eventually, serialOf, startKnot, startTestKnot, stopKnot, type TestKnot } from './server.harness.ts'
import { freePort } from '../../packages/server/test/support/ports.ts'

const execute = promisify(execFile)

describeDnsServer('knot', async () => {
  const environment = await startTestKnot()
  return {
    server: environment.newClient(),
    answer: environment.answer,
    async whileHanging(work) {
      const pid = (await environment.pid())!
      await pause(pid)
      try {
        await work()
      } finally {
        kill(pid, 'SIGCONT')
      }
    },
    close: environment.close
  }
})

describe('zones', () => {
  let environment: TestKnot
  let server: DnsServer
  beforeAll(async () => {
    environment = await startTestKnot()
    server = environment.newClient()
  })
  afterAll(() => environment?.close())
  beforeEach(async () => {
    for (const name of ['shop.test', 'blog.test']) await server.putZone(name, zoneText(name, '192.0.2.1'))
    await server.setZones([
      { name: 'shop.test', isSigned: false },
      { name: 'blog.test', isSigned: false }
    ])
  })
  afterEach(async () => {
    await startKnot(environment.options)
  })

  test.each([
    ['no address', 'x IN A nonsense\n'],
    ['two CNAME records', 'x IN CNAME a\nx IN CNAME b\n'],
    ['something beside a CNAME', 'x IN CNAME a\nx IN A 192.0.2.1\n'],
    ['a file of this machine', '$INCLUDE /etc/hostname\n'],
    ['bytes that are no text', '\0\xff\n']
  ])('a zone with %s is refused; served and stored data stay', async (_, line) => {
    const before = await readFile(join(environment.paths.zones, 'shop.test'), 'utf8')
    const refused = server.putZone('shop.test', zoneText('shop.test', '192.0.2.66') + line)
    await expect(refused).rejects.toThrow(ZoneRefusedError)
    expect(await readFile(join(environment.paths.zones, 'shop.test'), 'utf8')).toBe(before)
    expect(await readdir(environment.paths.candidates)).toEqual([])
    expect(await environment.answer('shop.test')).toBe('192.0.2.1')
    expect(await environment.answer('blog.test')).toBe('192.0.2.1')
  })

  test('warnings of the checker are accepted', async () => {
    await server.putZone('shop.test', `${zoneText('shop.test', '192.0.2.2')}sub IN NS ns.sub.shop.test.\n`)
    expect(await environment.answer('shop.test')).toBe('192.0.2.2')
    expect((await ask(environment.at, 'www.sub.shop.test', 'A')).text).toContain('ns.sub.shop.test.')
  })

  test('the longest name', async () => {
    const name = [...Array.from({ length: 3 }, () => 'a'.repeat(63)), 'b'.repeat(61)].join('.')
    await server.putZone(name, zoneText(name, '192.0.2.3'))
    await server.setZones([{ name, isSigned: true }])
    expect(await environment.answer(name)).toBe('192.0.2.3')
  })

  test('leftovers of a crash are removed by a later start', async () => {
    const half = join(environment.paths.candidates, 'half')
    await writeFile(half, 'shop.test. IN')
    await utimes(half, new Date(0), new Date(0))
    kill((await environment.pid())!, 'SIGKILL')
    expect(await startKnot(environment.options)).toMatchObject({ outcome: 'started' })
    expect(await readdir(environment.paths.candidates)).toEqual([])
    await server.setZones(['shop.test', 'blog.test'].map((name) => ({ name, isSigned: false })))
    expect(await environment.answer('shop.test')).toBe('192.0.2.1')
  })

  test('a reload without changed files starts no program', async () => {
    let count = 0
    const counting: Run = (argv, options) => {
      count++
      return environment.options.run(argv, options)
    }
    const client = createKnot({ ...environment.options, run: counting })
    await client.reload()
    const first = count
    expect(first).toBeGreaterThan(0)
    await client.reload()
    expect(count).toBe(first)
    await appendFile(join(environment.paths.zones, 'shop.test'), '; by hand\n')
    await client.reload()
    expect(count).toBe(first + 1)
  })

  test('a broken foreign file harms no other zone and is repaired by writing it again', async () => {
    await appendFile(join(environment.paths.zones, 'shop.test'), 'x IN A nonsense\n')
    await server.reload()
    expect(await environment.answer('shop.test')).toBe('192.0.2.1')
    await stopKnot(environment.options)
    await rm(join(environment.paths.database, 'journal'), { recursive: true })
    await startKnot(environment.options)
    await eventually(async () => (await environment.answer('blog.test')) === '192.0.2.1')
    expect(await environment.answer('shop.test')).toBe('SERVFAIL')
    await server.putZone('shop.test', zoneText('shop.test', '192.0.2.5'))
    expect(await environment.answer('shop.test')).toBe('192.0.2.5')
  })

  test('a lost command is repaired by the next one', async () => {
    const zones = ['shop.test', 'blog.test', 'new.test'].map((name) => ({ name, isSigned: false }))
    for (const heal of [
      () => server.putZone('new.test', zoneText('new.test', '192.0.2.9')),
      () => server.setZones(zones)
    ]) {
      await server.setZones(zones.slice(0, 2))
      const pid = (await environment.pid())!
      await server.putZone('new.test', zoneText('new.test', '192.0.2.9'))
      await pause(pid)
      await expect(server.setZones(zones)).rejects.toMatchObject({ kind: 'name-server-unavailable' })
      kill(pid, 'SIGKILL')
      await startKnot(environment.options)
      await heal()
      expect(await environment.answer('new.test')).toBe('192.0.2.9')
    }
    await rm(join(environment.paths.zones, 'new.test'))
    await server.setZones(zones.slice(0, 2))
    await server.setZones(zones)
    await writeFile(join(environment.paths.zones, 'new.test'), zoneText('new.test', '192.0.2.10'))
    expect(await environment.answer('new.test')).toBe('SERVFAIL')
    expect(await environment.newClient().setZones(zones)).toBe(true)
    expect(await environment.answer('new.test')).toBe('192.0.2.10')
  })

  test('after a kill during many writes, repeating them restores everything', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `killed${index}.test`)
    const zones = names.map((name, index) => ({ name, isSigned: index % 2 === 0 }))
    const write = () =>
      Promise.allSettled([
        ...names.map((name) => server.putZone(name, zoneText(name, '192.0.2.7'))),
        server.setZones(zones)
      ])
    for (let round = 0; round < 3; round++) {
      const writing = write()
      await eventually(async () => (await server.listZoneFiles()).length > 4 * (round + 1))
      kill((await environment.pid())!, 'SIGKILL')
      await writing
      await startKnot(environment.options)
    }
    expect((await write()).filter(({ status }) => status === 'rejected')).toEqual([])
    expect(new Set(await Promise.all(names.map(environment.answer)))).toEqual(new Set(['192.0.2.7']))
    expect((await server.readDs(names[0]!)).length).toBe(1)
    expect(await server.readDs(names[1]!)).toEqual([])
  })

  test('serials never decrease: many edits a day, a clock set back, a restart', async () => {
    let last = await serialOf(environment.at, 'shop.test')
    for (let edit = 0; edit < 104; edit++) {
      const ours = edit === 50 ? 1 : edit
      await server.putZone('shop.test', zoneText('shop.test', `192.0.2.${edit + 2}`, ours))
      // At the clock set back, and where the two digits of a day end.
      if (edit % 10 > 0 && edit !== 51 && edit < 96) continue
      const serial = await serialOf(environment.at, 'shop.test')
      expect(serial).toBeGreaterThan(last)
      last = serial
    }
    expect(await environment.answer('shop.test')).toBe('192.0.2.105')
    expect((await server.readSerials()).get('shop.test')).toBe(last)
    kill((await environment.pid())!, 'SIGKILL')
    await startKnot(environment.options)
    await server.putZone('shop.test', zoneText('shop.test', '192.0.2.200', 5))
    expect(await serialOf(environment.at, 'shop.test')).toBeGreaterThan(last)
  })

  test('signing off and on again keeps the key; the DS record matches it', async () => {
    const set = (isSigned: boolean) =>
      server.setZones([
        { name: 'shop.test', isSigned },
        { name: 'blog.test', isSigned: false }
      ])
    expect(await set(true)).toBe(true)
    const [key] = (await ask(environment.at, 'shop.test', 'DNSKEY')).records
    const [, flags, , algorithm, encoded] = /DNSKEY\s+(\d+) (\d+) (\d+) (.+)$/.exec(key!)!
    const publicKey = Buffer.from(encoded!.replaceAll(' ', ''), 'base64')
    const rdata = Buffer.concat([
      Buffer.from([Number(flags) >> 8, Number(flags) & 255, 3, Number(algorithm)]),
      publicKey
    ])
    const owner = Buffer.from('\x04shop\x04test\0', 'latin1')
    const keyTag = [...rdata].reduce((sum, byte, index) => sum + (index % 2 === 0 ? byte << 8 : byte), 0)
    const ds = {
      keyTag: (keyTag + (keyTag >> 16)) & 0xffff,
      algorithm: 13,
      digestType: 2,
      digest: createHash('sha256').update(owner).update(rdata).digest('hex').toUpperCase()
    }
    expect(await server.readDs('shop.test')).toEqual([ds])
    const file = join(tmpdir(), `dnskey-${process.pid}`)
    await writeFile(file, `${key}\n`)
    const { stdout } = await execute('dnssec-dsfromkey', ['-2', '-f', file, 'shop.test'])
    await rm(file)
    expect(stdout.trim()).toBe(`shop.test. IN DS ${ds.keyTag} 13 2 ${ds.digest}`)
    expect((await ask(environment.at, 'shop.test', 'A', ['+dnssec'])).text).toContain('RRSIG')

    expect(await set(false)).toBe(true)
    expect(await server.readDs('shop.test')).toEqual([])
    for (const type of ['DNSKEY', 'RRSIG']) expect((await ask(environment.at, 'shop.test', type)).records).toEqual([])
    kill((await environment.pid())!, 'SIGKILL')
    await startKnot(environment.options)
    expect(await set(true)).toBe(true)
    expect(await server.readDs('shop.test')).toEqual([ds])
    await server.putZone('shop.test', zoneText('shop.test', '192.0.2.77'))
    expect((await ask(environment.at, 'shop.test', 'A', ['+dnssec'])).text).toMatch(/192\.0\.2\.77[^]*RRSIG/)
  })

  test('zone transfers, the catalog and the version are private', async () => {
    const { text } = await ask(environment.at, 'shop.test', 'AXFR')
    expect(text).toContain("server replied with error 'NOTAUTH'")
    expect(text).not.toContain('192.0.2.1\n')
    for (const type of ['SOA', 'TXT', 'AXFR'])
      expect((await ask(environment.at, 'catalog.panel.invalid', type)).records).toEqual([])
    for (const name of ['version.bind', 'version.server', 'hostname.bind', 'id.server'])
      expect((await ask(environment.at, name, 'TXT', ['-c', 'CH'])).records).toEqual([])
  })
})

test('a flood is rate limited, loopback is not', async ({ skip }) => {
  const elsewhere = Object.values(networkInterfaces())
    .flat()
    .find((found) => found?.family === 'IPv4' && !found.internal)?.address
  if (elsewhere === undefined) return skip('this machine has no address but loopback')
  const port = await freePort()
  const environment = await startTestKnot({
    listen: [
      { address: '127.0.0.1', port },
      { address: elsewhere, port }
    ]
  })
  try {
    const server = environment.newClient()
    await server.putZone('shop.test', zoneText('shop.test', '192.0.2.1'))
    await server.setZones([{ name: 'shop.test', isSigned: false }])
    const flood = (address: string) => floodWith(address, port, 1_000)
    expect(await flood('127.0.0.1')).toBe(0)
    expect(await flood(elsewhere)).toBeGreaterThan(0)
  } finally {
    await environment.close()
  }
})

/** Number of truncated responses to a flood of queries. */
async function floodWith(address: string, port: number, count: number): Promise<number> {
  const question = Buffer.from('\0\x01\0\0\0\x01\0\0\0\0\0\0\x04shop\x04test\0\0\x01\0\x01', 'latin1')
  const socket = createSocket('udp4')
  let cut = 0
  // One at a time, so that no socket buffer overflows.
  for (let requested = 0; requested < count; requested++) {
    const answered = once(socket, 'message')
    socket.send(question, port, address)
    const [answer] = (await answered) as [Buffer]
    if ((answer[2]! & 0x02) !== 0) cut++
  }
  socket.close()
  return cut
}
