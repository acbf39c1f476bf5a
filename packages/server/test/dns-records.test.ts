import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eq } from 'drizzle-orm'
import {
  type DnsRecord,
  dnsRecordTypes,
  type ImportPreview,
  maxDnsRecords,
  maxZoneBytes
} from '@panel/contract/dns-records'
import { dnsRecords } from '../src/db/schema/dns-records.ts'
import { domains } from '../src/db/schema/domains.ts'
import { reconcileZones } from '../src/features/dns-zones/zones.service.ts'
import { newId } from '../src/security/ids.ts'
import { addManagedDomain, addVerifiedDomain, dnsServerOf, publicDnsOf, fillZone } from './support/domains.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

const env = { PUBLIC_IP: '203.0.113.7', DNS_NAMESERVERS: 'ns1.example.net,ns2.example.net' }

let panel: TestPanel
let alice: Client
let bob: Client
beforeAll(async () => {
  panel = await createTestPanel(env)
  alice = await panel.signUp('alice')
  bob = await panel.signUp('bob')
})
afterAll(() => panel.close())

let zones = 0
const newZone = () => addManagedDomain(alice, `zone${++zones}.example.com`)
const list = async (id: string) => (await alice.request('GET', `/api/domains/${id}/dns`)).json<DnsRecord[]>()
const post = (id: string, payload: object) => alice.request('POST', `/api/domains/${id}/dns`, payload)
const patch = (id: string, recordId: string, payload: object) =>
  alice.request('PATCH', `/api/domains/${id}/dns/${recordId}`, payload)
const remove = (id: string, recordId: string) => alice.request('DELETE', `/api/domains/${id}/dns/${recordId}`)
const add = async (id: string, payload: object) => {
  const answer = await post(id, payload)
  if (answer.statusCode !== 201) throw new Error(`no record: ${answer.body}`)
  return answer.json<DnsRecord>()
}
const served = (hostname: string) => dnsServerOf(panel).files.get(hostname) ?? ''
const linesOf = (text: string) => text.split('\n')
const serialOf = (text: string) => Number(/ SOA \S+ \S+ (\d+) /.exec(text)![1])
const outcome = (answer: { statusCode: number; body: string }) => [
  answer.statusCode,
  (JSON.parse(answer.body) as { code?: string }).code
]
const verificationOf = async (id: string) => (await list(id)).find((record) => record.name.startsWith('_panel-'))!
const keep = async (id: string) => (await list(id)).map(({ name, type, value }) => `${name} ${type} ${value}`)

describe('list', () => {
  test('has the default records by name and type and ends with the verification record', async () => {
    const { id, hostname, verificationToken } = await newZone()
    await add(id, { type: 'A', name: '*', value: '192.0.2.9' })
    await add(id, { type: 'A', name: 'b.www', value: '192.0.2.8' })
    await add(id, { type: 'MX', name: '@', value: 'mail.example.net', priority: 20 })
    await add(id, { type: 'MX', name: '@', value: 'mail2.example.net', priority: 5 })
    expect(await keep(id)).toEqual([
      '@ NS ns1.example.net',
      '@ NS ns2.example.net',
      '@ A 203.0.113.7',
      '@ MX mail2.example.net',
      '@ MX mail.example.net',
      '* A 192.0.2.9',
      `www CNAME ${hostname}`,
      'b.www A 192.0.2.8',
      `_panel-challenge.${hostname} TXT panel-verification=${verificationToken}`
    ])
    expect((await list(id))[4]).toEqual({
      id: expect.any(String),
      domainId: id,
      type: 'MX',
      name: '@',
      value: 'mail.example.net',
      ttl: 3600,
      priority: 20,
      weight: null,
      port: null,
      managedBy: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String)
    })
    expect((await list(id)).map(({ type, managedBy }) => [type, managedBy]).filter(([, by]) => by !== null)).toEqual([
      ['NS', 'NAME_SERVER'],
      ['NS', 'NAME_SERVER'],
      ['TXT', 'VERIFICATION']
    ])
    const delegation = await add(id, { type: 'NS', name: 'sub', value: 'ns1.example.net' })
    expect(delegation.managedBy).toBeNull()
  })
})

describe('create', () => {
  const lines: [Record<string, unknown>, string][] = [
    [{ type: 'A', name: 'www2', value: '192.0.2.1' }, 'www2 3600 IN A 192.0.2.1'],
    [{ type: 'A', name: '*.dev', value: '192.0.2.1', ttl: 0 }, '*.dev 0 IN A 192.0.2.1'],
    [{ type: 'AAAA', name: 'six', value: '2001:DB8:0:0::1', ttl: 60 }, 'six 60 IN AAAA 2001:db8::1'],
    [{ type: 'CNAME', name: 'Blog', value: 'Pages.Example.NET.' }, 'blog 3600 IN CNAME pages.example.net.'],
    [{ type: 'MX', name: '@', value: 'mail', priority: 0 }, '@ 3600 IN MX 0 mail.ZONE.'],
    [{ type: 'MX', name: 'none', value: '.', priority: 0 }, 'none 3600 IN MX 0 .'],
    [{ type: 'TXT', name: '@', value: 'v=spf1 "a" \\ -all; x' }, '@ 3600 IN TXT "v=spf1 \\"a\\" \\\\ -all; x"'],
    [{ type: 'TXT', name: 'ü', value: 'é' }, 'xn--tda 3600 IN TXT "\\195\\169"'],
    [{ type: 'TXT', name: '_acme-challenge', value: 'of the user' }, '_acme-challenge 3600 IN TXT "of the user"'],
    [{ type: 'NS', name: 'sub', value: 'ns.example.org' }, 'sub 3600 IN NS ns.example.org.'],
    [
      { type: 'SRV', name: '_sip._tcp', value: 'sip.example.org', priority: 0, weight: 65535, port: 1 },
      '_sip._tcp 3600 IN SRV 0 65535 1 sip.example.org.'
    ],
    [{ type: 'CAA', name: '@', value: '0 issue "ca.example.net"' }, '@ 3600 IN CAA 0 issue "ca.example.net"'],
    [{ type: 'PTR', name: '_http._tcp', value: 'www' }, '_http._tcp 3600 IN PTR www.ZONE.'],
    [{ type: 'SSHFP', name: 'host', value: `4 2 ${'0f'.repeat(32)}` }, `host 3600 IN SSHFP 4 2 ${'0F'.repeat(32)}`],
    [
      { type: 'TLSA', name: '_25._tcp.mail', value: `3 1 1 ${'ab '.repeat(32)}` },
      `_25._tcp.mail 3600 IN TLSA 3 1 1 ${'AB'.repeat(32)}`
    ],
    [
      { type: 'SVCB', name: '_8443._foo', value: 'svc port="8443"', priority: 16 },
      '_8443._foo 3600 IN SVCB 16 svc.ZONE. port=8443'
    ],
    [
      { type: 'HTTPS', name: '@', value: '. ipv4hint=192.0.2.1 alpn=h3', priority: 1 },
      '@ 3600 IN HTTPS 1 . alpn=h3 ipv4hint=192.0.2.1'
    ],
    [{ type: 'HTTPS', name: 'cdn', value: 'cdn.example.net.', priority: 0 }, 'cdn 3600 IN HTTPS 0 cdn.example.net.'],
    [
      { type: 'NAPTR', name: '@', value: '100 10 S SIP+D2U "" _sip._udp.example.org' },
      '@ 3600 IN NAPTR 100 10 "S" "SIP+D2U" "" _sip._udp.example.org.'
    ]
  ]
  test.each(lines)('%j is served when the API responds', async (input, line) => {
    const { id, hostname } = await newZone()
    const before = served(hostname)
    const answer = await post(id, input)
    expect(answer.statusCode).toBe(201)
    expect(linesOf(served(hostname))).toContain(line.replace('ZONE', hostname))
    expect(serialOf(served(hostname))).toBeGreaterThan(serialOf(before))
    expect(await list(id)).toContainEqual(answer.json())
  })

  test('every type has a line above', () =>
    expect(new Set(lines.map(([{ type }]) => type))).toEqual(new Set<unknown>(dnsRecordTypes)))

  test('a TXT of 2048 characters is split', async () => {
    const { id, hostname } = await newZone()
    const value = 'x'.repeat(2048)
    expect((await add(id, { type: 'TXT', name: 'long', value })).value).toBe(value)
    expect(served(hostname)).toContain(`"${'x'.repeat(255)}" "${'x'.repeat(255)}"`)
  })

  test.each([
    ['an address with leading zeroes', { type: 'A', name: 'a', value: '192.0.2.01' }, 'value'],
    ['an address of three parts', { type: 'A', name: 'a', value: '192.0.2' }, 'value'],
    ['IPv6 for A', { type: 'A', name: 'a', value: '2001:db8::1' }, 'value'],
    ['IPv4 for AAAA', { type: 'AAAA', name: 'a', value: '192.0.2.1' }, 'value'],
    ['A at an underscore', { type: 'A', name: '_a', value: '192.0.2.1' }, 'name'],
    ['CNAME at the apex', { type: 'CNAME', name: '@', value: 'x.example.org' }, 'name'],
    ['CNAME to an address', { type: 'CNAME', name: 'a', value: '192.0.2.1' }, 'value'],
    ['MX without priority', { type: 'MX', name: '@', value: 'mail.example.org' }, 'priority'],
    ['MX with too much priority', { type: 'MX', name: '@', value: 'mail.example.org', priority: 65_536 }, 'priority'],
    ['MX to an address', { type: 'MX', name: '@', value: '192.0.2.1', priority: 1 }, 'value'],
    ['NS that is an address', { type: 'NS', name: 'sub', value: '192.0.2.1' }, 'value'],
    ['SRV without a port', { type: 'SRV', name: '_a._tcp', value: 'x.example.org', priority: 0, weight: 0 }, 'port'],
    [
      'SRV to port 0',
      { type: 'SRV', name: '_a._tcp', value: 'x.example.org', priority: 0, weight: 0, port: 0 },
      'port'
    ],
    ['TXT of 2049 characters', { type: 'TXT', name: '@', value: 'x'.repeat(2049) }, 'value'],
    ['CAA without a tag', { type: 'CAA', name: '@', value: 'ca.example.net' }, 'value'],
    ['PTR to an address', { type: 'PTR', name: 'a', value: '192.0.2.1' }, 'value'],
    ['SSHFP that is too short', { type: 'SSHFP', name: 'a', value: '4 2 ab' }, 'value'],
    ['TLSA without its numbers', { type: 'TLSA', name: '_25._tcp', value: 'ab'.repeat(32) }, 'value'],
    ['SVCB without a priority', { type: 'SVCB', name: '_a', value: 'x.example.org' }, 'priority'],
    ['an alias with parameters', { type: 'HTTPS', name: 'a', value: 'x.example.org alpn=h2', priority: 0 }, 'value'],
    ['NAPTR that is cut', { type: 'NAPTR', name: 'a', value: '100 10 "S" "SIP+D2U"' }, 'value'],
    ['a type that is none', { type: 'DNAME', name: '@', value: 'x.example.org' }, 'type'],
    ['a negative TTL', { type: 'A', name: 'a', value: '192.0.2.1', ttl: -1 }, 'ttl'],
    ['no name', { type: 'A', name: '', value: '192.0.2.1' }, 'name'],
    ['a name elsewhere', { type: 'A', name: 'www.example.org.', value: '192.0.2.1' }, 'name']
  ])('refuses %s', async (_what, input, path) => {
    const { id, hostname } = await newZone()
    const before = served(hostname)
    const answer = await post(id, input)
    expect(outcome(answer)).toEqual([400, 'VALIDATION_ERROR'])
    expect(answer.json().details.map((detail: { path: string }) => detail.path)).toContain(path)
    expect(served(hostname)).toBe(before)
  })

  const hostileNames = [
    'a b',
    '..',
    'a..b',
    '*.*',
    'a.*',
    '-a',
    'a-',
    'a\n',
    'a;b',
    'a"b',
    'a\\b',
    '$ORIGIN',
    '(',
    '\0'
  ]
  test.each([...hostileNames, 'x'.repeat(64), 'a.'.repeat(127), 'a'.repeat(256)])(
    'refuses the name %j',
    async (name) => {
      const { id, hostname } = await newZone()
      expect(outcome(await post(id, { type: 'TXT', name, value: 'x' }))).toEqual([400, 'VALIDATION_ERROR'])
      expect(served(hostname)).not.toContain('"x"')
    }
  )

  test.each(['x\n$INCLUDE /etc/passwd', 'x\n@ IN NS evil.', 'x\r\ny', 'x\u0000y', 'x\u0085y'])(
    'the value %j cannot inject a line',
    async (value) => {
      const { id, hostname } = await newZone()
      for (const input of [
        { type: 'TXT', name: 'evil', value },
        { type: 'CNAME', name: 'evil', value },
        { type: 'A', name: 'evil', value },
        { type: 'CAA', name: 'evil', value: `0 issue "${value}"` },
        { type: 'MX', name: 'evil', value, priority: 1 }
      ])
        expect(outcome(await post(id, input))).toEqual([400, 'VALIDATION_ERROR'])
      expect(served(hostname)).not.toMatch(/evil|INCLUDE/)
    }
  )

  test.each(['"', ';', '(', ')', '\\000', '\\', '$INCLUDE /etc/passwd', '" ; @ IN NS evil.', '@', 'a\\"'])(
    'the text %j is quoted',
    async (value) => {
      const { id, hostname } = await newZone()
      const before = linesOf(served(hostname)).length
      expect((await add(id, { type: 'TXT', name: 'text', value })).value).toBe(value)
      const text = linesOf(served(hostname))
      expect(text).toHaveLength(before + 1)
      expect(text).toContain(`text 3600 IN TXT "${value.replaceAll(/["\\]/g, '\\$&')}"`)
    }
  )
})

describe('conflicts', () => {
  const here = { type: 'A', name: 'here', value: '192.0.2.1' }
  const alias = { type: 'CNAME', name: 'alias', value: 'x.example.org' }
  const delegation = { type: 'NS', name: 'sub', value: 'ns.example.org' }
  const mail = { type: 'MX', name: 'mx', value: 'mail.example.org', priority: 10 }
  test.each([
    ['the same again', here, here, 'DNS_RECORD_EXISTS'],
    ['the same with another TTL', here, { ...here, ttl: 60 }, 'DNS_RECORD_EXISTS'],
    ['the same, written otherwise', { ...alias, value: 'X.EXAMPLE.org.' }, alias, 'DNS_RECORD_EXISTS'],
    ['a CNAME beside another record', here, { ...alias, name: 'here' }, 'DNS_RECORD_CONFLICT'],
    ['another record beside a CNAME', alias, { ...here, name: 'alias' }, 'DNS_RECORD_CONFLICT'],
    ['a second CNAME', alias, { ...alias, value: 'y.example.org' }, 'DNS_RECORD_CONFLICT'],
    ['text at a delegated name', delegation, { type: 'TXT', name: 'sub', value: 'x' }, 'DNS_RECORD_CONFLICT'],
    ['text below a delegated name', delegation, { type: 'TXT', name: 'a.sub', value: 'x' }, 'DNS_RECORD_CONFLICT'],
    ['a delegation where text is', { type: 'TXT', name: 'sub', value: 'x' }, delegation, 'DNS_RECORD_CONFLICT'],
    ['no mail beside mail', mail, { ...mail, value: '.', priority: 0 }, 'DNS_RECORD_CONFLICT']
  ])('%s', async (_what, first, second, code) => {
    const { id, hostname } = await newZone()
    await add(id, first)
    const before = served(hostname)
    expect(outcome(await post(id, second))).toEqual([409, code])
    expect(served(hostname)).toBe(before)
  })

  test.each([
    ['two addresses', here, { ...here, value: '192.0.2.2' }],
    ['glue below a delegated name', delegation, { ...here, name: 'ns.sub' }],
    ['the same mail host with another priority', mail, { ...mail, priority: 20 }]
  ])('allowed: %s', async (_what, first, second) => {
    const { id } = await newZone()
    await add(id, first)
    expect((await post(id, second)).statusCode).toBe(201)
  })

  test('glue and foreign NS records can be deleted, those of the zone cannot', async () => {
    const { id, hostname } = await newZone()
    const glue = await add(id, { ...here, name: 'ns.sub' })
    await add(id, { ...delegation, value: `ns.sub.${hostname}` })
    expect((await remove(id, glue.id)).statusCode).toBe(204)
    const servers = (await list(id)).filter(({ type }) => type === 'NS')
    for (const record of servers.filter(({ name }) => name !== '@'))
      expect((await remove(id, record.id)).statusCode).toBe(204)
    const own = servers.filter(({ name }) => name === '@')
    expect(own.map(({ value }) => value)).toEqual(['ns1.example.net', 'ns2.example.net'])
    for (const record of own) {
      expect(outcome(await remove(id, record.id))).toEqual([409, 'DNS_RECORD_CONFLICT'])
      expect(outcome(await patch(id, record.id, { value: 'ns.example.org' }))).toEqual([409, 'DNS_RECORD_CONFLICT'])
      expect((await patch(id, record.id, { ttl: 300 })).statusCode).toBe(200)
      expect((await patch(id, record.id, { ttl: 3600 })).statusCode).toBe(200)
    }
    expect((await list(id)).filter(({ type }) => type === 'NS')).toHaveLength(2)
    expect(served(hostname)).toMatch(/^@ 3600 IN NS ns1\.example\.net\.$/m)
    expect(served(hostname)).not.toContain('sub')
  })
})

describe('TTL', () => {
  test('is shared by records of one name and type', async () => {
    const { id, hostname } = await newZone()
    const ttls = async () =>
      (await list(id)).filter(({ name, type }) => name === 'many' && type === 'A').map(({ ttl }) => ttl)
    const one = await add(id, { type: 'A', name: 'many', value: '192.0.2.1', ttl: 60 })
    const text = await add(id, { type: 'TXT', name: 'many', value: 'x', ttl: 7 })
    await add(id, { type: 'A', name: 'many', value: '192.0.2.2', ttl: 300 })
    expect(await ttls()).toEqual([300, 300])
    expect((await patch(id, one.id, { ttl: 900 })).json().ttl).toBe(900)
    expect(await ttls()).toEqual([900, 900])
    expect(served(hostname)).toContain('many 900 IN A 192.0.2.2')
    expect((await list(id)).find((record) => record.id === text.id)?.ttl).toBe(7)
  })

  test('a renamed record takes the TTL there, unless it has its own', async () => {
    const { id } = await newZone()
    await add(id, { type: 'A', name: 'there', value: '192.0.2.1', ttl: 60 })
    const moving = await add(id, { type: 'A', name: 'from', value: '192.0.2.2', ttl: 900 })
    expect((await patch(id, moving.id, { name: 'there' })).json()).toMatchObject({ name: 'there', ttl: 60 })
    expect((await patch(id, moving.id, { name: 'alone' })).json()).toMatchObject({ name: 'alone', ttl: 60 })
    await patch(id, moving.id, { name: 'there', ttl: 5 })
    expect((await list(id)).filter(({ name }) => name === 'there').map(({ ttl }) => ttl)).toEqual([5, 5])
  })
})

describe('change', () => {
  test('keeps omitted members; type, id and unknown members are ignored', async () => {
    const { id, hostname } = await newZone()
    const values = { type: 'SRV', name: '_sip._tcp', value: 'a.example.org', priority: 1, weight: 2, port: 3, ttl: 60 }
    const record = await add(id, values)
    const answer = await patch(id, record.id, { weight: 20, type: 'A', id: 'x', domainId: 'y', nothing: true })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({ ...record, weight: 20, updatedAt: expect.any(String) })
    expect(served(hostname)).toContain('_sip._tcp 60 IN SRV 1 20 3 a.example.org.')
    expect(served(hostname)).not.toContain(' 1 2 3 ')
  })

  test('renames and removes the old name', async () => {
    const { id, hostname } = await newZone()
    const record = await add(id, { type: 'A', name: 'old', value: '192.0.2.1' })
    expect((await patch(id, record.id, { name: 'New' })).json().name).toBe('new')
    expect(served(hostname)).toContain('new 3600 IN A 192.0.2.1')
    expect(served(hostname)).not.toMatch(/^old /m)
  })

  test.each([
    ['to a CNAME’s name', { name: 'alias' }, 409, 'DNS_RECORD_CONFLICT'],
    ['to what is there', { name: 'taken' }, 409, 'DNS_RECORD_EXISTS'],
    ['to a bad value', { value: 'x' }, 400, 'VALIDATION_ERROR'],
    ['to a bad name', { name: 'a b' }, 400, 'VALIDATION_ERROR'],
    ['to a null TTL', { ttl: null }, 400, 'VALIDATION_ERROR']
  ])('%s is refused without changes', async (_what, change, status, code) => {
    const { id, hostname } = await newZone()
    await add(id, { type: 'CNAME', name: 'alias', value: 'x.example.org' })
    await add(id, { type: 'A', name: 'taken', value: '192.0.2.1' })
    const record = await add(id, { type: 'A', name: 'mine', value: '192.0.2.1' })
    const before = served(hostname)
    expect(outcome(await patch(id, record.id, change))).toEqual([status, code])
    expect(await list(id)).toContainEqual(record)
    expect(served(hostname)).toBe(before)
  })

  test('a required number cannot be removed', async () => {
    const { id } = await newZone()
    const record = await add(id, { type: 'MX', name: '@', value: 'mail.example.org', priority: 1 })
    const answer = await patch(id, record.id, { priority: null })
    expect(outcome(answer)).toEqual([400, 'VALIDATION_ERROR'])
    expect(answer.json().details[0].path).toBe('priority')
  })

  test('no change does not touch the zone', async () => {
    const { id, hostname } = await newZone()
    const record = await add(id, { type: 'A', name: 'same', value: '192.0.2.1' })
    const before = served(hostname)
    expect((await patch(id, record.id, {})).json()).toEqual(record)
    expect((await patch(id, record.id, { value: '192.0.2.1', ttl: 3600 })).json()).toEqual(record)
    expect(served(hostname)).toBe(before)
  })
})

describe('the verification record', () => {
  test('is read-only and can be deleted after verification', async () => {
    const { id, hostname } = await newZone()
    const record = await verificationOf(id)
    expect(outcome(await patch(id, record.id, { value: 'mine' }))).toEqual([409, 'DNS_RECORD_CONFLICT'])
    expect(served(hostname)).toContain('_panel-challenge 300 IN TXT "panel-verification=')
    expect((await remove(id, record.id)).statusCode).toBe(204)
    expect(served(hostname)).not.toContain('_panel-challenge')
    expect((await alice.request('GET', `/api/domains/${id}`)).json().status).toBe('ACTIVE')
  })

  test('stays until the domain is verified', async () => {
    const { id } = await newZone()
    const record = await verificationOf(id)
    await panel.deps.db.update(domains).set({ status: 'ERROR' }).where(eq(domains.id, id))
    expect(outcome(await remove(id, record.id))).toEqual([409, 'DNS_RECORD_CONFLICT'])
    expect(await verificationOf(id)).toEqual(record)
  })

  test('coexists with user records of the same name', async () => {
    const { id } = await newZone()
    const { value } = await verificationOf(id)
    expect(outcome(await post(id, { type: 'TXT', name: '_panel-challenge', value }))).toEqual([
      409,
      'DNS_RECORD_EXISTS'
    ])
    const other = await add(id, { type: 'TXT', name: '_panel-challenge', value: 'of another panel', ttl: 60 })
    expect(other.name).toBe('_panel-challenge')
    expect((await verificationOf(id)).ttl).toBe(60)
    expect((await patch(id, other.id, { value: 'changed' })).statusCode).toBe(200)
  })
})

describe('defaults', () => {
  test('are added only if missing', async () => {
    const { id, hostname } = await newZone()
    const before = await keep(id)
    for (const record of await list(id)) await remove(id, record.id)
    const own = await add(id, { type: 'A', name: '@', value: '192.0.2.1' })
    const answer = await alice.request('POST', `/api/domains/${id}/dns/defaults`)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual(await list(id))
    expect(await keep(id)).toEqual(
      before
        .filter((text) => !text.startsWith('_panel-challenge'))
        .map((text) => (text.startsWith('@ A') ? `@ A ${own.value}` : text))
    )
    expect(served(hostname)).toContain(`www 3600 IN CNAME ${hostname}.`)
  })

  test('are previewed: missing, present and conflicting', async () => {
    const { id, hostname } = await newZone()
    for (const record of await list(id)) await remove(id, record.id)
    await add(id, { type: 'A', name: '@', value: '192.0.2.1' })
    await add(id, { type: 'TXT', name: 'www', value: 'mine' })
    const before = await keep(id)
    const preview = async () => (await alice.request('GET', `/api/domains/${id}/dns/defaults`)).json<ImportPreview>()
    const reported = await preview()
    expect(reported.same).toMatchObject([
      { line: 0, reason: '@ A', sentences: [{ code: 'DEFAULT_THERE', values: { record: '@ A' } }] },
      { line: 0, reason: '@ NS' },
      { line: 0, reason: '@ NS' }
    ])
    expect(reported.added).toEqual([])
    expect(reported.refused).toEqual([
      {
        line: 0,
        reason: expect.stringContaining('CNAME'),
        sentences: [{ code: 'CNAME_NOT_ALONE', values: { owner: `www.${hostname}`, types: ['TXT'] } }]
      }
    ])
    expect(await keep(id)).toEqual(before)
    const www = (await list(id)).find(({ name }) => name === 'www')!
    await remove(id, www.id)
    expect(await preview()).toMatchObject({
      added: [{ type: 'CNAME', name: 'www', value: hostname, line: 0 }],
      refused: [],
      counts: { added: 1, removed: 0, same: 3, conflicts: 0, refused: 0 }
    })
  })
})

describe('access', () => {
  const routesOf = (id: string, recordId: string): ['GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT', string, object?][] => [
    ['GET', `/api/domains/${id}/dns`],
    ['POST', `/api/domains/${id}/dns`, { type: 'A', name: 'a', value: '192.0.2.1' }],
    ['GET', `/api/domains/${id}/dns/defaults`],
    ['POST', `/api/domains/${id}/dns/defaults`],
    ['PATCH', `/api/domains/${id}/dns/${recordId}`, { ttl: 60 }],
    ['GET', `/api/domains/${id}/dns/export`],
    ['POST', `/api/domains/${id}/dns/import`, { zoneContent: 'a 60 IN A 192.0.2.1', strategy: 'replace' }],
    ['POST', `/api/domains/${id}/dns/${recordId}/propagation`],
    ['GET', `/api/domains/${id}/dnssec`],
    ['PUT', `/api/domains/${id}/dnssec`, { enabled: true }],
    ['DELETE', `/api/domains/${id}/dns/${recordId}`]
  ]

  test('another account’s domain is 404 on every route', async () => {
    const { id, hostname } = await newZone()
    const record = await add(id, { type: 'A', name: 'mine', value: '192.0.2.1' })
    const before = [await list(id), served(hostname)]
    const own = await addManagedDomain(bob, `bob${++zones}.example.com`)
    for (const [method, url, payload] of routesOf(id, record.id)) {
      const answer = await bob.request(method, url, payload)
      expect([method, url, ...outcome(answer)]).toEqual([method, url, 404, 'NOT_FOUND'])
      expect(answer.body).not.toContain(hostname)
    }
    for (const [method, url, payload] of routesOf(own.id, record.id).filter(([, url]) => url.includes(record.id)))
      expect(outcome(await bob.request(method, url, payload))).toEqual([404, 'NOT_FOUND'])
    expect([await list(id), served(hostname)]).toEqual(before)
  })

  test('a CONNECTED domain has none of the routes and keeps its records', async () => {
    const { id, hostname } = await newZone()
    const record = await add(id, { type: 'A', name: 'mine', value: '192.0.2.1' })
    expect((await alice.request('PATCH', `/api/domains/${id}/dns-mode`, { mode: 'CONNECTED' })).statusCode).toBe(200)
    expect(served(hostname)).toBe('')
    for (const [method, url, payload] of [...routesOf(id, record.id), ...routesOf(id, 'no-record')])
      expect([method, url, ...outcome(await alice.request(method, url, payload))]).toEqual([
        method,
        url,
        409,
        'DNS_NOT_MANAGED'
      ])
    expect(await panel.deps.db.select().from(dnsRecords).where(eq(dnsRecords.id, record.id))).toHaveLength(1)
  })

  test('an invalid record id is 404', async () => {
    const { id } = await newZone()
    expect(outcome(await patch(id, newId(), {}))).toEqual([404, 'NOT_FOUND'])
    expect(outcome(await remove(id, newId()))).toEqual([404, 'NOT_FOUND'])
    const requested = await alice.request('POST', `/api/domains/${id}/dns/${newId()}/propagation`)
    expect(outcome(requested)).toEqual([404, 'NOT_FOUND'])
  })
})

describe('the name server', () => {
  test('that is down fails no change and gets it from the reconcile loop', async () => {
    const { id, hostname } = await newZone()
    const before = served(hostname)
    dnsServerOf(panel).fail = true
    try {
      expect((await post(id, { type: 'A', name: 'later', value: '192.0.2.1' })).statusCode).toBe(201)
    } finally {
      dnsServerOf(panel).fail = false
    }
    expect(served(hostname)).toBe(before)
    await reconcileZones(panel.deps)
    expect(served(hostname)).toContain('later 3600 IN A 192.0.2.1')
  })

  test('serves challenges beside user records', async () => {
    const { id, hostname } = await newZone()
    await add(id, { type: 'TXT', name: '_acme-challenge', value: 'of the user' })
    expect(served(hostname)).toContain('_acme-challenge 3600 IN TXT "of the user"')
  })
})

describe('concurrently', () => {
  test('one of two identical ones is created', async () => {
    const { id } = await newZone()
    const input = { type: 'A', name: 'race', value: '192.0.2.1' }
    const answers = await Promise.all([post(id, input), post(id, input)])
    expect(answers.map(outcome).sort()).toEqual([
      [201, undefined],
      [409, 'DNS_RECORD_EXISTS']
    ])
  })

  test('forty different ones are served with increasing serials', async () => {
    const { id, hostname } = await newZone()
    const before = serialOf(served(hostname))
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => post(id, { type: 'A', name: `host${index}`, value: '192.0.2.1' }))
    )
    expect(answers.map((answer) => answer.statusCode)).toEqual(Array(40).fill(201))
    for (let index = 0; index < 40; index++) expect(served(hostname)).toContain(`\nhost${index} 3600 IN A 192.0.2.1`)
    expect(serialOf(served(hostname))).toBe(before + 40)
  })

  test('a CNAME never coexists with another record', async () => {
    const { id } = await newZone()
    const answers = await Promise.all([
      post(id, { type: 'A', name: 'either', value: '192.0.2.1' }),
      post(id, { type: 'CNAME', name: 'either', value: 'x.example.org' })
    ])
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([201, 409])
    expect((await list(id)).filter(({ name }) => name === 'either')).toHaveLength(1)
  })

  test('a deleted domain causes no internal error', async () => {
    const parent = await newZone()
    const child = await addVerifiedDomain(alice, `child.${parent.hostname}`)
    const answers = await Promise.all([
      ...Array.from({ length: 8 }, (_, index) =>
        post(child.id, { type: 'A', name: `host${index}`, value: '192.0.2.1' })
      ),
      alice.request('DELETE', `/api/domains/${child.id}`)
    ])
    for (const answer of answers) expect([201, 204, 404]).toContain(answer.statusCode)
    expect(served(parent.hostname)).not.toContain('child')
  })
})

describe('limits', () => {
  const fill = (domainId: string, count: number, value: (index: number) => string) =>
    fillZone(panel, domainId, count, (index) => ({ name: `host${index}`, type: 'TXT', value: value(index) }))
  const more = { type: 'A', name: 'more', value: '192.0.2.1' }
  const limit = [409, 'DNS_RECORD_LIMIT']

  test('records per zone, across its domains', async () => {
    const parent = await newZone()
    const child = await addVerifiedDomain(alice, `shop.${parent.hostname}`)
    const there = (await list(parent.id)).length + (await list(child.id)).length
    await fill(child.id, maxDnsRecords - there - 1, () => 'x')
    const last = await add(parent.id, { ...more, name: 'last' })
    for (const { id } of [parent, child]) expect(outcome(await post(id, more))).toEqual(limit)
    const refused = (await post(parent.id, more)).json<{ error: string }>()
    expect(refused.error).toMatch(/the zone would have more than 10000 records. Delete/)
    expect((await patch(parent.id, last.id, { name: 'other' })).statusCode).toBe(200)

    const late = await addVerifiedDomain(alice, `late.${parent.hostname}`)
    expect(await list(late.id)).toEqual([])
    const [www] = (await list(parent.id)).filter(({ name }) => name === 'www')
    expect((await remove(parent.id, www!.id)).statusCode).toBe(204)
    expect((await remove(parent.id, last.id)).statusCode).toBe(204)
    expect((await post(late.id, more)).statusCode).toBe(201)
    expect((await post(child.id, more)).statusCode).toBe(201)
    expect(outcome(await alice.request('POST', `/api/domains/${parent.id}/dns/defaults`))).toEqual(limit)
    expect((await list(parent.id)).map(({ name }) => name)).not.toContain('www')
  })

  test('bytes per zone', async () => {
    const { id } = await newZone()
    const value = '😀'.repeat(2048)
    const perRecord = 4 * 2048 + 32 + 'host000'.length
    await fill(id, Math.floor(maxZoneBytes / perRecord), () => value)
    const text = { type: 'TXT', name: 'small', value: 'é'.repeat(10) }
    const { id: small } = await add(id, text)
    expect(outcome(await post(id, { ...text, name: 'large', value }))).toEqual(limit)
    expect(outcome(await patch(id, small, { value }))).toEqual(limit)
    expect((await patch(id, small, { value: 'é' })).statusCode).toBe(200)
    const imported = await alice.request('POST', `/api/domains/${id}/dns/import`, {
      zoneContent: manyTexts(20),
      strategy: 'skip'
    })
    const { importedCount, errors } = imported.json<{ importedCount: number; errors: string[] }>()
    expect(importedCount).toBeGreaterThan(0)
    expect(errors.at(-1)).toMatch(/line \d+: the names and values of the zone would exceed 4096 KiB/)
  })

  test('an oversized zone can shrink', async () => {
    const { id } = await newZone()
    await fill(id, maxDnsRecords + 10, (index) => `${index}`)
    const [one, other] = (await list(id)).filter(({ name }) => name.startsWith('host'))
    expect((await patch(id, one!.id, { value: 'other' })).statusCode).toBe(200)
    expect((await remove(id, other!.id)).statusCode).toBe(204)
    expect(outcome(await post(id, more))).toEqual(limit)
  })
})

const manyTexts = (count: number) =>
  Array.from({ length: count }, (_, index) => `text${index} 60 TXT ${`"${'x'.repeat(250)}" `.repeat(8)}\n`).join('')

describe('a subdomain', () => {
  const newPair = async () => {
    const parent = await newZone()
    const child = await addVerifiedDomain(alice, `shop.${parent.hostname}`)
    return { parent, child }
  }

  test('has its records in the parent zone under relative names', async () => {
    const { parent, child } = await newPair()
    await add(child.id, { type: 'A', name: 'cart', value: '192.0.2.1' })
    await add(child.id, { type: 'MX', name: '@', value: 'mail', priority: 1 })
    const text = served(parent.hostname)
    expect(text).toContain('cart.shop 3600 IN A 192.0.2.1')
    expect(text).toContain(`shop 3600 IN MX 1 mail.${child.hostname}.`)
    expect(served(child.hostname)).toBe('')
    expect(await keep(child.id)).toEqual([`@ A 203.0.113.7`, `@ MX mail.${child.hostname}`, 'cart A 192.0.2.1'])
    expect((await keep(parent.id)).join()).not.toContain('cart')
  })

  test('sees the parent’s records and vice versa', async () => {
    const { parent, child } = await newPair()
    await add(parent.id, { type: 'CNAME', name: 'cart.shop', value: 'x.example.org' })
    expect(outcome(await post(child.id, { type: 'A', name: 'cart', value: '192.0.2.1' }))).toEqual([
      409,
      'DNS_RECORD_CONFLICT'
    ])
    await add(child.id, { type: 'A', name: 'till', value: '192.0.2.1', ttl: 60 })
    const till = { type: 'A', name: 'till.shop', value: '192.0.2.1' }
    expect(outcome(await post(parent.id, till))).toEqual([409, 'DNS_RECORD_EXISTS'])
    expect(outcome(await post(parent.id, { type: 'NS', name: 'shop', value: 'ns.example.org' }))).toEqual([
      409,
      'DNS_RECORD_CONFLICT'
    ])
    await add(parent.id, { ...till, value: '192.0.2.2', ttl: 900 })
    expect((await list(child.id)).find(({ name }) => name === 'till')?.ttl).toBe(900)
    const [other] = (await list(parent.id)).filter(({ name }) => name === 'till.shop')
    expect(outcome(await patch(child.id, other!.id, { ttl: 1 }))).toEqual([404, 'NOT_FOUND'])
  })

  test('a wildcard has one name', async () => {
    const parent = await newZone()
    const wildcard = await addVerifiedDomain(alice, `*.${parent.hostname}`)
    await add(wildcard.id, { type: 'TXT', name: '@', value: 'any' })
    expect(served(parent.hostname)).toContain('* 3600 IN TXT "any"')
    expect(outcome(await post(wildcard.id, { type: 'A', name: 'a', value: '192.0.2.1' }))).toEqual([
      400,
      'VALIDATION_ERROR'
    ])
  })

  test('exports only itself, the apex the whole zone', async () => {
    const { parent, child } = await newPair()
    const wildcard = await addVerifiedDomain(alice, `*.${child.hostname}`)
    await add(child.id, { type: 'A', name: 'cart', value: '192.0.2.1' })
    await add(wildcard.id, { type: 'TXT', name: '@', value: 'any' })
    const exported = async (id: string) => (await alice.request('GET', `/api/domains/${id}/dns/export`)).body
    expect(await exported(parent.id)).toBe(served(parent.hostname))
    expect(linesOf(await exported(child.id))).toEqual([
      `$ORIGIN ${child.hostname}.`,
      '$TTL 3600',
      expect.stringContaining(`SOA ns1.example.net. hostmaster.`),
      '@ 3600 IN NS ns1.example.net.',
      '@ 3600 IN NS ns2.example.net.',
      '@ 3600 IN A 203.0.113.7',
      'cart 3600 IN A 192.0.2.1',
      ''
    ])
    expect(linesOf(await exported(wildcard.id))).toEqual([
      `$ORIGIN ${child.hostname}.`,
      '$TTL 3600',
      expect.stringContaining('SOA'),
      '@ 3600 IN NS ns1.example.net.',
      '@ 3600 IN NS ns2.example.net.',
      '* 3600 IN A 203.0.113.7',
      '* 3600 IN TXT "any"',
      ''
    ])
    for (const id of [child.id, wildcard.id])
      expect(serialOf(await exported(id))).toBe(serialOf(served(parent.hostname)))
  })
})

describe('export', () => {
  test.each([
    ['', (hostname: string) => `${hostname}.zone`],
    ['*.', (hostname: string) => `_wildcard.${hostname}.zone`]
  ])('is a text file (%j)', async (prefix, fileName) => {
    const zone = await newZone()
    const { id } = prefix === '' ? zone : await addVerifiedDomain(alice, `${prefix}${zone.hostname}`)
    const answer = await alice.request('GET', `/api/domains/${id}/dns/export`)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `attachment; filename="${fileName(zone.hostname)}"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store'
    })
    expect(answer.body).toMatch(/^\$ORIGIN zone\d+\.example\.com\.\n\$TTL 3600\n@ 3600 IN SOA /)
  })
})

describe('propagation', () => {
  const check = async (id: string, recordId: string) =>
    (await alice.request('POST', `/api/domains/${id}/dns/${recordId}/propagation`)).json()

  test('reports each resolver', async () => {
    const { id, hostname } = await newZone()
    const dns = publicDnsOf(panel)
    const [first, second, third] = dns.resolvers as [string, string, string]
    const record = await add(id, { type: 'MX', name: '@', value: 'mail', priority: 10 })
    dns.set(hostname, 'MX', ['20 other.example.org', `10 MAIL.${hostname}`], first)
    dns.set(hostname, 'MX', [`20 mail.${hostname}`], second)
    dns.failWith(third, 'TIMEOUT')
    const answer = await check(id, record.id)
    dns.failWith(third, undefined)
    expect(answer).toEqual({
      recordId: record.id,
      type: 'MX',
      name: hostname,
      expected: `10 mail.${hostname}`,
      resolvers: [
        {
          resolver: first,
          status: 'MATCH',
          latencyMs: 1,
          detectedRecords: ['20 other.example.org', `10 MAIL.${hostname}`],
          error: null
        },
        {
          resolver: second,
          status: 'MISMATCH',
          latencyMs: 1,
          detectedRecords: [`20 mail.${hostname}`],
          error: null
        },
        { resolver: third, status: 'NOT_FOUND', latencyMs: 1, detectedRecords: [], error: 'TIMEOUT' }
      ]
    })
  })

  test.each([
    ['the same text', 'Text', 'Text', 'MATCH'],
    ['text in another case', 'Text', 'text', 'MISMATCH'],
    ['text and more', 'Text', 'Text ', 'MISMATCH']
  ])('%s', async (_what, value, seen, status) => {
    const { id, hostname } = await newZone()
    const record = await add(id, { type: 'TXT', name: 'text', value })
    publicDnsOf(panel).set(`text.${hostname}`, 'TXT', [seen])
    expect((await check(id, record.id)).resolvers.map((one: { status: string }) => one.status)).toEqual([
      status,
      status,
      status
    ])
  })

  test.each([
    ['HTTPS', '. alpn="h3,h2" port=443', 1, '1 . alpn=h3,h2 port=443', 'MATCH'],
    ['HTTPS', '. alpn=h3,h2', 1, '1 . alpn=h2,h3', 'MISMATCH'],
    ['TLSA', `3 1 1 ${'ab'.repeat(32)}`, undefined, `3 1 1 ${'AB'.repeat(32)}`, 'MATCH']
  ] as const)('%s %s', async (type, value, priority, seen, status) => {
    const { id, hostname } = await newZone()
    const record = await add(id, { type, name: 'seen', value, priority })
    publicDnsOf(panel).set(`seen.${hostname}`, type, [seen])
    expect((await check(id, record.id)).resolvers).toMatchObject([{ status }, { status }, { status }])
  })

  test('queries a name covered by the wildcard, and the full verification name', async () => {
    const { id, hostname } = await newZone()
    const record = await add(id, { type: 'A', name: '*.dev', value: '192.0.2.1' })
    publicDnsOf(panel).set(`panel-probe.dev.${hostname}`, 'A', ['192.0.2.1'])
    expect(await check(id, record.id)).toMatchObject({
      name: `panel-probe.dev.${hostname}`,
      resolvers: [{ status: 'MATCH' }, { status: 'MATCH' }, { status: 'MATCH' }]
    })
    const verification = await verificationOf(id)
    expect(await check(id, verification.id)).toMatchObject({
      name: `_panel-challenge.${hostname}`,
      expected: verification.value,
      resolvers: [{ status: 'NOT_FOUND', error: 'NXDOMAIN' }, {}, {}]
    })
  })

  test('limits foreign responses', async () => {
    const { id, hostname } = await newZone()
    const record = await add(id, { type: 'A', name: 'many', value: '192.0.2.1' })
    publicDnsOf(panel).set(`many.${hostname}`, 'A', [...Array<string>(500).fill('198.51.100.1'), '192.0.2.1'])
    const [seen] = (await check(id, record.id)).resolvers
    expect([seen.status, seen.detectedRecords.length]).toEqual(['MATCH', 100])
  })
})

describe('signing', () => {
  test('is toggled for the zone', async () => {
    const { id, hostname } = await newZone()
    const ds = { keyTag: 12345, algorithm: 13, digestType: 2, digest: 'AB'.repeat(32) }
    dnsServerOf(panel).ds.set(hostname, [ds])
    const put = (payload: object) => alice.request('PUT', `/api/domains/${id}/dnssec`, payload)
    expect((await alice.request('GET', `/api/domains/${id}/dnssec`)).json()).toMatchObject({
      enabled: false,
      dsRecords: []
    })
    expect((await put({ enabled: true })).json()).toMatchObject({
      enabled: true,
      dsRecords: [{ ...ds, text: `12345 13 2 ${ds.digest}` }],
      dsAtParent: false
    })
    expect(dnsServerOf(panel).served.get(hostname)?.isSigned).toBe(true)
    publicDnsOf(panel).set(hostname, 'DS', [`12345 13 2 ${ds.digest}`])
    expect(outcome(await put({ enabled: false }))).toEqual([409, 'DNSSEC_DS_PRESENT'])
    expect((await put({ enabled: false, force: true })).json().enabled).toBe(false)
    expect(dnsServerOf(panel).served.get(hostname)?.isSigned).toBe(false)
  })

  test('is refused for a domain in another one’s zone', async () => {
    const { hostname } = await newZone()
    const child = await addVerifiedDomain(alice, `child.${hostname}`)
    const answer = await alice.request('PUT', `/api/domains/${child.id}/dnssec`, { enabled: true })
    expect(outcome(answer)).toEqual([400, 'INVALID_TARGET'])
    expect(answer.json().error).toContain(hostname)
  })
})

test('serials never decrease, also with a clock set back', async () => {
  let clock = new Date('2026-03-01T12:00:00Z')
  const other = await createTestPanel(env, { now: () => clock })
  try {
    const person = await other.signUp('person')
    const { id, hostname } = await addManagedDomain(person, 'clock.example.com')
    const serial = () => serialOf(dnsServerOf(other).files.get(hostname)!)
    let created = 0
    const change = async () => {
      const payload = { type: 'A', name: `host${++created}`, value: '192.0.2.1' }
      expect((await person.request('POST', `/api/domains/${id}/dns`, payload)).statusCode).toBe(201)
      return serial()
    }
    const first = await change()
    expect(String(first)).toMatch(/^20260301\d\d$/)
    clock = new Date('2026-02-27T12:00:00Z')
    expect(await change()).toBe(first + 1)
    clock = new Date('2026-03-02T12:00:00Z')
    expect(await change()).toBe(2026030201)
    for (let count = 0; count < 100; count++) await change()
    expect(serial()).toBe(2026030301)
    expect(await change()).toBe(2026030302)
  } finally {
    await other.close()
  }
})
