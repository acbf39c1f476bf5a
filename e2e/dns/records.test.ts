import type { DnsPropagation, DnsRecord } from '@panel/contract/dns-records'
import type { DelegationCheck, Domain } from '@panel/contract/domains'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  addRecord,
  dig,
  type DnsEnvironment,
  listRecords,
  nameservers,
  ownerOf,
  publicIp,
  rdataOf,
  serialOf,
  servedRecords,
  servedZones,
  serverOf,
  setDnsMode,
  shown,
  startDnsEnvironment
} from '../support/dns-environment.ts'
import { type Client, type RunningPanel, startPanel } from '../support/panel.ts'

let environment: DnsEnvironment
let panel: RunningPanel
let ann: Client
let bob: Client
beforeAll(async () => {
  environment = await startDnsEnvironment()
  panel = await startPanel(environment.env)
  await panel.signUp()
  ;[ann, bob] = [await panel.signUp(), await panel.signUp()]
})
afterAll(async () => {
  await panel?.dispose()
  await environment?.close()
})
afterEach(({ task }) => {
  for (const resolver of environment.resolvers) resolver.reset()
  if (task.result?.state === 'fail') console.error(panel.output().slice(-5_000))
})

let zones = 0
const newZone = () => environment.addZone(ann, `zone${++zones}.test`)
const change = (domainId: string, id: string, values: Partial<DnsRecord>) =>
  ann.call<DnsRecord>('PATCH', `/domains/${domainId}/dns/${id}`, values)
const remove = (domainId: string, id: string) => ann.call('DELETE', `/domains/${domainId}/dns/${id}`)
const valuesOf = async (name: string, type: string) => (await dig(panel, name, type)).values
const statusOf = async (name: string, type = 'A') => (await dig(panel, name, type)).status
const listed = async ({ id, hostname }: Pick<Domain, 'id' | 'hostname'>) =>
  (await listRecords(ann, id)).map((record) => shown(record, hostname)).sort()

describe('modes', () => {
  test('MANAGED requires a visible delegation; then the default records are served at once', async () => {
    const { id } = await environment.addDomain(ann, 'first.test')
    const manage = () => ann.request('PATCH', `/domains/${id}/dns-mode`, { mode: 'MANAGED' })
    const check = () => ann.call<DelegationCheck>('POST', `/domains/${id}/dns-mode/check`)
    expect(await manage()).toMatchObject({ status: 409, body: { code: 'DNS_NOT_DELEGATED' } })
    environment.resolvers[0].set('first.test', 'NS', { values: [nameservers[0], 'ns.elsewhere.test'] })
    expect(await manage()).toMatchObject({ status: 409, body: { code: 'DNS_NOT_DELEGATED' } })
    expect(await check()).toMatchObject({ delegated: false, expectedNameservers: nameservers })
    expect(await statusOf('first.test')).toBe('REFUSED')

    environment.resolvers[1].fallback = { drop: true }
    environment.resolvers[2].set('first.test', 'NS', { values: [...nameservers].reverse() })
    expect((await check()).resolvers.map(({ matches }) => matches)).toEqual([false, false, true])
    expect(await manage()).toMatchObject({ status: 200, body: { dnsMode: 'MANAGED' } })
    expect(await valuesOf('first.test', 'A')).toEqual([publicIp])
    expect(await valuesOf('first.test', 'NS')).toEqual(nameservers.map((name) => `${name}.`))
    expect(await valuesOf('www.first.test', 'CNAME')).toEqual(['first.test.'])
    const [soa] = await valuesOf('first.test', 'SOA')
    expect(soa).toMatch(/^ns1\.hosting\.test\. hostmaster\.apps\.localhost\. \d{10} 7200 3600 1209600 3600$/)
    const { text } = await dig(panel, 'first.test', 'A')
    expect(text).toMatch(/^;; Flags: qr aa\b/m)
    expect(await statusOf('none.first.test')).toBe('NXDOMAIN')
  })

  test('CONNECTED: nothing is served and the records are kept; back again they are served', async () => {
    const domain = await newZone()
    const { id, hostname } = domain
    const kept = await addRecord(ann, id, { type: 'TXT', name: 'kept', value: 'for later' })
    const before = [await listed(domain), await servedRecords(panel, hostname)]
    await setDnsMode(ann, id, 'CONNECTED')
    for (const name of [hostname, `kept.${hostname}`]) expect(await statusOf(name)).toBe('REFUSED')
    expect(await servedZones(panel)).not.toContain(hostname)
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['GET', '/export'],
      ['POST', '/defaults'],
      ['DELETE', `/${kept.id}`]
    ] as const) {
      const body = method === 'POST' && path === '' ? { type: 'A', name: 'x', value: publicIp } : undefined
      const answer = await ann.request(method, `/domains/${id}/dns${path}`, body)
      expect(answer, path).toMatchObject({ status: 409, body: { code: 'DNS_NOT_MANAGED' } })
    }
    await setDnsMode(ann, id, 'MANAGED')
    expect(await valuesOf(`kept.${hostname}`, 'TXT')).toEqual(['for later'])
    expect([await listed(domain), await servedRecords(panel, hostname)]).toEqual(before)
  })

  test('a subdomain is served in its parent’s zone from creation to removal', async () => {
    const { id, hostname } = await newZone()
    const child = await environment.addDomain(ann, `shop.${hostname}`)
    expect(child).toMatchObject({ status: 'ACTIVE', parentId: id, dnsMode: 'MANAGED' })
    expect(await valuesOf(`shop.${hostname}`, 'A')).toEqual([publicIp])
    expect(await statusOf(`other.${hostname}`)).toBe('NXDOMAIN')
    await addRecord(ann, child.id, { type: 'MX', name: '@', value: 'mail', priority: 10 })
    await addRecord(ann, child.id, { type: 'A', name: 'mail', value: '192.0.2.25' })
    expect(await valuesOf(`shop.${hostname}`, 'MX')).toEqual([`10 mail.shop.${hostname}.`])
    expect(await valuesOf(`mail.shop.${hostname}`, 'A')).toEqual(['192.0.2.25'])
    const wildcard = await environment.addDomain(ann, `*.${hostname}`)
    expect(await valuesOf(`other.${hostname}`, 'A')).toEqual([publicIp])
    await ann.call('DELETE', `/domains/${wildcard.id}`)
    await ann.call('DELETE', `/domains/${child.id}`)
    for (const name of ['other', 'shop', 'mail.shop']) expect(await statusOf(`${name}.${hostname}`)).toBe('NXDOMAIN')
    expect(await valuesOf(hostname, 'A')).toEqual([publicIp])
    await ann.call('DELETE', `/domains/${id}`)
    expect(await statusOf(hostname)).toBe('REFUSED')
  })

  test('below another account’s zone it requires NS records there', async () => {
    const { id, hostname } = await newZone()
    const below = await environment.addDomain(bob, `bob.${hostname}`)
    const manage = () => bob.request('PATCH', `/domains/${below.id}/dns-mode`, managed)
    const managed = { mode: 'MANAGED', skipDelegationCheck: true }
    expect(await manage()).toMatchObject({ status: 409, body: { code: 'DNS_ZONE_CONFLICT' } })
    for (const value of nameservers) await addRecord(ann, id, { type: 'NS', name: 'bob', value })
    expect(await manage()).toMatchObject({ status: 200 })
    await addRecord(bob, below.id, { type: 'TXT', name: '@', value: 'of bob' })
    expect(await valuesOf(`bob.${hostname}`, 'TXT')).toEqual(['of bob'])
    const stolen = { type: 'TXT', name: 'bob', value: 'of ann' }
    expect(await ann.request('POST', `/domains/${id}/dns`, stolen)).toMatchObject({ status: 409 })
  })
})

describe('records', () => {
  const utf8 = 'Grüße, "quoted" \\ back\\\\slash; 日本 😀 \\000 $ORIGIN @ ( )'
  test.each<[string, Partial<DnsRecord>]>([
    ['A', { type: 'A', name: 'a', value: '192.0.2.1', ttl: 60 }],
    ['A of a wildcard', { type: 'A', name: '*.dev', value: '192.0.2.2', ttl: 0 }],
    ['AAAA', { type: 'AAAA', name: 'six', value: '2001:db8::1:0:0:1' }],
    ['AAAA that holds an IPv4 address', { type: 'AAAA', name: 'mapped', value: '::ffff:192.0.2.1' }],
    ['CNAME', { type: 'CNAME', name: 'alias', value: 'target.elsewhere.test' }],
    ['CNAME with underscores', { type: 'CNAME', name: '_dmarc.x', value: '_x._y.elsewhere.test' }],
    ['MX', { type: 'MX', name: '@', value: 'mail.elsewhere.test', priority: 65_535 }],
    ['MX of a domain without mail', { type: 'MX', name: 'quiet', value: '.', priority: 0 }],
    ['NS of a delegation', { type: 'NS', name: 'sub', value: 'ns.elsewhere.test' }],
    ['SRV', { type: 'SRV', name: '_sip._tcp', value: 'sip.elsewhere.test', priority: 0, weight: 65_535, port: 5060 }],
    ['SRV of no service', { type: 'SRV', name: '_imap._tcp', value: '.', priority: 0, weight: 0, port: 1 }],
    ['CAA', { type: 'CAA', name: '@', value: '0 issue "ca.example.net"' }],
    ['CAA with parameters', { type: 'CAA', name: 'caa', value: '128 issuewild "ca.example.net; policy=\\"x\\\\y\\""' }],
    ['PTR', { type: 'PTR', name: 'b._dns-sd', value: 'www.elsewhere.test' }],
    ['SSHFP', { type: 'SSHFP', name: 'host', value: `4 2 ${'0F'.repeat(32)}` }],
    ['TLSA', { type: 'TLSA', name: '_25._tcp.mail', value: `3 1 1 ${'AB'.repeat(32)}` }],
    [
      'SVCB',
      { type: 'SVCB', name: '_8443._foo', value: 'svc.elsewhere.test port=8443 ipv6hint=2001:db8::1', priority: 16 }
    ],
    ['HTTPS', { type: 'HTTPS', name: '@', value: '. alpn=h2,h3 ipv4hint=192.0.2.1,192.0.2.2', priority: 1 }],
    ['HTTPS that is an alias', { type: 'HTTPS', name: 'alias', value: 'cdn.elsewhere.test', priority: 0 }],
    ['NAPTR', { type: 'NAPTR', name: 'sip', value: '100 10 "U" "E2U+sip" "!^(.*)$!sip:\\\\1@elsewhere.test!" .' }],
    ['NAPTR that names a host', { type: 'NAPTR', name: '@', value: '1 2 "S" "SIP+D2U" "" _sip._udp.elsewhere.test' }],
    ['TXT', { type: 'TXT', name: '@', value: 'v=spf1 include:_spf.elsewhere.test -all' }],
    ['TXT that is empty', { type: 'TXT', name: 'empty', value: '' }],
    ['TXT with everything', { type: 'TXT', name: 'all', value: utf8 }],
    ['TXT of 255 bytes', { type: 'TXT', name: 'whole', value: 'x'.repeat(255) }],
    ['TXT of 2000 characters', { type: 'TXT', name: 'long', value: `${utf8}${'é'.repeat(2_000)}`.slice(0, 2_000) }],
    ['TXT of the most there is', { type: 'TXT', name: 'most', value: '日'.repeat(2_048) }],
    ['TXT of a DKIM key', { type: 'TXT', name: 'x._domainkey', value: `v=DKIM1; k=rsa; p=${'A/+='.repeat(100)}` }]
  ])('%s', async (_what, values) => {
    const { id, hostname } = await newZone()
    const owner = ownerOf({ name: values.name! }, hostname)
    const expected = values.type === 'NS' ? 'NOERROR' : [rdataOf(values)]
    const ask = async () => {
      const { status, values: found, ttls } = await dig(panel, owner, values.type!)
      return values.type === 'NS' ? { found: status } : { found, ttls }
    }
    const record = await addRecord(ann, id, values)
    expect(record).toMatchObject(values)
    expect(await ask()).toMatchObject({ found: expected })
    expect(await servedRecords(panel, hostname)).toContain(`${owner} ${values.type} ${rdataOf(values)}`)
    if (values.type === 'NS') expect((await dig(panel, owner, 'A')).text).toContain('ns.elsewhere.test.')
    else expect(await ask()).toEqual({ found: expected, ttls: [values.ttl ?? 3600] })
    await remove(id, record.id)
    expect(await valuesOf(owner, values.type!)).toEqual([])
    expect(await servedRecords(panel, hostname)).not.toContain(`${owner} ${values.type} ${rdataOf(values)}`)
  })

  test('a change is served when the API responds, including renames', async () => {
    const { id, hostname } = await newZone()
    const record = await addRecord(ann, id, { type: 'A', name: 'old', value: '192.0.2.1' })
    await change(id, record.id, { value: '192.0.2.2', ttl: 7 })
    expect(await dig(panel, `old.${hostname}`, 'A')).toMatchObject({ values: ['192.0.2.2'], ttls: [7] })
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

  test('each of 150 changes is served with a higher serial', async () => {
    const { id, hostname } = await newZone()
    const record = await addRecord(ann, id, { type: 'A', name: 'often', value: '192.0.2.0' })
    let last = await serialOf(serverOf(panel), hostname)
    for (let count = 1; count <= 150; count++) {
      await change(id, record.id, { value: `192.0.2.${count}` })
      expect(await valuesOf(`often.${hostname}`, 'A')).toEqual([`192.0.2.${count}`])
      const serial = await serialOf(serverOf(panel), hostname)
      expect(serial).toBeGreaterThan(last)
      last = serial
    }
    expect(String(last)).toMatch(/^20\d{8}$/)
  })

  test('concurrent changes in several zones are served when the API responds', async () => {
    const domains = [await newZone(), await newZone(), await newZone()]
    await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const { id, hostname } = domains[index % 3]!
        await addRecord(ann, id, { type: 'TXT', name: `n${index}`, value: `number ${index}` })
        expect(await valuesOf(`n${index}.${hostname}`, 'TXT')).toEqual([`number ${index}`])
      })
    )
    for (const domain of domains) expect(await servedRecords(panel, domain.hostname)).toEqual(await listed(domain))
  })

  test('propagation compares service binding parameters', async () => {
    const { id, hostname } = await newZone()
    const record = await addRecord(ann, id, { type: 'HTTPS', name: '@', value: '. port=8443 alpn=h2', priority: 1 })
    const [right, wrong] = environment.resolvers
    right.set(hostname, 'UNKNOWN_65', { values: [Buffer.from('000100' + '00010003026832' + '0003000220fb', 'hex')] })
    wrong.set(hostname, 'UNKNOWN_65', { values: [Buffer.from('000100' + '00010003026833', 'hex')] })
    expect(await ann.call('POST', `/domains/${id}/dns/${record.id}/propagation`)).toMatchObject({
      expected: '1 . alpn=h2 port=8443',
      resolvers: [
        { status: 'MATCH' },
        { status: 'MISMATCH', detectedRecords: ['1 . alpn=h3'] },
        { status: 'NOT_FOUND', error: 'NXDOMAIN' }
      ]
    })
  })

  test('propagation reports each resolver', async () => {
    const { id, hostname } = await newZone()
    const record = await addRecord(ann, id, { type: 'TXT', name: 'seen', value: utf8 })
    const [right, wrong] = environment.resolvers
    right.set(`seen.${hostname}`, 'TXT', { values: [Buffer.from(utf8)] })
    wrong.set(`seen.${hostname}`, 'TXT', { values: ['of before'] })
    const { resolvers, ...rest } = await ann.call<DnsPropagation>('POST', `/domains/${id}/dns/${record.id}/propagation`)
    expect(rest).toEqual({ recordId: record.id, type: 'TXT', name: `seen.${hostname}`, expected: utf8 })
    expect(resolvers).toMatchObject([
      { resolver: right.address, status: 'MATCH', detectedRecords: [utf8], error: null },
      { resolver: wrong.address, status: 'MISMATCH', detectedRecords: ['of before'] },
      { status: 'NOT_FOUND', detectedRecords: [], error: 'NXDOMAIN' }
    ])
  })
})
