import type { Certificate } from '@panel/contract/certificates'
import type { CreatedDomain, Domain } from '@panel/contract/domains'
import type { UptimeCheck } from '@panel/contract/uptime-checks'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Ingress } from '../support/certificate-environment.ts'
import { steps } from '../support/authority-front.ts'
import { addRecord, dig } from '../support/dns-environment.ts'
import type { Client, Site } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { sharedWorld, type World } from '../support/shared-world.ts'
import { nodeSite } from '../support/sites.ts'
import { handshake, openHttp2, sClient, visitSecurely } from '../support/tls-clients.ts'

let environment: World
let site: Site
let bob: Client

beforeAll(async () => {
  environment = await sharedWorld()
  bob = await environment.panel.signUp()
  site = await environment.ann.createSite(environment.git, nodeSite('shop'))
  expect(await environment.ann.build(site.id)).toMatchObject({ status: 'RUNNING' })
})
afterAll(() => environment.ann.call('DELETE', `/projects/${site.id}`))
afterEach(() => {
  environment.ingress = 'open'
  environment.front.caaIdentities = []
})

async function addConnected(): Promise<CreatedDomain> {
  const zone = await environment.addManaged(environment.newName('elsewhere'), bob)
  await addRecord(bob, zone.id, { type: 'A', name: 'blog', value: '127.0.0.1' })
  const hostname = `blog.${zone.hostname}`
  environment.dns.set(hostname, 'A', ['127.0.0.1'])
  return environment.dns.addDomain(environment.ann, hostname)
}

const settings = (domainId: string, values: object) =>
  environment.ann.call<Certificate>('PATCH', `/domains/${domainId}/ssl/settings`, values)

const challengesLeft = (domainId: string) =>
  environment.panel.query('select * from acme_challenges where domain_id = $1', [domainId])

const untilRedirected = (hostname: string) =>
  until(
    () => environment.panel.visit(hostname),
    ({ status }) => status === 301
  )

describe('a certificate of the authority', () => {
  test('for a CONNECTED domain, from the order to the browser', async () => {
    const { id, hostname } = await addConnected()
    const { ann, panel } = environment
    expect(await ann.call<Domain>('GET', `/domains/${id}`)).toMatchObject({ dnsMode: 'CONNECTED', sslEnabled: false })
    expect(await environment.isDefaultServed(hostname)).toBe(true)
    expect((await panel.visit(hostname)).status).toBe(404)

    const requested = await ann.request<Certificate>('POST', `/domains/${id}/ssl/provision`)
    expect(requested).toMatchObject({
      status: 202,
      body: { status: 'PENDING', type: 'LETS_ENCRYPT', forceHttps: true }
    })
    const certificate = await environment.orderEnded(id)
    expect(certificate).toMatchObject({
      status: 'ACTIVE',
      commonName: hostname,
      sans: [hostname],
      issuer: expect.stringMatching(/pebble/i),
      errorMessage: null,
      certPath: null,
      keyPath: null
    })
    await environment.untilServed(hostname, certificate)
    expect((await environment.shakeHands(hostname)).isTrusted).toBe(true)
    expect(await environment.isDefaultServed(`other.${hostname}`)).toBe(true)
    expect(await ann.call<Domain>('GET', `/domains/${id}`)).toMatchObject({ sslEnabled: true })
    expect(await challengesLeft(id)).toEqual([])
    expect(await untilRedirected(hostname)).toMatchObject({ headers: { location: `https://${hostname}/` } })
  })

  describe('of a site', () => {
    let domain: CreatedDomain
    beforeAll(async () => {
      domain = await environment.addManaged()
      await environment.ann.call('PATCH', `/domains/${domain.id}`, { projectId: site.id })
      await environment.untilServed(domain.hostname, await environment.provision(domain.id))
      await untilRedirected(domain.hostname)
    })

    test('an uptime check uses TLS and reports the days left', async () => {
      const { ann, panel } = environment
      const path = `/projects/${site.id}/uptime-checks`
      const often = { retries: 0, intervalMinutes: 1, timeoutSeconds: 5 }
      const values = { name: 'shop', hostname: domain.hostname, protocol: 'https', path: '/', ...often }
      const { id } = await ann.call<UptimeCheck>('POST', path, values)
      const now = async () => {
        const soon = `update uptime_checks set next_run_at = now() where id = $1 and next_run_at > now() + interval '20 seconds'`
        await panel.query(soon, [id])
        return ann.call<UptimeCheck>('GET', `${path}/${id}`)
      }
      await expect.poll(now, { interval: 1_000 }).toMatchObject({ state: 'UP', lastStatus: 200 })
      const { validTo } = await environment.certificateOf(domain.id)
      const days = Math.floor((Date.parse(validTo!) - Date.now()) / (24 * 3_600_000))
      const { tlsDaysLeft } = await now()
      expect([days, days + 1]).toContain(tlsDaysLeft)
    })

    test('openssl trusts it over TLS 1.2 and 1.3, and gets nothing over 1.1', async () => {
      const rootFile = await environment.writeRoot()
      const checks = ['-verify_return_error', '-CAfile', rootFile, '-verify_hostname', domain.hostname]
      const connect = (...args: string[]) =>
        sClient(environment.panel.proxyHttpsPort, domain.hostname, ...args, ...checks)
      for (const version of ['-tls1_2', '-tls1_3']) {
        const { ok, output } = await connect(version)
        expect(ok, output).toBe(true)
        expect(output).toContain('Verify return code: 0 (ok)')
      }
      // Old ciphers are off in the client by default, which would prove nothing.
      const { ok, output } = await connect('-tls1_1', '-cipher', 'DEFAULT:@SECLEVEL=0')
      expect(ok, output).toBe(false)
      expect(output).toContain('alert protocol version')
    })

    test('negotiates HTTP/2 and forwards the protocol', async () => {
      const session = await openHttp2(environment.panel.proxyHttpsPort, domain.hostname)
      expect(session.protocol).toBe('h2')
      const { status, body } = await session.get('/headers')
      expect(status).toBe(200)
      expect(JSON.parse(body)).toMatchObject({ 'x-forwarded-proto': 'https', 'x-forwarded-host': domain.hostname })
      session.close()
    })

    test('the redirect keeps path and query and excludes ACME challenges', async () => {
      const visit = (path: string) => environment.panel.visit(domain.hostname, path)
      const target = '/a/b%20c/?d=e&f=%2F%3F&d='
      expect(await visit(target)).toMatchObject({
        status: 301,
        headers: { location: `https://${domain.hostname}${target}` }
      })
      expect(await visit('/.well-known/acme-challenge/aaaaaaaaaaaaaaaaaaaaaaaa')).toMatchObject({ status: 404 })
      for (const path of ['/.well-known/acme-challenge/', '/.well-known/acme-challenge/a/../../x', '/.well-known/x'])
        expect(await visit(path), path).toMatchObject({ status: 301 })
    })

    test('forceHttps takes effect immediately', async () => {
      expect(await settings(domain.id, { forceHttps: false })).toMatchObject({ forceHttps: false })
      expect(await environment.panel.visit(domain.hostname, '/x')).toMatchObject({ status: 200, body: 'shop /x' })
      expect((await visitSecurely(environment.panel.proxyHttpsPort, domain.hostname, '/x')).body).toBe('shop /x')
      await settings(domain.id, { forceHttps: true })
      expect(await environment.panel.visit(domain.hostname, '/x')).toMatchObject({ status: 301 })
    })
  })
})

describe('a wildcard', () => {
  test('is validated in the zone, covers one label and loses against an exact name', async () => {
    const { ann, panel } = environment
    const parent = await environment.addManaged()
    const wild = await ann.call<CreatedDomain>('POST', '/domains', { hostname: `*.${parent.hostname}` })
    const [certificate, above] = await Promise.all([wild, parent].map(({ id }) => environment.provision(id)))
    expect(certificate).toMatchObject({ status: 'ACTIVE', sans: [`*.${parent.hostname}`], errorMessage: null })
    expect(above).toMatchObject({ status: 'ACTIVE', sans: [parent.hostname], errorMessage: null })
    const [one, exact] = [`one.${parent.hostname}`, `exact.${parent.hostname}`]
    await environment.untilServed(one, certificate!)
    await environment.untilServed(parent.hostname, above!)
    expect(await environment.shakeHands(one)).toMatchObject({ isTrusted: true })
    expect(await environment.shakeHands(exact)).toMatchObject({ serial: certificate!.serialNumber })
    expect(await environment.isDefaultServed(`a.${one}`)).toBe(true)
    expect(await dig(panel, `_acme-challenge.${parent.hostname}`, 'TXT')).toMatchObject({ values: [] })
    expect(await challengesLeft(wild.id)).toEqual([])

    environment.dns.set(exact, 'A', ['127.0.0.1'])
    const { id } = await ann.call<CreatedDomain>('POST', '/domains', { hostname: exact })
    const own = await environment.provision(id)
    await environment.untilServed(exact, own)
    expect((await environment.shakeHands(one)).serial).toBe(certificate!.serialNumber)
    expect(own.serialNumber).not.toBe(certificate!.serialNumber)
    await ann.call('DELETE', `/domains/${id}/ssl`)
    expect((await environment.shakeHands(exact)).serial).toBe(certificate!.serialNumber)
  })
})

describe('before contacting the authority', () => {
  const orders = () => environment.front.requests.filter((path) => steps.order.test(path)).length
  const setIngress = (ingress: Ingress) => () => void (environment.ingress = ingress)

  test.each<[string, (hostname: string) => void, (hostname: string) => void, RegExp[]]>([
    [
      'a name that points elsewhere',
      (hostname) => environment.dns.set(hostname, 'A', ['192.0.2.9']),
      (hostname) => environment.dns.set(hostname, 'A', ['127.0.0.1']),
      [/points to 192\.0\.2\.9/, /A record to 127\.0\.0\.1/]
    ],
    [
      'a CAA record for nobody, of the name above',
      (hostname) => {
        environment.front.caaIdentities = ['authority.test']
        environment.dns.set(hostname.split('.').slice(1).join('.'), 'CAA', [{ flags: 0, tag: 'issue', value: ';' }])
      },
      (hostname) => environment.dns.set(hostname, 'CAA', [{ flags: 0, tag: 'issue', value: 'authority.test' }]),
      [/CAA/, /0 issue "authority\.test"/]
    ],
    [
      'a port 80 that is closed',
      setIngress('closed'),
      setIngress('open'),
      [/acme-challenge/, /Forward port \d+ to this/]
    ]
  ])('%s ends the order with the remedy, and following it helps', async (_, spoil, mend, words) => {
    const { id, hostname } = await environment.addManaged(`www2.${environment.newName()}`)
    spoil(hostname)
    const before = orders()
    const refused = await environment.provision(id)
    expect(refused).toMatchObject({ status: 'ERROR', errorMessage: expect.any(String), serialNumber: null })
    for (const word of words) expect(refused.errorMessage).toMatch(word)
    expect(orders()).toBe(before)
    expect(await environment.isDefaultServed(hostname)).toBe(true)
    expect((await environment.panel.visit(hostname)).status).not.toBe(301)
    expect(await challengesLeft(id)).toEqual([])

    mend(hostname)
    const issued = await environment.provision(id)
    expect(issued).toMatchObject({ status: 'ACTIVE', errorMessage: null })
    await environment.untilServed(hostname, issued)
  })
})

test('a name below .localhost gets a self-signed certificate immediately', async () => {
  const { id, hostname } = await environment.dns.addDomain(
    environment.ann,
    environment.newName().replace('.test', '.localhost')
  )
  const { status, body } = await environment.ann.request<Certificate>('POST', `/domains/${id}/ssl/provision`)
  expect({ status, body }).toMatchObject({ status: 200, body: { status: 'ACTIVE', type: 'SELF_SIGNED' } })
  const served = await handshake(environment.panel.proxyHttpsPort, hostname)
  expect(served).toMatchObject({ serial: body.serialNumber, isTrusted: false })
  expect(served.certificate.checkHost(hostname)).toBe(hostname)
  expect(await environment.panel.visit(hostname)).toMatchObject({ status: 301 })
})
