import { Agent } from 'node:https'
import type { Certificate } from '@panel/contract/certificates'
import type { DnsInfo } from '@panel/contract/system'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { liveTestClients } from '../../packages/server/test/support/live.ts'
import { type CertificateEnvironment, startCertificateEnvironment } from '../support/certificate-environment.ts'
import { until } from '../support/poll.ts'
import { keepShakingHands, openHttp2, visitSecurely } from '../support/tls-clients.ts'

/** A panel without a HOST of its own, whose authority requires an external account. */
let environment: CertificateEnvironment
const panelDomain = 'panel.hosting.test'
const externalAccount = { kid: 'kid-1', hmacKey: 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W' }
const eab = { [externalAccount.kid]: externalAccount.hmacKey }
const daySeconds = 24 * 3600

beforeAll(async () => {
  environment = await startCertificateEnvironment({
    env: {
      PANEL_DOMAIN: panelDomain,
      HOST: '',
      ACME_EAB_KID: externalAccount.kid,
      ACME_EAB_HMAC_KEY: externalAccount.hmacKey
    },
    pebble: { eab }
  })
})
afterAll(() => environment?.close())
afterEach(() => environment.front.use(environment.pebble))

async function addCertified() {
  const { id, hostname } = await environment.addManaged()
  const certificate = await environment.provision(id)
  expect(certificate).toMatchObject({ errorMessage: null })
  await environment.untilServed(hostname, certificate)
  return { id, hostname, certificate }
}

const untilRenewed = (domainId: string, previous: Certificate) =>
  until(
    () => environment.certificateOf(domainId),
    ({ status, serialNumber }) => status !== 'PENDING' && serialNumber !== previous.serialNumber,
    240_000
  )

const daysBetween = (from: string | null, to: string | null) =>
  (Date.parse(to ?? '') - Date.parse(from ?? '')) / (daySeconds * 1000)

describe('a renewal', () => {
  test('runs automatically without downtime', async () => {
    const { id, hostname, certificate } = await addCertified()
    const { panel } = environment
    // One third of the lifetime, up to a tenth earlier.
    const life = daysBetween(certificate.validFrom, certificate.validTo)
    const left = daysBetween(certificate.nextRenewalAt, certificate.validTo)
    expect(left).toBeGreaterThanOrEqual(life / 3 - 0.001)
    expect(left).toBeLessThanOrEqual(life / 3 + life / 10 + 0.001)

    const session = await openHttp2(panel.proxyHttpsPort, hostname)
    const visitors = keepShakingHands(panel.proxyHttpsPort, hostname)
    await environment.makeDue(id)
    // The proxy closes connections that are idle for a minute.
    const asking = setInterval(() => void session.get('/').catch(() => {}), 5_000)
    const renewed = await untilRenewed(id, certificate).finally(() => clearInterval(asking))
    expect(renewed).toMatchObject({ id: certificate.id, status: 'ACTIVE', errorMessage: null })
    await environment.untilServed(hostname, renewed)
    const before = visitors.count()
    await until(
      async () => visitors.count(),
      (count) => count > before + 10
    )
    await visitors.stop()
    expect(visitors.failures).toEqual([])
    expect(visitors.serials).toEqual([certificate.serialNumber, renewed.serialNumber])
    expect((await environment.shakeHands(hostname)).isTrusted).toBe(true)

    expect(session.serial).toBe(certificate.serialNumber)
    expect((await session.get('/')).status).toBe(404)
    session.close()
    expect(Date.parse(renewed.nextRenewalAt!)).toBeGreaterThan(Date.now())
    expect(Date.parse(renewed.lastRenewedAt!)).toBeGreaterThan(Date.parse(certificate.lastRenewedAt!))
  })

  test('of a certificate with 30 seconds lifetime runs automatically', async () => {
    environment.front.use(await environment.anotherPebble({ eab, validitySeconds: 30 }))
    const { id, hostname, certificate } = await addCertified()
    expect(certificate.status).toBe('EXPIRING_SOON')
    expect(Date.parse(certificate.nextRenewalAt!)).toBeLessThan(Date.parse(certificate.validTo!))
    environment.front.use(environment.pebble)
    const renewed = await untilRenewed(id, certificate)
    expect(renewed).toMatchObject({ status: 'ACTIVE', errorMessage: null })
    await environment.untilServed(hostname, renewed)
  })
})

test('with the authority down keeps the old certificate and succeeds later', async () => {
  const pebble = await environment.anotherPebble({ eab })
  environment.front.use(pebble)
  const { id, hostname, certificate } = await addCertified()
  await pebble.kill()
  await environment.ann.call('POST', `/domains/${id}/ssl/renew`)
  const failed = await environment.orderEnded(id)
  expect(failed).toMatchObject({ status: 'ACTIVE', serialNumber: certificate.serialNumber, autoRenew: true })
  expect(failed.errorMessage).toMatch(/authority/i)
  expect(Date.parse(failed.nextRenewalAt!)).toBeGreaterThan(Date.now())
  await environment.untilServed(hostname, certificate)
  expect((await environment.panel.visit(hostname)).status).toBe(301)

  await pebble.start()
  await environment.makeDue(id)
  const renewed = await untilRenewed(id, certificate)
  expect(renewed).toMatchObject({ status: 'ACTIVE', errorMessage: null })
  await environment.untilServed(hostname, renewed)
  expect((await environment.shakeHands(hostname, await pebble.rootPem())).isTrusted).toBe(true)
})

test('an administrator orders a certificate for the panel, which is then HTTPS only', async () => {
  const { ann, panel } = environment
  const bob = await panel.signUp()
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

  await ann.call('PATCH', `/domains/${id}/ssl/settings`, { forceHttps: false })
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
