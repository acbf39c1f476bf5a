import { Agent } from 'node:https'
import type { Certificate } from '@panel/contract/certificates'
import type { CreatedDomain, Domain } from '@panel/contract/domains'
import type { DnsInfo } from '@panel/contract/system'
import type { UptimeCheck } from '@panel/contract/uptime-checks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { liveTestClients } from '../../packages/server/test/support/live.ts'
import { type CertificateEnvironment, startCertificateEnvironment } from '../support/certificate-environment.ts'
import { addRecord, dig } from '../support/dns-environment.ts'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import type { Client, Site } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { nodeSite } from '../support/sites.ts'
import { handshake, openHttp2, sClient, visitSecurely } from '../support/tls-clients.ts'

let environment: CertificateEnvironment
let git: GitHttpServer
let site: Site
let bob: Client
const panelDomain = 'panel.hosting.test'

beforeAll(async () => {
  git = await startGitHttpServer()
  environment = await startCertificateEnvironment({
    env: { GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}`, PANEL_DOMAIN: panelDomain, HOST: '' }
  })
  bob = await environment.panel.signUp()
  site = await environment.ann.createSite(git, nodeSite('shop'))
  expect(await environment.ann.build(site.id)).toMatchObject({ status: 'RUNNING' })
})
afterAll(async () => {
  await environment?.close()
  await git?.stop()
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
  test.each(['MANAGED', 'CONNECTED'] as const)('for a %s domain, from the order to the browser', async (dnsMode) => {
    const { id, hostname } = dnsMode === 'MANAGED' ? await environment.addManaged() : await addConnected()
    const { ann, panel } = environment
    expect(await ann.call<Domain>('GET', `/domains/${id}`)).toMatchObject({ dnsMode, sslEnabled: false })
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

    test.each([
      ['-tls1_2', true],
      ['-tls1_3', true],
      ['-tls1_1', false]
    ])('openssl %s: %s', async (version, isTaken) => {
      const rootFile = await environment.writeRoot()
      const checks = ['-verify_return_error', '-CAfile', rootFile, '-verify_hostname', domain.hostname]
      // Old ciphers are off in the client by default, which would prove nothing.
      const old = isTaken ? [] : ['-cipher', 'DEFAULT:@SECLEVEL=0']
      const { ok, output } = await sClient(
        environment.panel.proxyHttpsPort,
        domain.hostname,
        version,
        ...checks,
        ...old
      )
      expect(ok, output).toBe(isTaken)
      if (isTaken) expect(output).toContain('Verify return code: 0 (ok)')
      else expect(output).toContain('alert protocol version')
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
    const certificate = await environment.provision(wild.id)
    expect(certificate).toMatchObject({ status: 'ACTIVE', sans: [`*.${parent.hostname}`], errorMessage: null })
    const [one, exact] = [`one.${parent.hostname}`, `exact.${parent.hostname}`]
    await environment.untilServed(one, certificate)
    expect(await environment.shakeHands(one)).toMatchObject({ isTrusted: true })
    expect(await environment.shakeHands(exact)).toMatchObject({ serial: certificate.serialNumber })
    expect(await environment.isDefaultServed(parent.hostname)).toBe(true)
    expect(await environment.isDefaultServed(`a.${one}`)).toBe(true)
    expect(await dig(panel, `_acme-challenge.${parent.hostname}`, 'TXT')).toMatchObject({ values: [] })
    expect(await challengesLeft(wild.id)).toEqual([])

    environment.dns.set(exact, 'A', ['127.0.0.1'])
    const { id } = await ann.call<CreatedDomain>('POST', '/domains', { hostname: exact })
    const own = await environment.provision(id)
    await environment.untilServed(exact, own)
    expect((await environment.shakeHands(one)).serial).toBe(certificate.serialNumber)
    expect(own.serialNumber).not.toBe(certificate.serialNumber)
    await ann.call('DELETE', `/domains/${id}/ssl`)
    expect((await environment.shakeHands(exact)).serial).toBe(certificate.serialNumber)
  })

  test('is ordered together with the name above it', async () => {
    const parent = await environment.addManaged()
    const wild = await environment.ann.call<CreatedDomain>('POST', '/domains', { hostname: `*.${parent.hostname}` })
    const both = await Promise.all([parent.id, wild.id].map((id) => environment.provision(id)))
    expect(both.map(({ status, errorMessage }) => [status, errorMessage])).toEqual([
      ['ACTIVE', null],
      ['ACTIVE', null]
    ])
    await environment.untilServed(parent.hostname, both[0]!)
    await environment.untilServed(`any.${parent.hostname}`, both[1]!)
    expect(await dig(environment.panel, `_acme-challenge.${parent.hostname}`, 'TXT')).toMatchObject({ values: [] })
  })

  test('with an external zone is refused with the remedy', async () => {
    const parent = await environment.dns.addDomain(environment.ann, environment.newName())
    const { id } = await environment.ann.call<CreatedDomain>('POST', '/domains', { hostname: `*.${parent.hostname}` })
    const answer = await environment.ann.request('POST', `/domains/${id}/ssl/provision`)
    expect(answer).toMatchObject({
      status: 409,
      body: { code: 'DNS_NOT_MANAGED', error: expect.stringContaining(parent.hostname) }
    })
    expect((await environment.ann.request('GET', `/domains/${id}/ssl`)).status).toBe(404)
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

test('an administrator orders a certificate for the panel, which is then HTTPS only', async () => {
  const { ann, panel } = environment
  const { port } = new URL(panel.url)
  // A socket on 0.0.0.0 also has this address.
  const answersElsewhere = () =>
    fetch(`http://127.0.0.2:${port}/api/auth/config`).then(
      ({ status }) => status === 200,
      () => false
    )
  const info = await ann.call<DnsInfo>('GET', '/system/dns-info')
  expect(info.records).toContainEqual(expect.objectContaining({ name: panelDomain, value: '127.0.0.1' }))
  const refused = await bob.request('POST', '/domains', { hostname: panelDomain })
  expect(refused).toMatchObject({ status: 409, body: { code: 'HOSTNAME_RESERVED' } })
  expect(JSON.parse((await panel.visit(panelDomain, '/api/health')).body)).toHaveProperty('parts')
  expect(await answersElsewhere()).toBe(true)

  const { id } = await environment.addManaged(panelDomain)
  const certificate = await environment.provision(id)
  expect(certificate).toMatchObject({ status: 'ACTIVE', errorMessage: null })
  await environment.untilServed(panelDomain, certificate)
  expect(await environment.shakeHands(panelDomain)).toMatchObject({ isTrusted: true })
  const page = await visitSecurely(panel.proxyHttpsPort, panelDomain, '/api/health')
  expect(JSON.parse(page.body)).toHaveProperty('parts')
  const redirect = await until(
    () => panel.visit(panelDomain, '/api/health?x'),
    ({ status }) => status === 301
  )
  expect(redirect.headers.location).toBe(`https://${panelDomain}/api/health?x`)

  await settings(id, { forceHttps: false })
  expect(await panel.visit(panelDomain, '/api/auth/config')).toMatchObject({ status: 301 })
  await until(answersElsewhere, (answers) => !answers)
  const { email } = await ann.call<{ email: string }>('GET', '/auth/me')

  const signIn = { body: { email, password: 'correct horse battery' } }
  const answer = await visitSecurely(panel.proxyHttpsPort, panelDomain, '/api/auth/login', signIn)
  expect(answer.headers['strict-transport-security']).toBe('max-age=31536000')
  const [cookie = ''] = answer.headers['set-cookie'] ?? []
  expect(cookie).toMatch(/^__Host-panel_session=[^;]{43}; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  const own = cookie.split(';')[0]!
  const planted = own.replace('__Host-', '')
  const me = async (headers: Record<string, string>) =>
    (await visitSecurely(panel.proxyHttpsPort, panelDomain, '/api/auth/me', { headers })).status
  expect([await me({ cookie: `${planted}; ${own}` }), await me({ cookie: planted })]).toEqual([200, 401])

  const address = `https://${panelDomain}:${panel.proxyHttpsPort}`
  const here = (_host: string, options: { all?: boolean }, found: (...values: unknown[]) => void) =>
    options.all ? found(null, [{ address: '127.0.0.1', family: 4 }]) : found(null, '127.0.0.1', 4)
  const agent = new Agent({ lookup: here as never, rejectUnauthorized: false })
  const live = liveTestClients(() => address)
  const viaProxy = (transport: 'websocket' | 'polling', origin = `https://${panelDomain}`) =>
    live.connect({ cookie: own, origin }, { transports: [transport], agent: agent as never, rejectUnauthorized: false })
  const watchers = await Promise.all([viaProxy('websocket'), viaProxy('polling')])
  await expect(viaProxy('websocket', 'https://elsewhere.example')).rejects.toThrow()
  await ann.createProject({ type: 'STATIC' })
  for (const watcher of watchers)
    await expect.poll(() => watcher.of('changed')).toContainEqual(expect.objectContaining({ type: 'project' }))
  const gone = watchers.map(({ socket }) => new Promise((resolve) => socket.once('disconnect', resolve)))
  const signOut = { body: {}, headers: { cookie: own, origin: `https://${panelDomain}` } }
  expect((await visitSecurely(panel.proxyHttpsPort, panelDomain, '/api/auth/logout', signOut)).status).toBe(200)
  await Promise.all(gone)
  live.close()

  await panel.kill()
  await panel.start()
  expect(await answersElsewhere()).toBe(false)
  expect((await ann.request('GET', '/auth/me')).status).toBe(200)
})
