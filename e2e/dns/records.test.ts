import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { DnsRecord, ImportResult } from '@panel/contract/dns-records'
import type { Domain } from '@panel/contract/domains'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  addRecord,
  dig,
  listRecords,
  nameservers,
  ownerOf,
  rdataOf,
  serialOf,
  servedRecords,
  servedZones,
  serverOf,
  setDnsMode,
  shown
} from '../support/dns-environment.ts'
import type { Client, RunningPanel } from '../support/panel.ts'
import { sharedWorld, type World } from '../support/shared-world.ts'

const execute = promisify(execFile)
const publicIp = '127.0.0.1'

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
  if (task.result?.state === 'fail') console.error(panel.output().slice(-5_000))
})

type Zone = Pick<Domain, 'id' | 'hostname'>

const newZone = () => world.dns.addZone(ann, world.newName('zone'))
const change = (domainId: string, id: string, values: Partial<DnsRecord>) =>
  ann.call<DnsRecord>('PATCH', `/domains/${domainId}/dns/${id}`, values)
const remove = (domainId: string, id: string) => ann.call('DELETE', `/domains/${domainId}/dns/${id}`)
const importInto = ({ id }: Zone, zoneContent: string, strategy: 'skip' | 'replace' = 'skip') =>
  ann.call<ImportResult>('POST', `/domains/${id}/dns/import`, { zoneContent, strategy })
const valuesOf = async (name: string, type: string) => (await dig(panel, name, type)).values
const statusOf = async (name: string, type = 'A') => (await dig(panel, name, type)).status
const listed = async ({ id, hostname }: Zone) =>
  (await listRecords(ann, id)).map((record) => shown(record, hostname)).sort()
const expectWhole = async (zone: Zone) => expect(await servedRecords(panel, zone.hostname)).toEqual(await listed(zone))

describe('modes', () => {
  test('a delegated zone is served at once, not at all while CONNECTED, and as before afterwards', async () => {
    const domain = await world.dns.addDomain(ann, world.newName('zone'))
    const { id, hostname } = domain
    const manage = () => ann.request('PATCH', `/domains/${id}/dns-mode`, { mode: 'MANAGED' })
    expect(await manage()).toMatchObject({ status: 409, body: { code: 'DNS_NOT_DELEGATED' } })
    expect(await statusOf(hostname)).toBe('REFUSED')
    world.dns.resolvers[2].set(hostname, 'NS', { values: [...nameservers].reverse() })
    expect(await manage()).toMatchObject({ status: 200, body: { dnsMode: 'MANAGED' } })
    expect(await valuesOf(hostname, 'A')).toEqual([publicIp])
    expect(await valuesOf(hostname, 'NS')).toEqual(nameservers.map((name) => `${name}.`))
    expect(await valuesOf(`www.${hostname}`, 'CNAME')).toEqual([`${hostname}.`])
    const [soa] = await valuesOf(hostname, 'SOA')
    expect(soa).toMatch(/^ns1\.hosting\.test\. hostmaster\.panel\.hosting\.test\. 20\d{8} 7200 3600 1209600 3600$/)
    expect((await dig(panel, hostname, 'A')).text).toMatch(/^;; Flags: qr aa\b/m)
    expect(await statusOf(`none.${hostname}`)).toBe('NXDOMAIN')

    await addRecord(ann, id, { type: 'TXT', name: 'kept', value: 'for later' })
    const before = [await listed(domain), await servedRecords(panel, hostname)]
    await setDnsMode(ann, id, 'CONNECTED')
    for (const name of [hostname, `kept.${hostname}`]) expect(await statusOf(name)).toBe('REFUSED')
    expect(await servedZones(panel)).not.toContain(hostname)
    await setDnsMode(ann, id, 'MANAGED')
    expect(await valuesOf(`kept.${hostname}`, 'TXT')).toEqual(['for later'])
    expect([await listed(domain), await servedRecords(panel, hostname)]).toEqual(before)
  })

  test('a subdomain is served in its parent’s zone from creation to removal', async () => {
    const { id, hostname } = await newZone()
    const child = await world.dns.addDomain(ann, `shop.${hostname}`)
    expect(child).toMatchObject({ status: 'ACTIVE', parentId: id, dnsMode: 'MANAGED' })
    expect(await valuesOf(`shop.${hostname}`, 'A')).toEqual([publicIp])
    expect(await statusOf(`other.${hostname}`)).toBe('NXDOMAIN')
    await addRecord(ann, child.id, { type: 'MX', name: '@', value: 'mail', priority: 10 })
    await addRecord(ann, child.id, { type: 'A', name: 'mail', value: '192.0.2.25' })
    expect(await valuesOf(`shop.${hostname}`, 'MX')).toEqual([`10 mail.shop.${hostname}.`])
    expect(await valuesOf(`mail.shop.${hostname}`, 'A')).toEqual(['192.0.2.25'])
    const wildcard = await world.dns.addDomain(ann, `*.${hostname}`)
    expect(await valuesOf(`other.${hostname}`, 'A')).toEqual([publicIp])
    await ann.call('DELETE', `/domains/${wildcard.id}`)
    await ann.call('DELETE', `/domains/${child.id}`)
    for (const name of ['other', 'shop', 'mail.shop']) expect(await statusOf(`${name}.${hostname}`)).toBe('NXDOMAIN')
    expect(await valuesOf(hostname, 'A')).toEqual([publicIp])
    await ann.call('DELETE', `/domains/${id}`)
    expect(await statusOf(hostname)).toBe('REFUSED')
  })
})

const utf8 = 'Grüße, "quoted" \\ back\\\\slash; 日本 😀 \\000 $ORIGIN @ ( )'
const kinds: (Partial<DnsRecord> & Pick<DnsRecord, 'type' | 'name'>)[] = [
  { type: 'A', name: 'many', value: '192.0.2.1', ttl: 60 },
  { type: 'A', name: '*.dev', value: '192.0.2.2', ttl: 0 },
  { type: 'AAAA', name: 'six', value: '2001:db8::1:0:0:1' },
  { type: 'AAAA', name: 'mapped', value: '::ffff:192.0.2.1' },
  { type: 'CNAME', name: '_dmarc.x', value: '_x._y.elsewhere.test' },
  { type: 'MX', name: '@', value: 'mail.elsewhere.test', priority: 65_535 },
  { type: 'MX', name: 'quiet', value: '.', priority: 0 },
  { type: 'NS', name: 'sub', value: 'ns.elsewhere.test' },
  { type: 'SRV', name: '_sip._tcp', value: 'sip.elsewhere.test', priority: 0, weight: 65_535, port: 5060 },
  { type: 'SRV', name: '_imap._tcp', value: '.', priority: 0, weight: 0, port: 1 },
  { type: 'CAA', name: '@', value: '128 issue ";"' },
  { type: 'CAA', name: 'caa', value: '128 issuewild "ca.example.net; policy=\\"x\\\\y\\""' },
  { type: 'PTR', name: 'b._dns-sd', value: 'www.elsewhere.test' },
  { type: 'SSHFP', name: 'many', value: `4 2 ${'0F'.repeat(32)}` },
  { type: 'TLSA', name: '_25._tcp.mail', value: `3 1 1 ${'AB'.repeat(32)}` },
  { type: 'SVCB', name: '_8443._foo', value: 'svc.elsewhere.test port=8443 key667=a\\032b', priority: 16 },
  { type: 'HTTPS', name: '@', value: '. alpn=h2,h3 ipv4hint=192.0.2.1,192.0.2.2', priority: 1 },
  { type: 'HTTPS', name: '*.dev', value: 'cdn.elsewhere.test', priority: 0 },
  { type: 'NAPTR', name: 'sip', value: '100 10 "U" "E2U+sip" "!^(.*)$!sip:\\\\1@elsewhere.test!" .' },
  { type: 'NAPTR', name: '@', value: '1 2 "S" "SIP+D2U" "" _sip._udp.elsewhere.test' },
  { type: 'TXT', name: '@', value: 'v=spf1 "a" \\ -all; $x (y) é 日本 ' },
  { type: 'TXT', name: 'empty', value: '' },
  { type: 'TXT', name: 'all', value: utf8 },
  { type: 'TXT', name: 'whole', value: 'x'.repeat(255) },
  { type: 'TXT', name: 'most', value: '日'.repeat(2_048) }
]

test('every kind of record is served as given, passes two checkers as an export and can be imported', async () => {
  const [from, to] = [await newZone(), await newZone()]
  const records = []
  for (const values of kinds) records.push(await addRecord(ann, from.id, values))
  expect(records).toMatchObject(kinds)
  for (const values of kinds.filter(({ type }) => type !== 'NS')) {
    const { values: found, ttls } = await dig(panel, ownerOf(values, from.hostname), values.type)
    expect([found, ttls], JSON.stringify(values)).toEqual([[rdataOf(values)], [values.ttl ?? 3600]])
  }
  expect((await dig(panel, `sub.${from.hostname}`, 'A')).text).toContain('ns.elsewhere.test.')
  await expectWhole(from)

  const text = await ann.call<string>('GET', `/domains/${from.id}/dns/export`)
  const file = join(directory, 'exported.zone')
  await writeFile(file, text)
  const { stdout } = await execute('named-checkzone', ['-i', 'local', '-k', 'fail', from.hostname, file])
  expect(stdout.trim().split('\n').at(-1)).toBe('OK')
  await execute('kzonecheck', ['-o', from.hostname, file])
  expect(await importInto(from, text)).toMatchObject({ importedCount: 0, records: [], errors: [] })

  expect((await importInto(to, text.replaceAll(from.hostname, to.hostname), 'replace')).errors).toEqual([])
  const withoutProof = (lines: string[]) => lines.filter((line) => !line.startsWith('_panel-challenge.')).sort()
  const expected = (await servedRecords(panel, from.hostname)).map((line) =>
    line.replaceAll(from.hostname, to.hostname)
  )
  expect(withoutProof(await servedRecords(panel, to.hostname))).toEqual(withoutProof(expected))
  expect(await dig(panel, `many.${to.hostname}`, 'A')).toMatchObject({ values: ['192.0.2.1'], ttls: [60] })
  await expectWhole(to)

  for (const { id } of records.slice(0, 5)) await remove(from.id, id)
  const removed = kinds.slice(0, 5).map((values) => shown(values, from.hostname))
  const left = await servedRecords(panel, from.hostname)
  expect(left.filter((line) => removed.includes(line))).toEqual([])
  await expectWhole(from)
})

test('a change is served with a higher serial when the API responds, including renames', async () => {
  const { id, hostname } = await newZone()
  const record = await addRecord(ann, id, { type: 'A', name: 'old', value: '192.0.2.1' })
  const before = await serialOf(serverOf(panel), hostname)
  await change(id, record.id, { value: '192.0.2.2', ttl: 7 })
  expect(await dig(panel, `old.${hostname}`, 'A')).toMatchObject({ values: ['192.0.2.2'], ttls: [7] })
  expect(await serialOf(serverOf(panel), hostname)).toBeGreaterThan(before)
  await change(id, record.id, { name: 'new' })
  expect(await statusOf(`old.${hostname}`)).toBe('NXDOMAIN')
  expect(await valuesOf(`new.${hostname}`, 'A')).toEqual(['192.0.2.2'])
  const second = await addRecord(ann, id, { type: 'A', name: 'new', value: '192.0.2.3', ttl: 9 })
  expect(await dig(panel, `new.${hostname}`, 'A')).toMatchObject({ values: ['192.0.2.2', '192.0.2.3'], ttls: [9] })
  await remove(id, record.id)
  expect(await valuesOf(`new.${hostname}`, 'A')).toEqual(['192.0.2.3'])
  await remove(id, second.id)
  expect(await statusOf(`new.${hostname}`)).toBe('NXDOMAIN')
  for (const { id: recordId, type } of await listRecords(ann, id)) if (type !== 'NS') await remove(id, recordId)
  expect(await valuesOf(hostname, 'A')).toEqual([])
  expect(await valuesOf(hostname, 'NS')).toEqual(nameservers.map((name) => `${name}.`))
  await ann.call('POST', `/domains/${id}/dns/defaults`)
  expect(await valuesOf(hostname, 'A')).toEqual([publicIp])
})

test('concurrent changes in several zones are served when the API responds', async () => {
  const domains = [await newZone(), await newZone(), await newZone()]
  await Promise.all(
    Array.from({ length: 30 }, async (_, index) => {
      const { id, hostname } = domains[index % 3]!
      await addRecord(ann, id, { type: 'TXT', name: `n${index}`, value: `number ${index}` })
      expect(await valuesOf(`n${index}.${hostname}`, 'TXT')).toEqual([`number ${index}`])
    })
  )
  for (const domain of domains) await expectWhole(domain)
})

describe('hostile input never reaches other lines', () => {
  const texts = [
    'x\n$INCLUDE /etc/passwd',
    'x\n@ IN NS evil.',
    'x\r\n@ 0 IN A 192.0.2.66',
    '"\n@ IN NS evil.\n"',
    '" ; @ IN NS evil.',
    '";',
    '\\',
    '\\"',
    '\\000',
    '\\\n',
    '\0',
    '\u0085x',
    '\u2028$INCLUDE /etc/passwd',
    '(',
    ') IN NS evil.',
    '$INCLUDE /etc/passwd',
    '$ORIGIN evil.',
    '$GENERATE 1-9999999 a$ A 192.0.2.66',
    '@',
    ';'
  ]

  test('records: accepted values are served byte for byte and the zone stays intact', async () => {
    const zone = await newZone()
    const { id, hostname } = zone
    const tries = texts.flatMap((text, index) => [
      { type: 'TXT', name: `v${index}`, value: text },
      { type: 'CAA', name: `q${index}`, value: `0 issue "${text}"` },
      { type: 'TXT', name: text, value: 'hostile name' }
    ])
    const accepted: DnsRecord[] = []
    for (const values of tries) {
      const { status, body } = await ann.request<DnsRecord>('POST', `/domains/${id}/dns`, values)
      if (status === 201) accepted.push(body)
      else
        expect({ status, body }, JSON.stringify(values)).toMatchObject({
          status: 400,
          body: { code: 'VALIDATION_ERROR' }
        })
    }
    for (const record of accepted)
      expect(await valuesOf(ownerOf(record, hostname), record.type), JSON.stringify(record)).toEqual([rdataOf(record)])
    const served = accepted.filter(({ type, name }) => type === 'TXT' && name.startsWith('v'))
    expect(served.map(({ value }) => value)).toEqual(texts.filter((text) => !/\p{Cc}/u.test(text)))
    expect(await valuesOf(hostname, 'A')).toEqual([publicIp])
    expect((await valuesOf(hostname, 'NS')).join()).not.toContain('evil')
    await expectWhole(zone)
  })

  test('imports: rejected lines are reported, the rest is served', async () => {
    const zone = await newZone()
    const text = `$INCLUDE /etc/passwd
$INCLUDE /etc/passwd evil.
$GENERATE 1-9999999 a$ IN A 192.0.2.66
good 60 IN TXT "one"
$ORIGIN evil.
x IN A 192.0.2.66
victim.test. IN NS evil.
$ORIGIN ${zone.hostname}.
..${zone.hostname}. IN A 192.0.2.66
quoted IN TXT "a\\010b" "\\000"
open IN TXT "no end
good2 60 IN TXT "two"
`
    const { errors, records } = await importInto(zone, text, 'replace')
    for (const line of [1, 2, 3, 6, 7, 9, 10, 11]) expect(errors.join('\n')).toMatch(new RegExp(`^line ${line}: `, 'm'))
    expect(JSON.stringify({ errors, records })).not.toContain('root:')
    expect(records.map(({ name, value }) => [name, value])).toEqual([
      ['good', 'one'],
      ['good2', 'two']
    ])
    await expectWhole(zone)
    // If the body is far too large, the connection may close during the upload.
    const large = { zoneContent: '; '.padEnd(10 * 2 ** 20, 'x'), strategy: 'skip' }
    const answer = await ann.request('POST', `/domains/${zone.id}/dns/import`, large).catch(() => ({ status: 413 }))
    expect(answer).toMatchObject({ status: 413 })
  })
})
