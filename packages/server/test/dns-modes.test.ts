import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Domain } from '@panel/contract/domains'
import { sql } from 'drizzle-orm'
import { reconcileZones } from '../src/features/dns-zones/zones.service.ts'
import {
  addDomain,
  addManagedDomain,
  addVerifiedDomain,
  dnsServerOf,
  fillZone,
  publicDnsOf
} from './support/domains.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'
import { withResolvers } from './support/with-resolvers.ts'

let panel: TestPanel
let alice: Client
let bob: Client
let number = 0
let name: string

beforeAll(async () => {
  panel = await createTestPanel({ PUBLIC_IP: '203.0.113.7', DNS_NAMESERVERS: 'ns1.host.example,ns2.host.example' })
  await panel.signUp()
  alice = await panel.signUp('alice')
  bob = await panel.signUp('bob')
})
afterAll(() => panel.close())
beforeEach(() => {
  name = `mode${++number}.example.com`
})

const setMode = (by: Client, id: string, body: Record<string, unknown>) =>
  by.request('PATCH', `/api/domains/${id}/dns-mode`, body)
const get = async (by: Client, id: string) => (await by.request('GET', `/api/domains/${id}`)).json<Domain>()
const lines = (zone: string) =>
  (dnsServerOf(panel).files.get(zone) ?? '').split('\n').map((line) => line.split(/\s+/).join(' '))

describe('switching to MANAGED', () => {
  test('requires a verified domain', async () => {
    const domain = await addDomain(alice, name)
    const response = await setMode(alice, domain.id, { mode: 'MANAGED', skipDelegationCheck: true })
    expect(response.json()).toMatchObject({ code: 'DOMAIN_NOT_ACTIVE' })
    expect(response.statusCode).toBe(409)
  })

  test('requires a running name server: else 503 without changes', async () => {
    const domain = await addVerifiedDomain(alice, name)
    const server = dnsServerOf(panel)
    server.fail = true
    try {
      const refused = await setMode(alice, domain.id, { mode: 'MANAGED', skipDelegationCheck: true })
      expect([refused.statusCode, refused.json().code]).toEqual([503, 'DNS_SERVER_UNAVAILABLE'])
      expect(await get(alice, domain.id)).toMatchObject({ dnsMode: 'CONNECTED' })
      const records = await alice.request('GET', `/api/domains/${domain.id}/dns`)
      expect(records.json()).toMatchObject({ code: 'DNS_NOT_MANAGED' })
      expect(await panel.audited({ action: 'domain.dns_mode_changed', targetId: domain.id })).toEqual([])
    } finally {
      server.fail = false
    }
    expect((await setMode(alice, domain.id, { mode: 'MANAGED', skipDelegationCheck: true })).statusCode).toBe(200)
  })

  test('requires a delegation seen by a resolver or the parent zone', async () => {
    const domain = await addVerifiedDomain(alice, name)
    const refused = await setMode(alice, domain.id, { mode: 'MANAGED' })
    expect(refused.statusCode).toBe(409)
    expect(refused.json()).toMatchObject({ code: 'DNS_NOT_DELEGATED' })
    publicDnsOf(panel).set(name, 'NS', ['ns1.host.example'], '192.0.2.1')
    expect((await setMode(alice, domain.id, { mode: 'MANAGED' })).statusCode).toBe(409)
    const check = async () => (await alice.request('POST', `/api/domains/${domain.id}/dns-mode/check`)).json()
    expect(await check()).toMatchObject({
      delegated: false,
      message: expect.stringMatching(/^The domain is delegated to ns1\.host\.example\. Add ns2/),
      sentences: [
        { code: 'DELEGATED', values: { servers: ['ns1.host.example'] } },
        { code: 'ADD', values: { missing: ['ns2.host.example'] } },
        { code: 'WAIT_AND_TRY' }
      ]
    })
    publicDnsOf(panel).set(name, 'NS', ['ns2.host.example', 'ns1.host.example'], '192.0.2.2')
    expect(await check()).toMatchObject({ delegated: true })
    expect((await setMode(alice, domain.id, { mode: 'MANAGED' })).json()).toMatchObject({ dnsMode: 'MANAGED' })

    const second = await addVerifiedDomain(alice, `second-${name}`)
    publicDnsOf(panel).set(`second-${name}`, 'NS', undefined)
    for (const resolver of publicDnsOf(panel).resolvers) publicDnsOf(panel).failWith(resolver, 'SERVFAIL')
    publicDnsOf(panel).delegations.set(`second-${name}`, ['ns1.host.example', 'ns2.host.example'])
    const response = await setMode(alice, second.id, { mode: 'MANAGED' })
    for (const resolver of publicDnsOf(panel).resolvers) publicDnsOf(panel).failWith(resolver, undefined)
    expect(response.json()).toMatchObject({ dnsMode: 'MANAGED' })
  })

  test('checks few delegations of an account at once', async () => {
    const domain = await addVerifiedDomain(alice, name)
    const { delegatedNameservers } = panel.deps.publicDns
    let refused = 0
    const { promise: held, resolve: release } = withResolvers()
    panel.deps.publicDns.delegatedNameservers = async () => {
      await held
      return []
    }
    try {
      const checks = Array.from({ length: 6 }, async () => {
        const answer = await alice.request('POST', `/api/domains/${domain.id}/dns-mode/check`)
        if (answer.statusCode === 409 && ++refused === 4) release()
        return answer.statusCode
      })
      expect((await Promise.all(checks)).sort()).toEqual([200, 200, 409, 409, 409, 409])
    } finally {
      release()
      panel.deps.publicDns.delegatedNameservers = delegatedNameservers
    }
  })

  test('creates the default records and serves the zone', async () => {
    await addManagedDomain(alice, name)
    expect(dnsServerOf(panel).served.get(name)).toEqual({ name, isSigned: false })
    expect(lines(name)).toEqual(
      expect.arrayContaining([
        '@ 3600 IN NS ns1.host.example.',
        '@ 3600 IN NS ns2.host.example.',
        '@ 3600 IN A 203.0.113.7',
        `www 3600 IN CNAME ${name}.`
      ])
    )
  })

  test('again changes nothing', async () => {
    const domain = await addManagedDomain(alice, name)
    const before = dnsServerOf(panel).files.get(name)
    expect((await setMode(alice, domain.id, { mode: 'MANAGED' })).statusCode).toBe(200)
    expect(dnsServerOf(panel).files.get(name)).toBe(before)
  })

  test('subdomains inherit it in the same zone with a record to this server', async () => {
    const domain = await addManagedDomain(alice, name)
    const child = await addDomain(alice, `shop.${name}`)
    expect(child).toMatchObject({ dnsMode: 'MANAGED', parentId: domain.id })
    expect(await addDomain(alice, `*.${name}`)).toMatchObject({ dnsMode: 'MANAGED' })
    expect(lines(name)).toEqual(expect.arrayContaining(['shop 3600 IN A 203.0.113.7', '* 3600 IN A 203.0.113.7']))
    expect(dnsServerOf(panel).served.has(`shop.${name}`)).toBe(false)
    await alice.request('DELETE', `/api/domains/${child.id}`)
    expect(lines(name).some((line) => line.startsWith('shop '))).toBe(false)
  })

  test('verified subdomains join, also those with their own zone', async () => {
    const top = await addVerifiedDomain(alice, name)
    const child = await addDomain(alice, `a.${name}`)
    const zone = await addManagedDomain(alice, `b.${name}`)
    expect(dnsServerOf(panel).served.has(`b.${name}`)).toBe(true)
    await setMode(alice, top.id, { mode: 'MANAGED', skipDelegationCheck: true })
    expect(await get(alice, child.id)).toMatchObject({ dnsMode: 'MANAGED' })
    expect(await get(alice, zone.id)).toMatchObject({ dnsMode: 'MANAGED' })
    expect([...dnsServerOf(panel).served.keys()].filter((one) => one.endsWith(name))).toEqual([name])
    expect(lines(name)).toEqual(expect.arrayContaining(['a 3600 IN A 203.0.113.7', `www.b 3600 IN CNAME b.${name}.`]))
  })

  test('a wildcard alone has no zone', async () => {
    const wildcard = await addVerifiedDomain(alice, `*.${name}`)
    const response = await setMode(alice, wildcard.id, { mode: 'MANAGED', skipDelegationCheck: true })
    expect(response.json()).toMatchObject({ code: 'INVALID_TARGET' })
  })

  test("below another account's zone requires a delegation there", async () => {
    const top = await addManagedDomain(alice, name)
    const below = await addVerifiedDomain(bob, `bob.${name}`)
    const refused = await setMode(bob, below.id, { mode: 'MANAGED', skipDelegationCheck: true })
    expect(refused.json()).toMatchObject({ code: 'DNS_ZONE_CONFLICT' })
    await panel.deps.db.execute(
      sql`insert into dns_records (id, domain_id, type, name, value, ttl) values (${`ns${number}`}, ${top.id}, 'NS', 'bob', 'ns1.host.example', 3600)`
    )
    expect((await setMode(bob, below.id, { mode: 'MANAGED' })).json()).toMatchObject({ dnsMode: 'MANAGED' })
    expect(dnsServerOf(panel).served.has(`bob.${name}`)).toBe(true)
  })
})

describe('more records than fit into a zone', () => {
  const halfOf = (id: string) =>
    fillZone(panel, id, 6_000, (index) => ({ name: `h${index}`, type: 'A', value: '192.0.2.1' }))
  const managed = { mode: 'MANAGED', skipDelegationCheck: true }

  test('stay out of the parent zone, with the remedy', async () => {
    const parent = await addManagedDomain(alice, name)
    await halfOf(parent.id)
    const child = await addVerifiedDomain(alice, `sub.${name}`)
    await setMode(alice, child.id, { mode: 'CONNECTED' })
    await halfOf(child.id)
    const refused = await setMode(alice, child.id, managed)
    expect(refused.statusCode).toBe(409)
    expect(refused.json()).toMatchObject({ code: 'DNS_RECORD_LIMIT', error: expect.stringMatching(/Delete records/) })
    expect(await get(alice, child.id)).toMatchObject({ dnsMode: 'CONNECTED' })
  })

  test('join as far as there is room; served ones are kept', async () => {
    const parent = await addVerifiedDomain(alice, name)
    const [first, second] = [await addVerifiedDomain(alice, `a.${name}`), await addVerifiedDomain(alice, `b.${name}`)]
    for (const { id } of [first, second]) await halfOf(id)
    for (const { id } of [first, second]) expect((await setMode(alice, id, managed)).statusCode).toBe(200)
    expect((await setMode(alice, parent.id, managed)).json()).toMatchObject({ code: 'DNS_RECORD_LIMIT' })
    expect(await get(alice, second.id)).toMatchObject({ dnsMode: 'MANAGED' })
    expect(lines(`b.${name}`)).toContain('h5999 3600 IN A 192.0.2.1')

    for (const { id } of [first, second]) await setMode(alice, id, { mode: 'CONNECTED' })
    expect((await setMode(alice, parent.id, managed)).statusCode).toBe(200)
    const modes = await Promise.all([first, second].map(async ({ id }) => (await get(alice, id)).dnsMode))
    expect(modes.sort()).toEqual(['CONNECTED', 'MANAGED'])
  })
})

describe('switching to CONNECTED', () => {
  test('removes the zone and keeps the records', async () => {
    const domain = await addManagedDomain(alice, name)
    const child = await addDomain(alice, `a.${name}`)
    expect((await setMode(alice, domain.id, { mode: 'CONNECTED' })).json()).toMatchObject({ dnsMode: 'CONNECTED' })
    expect(await get(alice, child.id)).toMatchObject({ dnsMode: 'CONNECTED' })
    expect(dnsServerOf(panel).served.has(name)).toBe(false)
    expect(dnsServerOf(panel).files.has(name)).toBe(false)
    const rows = await panel.deps.db.execute(sql`select * from dns_records where domain_id = ${domain.id}`)
    expect(rows.rows.length).toBeGreaterThan(3)
    await setMode(alice, domain.id, { mode: 'MANAGED', skipDelegationCheck: true })
    const again = await panel.deps.db.execute(sql`select * from dns_records where domain_id = ${domain.id}`)
    expect(again.rows).toHaveLength(rows.rows.length)
  })

  test.each(['left', 'was deleted'])('a zone that %s and returns has a higher serial', async (how) => {
    const domain = await addManagedDomain(alice, name)
    const serial = () => Number(/ SOA \S+ \S+ (\d+) /.exec(lines(name).join('\n'))?.[1])
    for (let count = 0; count < 3; count++)
      await alice.request('POST', `/api/domains/${domain.id}/dns`, { type: 'TXT', name: 'x', value: String(count) })
    const before = serial()
    if (how === 'left') await setMode(alice, domain.id, { mode: 'CONNECTED' })
    else await alice.request('DELETE', `/api/domains/${domain.id}`)
    if (how === 'left') await setMode(alice, domain.id, { mode: 'MANAGED', skipDelegationCheck: true })
    else await addManagedDomain(bob, name)
    expect(serial()).toBeGreaterThan(before)
  })

  test('one domain of a zone keeps the zone', async () => {
    await addManagedDomain(alice, name)
    const child = await addDomain(alice, `a.${name}`)
    await setMode(alice, child.id, { mode: 'CONNECTED' })
    expect(lines(name).some((line) => line.startsWith('a '))).toBe(false)
    expect(dnsServerOf(panel).served.has(name)).toBe(true)
  })

  test('a signed zone stays while its DS is published', async () => {
    const domain = await addManagedDomain(alice, name)
    await alice.request('PUT', `/api/domains/${domain.id}/dnssec`, { enabled: true })
    publicDnsOf(panel).set(name, 'DS', ['12345 13 2 AB'], '192.0.2.2')
    const refused = await setMode(alice, domain.id, { mode: 'CONNECTED' })
    expect(refused.json()).toMatchObject({ code: 'DNSSEC_DS_PRESENT' })
    expect((await setMode(alice, domain.id, { mode: 'CONNECTED', force: true })).statusCode).toBe(200)
  })
})

describe('a name server that is down', () => {
  test('is updated by the reconcile loop', async () => {
    const server = dnsServerOf(panel)
    const gone = await addManagedDomain(alice, `gone-${name}`)
    server.fail = 'after the ping'
    await addManagedDomain(alice, name)
    await setMode(alice, gone.id, { mode: 'CONNECTED' })
    server.fail = false
    expect(server.files.has(name)).toBe(false)
    expect(server.served.has(`gone-${name}`)).toBe(true)
    await reconcileZones({ ...panel.deps, dnsServer: server })
    expect(server.served.has(name)).toBe(true)
  })

  test('a failing zone does not block others or the list', async () => {
    const server = dnsServerOf(panel)
    server.fail = 'after the ping'
    await addManagedDomain(alice, name)
    await addManagedDomain(alice, `ill-${name}`)
    server.fail = false
    const putZone: typeof server.putZone = (zone, text) =>
      zone === `ill-${name}` ? Promise.reject(new Error('it takes too long')) : server.putZone(zone, text)
    await reconcileZones({ ...panel.deps, dnsServer: { ...server, putZone } })
    expect(server.files.has(name)).toBe(true)
    expect(server.served.has(name)).toBe(true)
    expect(server.files.has(`ill-${name}`)).toBe(false)
    const again = () => reconcileZones({ ...panel.deps, dnsServer: server })
    await expect.poll(async () => (await again(), server.files.has(`ill-${name}`)), { timeout: 15_000 }).toBe(true)
  })

  test('gets missing files back and loses foreign ones', async () => {
    const server = dnsServerOf(panel)
    await addManagedDomain(alice, name)
    server.files.delete(name)
    server.served.set('stray.example.com', { name: 'stray.example.com', isSigned: false })
    // All zones are checked once a minute.
    const later = () => new Date(Date.now() + number * 120_000)
    await reconcileZones({ ...panel.deps, now: later })
    expect(server.files.has(name)).toBe(true)
    expect(server.served.has('stray.example.com')).toBe(false)
  })
})

test('concurrent changes of one tree are serialized', async () => {
  for (let round = 0; round < 5; round++) {
    const top = await addManagedDomain(alice, `storm${round}.${name}`)
    const children = await Promise.all(['a', 'b', 'c'].map((label) => addDomain(alice, `${label}.${top.hostname}`)))
    const answers = await Promise.all([
      ...[1, 2, 3].map((number) =>
        alice.request('POST', `/api/domains/${top.id}/dns`, {
          type: 'A',
          name: 'a',
          value: `192.0.2.${number}`,
          ttl: number
        })
      ),
      alice.request('POST', `/api/domains/${children[1]!.id}/dns`, { type: 'TXT', name: '@', value: 'text' }),
      alice.request('DELETE', `/api/domains/${children[0]!.id}`),
      setMode(alice, children[1]!.id, { mode: 'CONNECTED' }),
      alice.request('POST', '/api/domains', { hostname: `d.${top.hostname}` }),
      setMode(alice, top.id, { mode: 'CONNECTED' })
    ])
    expect(answers.map((answer) => answer.statusCode).filter((status) => status >= 500)).toEqual([])
  }
})
