import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { DnsRecord } from '@panel/contract/dns-records'
import type { MailAuthCheckResult, MailDomain, MailDomainList } from '@panel/contract/mail-auth'
import type { DkimKey, DkimKeyList, DkimRotation } from '@panel/contract/dkim-keys'
import { dkimKeys } from '../src/db/schema/dkim-keys.ts'
import { mailAuthentication } from '../src/db/schema/mail-authentication.ts'
import { checkAgain } from '../src/features/mail-auth/checking.jobs.ts'
import { reconcileSigning } from '../src/features/mail-auth/signing.reconcile.ts'
import { reconcileZones } from '../src/features/dns-zones/zones.service.ts'
import type { MemoryDnsServer } from './fakes/memory-dns-server.ts'
import type { MemoryMailSigner } from './fakes/memory-mail-signer.ts'
import {
  addDomain,
  addManagedDomain,
  addVerifiedDomain,
  dnsServerOf,
  fillZone,
  publicDnsOf
} from './support/domains.ts'
import { newAlias, newMailbox, outcome, uniqueDomain } from './support/mail.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

const env = { DNS_NAMESERVERS: 'ns1.example.net,ns2.example.net', SERVER_IP: '192.0.2.1', PUBLIC_IP: '203.0.113.7' }
const day = 24 * 3600 * 1000

let panel: TestPanel
let signer: MemoryMailSigner
let dnsServer: MemoryDnsServer
let ann: Client
let bob: Client
let now: Date | undefined
beforeAll(async () => {
  panel = await createTestPanel(env, { now: () => now ?? new Date() })
  signer = panel.deps.mailSigner as MemoryMailSigner
  dnsServer = dnsServerOf(panel)
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
})
afterAll(() => panel.close())
afterEach(() => {
  signer.isUnavailable = false
  dnsServer.fail = false
  now = undefined
})

const managed = (by = ann) => addManagedDomain(by, uniqueDomain())
const connected = (by = ann) => addVerifiedDomain(by, uniqueDomain())
const regenerate = (by: Client, id: string) => by.request('POST', `/api/mail/auth/${id}/regenerate`)
const check = (by: Client, id: string) => by.request('POST', `/api/mail/auth/${id}/check`)
const rotate = (by: Client, id: string) => by.request('POST', `/api/mail/dkim/${id}/rotate`)
const retire = (by: Client, id: string, keyId: string, body: object = {}) =>
  by.request('POST', `/api/mail/dkim/${id}/keys/${keyId}/retire`, body)
const keysOf = async (by: Client, id: string) =>
  (await by.request('GET', `/api/mail/dkim/${id}`)).json<DkimKeyList>().keys
const list = async (by: Client, query = '') =>
  (await by.request('GET', `/api/mail/domains${query}`)).json<MailDomainList>()
const shown = async (by: Client, id: string) =>
  (await list(by, '?limit=100')).domains.find(({ domainId }) => domainId === id)
const recordsOf = async (by: Client, id: string) =>
  (await by.request('GET', `/api/domains/${id}/dns`)).json<DnsRecord[]>()
const addRecord = async (by: Client, id: string, record: object) => {
  const answer = await by.request('POST', `/api/domains/${id}/dns`, record)
  expect([answer.statusCode, answer.body]).toEqual([201, answer.body])
  return answer.json<DnsRecord>()
}
const removeRecord = (by: Client, id: string, recordId: string) =>
  by.request('DELETE', `/api/domains/${id}/dns/${recordId}`)
const mailRecords = async (by: Client, id: string) =>
  (await recordsOf(by, id))
    .filter(({ name }) => !['_mta-sts', '_smtp._tls'].includes(name))
    .filter(({ type, name }) => type === 'MX' || (type === 'TXT' && !name.startsWith('_panel')) || name === 'mail')
    .map(({ type, name, value }) => `${type} ${name} ${value}`)
    .toSorted()
const activeKey = async (domainId: string) =>
  (await panel.deps.db.select().from(dkimKeys).where(eq(dkimKeys.domainId, domainId))).find(
    ({ status }) => status === 'ACTIVE'
  )!
const actionsOn = async (targetId: string) =>
  (await panel.audited({ targetId })).map(({ action }) => action).filter((action) => /^(mail_auth|dkim)/.test(action))
const neededOf = ({ requiredRecords }: MailDomain) => requiredRecords.filter(({ isOptional }) => !isOptional)
const passes = ({ authChecks }: MailDomain) =>
  Object.fromEntries(Object.entries(authChecks).map(([name, { status }]) => [name, status === 'pass']))

describe('the first mailbox of a MANAGED domain', () => {
  test('creates the records and signs mail', async () => {
    const { id, hostname } = await managed()
    await newMailbox(ann, id)
    const { publicKey } = await activeKey(id)
    expect(await mailRecords(ann, id)).toEqual([
      'A mail 203.0.113.7',
      `MX @ mail.${hostname}`,
      `TXT @ v=spf1 mx a ip4:192.0.2.1 ~all`,
      `TXT _dmarc v=DMARC1; p=none; rua=mailto:postmaster@${hostname}; pct=100`,
      `TXT default._domainkey v=DKIM1; k=rsa; p=${publicKey}`
    ])
    const all = await recordsOf(ann, id)
    expect(all.find(({ type }) => type === 'MX')).toMatchObject({ priority: 10, ttl: 3600 })
    expect(all.filter(({ type, name }) => type === 'TXT' && !name.startsWith('_panel')).map(({ ttl }) => ttl)).toEqual([
      3600, 3600, 3600, 3600, 3600
    ])
    expect(dnsServer.files.get(hostname)).toContain(publicKey.slice(0, 100))
    expect(signer.keys.get(hostname)).toMatchObject({ domain: hostname, signsWith: 'default' })
    expect(signer.keys.get(hostname)!.keys[0]!.privateKey).toMatch(/^-----BEGIN PRIVATE KEY-----/)
    expect(await actionsOn(id)).toEqual(['mail_auth.provisioned'])
    const domain = (await shown(ann, id))!
    expect(domain).toMatchObject({
      domainId: id,
      domain: hostname,
      dnsMode: 'MANAGED',
      mailboxCount: 1,
      dkimEnabled: true,
      dkimSelector: 'default',
      dkimRecord: `v=DKIM1; k=rsa; p=${publicKey}`,
      spfConfigured: true,
      dmarcConfigured: true,
      mxConfigured: true,
      deliverabilityScore: 100,
      deliverabilityGrade: 'Excellent',
      checkedAt: null,
      requiredRecords: []
    })
    expect(passes(domain)).toEqual({ spf: true, dkim: true, dmarc: true, mx: true })
  })

  test('is created despite a failing signer, name server or full zone', async () => {
    const [one, two, full] = [await managed(), await managed(), await managed()]
    signer.isUnavailable = true
    await newMailbox(ann, one.id)
    expect(signer.keys.has(one.hostname)).toBe(false)
    dnsServer.fail = true
    await newMailbox(ann, two.id)
    expect(dnsServer.files.get(two.hostname)).not.toContain('spf1')
    signer.isUnavailable = false
    dnsServer.fail = false
    await fillZone(panel, full.id, 9_995, (index) => ({ name: `h${index}`, type: 'A', value: '192.0.2.9' }))
    await newMailbox(ann, full.id)
    expect(await mailRecords(ann, full.id)).toEqual([])
    await reconcileSigning(panel.deps)
    await reconcileZones(panel.deps)
    expect([signer.keys.get(one.hostname)?.signsWith, signer.keys.get(two.hostname)?.signsWith]).toEqual([
      'default',
      'default'
    ])
    expect(outcome(await regenerate(ann, full.id))).toEqual([409, 'DNS_RECORD_LIMIT'])
    expect(await keysOf(ann, full.id)).toEqual([])
  })

  test('of a subdomain: its records are in the parent zone', async () => {
    const apex = await managed()
    const sub = await addVerifiedDomain(ann, `sub.${apex.hostname}`)
    await newMailbox(ann, sub.id)
    expect(await mailRecords(ann, sub.id)).toContain(`MX @ mail.${sub.hostname}`)
    expect(dnsServer.files.get(apex.hostname)).toMatch(/^default\._domainkey\.sub 3600 IN TXT /m)
    expect((await shown(ann, sub.id))!.deliverabilityScore).toBe(100)
  })
})

describe('regenerate', () => {
  test('is idempotent', async () => {
    const { id, hostname } = await managed()
    const first = await regenerate(ann, id)
    expect([first.statusCode, first.json<MailDomain>().deliverabilityScore]).toEqual([200, 100])
    const [records, serial] = [await recordsOf(ann, id), dnsServer.files.get(hostname)]
    const again = await Promise.all([regenerate(ann, id), regenerate(ann, id), regenerate(ann, id)])
    for (const answer of again) expect(answer.json()).toEqual(first.json())
    expect(await recordsOf(ann, id)).toEqual(records)
    expect(dnsServer.files.get(hostname)).toBe(serial)
    expect(await actionsOn(id)).toEqual(['mail_auth.provisioned'])
  })

  test('ten concurrent calls create one key', async () => {
    const { id } = await managed()
    const answers = await Promise.all(Array.from({ length: 10 }, () => regenerate(ann, id)))
    expect(new Set(answers.map((answer) => answer.json<MailDomain>().dkimRecord)).size).toBe(1)
    expect(await keysOf(ann, id)).toHaveLength(1)
  })

  test('only creates missing records', async () => {
    const { id, hostname } = await managed()
    await addRecord(ann, id, { type: 'TXT', name: '@', value: 'v=spf1 include:other.example -all', ttl: 300 })
    await addRecord(ann, id, { type: 'TXT', name: '_dmarc', value: 'v=DMARC1; p=reject', ttl: 300 })
    await addRecord(ann, id, { type: 'MX', name: '@', value: 'mx.other.example', priority: 5, ttl: 300 })
    await addRecord(ann, id, { type: 'CNAME', name: 'mail', value: 'web.other.example', ttl: 300 })
    const { dkimRecord } = (await regenerate(ann, id)).json<MailDomain>()
    const expected = [
      'CNAME mail web.other.example',
      'MX @ mx.other.example',
      'TXT @ v=spf1 include:other.example -all',
      'TXT _dmarc v=DMARC1; p=reject',
      `TXT default._domainkey ${dkimRecord}`
    ]
    expect(await mailRecords(ann, id)).toEqual(expected)
    const domain = (await shown(ann, id))!
    expect([domain.deliverabilityScore, domain.authChecks.mx.detail]).toEqual([
      100,
      `mx.other.example – not mail.${hostname}: change it to receive mail for ${hostname} on this server`
    ])
    const dkim = (await recordsOf(ann, id)).find(({ name }) => name === 'default._domainkey')!
    await removeRecord(ann, id, dkim.id)
    expect((await shown(ann, id))!).toMatchObject({ deliverabilityScore: 75, deliverabilityGrade: 'Good' })
    await regenerate(ann, id)
    expect(await mailRecords(ann, id)).toEqual(expected)
  })

  test('other TXT records and their TTL are kept', async () => {
    const { id } = await managed()
    await addRecord(ann, id, { type: 'TXT', name: '@', value: 'google-site-verification=abc', ttl: 300 })
    await regenerate(ann, id)
    const txt = (await recordsOf(ann, id)).filter(({ type, name }) => type === 'TXT' && name === '@')
    expect(txt.map(({ value, ttl }) => [value, ttl])).toEqual([
      ['google-site-verification=abc', 300],
      ['v=spf1 mx a ip4:192.0.2.1 ~all', 300]
    ])
  })

  test('a key uses another selector if the first is taken', async () => {
    const { id, hostname } = await managed()
    await addRecord(ann, id, { type: 'TXT', name: 'default._domainkey', value: 'v=DKIM1; p=other', ttl: 300 })
    const { dkimSelector } = (await regenerate(ann, id)).json<MailDomain>()
    expect(dkimSelector).toMatch(/^s\d{8}$/)
    expect(await mailRecords(ann, id)).toContain('TXT default._domainkey v=DKIM1; p=other')
    expect(signer.keys.get(hostname)!.signsWith).toBe(dkimSelector)
    expect((await keysOf(ann, id))[0]).toMatchObject({ inDns: true, isSigning: true })
  })

  test('reports conflicts', async () => {
    const { id, hostname } = await managed()
    await addRecord(ann, id, { type: 'CNAME', name: '_dmarc', value: 'dmarc.other.example', ttl: 300 })
    const domain = (await regenerate(ann, id)).json<MailDomain>()
    expect(passes(domain)).toEqual({ spf: true, dkim: true, dmarc: false, mx: true })
    expect(domain.authChecks.dmarc.detail).toMatch(new RegExp(`_dmarc\\.${hostname} has a CNAME`))
  })

  test('respects records of other domains in the zone', async () => {
    const apex = await managed()
    const sub = await addVerifiedDomain(ann, `sub.${apex.hostname}`)
    await addRecord(ann, apex.id, { type: 'MX', name: 'sub', value: 'mx.other.example', priority: 5, ttl: 300 })
    const domain = (await regenerate(ann, sub.id)).json<MailDomain>()
    expect(domain.authChecks.mx.detail).toMatch(/^mx\.other\.example/)
    expect((await mailRecords(ann, sub.id)).filter((record) => record.startsWith('MX'))).toEqual([])
  })
})

describe('a CONNECTED domain', () => {
  test('gets a key and no records; the response lists the required ones', async () => {
    const { id, hostname } = await connected()
    await newMailbox(ann, id)
    const { publicKey } = await activeKey(id)
    expect(signer.keys.get(hostname)!.signsWith).toBe('default')
    expect(dnsServer.files.has(hostname)).toBe(false)
    const domain = (await shown(ann, id))!
    const numbers = { priority: null, weight: null, port: null, ttl: 3600, isOptional: false, isFound: true }
    expect(neededOf(domain)).toEqual([
      {
        purpose: 'SPF',
        type: 'TXT',
        name: hostname,
        value: 'v=spf1 mx a ip4:192.0.2.1 ~all',
        ...numbers
      },
      {
        purpose: 'DKIM',
        type: 'TXT',
        name: `default._domainkey.${hostname}`,
        value: `v=DKIM1; k=rsa; p=${publicKey}`,
        ...numbers
      },
      {
        purpose: 'DMARC',
        type: 'TXT',
        name: `_dmarc.${hostname}`,
        value: `v=DMARC1; p=none; rua=mailto:postmaster@${hostname}; pct=100`,
        ...numbers
      },
      { purpose: 'MX', type: 'MX', name: hostname, value: `mail.${hostname}`, ...numbers, priority: 10 },
      {
        purpose: 'Mail host',
        type: 'A',
        name: `mail.${hostname}`,
        value: '203.0.113.7',
        ...numbers
      }
    ])
    // With NODE_ENV=test, all records count as present.
    expect([domain.deliverabilityScore, domain.deliverabilityGrade]).toEqual([100, 'Excellent'])
    expect(domain.checkedAt).not.toBeNull()
    const result = (await check(ann, id)).json<MailAuthCheckResult>()
    expect([result.deliverabilityScore, new Set(result.detectedRecords.map(({ resolver }) => resolver))]).toEqual([
      100,
      new Set(['mock'])
    ])
    expect(result.server).toMatchObject({ addresses: [] })
  })

  test('check creates the key for the required records', async () => {
    const { id } = await connected()
    const result = (await check(ann, id)).json<MailAuthCheckResult>()
    expect(neededOf(result).map(({ purpose }) => purpose)).toEqual(['SPF', 'DKIM', 'DMARC', 'MX', 'Mail host'])
    expect(await keysOf(ann, id)).toHaveLength(1)
  })

  test('brings its records when its zone moves here', async () => {
    const { id, hostname } = await connected()
    await newMailbox(ann, id)
    const below = await connected()
    const under = await addVerifiedDomain(ann, `shop.${hostname}`)
    await newMailbox(ann, under.id)
    await rotate(ann, id)
    const answer = await ann.request('PATCH', `/api/domains/${id}/dns-mode`, {
      mode: 'MANAGED',
      skipDelegationCheck: true
    })
    expect(answer.statusCode).toBe(200)
    const records = (await mailRecords(ann, id)).map((record) => record.split(' ').slice(0, 2).join(' '))
    expect(records).toEqual([
      'A mail',
      'MX @',
      'TXT @',
      'TXT _dmarc',
      'TXT default._domainkey',
      expect.stringMatching(/^TXT s\d{8}\._domainkey$/)
    ])
    expect(await mailRecords(ann, under.id)).toContain(`MX @ mail.${under.hostname}`)
    expect(dnsServer.files.get(hostname)).toMatch(/^@ 3600 IN MX 10 mail\./m)
    expect((await shown(ann, id))!).toMatchObject({ dnsMode: 'MANAGED', deliverabilityScore: 100, requiredRecords: [] })
    expect(await mailRecords(ann, below.id).catch(() => 'not managed')).toBe('not managed')
  })

  test('without mail gets no mail records', async () => {
    const { id } = await managed()
    expect(await mailRecords(ann, id)).toEqual([])
    expect(await shown(ann, id)).toBeUndefined()
  })

  test('stays MANAGED while it has mailboxes', async () => {
    const { id } = await managed()
    const mailbox = await newMailbox(ann, id)
    const leave = () => ann.request('PATCH', `/api/domains/${id}/dns-mode`, { mode: 'CONNECTED' })
    expect(outcome(await leave())).toEqual([409, 'DNS_MODE_MAIL_ACTIVE'])
    await ann.request('DELETE', `/api/mailboxes/${mailbox.id}`)
    expect((await leave()).statusCode).toBe(200)
    expect((await regenerate(ann, id)).json<MailDomain>()).toMatchObject({
      dnsMode: 'CONNECTED',
      dkimSelector: 'default'
    })
  })
})

describe('the live check', () => {
  let real: TestPanel
  let eve: Client
  beforeAll(async () => {
    real = await createTestPanel(
      {
        ...env,
        NODE_ENV: 'development',
        PANEL_MOCK_DNS: 'false',
        PUBLIC_IP: '8.8.4.4',
        MAIL_BLOCKLISTS: 'list.example'
      },
      { now: () => now ?? new Date() }
    )
    eve = await real.signUp('eve')
  })
  afterAll(() => real.close())
  const verified = async () => {
    const domain = await addDomain(eve, uniqueDomain())
    const { recordName, recordValue } = domain.verificationInstructions!
    publicDnsOf(real).set(recordName, 'TXT', [recordValue])
    await eve.request('POST', `/api/domains/${domain.id}/verify`)
    return domain
  }

  test('accepts a valid record at any resolver, and for DKIM the exact key', async () => {
    const { id, hostname } = await verified()
    const dns = publicDnsOf(real)
    const [first, second, third] = dns.resolvers as [string, string, string]
    await newMailbox(eve, id)
    const before = (await shown(eve, id))!
    expect([before.deliverabilityScore, before.deliverabilityGrade]).toEqual([0, 'Poor'])
    expect(before.requiredRecords.every(({ isFound }) => !isFound)).toBe(true)

    dns.set(hostname, 'TXT', ['v=spf1 include:other.example -all'], second)
    dns.set(`_dmarc.${hostname}`, 'TXT', ['v=DMARC1; p=reject'], third)
    dns.set(hostname, 'MX', ['10 mx.other.example'], first)
    dns.set(`default._domainkey.${hostname}`, 'TXT', ['v=DKIM1; k=rsa; p=other'])
    dns.failWith(third, undefined)
    const partly = (await check(eve, id)).json<MailAuthCheckResult>()
    expect(passes(partly)).toEqual({ spf: true, dkim: false, dmarc: true, mx: true })
    expect(partly.authChecks.dkim.detail).toMatch(/has a different key than the active one/)
    expect([partly.deliverabilityScore, partly.deliverabilityGrade]).toEqual([75, 'Good'])
    expect(neededOf(partly).map(({ purpose, isFound }) => [purpose, isFound])).toEqual([
      ['SPF', true],
      ['DKIM', false],
      ['DMARC', true],
      ['MX', true],
      ['Mail host', false]
    ])
    expect(partly.detectedRecords).toContainEqual({
      resolver: first,
      recordType: 'MX',
      recordName: hostname,
      values: ['10 mx.other.example'],
      error: null
    })

    dns.set(`default._domainkey.${hostname}`, 'TXT', [partly.dkimRecord!], second)
    dns.set(`mail.${hostname}`, 'A', ['203.0.113.7'])
    const whole = (await check(eve, id)).json<MailAuthCheckResult>()
    expect([whole.deliverabilityScore, neededOf(whole).every(({ isFound }) => isFound)]).toEqual([100, true])
    const { detectedRecords: _, server: __, ...rest } = whole
    expect(await shown(eve, id)).toEqual(rest)
  })

  test('reports unresponsive resolvers', async () => {
    const { id } = await verified()
    const dns = publicDnsOf(real)
    for (const resolver of dns.resolvers) dns.failWith(resolver, 'TIMEOUT')
    try {
      const result = (await check(eve, id)).json<MailAuthCheckResult>()
      expect([result.deliverabilityScore, result.authChecks.spf.detail]).toEqual([
        0,
        'No resolver responded (TIMEOUT): check again later'
      ])
    } finally {
      for (const resolver of dns.resolvers) dns.failWith(resolver, undefined)
    }
  })

  test('reports reverse DNS and blocklists of the server', async () => {
    const dns = publicDnsOf(real)
    dns.set('4.4.8.8.in-addr.arpa', 'PTR', ['host.rent.example'])
    dns.set('host.rent.example', 'A', ['8.8.4.4'])
    dns.set('2.0.0.127.list.example', 'A', ['127.0.0.2'])
    dns.set('4.4.8.8.list.example', 'A', ['127.0.0.3'])
    dns.set('4.4.8.8.list.example', 'TXT', ['https://list.example/8.8.4.4'])
    // Expires the cache of earlier tests.
    now = new Date(Date.now() + 11 * 60_000)
    const expected = {
      address: '8.8.4.4',
      reverseDns: { status: 'pass', names: ['host.rent.example'] },
      blocklists: [
        { zone: 'list.example', status: 'listed', detail: 'Listed (127.0.0.3): https://list.example/8.8.4.4' }
      ]
    }
    const managedDomain = await verified()
    const mode = { mode: 'MANAGED', skipDelegationCheck: true }
    expect((await eve.request('PATCH', `/api/domains/${managedDomain.id}/dns-mode`, mode)).statusCode).toBe(200)
    for (const { id } of [await verified(), managedDomain]) {
      const { server } = (await check(eve, id)).json<MailAuthCheckResult>()
      expect(server.checkedAt).toBe(now.toISOString())
      expect(server.addresses[0]).toMatchObject(expected)
    }
  })

  test('is repeated daily', async () => {
    const { id, hostname } = await verified()
    await newMailbox(eve, id)
    publicDnsOf(real).set(hostname, 'MX', ['10 mx.other.example'])
    await checkAgain(real.deps, {})
    expect((await shown(eve, id))!.mxConfigured).toBe(false)
    now = new Date(Date.now() + day + 1)
    await checkAgain(real.deps, {})
    expect((await shown(eve, id))!).toMatchObject({ mxConfigured: true, checkedAt: now.toISOString() })
  })
})

describe('the list', () => {
  test('has own domains with mail by name, paginated', async () => {
    const person = await panel.signUp()
    const domains = [await managed(person), await connected(person), await managed(person)]
    for (const { id } of domains.slice(0, 2)) await newMailbox(person, id)
    await newAlias(person, domains[2]!.id, 'sales', 'someone@elsewhere.example')
    await managed(person)
    const names = domains.map(({ hostname }) => hostname).toSorted()
    const all = await list(person)
    expect(all.domains.map(({ domain }) => domain)).toEqual(names)
    expect(all.pagination).toEqual({ page: 1, limit: 20, total: 3, totalPages: 1 })
    const second = await list(person, '?limit=2&page=2')
    expect(second.domains.map(({ domain }) => domain)).toEqual(names.slice(2))
    expect(second.pagination).toEqual({ page: 2, limit: 2, total: 3, totalPages: 2 })
    const searched = await list(person, `?search=${domains[1]!.hostname.toUpperCase()}`)
    expect(searched.domains.map(({ domain }) => domain)).toEqual([domains[1]!.hostname])
    expect(all.domains.find(({ domainId }) => domainId === domains[2]!.id)).toMatchObject({
      mailboxCount: 0,
      dkimEnabled: false,
      dkimSelector: null,
      dkimRecord: null,
      deliverabilityScore: 0,
      deliverabilityGrade: 'Poor'
    })
    expect((await list(bob)).domains.filter(({ domain }) => names.includes(domain))).toEqual([])
  })
})

describe('rotation of a MANAGED domain', () => {
  const withKey = async () => {
    const domain = await managed()
    await regenerate(ann, domain.id)
    return domain
  }

  test('publishes a new key beside the old one and signs with it', async () => {
    const { id, hostname } = await withKey()
    const before = (await keysOf(ann, id))[0]!
    const answer = await rotate(ann, id)
    expect(answer.statusCode).toBe(200)
    const { oldKey, newKey } = answer.json<DkimRotation>()
    expect(oldKey).toEqual({ ...before, status: 'RETIRING', isSigning: false, retiredAt: expect.any(String) })
    expect(newKey).toMatchObject({ status: 'ACTIVE', isSigning: true, inDns: true, retiredAt: null })
    expect(newKey.selector).toMatch(/^s\d{8}$/)
    expect(newKey.publicKey).not.toBe(oldKey.publicKey)
    const records = await mailRecords(ann, id)
    for (const key of [oldKey, newKey])
      expect(records).toContain(`TXT ${key.selector}._domainkey v=DKIM1; k=rsa; p=${key.publicKey}`)
    expect(signer.keys.get(hostname)).toMatchObject({ signsWith: newKey.selector })
    expect(
      signer.keys
        .get(hostname)!
        .keys.map(({ selector }) => selector)
        .toSorted()
    ).toEqual(['default', newKey.selector].toSorted())
    expect(await keysOf(ann, id)).toEqual([newKey, oldKey])
    expect((await shown(ann, id))!).toMatchObject({ dkimSelector: newKey.selector, deliverabilityScore: 100 })
    expect(await actionsOn(id)).toEqual(['mail_auth.provisioned', 'dkim_key.rotated'])
  })

  test('keeps signing with the old one until the new one is served', async () => {
    const { id, hostname } = await withKey()
    dnsServer.fail = true
    const { newKey, message } = (await rotate(ann, id)).json<DkimRotation>()
    expect([newKey.isSigning, newKey.inDns, message]).toEqual([
      false,
      true,
      'Mail will be signed with the new key once the name servers publish its record'
    ])
    expect(signer.keys.get(hostname)!.signsWith).toBe('default')
    await reconcileSigning(panel.deps)
    expect(signer.keys.get(hostname)!.signsWith).toBe('default')
    expect(outcome(await rotate(ann, id))).toEqual([409, 'DKIM_KEY_PENDING'])
    dnsServer.fail = false
    await expect
      .poll(async () => {
        await reconcileZones(panel.deps)
        await reconcileSigning(panel.deps)
        return signer.keys.get(hostname)!.signsWith
      })
      .toBe(newKey.selector)
    expect((await keysOf(ann, id))[0]).toMatchObject({ id: newKey.id, isSigning: true })
  })

  test('updates a signer that was down', async () => {
    const { id, hostname } = await withKey()
    signer.isUnavailable = true
    const { newKey } = (await rotate(ann, id)).json<DkimRotation>()
    expect(signer.keys.get(hostname)!.signsWith).toBe('default')
    signer.isUnavailable = false
    await expect
      .poll(async () => {
        await reconcileSigning(panel.deps)
        return signer.keys.get(hostname)!.signsWith
      })
      .toBe(newKey.selector)
  })

  test('does not restore other deleted records', async () => {
    const { id } = await withKey()
    const spf = (await recordsOf(ann, id)).find(({ value }) => value.startsWith('v=spf1'))!
    await removeRecord(ann, id, spf.id)
    await rotate(ann, id)
    expect((await shown(ann, id))!.spfConfigured).toBe(false)
  })

  test('uses a free selector', async () => {
    const { id } = await withKey()
    const today = `s${new Date().toISOString().slice(0, 10).replaceAll('-', '')}`
    await addRecord(ann, id, { type: 'TXT', name: `${today}._domainkey`, value: 'somebody else’s', ttl: 300 })
    const { newKey } = (await rotate(ann, id)).json<DkimRotation>()
    expect(newKey.selector).toBe(`${today}-2`)
  })

  test('two concurrent ones are serialized', async () => {
    const { id } = await withKey()
    const answers = await Promise.all([rotate(ann, id), rotate(ann, id)])
    const keys = await keysOf(ann, id)
    const done = answers.filter(({ statusCode }) => statusCode === 200).length
    expect(answers.filter(({ statusCode }) => statusCode !== 200).map(outcome)).toEqual(
      Array(2 - done).fill([409, 'DKIM_KEY_PENDING'])
    )
    expect(keys.map(({ status }) => status)).toEqual(['ACTIVE', ...Array<string>(done).fill('RETIRING')])
  })

  test('requires a key and is limited', async () => {
    const { id } = await managed()
    expect(outcome(await rotate(ann, id))).toEqual([409, 'DKIM_KEY_MISSING'])
    await regenerate(ann, id)
    for (let count = 1; count < 10; count++) expect((await rotate(ann, id)).statusCode).toBe(200)
    expect(outcome(await rotate(ann, id))).toEqual([409, 'DKIM_KEY_LIMIT'])
    const oldest = (await keysOf(ann, id)).at(-1)!
    expect((await retire(ann, id, oldest.id, { force: true })).statusCode).toBe(200)
    expect((await rotate(ann, id)).statusCode).toBe(200)
  })
})

describe('rotation of a CONNECTED domain', () => {
  test('signs immediately; the owner adds the record', async () => {
    const { id, hostname } = await connected()
    await newMailbox(ann, id)
    const { newKey, oldKey } = (await rotate(ann, id)).json<DkimRotation>()
    expect([newKey.inDns, newKey.isSigning, oldKey.status]).toEqual([false, true, 'RETIRING'])
    expect(signer.keys.get(hostname)!.signsWith).toBe(newKey.selector)
    const domain = (await shown(ann, id))!
    expect(domain).toMatchObject({ dkimSelector: newKey.selector, deliverabilityScore: 75 })
    expect(domain.requiredRecords.find(({ purpose }) => purpose === 'DKIM')).toMatchObject({
      name: newKey.recordName,
      value: newKey.recordValue,
      isFound: false
    })
    expect((await check(ann, id)).json<MailDomain>().deliverabilityScore).toBe(100)
  })
})

describe('retiring a key', () => {
  const rotated = async (domain = managed()) => {
    const { id, hostname } = await domain
    await regenerate(ann, id)
    const { oldKey, newKey } = (await rotate(ann, id)).json<DkimRotation>()
    return { id, hostname, oldKey, newKey }
  }

  test('requires a week or force; then record and private key are gone', async () => {
    const { id, hostname, oldKey, newKey } = await rotated()
    expect(outcome(await retire(ann, id, newKey.id))).toEqual([409, 'DKIM_KEY_IN_USE'])
    expect(outcome(await retire(ann, id, newKey.id, { force: true }))).toEqual([409, 'DKIM_KEY_IN_USE'])
    expect(outcome(await retire(ann, id, oldKey.id))).toEqual([409, 'DKIM_KEY_IN_USE'])
    for (const [key, days] of [
      [newKey, 7],
      [oldKey, 8]
    ] as const)
      await panel.deps.db
        .update(dkimKeys)
        .set({ signsSince: new Date(Date.now() - days * day) })
        .where(eq(dkimKeys.id, key.id))
    const answer = await retire(ann, id, oldKey.id)
    expect([answer.statusCode, answer.json<DkimKey>()]).toEqual([
      200,
      { ...oldKey, status: 'RETIRED', isSigning: false, inDns: false }
    ])
    expect((await mailRecords(ann, id)).filter((record) => record.includes('_domainkey'))).toEqual([
      `TXT ${newKey.selector}._domainkey v=DKIM1; k=rsa; p=${newKey.publicKey}`
    ])
    expect(dnsServer.files.get(hostname)).not.toContain(oldKey.publicKey.slice(0, 100))
    expect(signer.keys.get(hostname)!.keys.map(({ selector }) => selector)).toEqual([newKey.selector])
    const rows = await panel.deps.db.select().from(dkimKeys).where(eq(dkimKeys.id, oldKey.id))
    expect(rows[0]!.encryptedPrivateKey).toBe('')
    expect((await retire(ann, id, oldKey.id)).statusCode).toBe(200)
    expect(await actionsOn(id)).toEqual(['mail_auth.provisioned', 'dkim_key.rotated', 'dkim_key.retired'])
    expect((await shown(ann, id))!.deliverabilityScore).toBe(100)
    await regenerate(ann, id)
    expect((await mailRecords(ann, id)).filter((record) => record.includes('_domainkey'))).toHaveLength(1)
  })

  test('with force at once if the key leaked', async () => {
    const { id, oldKey } = await rotated()
    expect((await retire(ann, id, oldKey.id, { force: true })).json<DkimKey>().status).toBe('RETIRED')
  })

  test('keeps a record that the owner replaced', async () => {
    const { id, oldKey } = await rotated()
    const record = (await recordsOf(ann, id)).find(({ name }) => name === 'default._domainkey')!
    await ann.request('PATCH', `/api/domains/${id}/dns/${record.id}`, { value: 'v=DKIM1; p=' })
    await retire(ann, id, oldKey.id, { force: true })
    expect(await mailRecords(ann, id)).toContain('TXT default._domainkey v=DKIM1; p=')
  })

  test('is refused for the active key', async () => {
    const { id } = await managed()
    await regenerate(ann, id)
    dnsServer.fail = true
    const { oldKey } = (await rotate(ann, id)).json<DkimRotation>()
    expect(outcome(await retire(ann, id, oldKey.id, { force: true }))).toEqual([409, 'DKIM_KEY_IN_USE'])
  })

  test('works for CONNECTED domains too', async () => {
    const { id, hostname, oldKey, newKey } = await rotated(connected())
    expect((await retire(ann, id, oldKey.id, { force: true })).json<DkimKey>().status).toBe('RETIRED')
    expect(signer.keys.get(hostname)!.keys.map(({ selector }) => selector)).toEqual([newKey.selector])
  })
})

describe('access', () => {
  test('another account’s domain and keys are 404', async () => {
    const { id } = await managed()
    const other = await managed(bob)
    await regenerate(ann, id)
    await regenerate(bob, other.id)
    const { oldKey } = (await rotate(ann, id)).json<DkimRotation>()
    const calls = [
      regenerate(bob, id),
      check(bob, id),
      rotate(bob, id),
      bob.request('GET', `/api/mail/dkim/${id}`),
      retire(bob, id, oldKey.id, { force: true }),
      retire(bob, other.id, oldKey.id, { force: true }),
      retire(ann, other.id, oldKey.id, { force: true })
    ]
    for (const answer of await Promise.all(calls)) expect(outcome(answer)).toEqual([404, 'NOT_FOUND'])
    expect((await keysOf(ann, id)).find((key) => key.id === oldKey.id)!.status).toBe('RETIRING')
  })

  test('of two claims of a hostname the verified one signs', async () => {
    const name = uniqueDomain()
    const claim = await addDomain(bob, name)
    const { id } = await addManagedDomain(ann, name)
    await regenerate(ann, id)
    expect(outcome(await regenerate(bob, claim.id))).toEqual([409, 'DOMAIN_NOT_ACTIVE'])
    expect((await keysOf(ann, id)).map(({ userId }) => userId)).toEqual([ann.user.id])
  })

  test('requires a whole verified domain', async () => {
    const { hostname } = await connected()
    const wildcard = await addVerifiedDomain(ann, `*.${hostname}`)
    const part = await addVerifiedDomain(ann, hostname, { pathPrefix: '/shop' })
    const pending = await addDomain(ann, uniqueDomain())
    for (const call of [regenerate, check]) {
      expect(outcome(await call(ann, wildcard.id))).toEqual([400, 'INVALID_TARGET'])
      expect(outcome(await call(ann, part.id))).toEqual([400, 'INVALID_TARGET'])
      expect(outcome(await call(ann, pending.id))).toEqual([409, 'DOMAIN_NOT_ACTIVE'])
    }
  })

  test('no response or log contains a private key, encrypted or not', async () => {
    const { id, hostname } = await managed()
    await newMailbox(ann, id)
    const texts = [
      (await regenerate(ann, id)).body,
      (await rotate(ann, id)).body,
      (await check(ann, id)).body,
      (await ann.request('GET', `/api/mail/dkim/${id}`)).body,
      (await ann.request('GET', '/api/mail/domains')).body,
      JSON.stringify(await panel.audited({ targetId: id }))
    ].join()
    expect(texts).toContain('default')
    const rows = await panel.deps.db.select().from(dkimKeys).where(eq(dkimKeys.domainId, id))
    for (const { encryptedPrivateKey } of rows) {
      expect(encryptedPrivateKey).toMatch(/^[0-9a-f]{24}:/)
      expect(texts).not.toContain(encryptedPrivateKey.slice(0, 50))
    }
    for (const { privateKey } of signer.keys.get(hostname)!.keys) expect(texts).not.toContain(privateKey.split('\n')[1])
  })
})

describe('cleanup and repair', () => {
  test('a domain takes its keys along; a recreated one has new ones', async () => {
    const { id, hostname } = await managed()
    await newMailbox(ann, id)
    const { dkimRecord } = (await shown(ann, id))!
    await ann.request('DELETE', `/api/domains/${id}`)
    expect(signer.keys.has(hostname)).toBe(false)
    const again = await addManagedDomain(bob, hostname)
    await newMailbox(bob, again.id)
    expect(signer.keys.get(hostname)!.signsWith).toBe('default')
    expect((await shown(bob, again.id))!.dkimRecord).not.toBe(dkimRecord)
  })

  test('the audit restores missing and removes extra keys and records', async () => {
    const [one, two, three] = [await managed(), await managed(), await managed()]
    for (const { id } of [one, two, three]) await regenerate(ann, id)
    signer.keys.delete(one.hostname)
    const { privateKey } = signer.keys.get(two.hostname)!.keys[0]!
    const wrong = { signsWith: 'other', keys: [{ selector: 'other', privateKey }] }
    signer.keys.set(two.hostname, { domain: two.hostname, ...wrong })
    signer.keys.set('nobody.example', { domain: 'nobody.example', ...wrong })
    signer.isUnavailable = true
    await ann.request('DELETE', `/api/domains/${three.id}`)
    expect(signer.keys.has(three.hostname)).toBe(true)
    signer.isUnavailable = false
    now = new Date(Date.now() + 5 * 60_000)
    await expect
      .poll(async () => {
        now = new Date(now!.getTime() + 61_000)
        await reconcileSigning(panel.deps)
        return [one, two, three, { hostname: 'nobody.example' }].map(
          ({ hostname }) => signer.keys.get(hostname)?.signsWith
        )
      })
      .toEqual(['default', 'default', undefined, undefined])
    const rows = await panel.deps.db.select().from(mailAuthentication).where(eq(mailAuthentication.domainId, one.id))
    expect(rows.map((row) => row.appliedRevision === row.revision)).toEqual([true])
  })
})

test('MAIL=off: nothing is created or queried', async () => {
  const off = await createTestPanel({ ...env, MAIL: 'off' })
  try {
    const person = await off.signUp()
    const { id } = await addManagedDomain(person, uniqueDomain())
    for (const call of [regenerate, check, rotate])
      expect(outcome(await call(person, id))).toEqual([503, 'MAIL_UNAVAILABLE'])
    expect((await person.request('GET', '/api/mail/domains')).json<MailDomainList>().domains).toEqual([])
    expect(await reconcileSigning(off.deps)).toBe('done')
    expect((await person.request('DELETE', `/api/domains/${id}`)).statusCode).toBe(204)
  } finally {
    await off.close()
  }
})
