import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DnsRecord } from '@panel/contract/dns-records'
import type { CreatedDomain, Domain } from '@panel/contract/domains'
import type { MailDomain, MtaSts } from '@panel/contract/mail-auth'
import { certificates } from '../src/db/schema/certificates.ts'
import { domains } from '../src/db/schema/domains.ts'
import { orderHostCertificates } from '../src/features/mail-clients/host-certificates.jobs.ts'
import { syncAllRoutes } from '../src/features/domains/routing.service.ts'
import { mtaStsValue, renderMtaStsPolicy } from '../src/features/mail-auth/mta-sts.policy.ts'
import { newId } from '../src/security/ids.ts'
import { addManagedDomain, addVerifiedDomain, proxyOf, publicDnsOf } from './support/domains.ts'
import { newMailbox, outcome, uniqueDomain } from './support/mail.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

const env = {
  DNS_NAMESERVERS: 'ns1.example.net,ns2.example.net',
  SERVER_IP: '192.0.2.1',
  PUBLIC_IP: '203.0.113.7',
  ACME_DIRECTORY_URL: 'https://acme.invalid/directory'
}
const labels = ['autoconfig', 'autodiscover', 'mail', 'mta-sts']
const hourMs = 3_600_000

let panel: TestPanel
let ann: Client
let bob: Client
let now: Date | undefined
beforeAll(async () => {
  panel = await createTestPanel(env, { now: () => now ?? new Date() })
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
})
afterAll(() => panel.close())

const withMail = async (domain: CreatedDomain, by = ann) => {
  await newMailbox(by, domain.id)
  return domain
}
const managed = async () => withMail(await addManagedDomain(ann, uniqueDomain()))
const connected = async () => withMail(await addVerifiedDomain(ann, uniqueDomain()))
const routeOf = (hostname: string, path = '/') => proxyOf(panel).find(hostname, path)?.target.kind
const routesOf = ({ hostname }: CreatedDomain) => labels.map((label) => routeOf(`${label}.${hostname}`))
const recordsOf = async ({ id }: CreatedDomain) =>
  (await ann.request('GET', `/api/domains/${id}/dns`)).json<DnsRecord[]>()
const rowOf = async (hostname: string) =>
  (await panel.deps.db.select().from(domains).where(eq(domains.hostname, hostname)))[0]
const shown = async ({ hostname }: CreatedDomain) =>
  (await ann.request('GET', `/api/mail/domains?search=${hostname}`)).json<{ domains: MailDomain[] }>().domains[0]!
const settingsPath = '/.well-known/autoconfig/mail/config-v1.1.xml'

describe('mail hostnames of a domain', () => {
  test('route to the panel from the first mailbox on, also the path on the domain', async () => {
    const domain = await addManagedDomain(ann, uniqueDomain())
    expect(routesOf(domain)).toEqual([undefined, undefined, undefined, undefined])
    await withMail(domain)
    expect(routesOf(domain)).toEqual(['mail', 'mail', 'mail', 'mail'])
    expect([routeOf(domain.hostname), routeOf(domain.hostname, settingsPath)]).toEqual(['nothing', 'mail'])
    const before = new Map(proxyOf(panel).routes)
    expect(await syncAllRoutes(panel.deps)).toBe(false)
    expect(proxyOf(panel).routes).toEqual(before)
  })

  test('are removed with the domain', async () => {
    const domain = await managed()
    expect((await ann.request('DELETE', `/api/domains/${domain.id}`)).statusCode).toBe(204)
    expect(routesOf(domain)).toEqual([undefined, undefined, undefined, undefined])
    expect(routeOf(domain.hostname, settingsPath)).toBeUndefined()
    expect(await rowOf(`mta-sts.${domain.hostname}`)).toBeUndefined()
  })

  test('are not listed and not counted', async () => {
    const eve = await panel.signUp('eve')
    await withMail(await addManagedDomain(eve, uniqueDomain()), eve)
    const listed = (await eve.request('GET', '/api/domains')).json<Domain[]>()
    expect(listed).toHaveLength(1)
    expect((await eve.request('GET', `/api/domains/${listed[0]!.id}/subdomains`)).json()).toEqual([])
    const quota = await ann.request('PATCH', `/api/users/${eve.user.id}/quotas`, { maxDomains: 2 })
    expect(quota.statusCode).toBe(200)
    await addVerifiedDomain(eve, uniqueDomain())
    const refused = await eve.request('POST', '/api/domains', { hostname: uniqueDomain() })
    expect(outcome(refused)).toEqual([403, 'QUOTA_EXCEEDED'])
  })

  test('give way to domains the owner adds, and return afterwards', async () => {
    const domain = await addManagedDomain(ann, uniqueDomain())
    const project = await ann.createProject()
    const earlier = await addVerifiedDomain(ann, `autoconfig.${domain.hostname}`, { projectId: project.id })
    await withMail(domain)
    const later = await addVerifiedDomain(ann, `mta-sts.${domain.hostname}`, { projectId: project.id })
    expect(routesOf(domain)).toEqual(['stopped', 'mail', 'mail', 'stopped'])
    await ann.request('POST', `/api/mail/auth/${domain.id}/regenerate`)
    expect(routesOf(domain)).toEqual(['stopped', 'mail', 'mail', 'stopped'])
    const listed = (await ann.request('GET', `/api/domains/${domain.id}/subdomains`)).json<Domain[]>()
    expect(listed.map(({ id }) => id).toSorted()).toEqual([earlier.id, later.id].toSorted())
    for (const { id } of [earlier, later]) await ann.request('DELETE', `/api/domains/${id}`)
    await ann.request('POST', `/api/mail/auth/${domain.id}/regenerate`)
    expect(routesOf(domain)).toEqual(['mail', 'mail', 'mail', 'mail'])
  })

  test('give way to other accounts and to own paths', async () => {
    const domain = await addVerifiedDomain(ann, uniqueDomain())
    const hers = await addVerifiedDomain(bob, `mail.${domain.hostname}`)
    const own = await addVerifiedDomain(ann, domain.hostname, { pathPrefix: '/.well-known' })
    await withMail(domain)
    expect(routesOf(domain)).toEqual(['mail', 'mail', 'nothing', 'mail'])
    expect([(await rowOf(hers.hostname))?.id, own.status]).toEqual([hers.id, 'ACTIVE'])
    await syncAllRoutes(panel.deps)
    expect(routeOf(domain.hostname, settingsPath)).toBe('nothing')
  })

  test('leave the site unchanged, except for one path', async () => {
    const project = await ann.createProject()
    const domain = await withMail(await addVerifiedDomain(ann, uniqueDomain(), { projectId: project.id }))
    expect([routeOf(domain.hostname), routeOf(domain.hostname, settingsPath)]).toEqual(['stopped', 'mail'])
  })
})

describe('records', () => {
  test('of a MANAGED domain are created if missing', async () => {
    const domain = await addManagedDomain(ann, uniqueDomain())
    await ann.request('POST', `/api/domains/${domain.id}/dns`, {
      type: 'CNAME',
      name: 'autoconfig',
      value: 'other.example',
      ttl: 300
    })
    await withMail(domain)
    const { hostname } = domain
    const found = (await recordsOf(domain))
      .filter(({ type, name }) => type === 'SRV' || labels.includes(name) || ['_mta-sts', '_smtp._tls'].includes(name))
      .map(({ type, name, value, priority, weight, port }) =>
        [type, name, priority, weight, port, value].filter((member) => member !== null).join(' ')
      )
      .toSorted()
    expect(found).toEqual(
      [
        'A autodiscover 203.0.113.7',
        'A mail 203.0.113.7',
        'A mta-sts 203.0.113.7',
        'CNAME autoconfig other.example',
        `SRV _autodiscover._tcp 0 1 443 autodiscover.${hostname}`,
        'SRV _imap._tcp 0 0 143 .',
        `SRV _imaps._tcp 0 1 993 mail.${hostname}`,
        'SRV _pop3._tcp 0 0 110 .',
        'SRV _pop3s._tcp 0 0 995 .',
        `SRV _sieve._tcp 0 1 4190 mail.${hostname}`,
        `SRV _submission._tcp 0 1 587 mail.${hostname}`,
        `SRV _submissions._tcp 0 1 465 mail.${hostname}`,
        `TXT _mta-sts ${mtaStsValue(hostname, 'testing')}`,
        `TXT _smtp._tls v=TLSRPTv1; rua=mailto:postmaster@${hostname}`
      ].toSorted()
    )
  })

  test('of a CONNECTED one are listed as optional', async () => {
    const domain = await connected()
    const optional = (await shown(domain)).requiredRecords.filter(({ isOptional }) => isOptional)
    expect(optional).toContainEqual({
      purpose: 'Service',
      type: 'SRV',
      name: `_imaps._tcp.${domain.hostname}`,
      value: `mail.${domain.hostname}`,
      priority: 0,
      weight: 1,
      port: 993,
      ttl: 3600,
      isOptional: true,
      isFound: true
    })
    expect(optional.map(({ name }) => name)).toContain(`_mta-sts.${domain.hostname}`)
    expect(routesOf(domain)).toEqual(['mail', 'mail', 'mail', 'mail'])
  })
})

describe('certificates of hosts', () => {
  const certificateOf = async (hostname: string) => {
    const [row] = await panel.deps.db
      .select({ status: certificates.status })
      .from(certificates)
      .innerJoin(domains, eq(domains.id, certificates.domainId))
      .where(eq(domains.hostname, hostname))
    return row?.status
  }
  const statusesOf = ({ hostname }: CreatedDomain) =>
    Promise.all(labels.map((label) => certificateOf(`${label}.${hostname}`)))

  test('are ordered once the names resolve here', async () => {
    const domain = await connected()
    await orderHostCertificates(panel.deps)
    expect(await statusesOf(domain)).toEqual([undefined, undefined, undefined, undefined])
    for (const label of ['mail', 'mta-sts']) publicDnsOf(panel).set(`${label}.${domain.hostname}`, 'A', [env.PUBLIC_IP])
    publicDnsOf(panel).set(`autoconfig.${domain.hostname}`, 'A', ['198.51.100.1'])
    await orderHostCertificates(panel.deps)
    expect(await statusesOf(domain)).toEqual([undefined, undefined, undefined, undefined])
    now = new Date(Date.now() + hourMs)
    await orderHostCertificates(panel.deps)
    expect(await statusesOf(domain)).toEqual([undefined, undefined, 'PENDING', 'PENDING'])
    now = undefined
  })

  test('leave room for requested ones', async () => {
    const eve = await panel.signUp('zoe')
    const domain = await addVerifiedDomain(eve, uniqueDomain())
    await withMail(domain, eve)
    for (const label of labels) publicDnsOf(panel).set(`${label}.${domain.hostname}`, 'A', [env.PUBLIC_IP])
    const { certificateOrders } = await import('../src/db/schema/certificate-orders.ts')
    await panel.deps.db.insert(certificateOrders).values(
      Array.from({ length: 20 }, (_, index) => ({
        id: newId(),
        hostname: `x${index}.example.com`,
        userId: eve.user.id,
        outcome: 'issued' as const,
        createdAt: new Date()
      }))
    )
    await orderHostCertificates(panel.deps)
    expect(await statusesOf(domain)).toEqual([undefined, undefined, undefined, undefined])
    const { probeAt } = (await rowOf(`mta-sts.${domain.hostname}`))!
    expect(probeAt!.getTime()).toBeGreaterThan(Date.now() + hourMs / 2)
  })
})

describe('MTA-STS', () => {
  const at = (domain: CreatedDomain) => `/api/mail/auth/${domain.id}/mta-sts`
  const change = (domain: CreatedDomain, mode: string, by = ann) => by.request('PATCH', at(domain), { mode })
  const policyAt = (host: string) => panel.app.inject({ url: '/.well-known/mta-sts.txt', headers: { host } })
  const policyRecords = async (domain: CreatedDomain) =>
    (await recordsOf(domain)).filter(({ name }) => name === '_mta-sts').map(({ value }) => value)
  const trust = async (hostname: string) => {
    const row = (await rowOf(hostname))!
    await panel.deps.db.insert(certificates).values({
      id: newId(),
      domainId: row.id,
      commonName: hostname,
      status: 'ACTIVE',
      chain: 'a chain',
      validTo: new Date(Date.now() + 1e9)
    })
  }

  test('starts with a testing policy on its host', async () => {
    const domain = await managed()
    const shownNow = (await ann.request('GET', at(domain))).json<MtaSts>()
    expect(shownNow).toMatchObject({ mode: 'testing', isServed: false, problem: null })
    expect(shownNow.hostDomainId).toBe((await rowOf(`mta-sts.${domain.hostname}`))!.id)
    const answer = await policyAt(`mta-sts.${domain.hostname}`)
    expect([answer.headers['content-type'], answer.body]).toEqual([
      'text/plain; charset=utf-8',
      renderMtaStsPolicy(domain.hostname, 'testing')
    ])
    for (const host of [domain.hostname, `mail.${domain.hostname}`, 'mta-sts.elsewhere.test', 'mta-sts.'])
      expect([host, ...outcome(await policyAt(host))]).toEqual([host, 404, 'NOT_FOUND'])
  })

  test('a changed policy updates the id in our own record', async () => {
    const domain = await managed()
    expect(await policyRecords(domain)).toEqual([mtaStsValue(domain.hostname, 'testing')])
    const changed = (await change(domain, 'none')).json<MtaSts>()
    expect(changed).toMatchObject({ mode: 'none', recordValue: mtaStsValue(domain.hostname, 'none') })
    expect(await policyRecords(domain)).toEqual([changed.recordValue])
    expect((await policyAt(`mta-sts.${domain.hostname}`)).body).toContain('mode: none')
    const record = (await recordsOf(domain)).find(({ name }) => name === '_mta-sts')!
    await ann.request('PATCH', `/api/domains/${domain.id}/dns/${record.id}`, { value: 'v=STSv1; id=mine' })
    await change(domain, 'testing')
    expect(await policyRecords(domain)).toEqual(['v=STSv1; id=mine'])
    const audited = (await panel.audited({ targetId: domain.id })).filter(({ action }) => action === 'mta_sts.changed')
    expect(audited.map(({ metadata }) => metadata)).toMatchObject([
      { from: 'testing', to: 'none' },
      { from: 'none', to: 'testing' }
    ])
  })

  test('never blocks mail that would be delivered', async () => {
    const domain = await managed()
    const refused = await change(domain, 'enforce')
    expect([...outcome(refused), refused.json<{ error: string }>().error]).toEqual([
      409,
      'CONFLICT',
      expect.stringMatching(/no trusted certificate/)
    ])
    await trust(`mail.${domain.hostname}`)
    await ann.request('POST', `/api/domains/${domain.id}/dns`, {
      type: 'MX',
      name: '@',
      value: 'mx.other.example',
      priority: 20,
      ttl: 3600
    })
    expect((await change(domain, 'enforce')).json<{ error: string }>().error).toMatch(/mx\.other\.example/)
    const other = (await recordsOf(domain)).find(({ value }) => value === 'mx.other.example')!
    await ann.request('DELETE', `/api/domains/${domain.id}/dns/${other.id}`)
    expect((await change(domain, 'enforce')).json()).toMatchObject({ mode: 'enforce' })
    expect((await change(await connected(), 'enforce')).json<{ error: string }>().error).toMatch(
      /no trusted certificate/
    )
  })

  test('belongs to the owner of a domain with mail', async () => {
    const domain = await managed()
    expect(outcome(await change(domain, 'none', bob))).toEqual([404, 'NOT_FOUND'])
    const without = await addVerifiedDomain(ann, uniqueDomain())
    for (const answer of [await change(without, 'none'), await ann.request('GET', at(without))])
      expect(outcome(answer)).toEqual([404, 'NOT_FOUND'])
    expect(outcome(await change(domain, 'always'))).toEqual([400, 'VALIDATION_ERROR'])
  })
})
