import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type DnsRecord, dnsRecordTypes, type ImportResult } from '@panel/contract/dns-records'
import type { Domain } from '@panel/contract/domains'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  addRecord,
  dig,
  type DnsPanel,
  type DnsEnvironment,
  listRecords,
  publicIp,
  rdataOf,
  servedRecords,
  shown,
  startDnsPanel
} from '../support/dns-environment.ts'
import type { Client, RunningPanel } from '../support/panel.ts'

const execute = promisify(execFile)

let dns: DnsPanel
let environment: DnsEnvironment
let panel: RunningPanel
let ann: Client
let directory: string
beforeAll(async () => {
  dns = await startDnsPanel()
  ;({ environment, panel, ann, directory } = dns)
})
afterAll(() => dns?.close())
afterEach(({ task }) => dns.reset(task.result?.state === 'fail'))

type Zone = Pick<Domain, 'id' | 'hostname'>

let zones = 0
const newZone = () => environment.addZone(ann, `zone${++zones}.test`)
const exportOf = ({ id }: Zone) => ann.call<string>('GET', `/domains/${id}/dns/export`)
const importInto = ({ id }: Zone, zoneContent: string, strategy: 'skip' | 'replace' = 'skip') =>
  ann.call<ImportResult>('POST', `/domains/${id}/dns/import`, { zoneContent, strategy })
const valuesOf = async (name: string, type: string) => (await dig(panel, name, type)).values
const listed = async ({ id, hostname }: Zone) =>
  (await listRecords(ann, id)).map((record) => shown(record, hostname)).sort()
const expectWhole = async (zone: Zone) => expect(await servedRecords(panel, zone.hostname)).toEqual(await listed(zone))

const everything: Partial<DnsRecord>[] = [
  { type: 'A', name: 'many', value: '192.0.2.1', ttl: 60 },
  { type: 'A', name: 'many', value: '192.0.2.2', ttl: 60 },
  { type: 'AAAA', name: '*.dev', value: '2001:db8::1' },
  { type: 'CNAME', name: 'alias', value: 'x.elsewhere.test' },
  { type: 'MX', name: '@', value: 'many', priority: 10 },
  { type: 'MX', name: 'none', value: '.', priority: 0 },
  { type: 'TXT', name: '@', value: 'v=spf1 "a" \\ -all; $x (y) é 日本 ' },
  { type: 'TXT', name: 'empty', value: '' },
  { type: 'TXT', name: 'long', value: 'äx"\\'.repeat(500) },
  { type: 'NS', name: 'sub', value: 'ns.elsewhere.test' },
  { type: 'SRV', name: '_sip._tcp', value: 'sip.elsewhere.test', priority: 0, weight: 5, port: 5060 },
  { type: 'CAA', name: '@', value: '128 issue ";"' },
  { type: 'PTR', name: 'b', value: 'many.elsewhere.test' },
  { type: 'SSHFP', name: 'many', value: `4 2 ${'0F'.repeat(32)}` },
  { type: 'TLSA', name: '_443._tcp.many', value: `3 1 1 ${'AB'.repeat(32)}` },
  { type: 'HTTPS', name: '@', value: '. alpn=h2,h3 ipv4hint=192.0.2.1', priority: 1 },
  { type: 'HTTPS', name: '*.dev', value: 'cdn.elsewhere.test', priority: 0 },
  { type: 'SVCB', name: '_8443._foo', value: 'svc.elsewhere.test port=8443 key667=a\\032b', priority: 16 },
  { type: 'NAPTR', name: 'sip', value: '100 10 "U" "E2U+sip" "!^(.*)$!sip:\\\\1@elsewhere.test!" .' }
]

describe('zone files', () => {
  test('an export passes the checkers of two name servers, and gives another domain the same records', async () => {
    const [from, to] = [await newZone(), await newZone()]
    for (const record of everything) await addRecord(ann, from.id, record)
    const text = await exportOf(from)
    const file = join(directory, 'exported.zone')
    await writeFile(file, text)
    const { stdout } = await execute('named-checkzone', ['-i', 'local', '-k', 'fail', from.hostname, file])
    expect(stdout.trim().split('\n').at(-1)).toBe('OK')
    await execute('kzonecheck', ['-o', from.hostname, file])

    const result = await importInto(to, text.replaceAll(from.hostname, to.hostname), 'replace')
    expect(result.errors).toEqual([])
    const withoutProof = (lines: string[]) => lines.filter((line) => !line.startsWith('_panel-challenge.'))
    const expected = (await servedRecords(panel, from.hostname)).map((line) =>
      line.replaceAll(from.hostname, to.hostname)
    )
    expect(withoutProof(await servedRecords(panel, to.hostname))).toEqual(withoutProof(expected).sort())
    expect(await dig(panel, `many.${to.hostname}`, 'A')).toMatchObject({
      values: ['192.0.2.1', '192.0.2.2'],
      ttls: [60]
    })
    await expectWhole(to)
    expect(await importInto(from, text)).toMatchObject({ importedCount: 0, records: [], errors: [] })
  })

  const zoneOf = (hostname: string) => `$ORIGIN ${hostname}.
$TTL 2h
@       IN SOA ns.old.test. admin.old.test. ( 2024010101 ; serial
                7200 3600 1209600 3600 )
        IN NS ns.old.test.
@       IN A 192.0.2.80
        IN A ${publicIp}
mail    300 IN A 192.0.2.1
        IN  AAAA 2001:DB8::1
@       IN  MX 10 mail
text    IN  TXT "one ; \\"part\\"" " and two"
mine    IN  TXT "of the file"
broken  IN  A 192.0.2
other   IN  CNAME elsewhere.test.
`
  test.each([
    ['skip', ['of mine', 'of the file'], [5, 7, 14]],
    ['replace', ['of the file'], [5]]
  ] as const)('an import with %s is served immediately', async (strategy, mine, skipped) => {
    const zone = await newZone()
    await addRecord(ann, zone.id, { type: 'TXT', name: 'mine', value: 'of mine' })
    await addRecord(ann, zone.id, { type: 'TXT', name: 'other', value: 'stays' })
    const result = await importInto(zone, zoneOf(zone.hostname), strategy)
    expect(result.errors).toEqual([expect.stringMatching(/^line 13: value/)])
    expect(result.skipped.map(({ line }) => line)).toEqual(skipped)
    expect((await valuesOf(zone.hostname, 'A')).sort()).toEqual(['192.0.2.80', publicIp])
    expect((await valuesOf(`mine.${zone.hostname}`, 'TXT')).sort()).toEqual(mine)
    if (strategy === 'skip') expect(await valuesOf(`other.${zone.hostname}`, 'TXT')).toEqual(['stays'])
    else expect(await valuesOf(`other.${zone.hostname}`, 'CNAME')).toEqual(['elsewhere.test.'])
    expect(await dig(panel, `mail.${zone.hostname}`, 'A')).toMatchObject({ values: ['192.0.2.1'], ttls: [300] })
    expect(await valuesOf(`mail.${zone.hostname}`, 'AAAA')).toEqual(['2001:db8::1'])
    expect(await valuesOf(zone.hostname, 'MX')).toEqual([`10 mail.${zone.hostname}.`])
    expect(await valuesOf(`text.${zone.hostname}`, 'TXT')).toEqual(['one ; "part" and two'])
    await expectWhole(zone)
  })

  test('a large one: 5000 records', async () => {
    const zone = await newZone()
    const lines = Array.from({ length: 5_000 }, (_, index) => `h${index} 60 IN A 10.0.${index >> 8}.${index & 255}`)
    expect(await importInto(zone, lines.join('\n'))).toMatchObject({ importedCount: 5_000, errors: [] })
    expect(await valuesOf(`h4999.${zone.hostname}`, 'A')).toEqual(['10.0.19.135'])
    await addRecord(ann, zone.id, { type: 'TXT', name: 'after', value: 'that' })
    expect(await valuesOf(`after.${zone.hostname}`, 'TXT')).toEqual(['that'])
    await expectWhole(zone)
  })
})

describe('hostile input never reaches other lines', () => {
  const texts = [
    'x\n$INCLUDE /etc/passwd',
    'x\n@ IN NS evil.',
    'x\r\n@ 0 IN A 192.0.2.66',
    '"\n@ IN NS evil.\n"',
    '" ; @ IN NS evil.',
    '";',
    '"',
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
    ';',
    '%0a@ IN NS evil.',
    '{{7*7}}`id`$(id)'
  ]
  const names = [
    'a b',
    '..',
    '.',
    'a..b',
    '*.*',
    '*a',
    'a;',
    '$ORIGIN',
    '\\.',
    'a.',
    '-',
    '_',
    'x'.repeat(64),
    'x.'.repeat(127)
  ]
  const numbers = { priority: 1, weight: 1, port: 1 }

  test('records: accepted values are served byte for byte and the zone stays intact', async () => {
    const zone = await newZone()
    const { id, hostname } = zone
    const types = dnsRecordTypes
    const tries = [
      ...texts.flatMap((value, index) => types.map((type) => ({ type, name: `v${index}-${type}`, value }))),
      ...texts.map((value, index) => ({ type: 'CAA', name: `q${index}`, value: `0 issue "${value}"` })),
      ...[...texts, ...names].map((name) => ({ type: 'TXT', name, value: 'hostile name' }))
    ]
    const accepted: DnsRecord[] = []
    for (const values of tries) {
      const { status, body } = await ann.request<DnsRecord>('POST', `/domains/${id}/dns`, { ...values, ...numbers })
      if (status === 201) accepted.push(body)
      else
        expect({ status, body }, JSON.stringify(values)).toMatchObject({
          status: 400,
          body: { code: 'VALIDATION_ERROR' }
        })
    }
    for (const record of accepted.filter(({ type }) => type === 'TXT' || type === 'CAA')) {
      const owner = record.name === '@' ? hostname : `${record.name}.${hostname}`
      expect(await valuesOf(owner, record.type), JSON.stringify(record)).toEqual([rdataOf(record)])
    }
    const texted = accepted.filter(({ type, name }) => type === 'TXT' && name.startsWith('v'))
    expect(texted.map(({ value }) => value)).toEqual(texts.filter((text) => !/\p{Cc}/u.test(text)))
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
    for (const zoneContent of ['; '.padEnd(2 ** 20 + 1, 'x'), `a IN TXT ${'('.repeat(2 ** 20)}`]) {
      const answer = await ann.request('POST', `/domains/${zone.id}/dns/import`, { zoneContent, strategy: 'skip' })
      expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    }
    // If the body is far too large, the connection may close during the upload.
    const large = { zoneContent: '; '.padEnd(10 * 2 ** 20, 'x'), strategy: 'skip' }
    const answer = await ann.request('POST', `/domains/${zone.id}/dns/import`, large).catch(() => ({ status: 413 }))
    expect(answer).toMatchObject({ status: 413 })
    await expectWhole(zone)
  })
})
