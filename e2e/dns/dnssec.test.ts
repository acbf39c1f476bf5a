import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Dnssec } from '@panel/contract/dns-records'
import type { Domain } from '@panel/contract/domains'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { addRecord, dig, serverOf, setDnsMode } from '../support/dns-environment.ts'
import type { Client, RunningPanel } from '../support/panel.ts'
import { sharedWorld, type World } from '../support/shared-world.ts'

const execute = promisify(execFile)

let world: World
let panel: RunningPanel
let ann: Client
let directory: string
beforeAll(async () => {
  world = await sharedWorld()
  panel = world.panel
  ann = await panel.signUp()
  directory = await mkdtemp(join(tmpdir(), 'panel-dns-'))
})
afterAll(() => rm(directory, { recursive: true }))
afterEach(({ task }) => {
  for (const resolver of world.dns.resolvers) resolver.reset()
  if (task.result?.state === 'fail') console.error(panel.output().slice(-5_000))
})

type Zone = Pick<Domain, 'id' | 'hostname'>

const newZone = () => world.dns.addZone(ann, world.newName('signed'))
const valuesOf = async (name: string, type: string) => (await dig(panel, name, type)).values
const set = (zone: Zone, enabled: boolean) => ann.call<Dnssec>('PUT', `/domains/${zone.id}/dnssec`, { enabled })
const isSigned = async (name: string) => (await dig(panel, name, 'A', '+dnssec')).text.includes('RRSIG')
async function validate({ hostname }: Zone, ds: string, name: string, type: string): Promise<string> {
  const [keyTag, algorithm, digestType, digest] = ds.split(' ')
  const anchors = join(directory, 'anchors.conf')
  await writeFile(
    anchors,
    `trust-anchors { "${hostname}." static-ds ${keyTag} ${algorithm} ${digestType} "${digest}"; };\n`
  )
  const { address, port } = serverOf(panel)
  const args = [`@${address}`, '-p', String(port), '-a', anchors, `+root=${hostname}`, name, type]
  const { stdout, stderr } = await execute('delv', args)
  return stdout + stderr
}

test('signing on: the DS matches the served key, and a validator trusts every answer', async () => {
  const zone = await newZone()
  const { hostname } = zone
  const { enabled, dsRecords, dsAtParent } = await set(zone, true)
  expect({ enabled, dsAtParent, count: dsRecords.length }).toEqual({ enabled: true, dsAtParent: false, count: 1 })
  const ds = dsRecords[0]!.text
  const file = join(directory, 'dnskey')
  const keys = (await dig(panel, hostname, 'DNSKEY')).values.map((rdata) => `${hostname}. 3600 IN DNSKEY ${rdata}\n`)
  await writeFile(file, keys.join(''))
  const { stdout } = await execute('dnssec-dsfromkey', ['-2', '-f', file, hostname])
  expect(stdout.trim()).toBe(`${hostname}. IN DS ${ds}`)
  expect(await isSigned(hostname)).toBe(true)
  for (const [name, type] of [
    [hostname, 'A'],
    [hostname, 'SOA'],
    [`www.${hostname}`, 'CNAME']
  ] as const)
    expect(await validate(zone, ds, name, type)).toContain('; fully validated')
  expect(await validate(zone, ds, `none.${hostname}`, 'A')).toContain('; negative response, fully validated')

  await addRecord(ann, zone.id, { type: 'TXT', name: 'fresh', value: 'after signing' })
  expect(await validate(zone, ds, `fresh.${hostname}`, 'TXT')).toMatch(/fully validated[^]*after signing/)
  await world.dns.addDomain(ann, `*.${hostname}`)
  expect(await validate(zone, ds, `any.${hostname}`, 'A')).toMatch(/fully validated[^]*127\.0\.0\.1/)
})

test('signing off: refused while a resolver sees a DS or none respond; on again it uses the same key', async () => {
  const zone = await newZone()
  const { dsRecords } = await set(zone, true)
  const { keyTag, algorithm, digestType, digest } = dsRecords[0]!
  const data = { keyTag, algorithm, digestType, digest: Buffer.from(digest, 'hex') }
  const off = () => ann.request('PUT', `/domains/${zone.id}/dnssec`, { enabled: false })
  const refused = { status: 409, body: { code: 'DNSSEC_DS_PRESENT' } }
  world.dns.resolvers[2].set(zone.hostname, 'DS', { values: [data] })
  expect(await ann.call('GET', `/domains/${zone.id}/dnssec`)).toMatchObject({ enabled: true, dsAtParent: true })
  expect(await off()).toMatchObject(refused)
  const leave = { mode: 'CONNECTED' }
  expect(await ann.request('PATCH', `/domains/${zone.id}/dns-mode`, leave)).toMatchObject(refused)
  for (const resolver of world.dns.resolvers) {
    resolver.reset()
    resolver.fallback = { rcode: 'SERVFAIL' }
  }
  expect(await off()).toMatchObject(refused)
  expect(await isSigned(zone.hostname)).toBe(true)
  world.dns.resolvers[0].reset()
  expect(await off()).toMatchObject({ status: 200, body: { enabled: false, dsRecords: [] } })
  expect(await isSigned(zone.hostname)).toBe(false)
  expect(await valuesOf(zone.hostname, 'DNSKEY')).toEqual([])
  expect((await set(zone, true)).dsRecords).toEqual(dsRecords)
  await setDnsMode(ann, zone.id, 'CONNECTED')
  expect(await dig(panel, zone.hostname, 'A')).toMatchObject({ status: 'REFUSED' })
})
