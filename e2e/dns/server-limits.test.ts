import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { zoneText } from '../../packages/server/test/contracts/dns-server.contract.ts'
import type { DnsServer } from '../../packages/server/src/infra/dns-server/dns-server.ts'
import { createKnot } from '../../packages/server/src/infra/dns-server/knot.ts'
import { ask, eventually, startTestKnot, type TestKnot } from './server.harness.ts'

const execute = promisify(execFile)
const mebibyte = 1024 * 1024

let environment: TestKnot
let server: DnsServer
beforeAll(async () => {
  environment = await startTestKnot()
  server = createKnot(environment.options)
})
afterAll(() => environment?.close())
beforeEach(async () => {
  await server.putZone('small.test', zoneText('small.test', '192.0.2.1'))
  await set('small.test')
})

const set = (...names: string[]) =>
  server.setZones(names.map((name) => ({ name: name.replace('+', ''), isSigned: name.endsWith('+') })))

async function expectSmallToChange(address: string): Promise<void> {
  await server.putZone('small.test', zoneText('small.test', address))
  expect(await environment.answer('small.test')).toBe(address)
}

/** Disk blocks used by the journal, which is a sparse file. */
async function journalBytes(): Promise<number> {
  return (await stat(join(environment.paths.database, 'journal', 'data.mdb'))).blocks * 512
}

/** 10,000 records with 4 MiB of values and maximum-length names; versions share no record. */
function greatestZone(name: string, version: number): string {
  const value = String(version).repeat(419)
  const records = Array.from({ length: 10_000 }, (_, index) => {
    const owner = longestName(`${version}-${index}`, 253 - name.length - 1)
    return `${owner} IN TXT "${value.slice(0, 255)}" "${value.slice(255)}"\n`
  })
  return zoneText(name, `192.0.2.${version}`) + records.join('')
}

function longestName(start: string, length: number): string {
  const labels = [start.padEnd(Math.min(63, length), 'x')]
  for (let left = length - labels[0]!.length; left > 1; left = length - labels.join('.').length)
    labels.push('x'.repeat(Math.min(63, left - 1)))
  return labels.join('.')
}

const longZone = longestName('greatest', 240).replace(/.{5}$/, '.test')

test('zones of maximum size are changed completely, signed or not, and block no other', async () => {
  const great = [longZone, 'great.test']
  const put = (version: number) => Promise.all(great.map((name) => server.putZone(name, greatestZone(name, version))))
  await put(1)
  await set('small.test', ...great)
  for (const sign of ['+', '', '+']) {
    await set('small.test', ...great.map((name) => name + sign))
    await expectSmallToChange(`192.0.2.1${sign.length}`)
  }
  for (const version of [2, 3, 4]) {
    await put(version)
    for (const name of great) expect(await environment.answer(name)).toBe(`192.0.2.${version}`)
    await expectSmallToChange(`192.0.2.2${version}`)
  }
  expect((await ask(environment.at, longZone, 'A', ['+dnssec'])).text).toContain('RRSIG')
  expect(await readFile(environment.paths.log, 'utf8')).not.toContain('not enough space')
})

test('commands for other zones run while a maximum-size zone is signed', async () => {
  await server.putZone(longZone, greatestZone(longZone, 1))
  await set('small.test', `${longZone}+`)
  const finished: string[] = []
  const changed = server.putZone(longZone, greatestZone(longZone, 2)).then(() => finished.push('great'))
  const file = join(environment.paths.zones, longZone)
  await eventually(async () => (await readFile(file, 'utf8')).includes('192.0.2.2\n'))
  await expectSmallToChange('192.0.2.3').then(() => finished.push('small'))
  await changed
  expect(finished).toEqual(['small', 'great'])
  expect(await environment.answer(longZone)).toBe('192.0.2.2')
})

test('a large zone that the server cannot read is reported', async () => {
  await server.putZone('great.test', greatestZone('great.test', 1))
  await set('small.test', 'great.test')
  const run: typeof environment.options.run = async (argv, options) => {
    const result = await environment.options.run(argv, options)
    if (argv[0] === 'kzonecheck') await environment.options.run(['truncate', '-s', '-3', '--', argv.at(-1)!], options)
    return result
  }
  const put = createKnot({ ...environment.options, run }).putZone('great.test', greatestZone('great.test', 2))
  await expect(put).rejects.toMatchObject({ kind: 'name-server-unavailable' })
  expect(await environment.answer('great.test')).toBe('192.0.2.1')
  await server.putZone('great.test', greatestZone('great.test', 3))
  expect(await environment.answer('great.test')).toBe('192.0.2.3')
})

test('a frequently changed zone does not grow the journal, and others keep changing', async () => {
  const busy = (version: number) =>
    zoneText('busy.test', '192.0.2.1') +
    Array.from({ length: 1_000 }, (_, index) => `x${index} IN TXT "${String(version).padEnd(200, 'x')}"\n`).join('')
  const change = async (from: number, count: number) => {
    for (let version = from; version < from + count; version++) await server.putZone('busy.test', busy(version))
    return journalBytes()
  }
  await change(0, 1)
  await set('small.test', 'busy.test')
  // The journal keeps 20 changes of a zone.
  const before = await change(100, 25)
  expect((await change(200, 25)) - before).toBeLessThan(8 * mebibyte)
  await expectSmallToChange('192.0.2.5')
})

test('removed zones are removed from the journal', async () => {
  const sizes: number[] = []
  for (const name of ['one.test', 'two.test', 'three.test']) {
    for (const version of [1, 2]) {
      await server.putZone(name, greatestZone(name, version))
      await set('small.test', name)
    }
    sizes.push(await journalBytes())
  }
  await set('small.test')
  expect(sizes.at(-1)! - sizes[0]!).toBeLessThan(8 * mebibyte)
  const listed = async () =>
    (await execute('kjournalprint', ['-D', join(environment.paths.database, 'journal'), '-z'])).stdout
  await eventually(async () => !/great|one|two|three/.test(await listed()))
  expect(await listed()).toContain('small.test')
})

test('the journal limit costs neither disk nor memory', async () => {
  const fresh = await startTestKnot()
  try {
    const client = fresh.newClient()
    await client.putZone('shop.test', zoneText('shop.test', '192.0.2.1'))
    await client.setZones([{ name: 'shop.test', isSigned: true }])
    const { size, blocks } = await stat(join(fresh.paths.database, 'journal', 'data.mdb'))
    expect(size).toBeGreaterThan(100_000 * mebibyte)
    expect(blocks * 512).toBeLessThan(mebibyte)
    const status = await readFile(`/proc/${await fresh.pid()}/status`, 'utf8')
    expect(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024).toBeLessThan(100 * mebibyte)
  } finally {
    await fresh.close()
  }
})
