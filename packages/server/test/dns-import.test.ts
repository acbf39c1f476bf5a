import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DnsRecord, type ImportResult, maxDnsRecords, maxZoneFileBytes } from '@panel/contract/dns-records'
import { lockOwnDomain } from '../src/features/domains/domain-access.ts'
import { addManagedDomain, addVerifiedDomain, dnsServerOf } from './support/domains.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'
import { withResolvers } from './support/with-resolvers.ts'

let panel: TestPanel
let alice: Client
beforeAll(async () => {
  panel = await createTestPanel({ PUBLIC_IP: '203.0.113.7', DNS_NAMESERVERS: 'ns1.example.net,ns2.example.net' })
  alice = await panel.signUp('alice')
})
afterAll(() => panel.close())

type Strategy = 'skip' | 'replace'

let zones = 0
const newZone = () => addManagedDomain(alice, `zone${++zones}.example.com`)
const list = async (id: string) => (await alice.request('GET', `/api/domains/${id}/dns`)).json<DnsRecord[]>()
const add = async (id: string, payload: object) => {
  const answer = await alice.request('POST', `/api/domains/${id}/dns`, payload)
  if (answer.statusCode !== 201) throw new Error(`no record: ${answer.body}`)
  return answer.json<DnsRecord>()
}
const post = (id: string, zoneContent: string, strategy: Strategy = 'skip') =>
  alice.request('POST', `/api/domains/${id}/dns/import`, { zoneContent, strategy })
const importText = async (id: string, zoneContent: string, strategy: Strategy = 'skip') => {
  const answer = await post(id, zoneContent, strategy)
  if (answer.statusCode !== 200) throw new Error(`not imported: ${answer.body}`)
  return answer.json<ImportResult>()
}
const exportOf = async (id: string) => (await alice.request('GET', `/api/domains/${id}/dns/export`)).body
const served = (hostname: string) => dnsServerOf(panel).files.get(hostname) ?? ''
const textOf = ({ name, ttl, type, priority, weight, port, value }: DnsRecord) =>
  [name, ttl, type, priority, weight, port, value].filter((part) => part !== null).join(' ')
const textsOf = async (id: string) => (await list(id)).map(textOf)
const withoutSerial = (text: string) => text.replace(/( SOA \S+ \S+) \d+ /, '$1 ')

describe('a dry run', () => {
  const preview = async (id: string, zoneContent: string, strategy: Strategy = 'skip') => {
    const payload = { zoneContent, strategy, dryRun: true }
    const answer = await alice.request('POST', `/api/domains/${id}/dns/import`, payload)
    expect(answer.statusCode).toBe(200)
    return answer.json<ImportResult>()
  }

  test('lists additions, existing records, conflicts and refused lines without changing anything', async () => {
    const { id, hostname } = await newZone()
    const before = [await list(id), served(hostname)]
    const file = [
      'api 300 IN A 192.0.2.9',
      'bad 300 IN A nonsense',
      '@ 300 IN A 203.0.113.7',
      'www 300 IN A 192.0.2.1',
      'api 300 IN A 192.0.2.9',
      '@ 300 IN NS ns.elsewhere.example.'
    ].join('\n')
    const result = await preview(id, file)
    expect(result).toMatchObject({ importedCount: 0, records: [] })
    expect(result.preview).toMatchObject({
      added: [
        { line: 1, type: 'A', name: 'api', value: '192.0.2.9', ttl: 300, priority: null, weight: null, port: null }
      ],
      removed: [],
      same: [
        { line: 3, reason: expect.any(String) as string },
        { line: 5, reason: 'line 1 is the same record', sentences: [{ code: 'SAME_RECORD', values: { first: 1 } }] }
      ],
      conflicts: [{ line: 4, sentences: [{ code: 'CNAME_THERE', values: { owner: `www.${hostname}` } }] }],
      refused: [
        { line: 2, sentences: [{ code: expect.any(String) as string }] },
        { line: 6, reason: expect.stringContaining('name servers') as string }
      ],
      counts: { added: 1, removed: 0, same: 2, conflicts: 1, refused: 2 }
    })
    const replaced = (await preview(id, 'www 300 IN A 192.0.2.1', 'replace')).preview!
    expect(replaced.removed).toMatchObject([{ type: 'CNAME', name: 'www' }])
    expect(replaced.counts).toEqual({ added: 1, removed: 1, same: 0, conflicts: 0, refused: 0 })
    expect([await list(id), served(hostname)]).toEqual(before)
    expect(await panel.audited({ action: 'domain.zone_imported', targetId: id })).toEqual([])
  })

  test('matches the later import', async () => {
    const { id } = await newZone()
    const file = 'a 300 IN A 192.0.2.1\nwww 60 IN A 192.0.2.2\n'
    const { added, removed } = (await preview(id, file, 'replace')).preview!
    const done = await importText(id, file, 'replace')
    expect(done.preview).toBeNull()
    expect(done.records.map(({ name, value }) => [name, value])).toEqual(added.map(({ name, value }) => [name, value]))
    for (const { name, type } of removed)
      expect((await list(id)).some((record) => record.name === name && record.type === type)).toBe(false)
  })

  test('of a large file lists a part and the total', async () => {
    const { id } = await newZone()
    const file = Array.from({ length: 3_000 }, (_, n) => `h${n} 300 IN A 192.0.2.1`).join('\n')
    const { added, counts } = (await preview(id, file)).preview!
    expect([added.length, counts.added]).toEqual([1_000, 3_000])
  })
})

describe('a file', () => {
  test('with every type is served when the API responds', async () => {
    const { id, hostname } = await newZone()
    const text = `
$ORIGIN ${hostname}.
$TTL 2h
@       IN SOA ns.old.example. admin.old.example. ( 2024010101 ; serial
                7200 3600 1209600 3600 )
mail    300 IN A 192.0.2.1
        IN  AAAA 2001:DB8::1
@       IN  MX 10 mail
_sip._tcp IN SRV 0 5 5060 mail.${hostname}.
alias   IN  CNAME mail
text    IN  TXT "one ; \\"part\\"" " and two"
@       IN  CAA 0 issue "ca.example.net"
sub     IN  NS ns.example.org.
$ORIGIN deep.${hostname}.
below   IN  A 192.0.2.2
`
    const result = await importText(id, text)
    expect(result.errors).toEqual([])
    expect(result.records.map(textOf)).toEqual([
      `@ 7200 MX 10 mail.${hostname}`,
      '@ 7200 CAA 0 issue "ca.example.net"',
      '_sip._tcp 7200 SRV 0 5 5060 ' + `mail.${hostname}`,
      `alias 7200 CNAME mail.${hostname}`,
      'below.deep 7200 A 192.0.2.2',
      'mail 300 A 192.0.2.1',
      'mail 7200 AAAA 2001:db8::1',
      'sub 7200 NS ns.example.org',
      'text 7200 TXT one ; "part" and two'
    ])
    expect(result.importedCount).toBe(9)
    for (const record of result.records) expect(await list(id)).toContainEqual(record)
    expect(served(hostname)).toContain('\nbelow.deep 7200 IN A 192.0.2.2\n')
    expect(served(hostname)).toContain('SOA ns1.example.net.')
  })

  test('is audited', async () => {
    const { id, hostname } = await newZone()
    await add(id, { type: 'A', name: 'a', value: '192.0.2.1' })
    await importText(id, 'a 60 IN A 192.0.2.2\nb 60 IN A 192.0.2.3\nc 60 IN A nothing\n', 'replace')
    const entry = (await panel.audited({ action: 'domain.zone_imported', targetId: id })).at(-1)
    expect(entry).toMatchObject({
      actorId: alice.user.id,
      metadata: { hostname, strategy: 'replace', imported: 2, removed: 1, errors: 1 }
    })
  })

  test('with nothing to import changes nothing', async () => {
    const { id, hostname } = await newZone()
    const before = served(hostname)
    expect(await importText(id, '; nothing\n\n', 'replace')).toEqual({
      preview: null,
      importedCount: 0,
      records: [],
      skipped: [],
      errors: []
    })
    expect(served(hostname)).toBe(before)
  })
})

describe('an export imported again', () => {
  const everything = [
    { type: 'A', name: 'mail', value: '192.0.2.1', ttl: 60 },
    { type: 'A', name: 'mail', value: '192.0.2.2', ttl: 60 },
    { type: 'AAAA', name: '*.dev', value: '2001:db8::1' },
    { type: 'CNAME', name: 'alias', value: 'x.example.org' },
    { type: 'MX', name: '@', value: 'mail', priority: 10 },
    { type: 'MX', name: 'none', value: '.', priority: 0 },
    { type: 'TXT', name: '@', value: 'v=spf1 "a" \\ -all; $x (y) é 漢 ' },
    { type: 'TXT', name: 'empty', value: '' },
    { type: 'TXT', name: 'long', value: 'äx'.repeat(1024) },
    { type: 'NS', name: 'sub', value: 'ns.example.org' },
    { type: 'SRV', name: '_sip._tcp', value: 'sip.example.org', priority: 0, weight: 5, port: 5060 },
    { type: 'CAA', name: '@', value: '128 issue ";"' },
    { type: 'PTR', name: '_http._tcp', value: 'mail' },
    { type: 'SSHFP', name: 'mail', value: `4 2 ${'0F'.repeat(32)}` },
    { type: 'TLSA', name: '_25._tcp.mail', value: `3 1 1 ${'AB'.repeat(32)}` },
    { type: 'SVCB', name: '_8443._foo', value: 'svc alpn="a b,f\\\\\\\\o" key667="\\255;"', priority: 16 },
    { type: 'HTTPS', name: '@', value: '. alpn=h2,h3 ipv4hint=192.0.2.1 ipv6hint=2001:db8::1', priority: 1 },
    { type: 'HTTPS', name: 'mail', value: 'cdn.example.net', priority: 0 },
    { type: 'NAPTR', name: '@', value: '1 2 "U" "E2U+sip" "!^(.*)$!sip:\\\\1@example.org!" .' },
    { type: 'NAPTR', name: 'sip', value: '1 2 "S" "SIP+D2U" "" _sip._udp' }
  ]

  test.each<Strategy>(['skip', 'replace'])('into the same zone changes nothing (%s)', async (strategy) => {
    const { id } = await newZone()
    for (const record of everything) await add(id, record)
    const before = await list(id)
    const result = await importText(id, await exportOf(id), strategy)
    expect(result).toMatchObject({ importedCount: 0, records: [], errors: [] })
    expect(result.skipped).toHaveLength(before.filter(({ name, type }) => !(name === '@' && type === 'NS')).length)
    expect(await list(id)).toEqual(before)
  })

  test.each<Strategy>(['skip', 'replace'])('restores deleted records (%s)', async (strategy) => {
    const { id, hostname } = await newZone()
    for (const record of everything) await add(id, record)
    const [text, before] = [await exportOf(id), await textsOf(id)]
    const gone = (await list(id)).filter(
      ({ name, type }) => !name.startsWith('_panel-') && !(name === '@' && type === 'NS')
    )
    for (const record of gone) await alice.request('DELETE', `/api/domains/${id}/dns/${record.id}`)
    const result = await importText(id, text, strategy)
    expect(result).toMatchObject({ importedCount: gone.length, errors: [] })
    expect(await textsOf(id)).toEqual(before)
    expect(withoutSerial(served(hostname))).toBe(withoutSerial(text))
  })

  test('of a subdomain, also into its parent zone', async () => {
    const parent = await newZone()
    const child = await addVerifiedDomain(alice, `shop.${parent.hostname}`)
    await add(child.id, { type: 'A', name: 'cart', value: '192.0.2.1', ttl: 60 })
    await add(child.id, { type: 'MX', name: '@', value: 'mail', priority: 10 })
    const [text, before, zone] = [await exportOf(child.id), await textsOf(child.id), served(parent.hostname)]
    expect(await importText(child.id, text, 'replace')).toMatchObject({ importedCount: 0, records: [], errors: [] })
    for (const record of await list(child.id))
      await alice.request('DELETE', `/api/domains/${child.id}/dns/${record.id}`)
    expect(await importText(child.id, text)).toMatchObject({ importedCount: 3, errors: [] })
    expect(await textsOf(child.id)).toEqual(before)
    expect(withoutSerial(served(parent.hostname))).toBe(withoutSerial(zone))
    // The parent's TXT record names the subdomain and stays in the parent.
    expect(await importText(parent.id, await exportOf(parent.id), 'replace')).toMatchObject({
      importedCount: 0,
      errors: []
    })
    expect(await textsOf(child.id)).toEqual(before)
  })

  test('of a wildcard too', async () => {
    const parent = await newZone()
    const wildcard = await addVerifiedDomain(alice, `*.${parent.hostname}`)
    await add(wildcard.id, { type: 'TXT', name: '@', value: 'any', ttl: 60 })
    const [text, before] = [await exportOf(wildcard.id), await textsOf(wildcard.id)]
    for (const record of await list(wildcard.id))
      await alice.request('DELETE', `/api/domains/${wildcard.id}/dns/${record.id}`)
    expect(await importText(wildcard.id, text)).toMatchObject({ importedCount: 2, errors: [] })
    expect(await textsOf(wildcard.id)).toEqual(before)
  })
})

describe('conflict strategies', () => {
  const prepared = async () => {
    const zone = await newZone()
    await add(zone.id, { type: 'A', name: 'mine', value: '192.0.2.1', ttl: 60 })
    await add(zone.id, { type: 'TXT', name: 'mine', value: 'stays' })
    await add(zone.id, { type: 'A', name: 'other', value: '192.0.2.9' })
    return zone
  }
  const text = 'mine 300 IN A 192.0.2.2\nmine 300 IN A 192.0.2.3\nnew 300 IN A 192.0.2.4\n'
  const addressesOf = async (id: string) => (await textsOf(id)).filter((line) => /^(mine|new|other) /.test(line))

  test('skip keeps existing records and adds others with the TTL of their set', async () => {
    const { id, hostname } = await prepared()
    const result = await importText(id, `${text}mine 300 IN A 192.0.2.1\n`, 'skip')
    expect(result).toMatchObject({ importedCount: 3, errors: [] })
    expect(result.skipped).toEqual([
      {
        line: 4,
        reason: `mine.${hostname} already has this A record`,
        sentences: [{ code: 'THERE_ALREADY', values: { owner: `mine.${hostname}`, type: 'A' } }]
      }
    ])
    expect(await addressesOf(id)).toEqual([
      'mine 60 A 192.0.2.1',
      'mine 60 A 192.0.2.2',
      'mine 60 A 192.0.2.3',
      'mine 3600 TXT stays',
      'new 300 A 192.0.2.4',
      'other 3600 A 192.0.2.9'
    ])
    expect(served(hostname)).toContain('mine 60 IN A 192.0.2.3')
  })

  test('skip reports conflicts as skipped and invalid lines as errors', async () => {
    const { id, hostname } = await prepared()
    await add(id, { type: 'MX', name: '@', value: 'mail1.example.net', priority: 10 })
    const result = await importText(
      id,
      '@ IN MX 10 mail1.example.net.\n@ IN MX 20 mail2.example.net.\nmine IN CNAME example.net.\nx IN A nothing\n',
      'skip'
    )
    expect(result.records.map(({ value }) => value)).toEqual(['mail2.example.net'])
    expect(result.skipped).toMatchObject([
      { line: 1, reason: `${hostname} already has this MX record` },
      {
        line: 3,
        reason: expect.stringMatching(/has A and TXT records: a CNAME must be the only record/),
        sentences: [{ code: 'CNAME_NOT_ALONE', values: { owner: `mine.${hostname}`, types: ['A', 'TXT'] } }]
      }
    ])
    expect(result.errors).toEqual([expect.stringMatching(/^line 4: /)])
    const entry = (await panel.audited({ action: 'domain.zone_imported', targetId: id })).at(-1)
    expect(entry).toMatchObject({ metadata: { imported: 1, skipped: 2, errors: 1 } })
  })

  test('replace uses the file’s records and keeps unmentioned ones', async () => {
    const { id, hostname } = await prepared()
    const result = await importText(id, text, 'replace')
    expect(result).toMatchObject({ importedCount: 3, errors: [] })
    expect(await addressesOf(id)).toEqual([
      'mine 300 A 192.0.2.2',
      'mine 300 A 192.0.2.3',
      'mine 3600 TXT stays',
      'new 300 A 192.0.2.4',
      'other 3600 A 192.0.2.9'
    ])
    expect(served(hostname)).not.toContain('192.0.2.1\n')
  })

  test('replace keeps the verification record and other domains of the zone', async () => {
    const parent = await newZone()
    const child = await addVerifiedDomain(alice, `shop.${parent.hostname}`)
    const before = await textsOf(child.id)
    const result = await importText(parent.id, '_panel-challenge 60 IN TXT "mine"\nshop 60 IN A 192.0.2.1\n', 'replace')
    expect(result.importedCount).toBe(2)
    expect(await textsOf(child.id)).toEqual(before)
    expect((await textsOf(parent.id)).at(-1)).toMatch(/^_panel-challenge\.\S+ 300 TXT panel-verification=/)
    // Records of one name and type share a TTL, that of the existing ones.
    expect(served(parent.hostname)).toContain('shop 3600 IN A 192.0.2.1')
  })

  test.each([undefined, 'merge', null])('%j is refused', async (strategy) => {
    const { id } = await newZone()
    const answer = await alice.request('POST', `/api/domains/${id}/dns/import`, { zoneContent: '', strategy })
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'VALIDATION_ERROR'])
  })
})

describe('invalid lines', () => {
  test.each([
    ['an address that is none', 'wrong 60 IN A 192.0.2.999'],
    ['a type that is not kept here', 'wrong 60 IN HINFO "a" "b"'],
    ['another class', 'wrong 60 CH A 192.0.2.1'],
    ['a name elsewhere', 'wrong.example.org. 60 IN A 192.0.2.1'],
    ['a CNAME at the apex', '@ 60 IN CNAME wrong.example.org.'],
    ['a CNAME beside others', 'mine 60 IN CNAME wrong.example.org.'],
    ['an inclusion', '$INCLUDE /etc/passwd'],
    ['an inclusion with an origin', '$INCLUDE wrong.zone wrong.example.org.'],
    ['a generation', '$GENERATE 1-9999999 wrong$ 60 A 192.0.2.1'],
    ['a directive that is none', '$WRONG x'],
    ['too few fields', 'wrong 60 IN MX mail'],
    ['a port that is none', 'wrong 60 IN SRV 0 0 0 wrong.example.org.'],
    ['text that is no text', 'wrong 60 IN TXT "\\255\\254"'],
    ['text with a control character', 'wrong 60 IN TXT "a\\010b"'],
    ['a label that is none', 'a\\032wrong 60 IN A 192.0.2.1'],
    ['a wildcard inside', 'a.*.wrong 60 IN A 192.0.2.1']
  ])('%s', async (_what, line) => {
    const { id, hostname } = await newZone()
    const result = await importText(id, `mine 60 IN A 192.0.2.1\n${line}\nafter 60 IN A 192.0.2.2\n`)
    expect(result.errors).toEqual([expect.stringMatching(/^line 2: \S/)])
    expect(result.records.map(({ name }) => name)).toEqual(['after', 'mine'])
    expect(served(hostname)).not.toMatch(/wrong|passwd/)
    expect(served(hostname)).toContain('after 60 IN A 192.0.2.2')
  })

  test('after a foreign $ORIGIN are outside the zone', async () => {
    const { id, hostname } = await newZone()
    const result = await importText(id, '$ORIGIN evil.example.org.\n@ 60 IN A 192.0.2.1\nwww 60 IN A 192.0.2.1\n')
    expect(result).toMatchObject({
      importedCount: 0,
      errors: [expect.stringMatching(/^line 2: /), expect.stringMatching(/^line 3: /)]
    })
    expect(served(hostname)).not.toContain('evil')
  })

  test('are reported up to a limit', async () => {
    const { id } = await newZone()
    const result = await importText(id, 'a 60 IN A nothing\n'.repeat(5000))
    expect(result.importedCount).toBe(0)
    expect(result.errors.length).toBeLessThan(1_100)
    expect(result.errors.at(-1)).toMatch(/\d+ more$/)
  })

  test('are skipped up to a limit', async () => {
    const { id } = await newZone()
    const result = await importText(id, 'a 60 IN A 192.0.2.1\n'.repeat(5000))
    expect(result).toMatchObject({ importedCount: 1, errors: [] })
    expect(result.skipped).toHaveLength(1_000)
  })

  test('never cause an internal error', async () => {
    const { id, hostname } = await newZone()
    const before = served(hostname)
    for (const text of [
      '\0',
      '(((((',
      ')',
      '"',
      '@ IN TXT "',
      '\\',
      '$ORIGIN',
      '$TTL x',
      ' ',
      '\ufeff; x',
      'a'.repeat(70_000),
      '( '.repeat(50_000)
    ])
      for (const strategy of ['skip', 'replace'] as const)
        expect([200, 400]).toContain((await post(id, text, strategy)).statusCode)
    expect(served(hostname)).toBe(before)
  })
})

describe('size', () => {
  test('1 MiB is accepted in any JSON encoding, more is not', async () => {
    const { id } = await newZone()
    const line = 'a 60 IN A 192.0.2.1\n'
    const filled = (bytes: number) => line + ';'.repeat(bytes - line.length)
    expect((await importText(id, filled(maxZoneFileBytes))).importedCount).toBe(1)
    const escaped = JSON.stringify({ zoneContent: filled(maxZoneFileBytes), strategy: 'replace' }).replaceAll(
      ';',
      '\\u003b'
    )
    const send = (body: string) =>
      alice.request('POST', `/api/domains/${id}/dns/import`, body, { 'content-type': 'application/json' })
    expect((await send(escaped)).statusCode).toBe(200)
    for (const content of [filled(maxZoneFileBytes + 1), `${line};${'ä'.repeat(maxZoneFileBytes / 2)}`]) {
      const answer = await post(id, content)
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'VALIDATION_ERROR'])
    }
    const tooLarge = await send(JSON.stringify({ zoneContent: 'x'.repeat(10 * 1024 * 1024), strategy: 'skip' }))
    expect([tooLarge.statusCode, tooLarge.json().code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })

  test('lines over the zone limit are reported, and record sets are not split', async () => {
    const { id, hostname } = await newZone()
    const there = (await list(id)).length
    const room = maxDnsRecords - there
    await add(id, { type: 'A', name: 'pair', value: '192.0.2.1' })
    const many = Array.from({ length: room - 3 }, (_, index) => `h${index} 60 IN A 192.0.2.1`)
    // Two for one fits the limit, three for none does not.
    const text = [
      ...many,
      'pair 60 IN A 192.0.2.2',
      'pair 60 IN A 192.0.2.3',
      'set 60 IN A 192.0.2.2',
      'set 60 IN A 192.0.2.3',
      'set 60 IN A 192.0.2.4',
      ''
    ].join('\n')
    const result = await importText(id, text, 'replace')
    expect(result.importedCount).toBe(room - 1)
    const first = many.length + 3
    expect(result.errors).toEqual(
      [first, first + 1, first + 2].map((line) => `line ${line}: the zone would have more than 10000 records`)
    )
    expect(await list(id)).toHaveLength(maxDnsRecords - 1)
    expect(served(hostname)).toContain('pair 60 IN A 192.0.2.3')
    expect(served(hostname)).not.toContain('\nset ')
    expect(served(hostname)).toContain(`\nh${room - 4} 60 IN A 192.0.2.1\n`)
  })

  test('a file with far more lines is handled', async () => {
    const { id } = await newZone()
    const text = Array.from({ length: 40_000 }, (_, index) => `h${index} 60 A 192.0.2.1`).join('\n')
    const result = await importText(id, text)
    expect(result.importedCount).toBeGreaterThan(maxDnsRecords - 10)
    expect(result.errors.length).toBeLessThan(1_100)
    expect(await list(id)).toHaveLength(maxDnsRecords)
  })
})

test('one import at a time per account', async () => {
  const { id } = await newZone()
  const { promise: others, resolve: goOn } = withResolvers()
  const { promise: held, resolve: hold } = withResolvers()
  const holding = panel.deps.db.transaction(async (trx) => {
    await lockOwnDomain(trx, id, alice.user.id)
    hold()
    await others
  })
  await held
  const answers = Array.from({ length: 3 }, (_, index) => post(id, `h${index} 60 IN A 192.0.2.1\n`, 'replace'))
  const refused: string[] = []
  for (const answer of answers)
    void answer.then((each) => each.statusCode === 409 && refused.push(each.json<{ code: string }>().code))
  await expect.poll(() => refused).toEqual(['CONFLICT', 'CONFLICT'])
  goOn()
  await holding
  expect((await Promise.all(answers)).map((answer) => answer.statusCode).sort()).toEqual([200, 409, 409])
})
