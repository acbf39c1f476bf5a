import type { Certificate, CertificateAlerts } from '@panel/contract/certificates'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { authorityAt } from './acme.harness.ts'
import { type CertificateEnvironment, startCertificateEnvironment } from '../support/certificate-environment.ts'
import { until } from '../support/poll.ts'
import { keepShakingHands, openHttp2 } from '../support/tls-clients.ts'

let environment: CertificateEnvironment
const externalAccount = { kid: 'kid-1', hmacKey: 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W' }
const eab = { [externalAccount.kid]: externalAccount.hmacKey }
const daySeconds = 24 * 3600

beforeAll(async () => {
  environment = await startCertificateEnvironment({
    env: { ACME_EAB_KID: externalAccount.kid, ACME_EAB_HMAC_KEY: externalAccount.hmacKey },
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

const alertsOf = async (domainId: string) => {
  const { alerts } = await environment.ann.call<CertificateAlerts>('GET', '/domains/ssl/alerts')
  return alerts.filter((alert) => alert.domainId === domainId)
}

const failuresOf = async (domainId: string) => {
  const rows = await environment.panel.query<{ failures: number }>(
    'select failures from certificates where domain_id = $1',
    [domainId]
  )
  return rows[0]?.failures
}

const daysBetween = (from: string | null, to: string | null) =>
  (Date.parse(to ?? '') - Date.parse(from ?? '')) / (daySeconds * 1000)

test('an account is bound to an external one where the authority takes no other', async () => {
  const unbound = authorityAt(environment.pebble).order({
    hostnames: ['shop.test'],
    challengeType: 'http-01',
    signal: new AbortController().signal,
    onOrder: async () => {},
    publish: async () => {},
    unpublish: async () => {}
  })
  await expect(unbound).rejects.toMatchObject({ kind: 'refused' })
  const { certificate } = await addCertified()
  expect(certificate.status).toBe('ACTIVE')
})

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

  test('can be requested; an expiring certificate is reported until then', async () => {
    environment.front.use(await environment.anotherPebble({ eab, validitySeconds: 5 * daySeconds }))
    const { id, hostname, certificate } = await addCertified()
    expect(certificate).toMatchObject({ status: 'EXPIRING_SOON', errorMessage: null })
    expect(await alertsOf(id)).toMatchObject([{ hostname, reason: 'EXPIRING_SOON', daysLeft: 4 }])
    environment.front.use(environment.pebble)
    const requested = await environment.ann.request('POST', `/domains/${id}/ssl/renew`)
    expect(requested).toMatchObject({
      status: 202,
      body: { status: 'PENDING', serialNumber: certificate.serialNumber }
    })
    const renewed = await environment.orderEnded(id)
    expect(renewed.status).toBe('ACTIVE')
    await environment.untilServed(hostname, renewed)
    expect(await alertsOf(id)).toEqual([])
  })

  test('is planned only while autoRenew is on', async () => {
    const { id, certificate } = await addCertified()
    const set = (autoRenew: boolean) =>
      environment.ann.call<Certificate>('PATCH', `/domains/${id}/ssl/settings`, { autoRenew })
    expect(await set(false)).toMatchObject({ autoRenew: false, nextRenewalAt: null })
    expect(await set(true)).toMatchObject({ autoRenew: true, nextRenewalAt: certificate.nextRenewalAt })
  })
})

test('with the authority down keeps the old certificate, reports the second failure and succeeds later', async () => {
  const pebble = await environment.anotherPebble({ eab })
  environment.front.use(pebble)
  const { id, hostname, certificate } = await addCertified()
  await pebble.kill()

  const renew = async () => {
    await environment.ann.call('POST', `/domains/${id}/ssl/renew`)
    return environment.orderEnded(id)
  }
  const failed = await renew()
  expect(failed).toMatchObject({ status: 'ACTIVE', serialNumber: certificate.serialNumber, autoRenew: true })
  expect(failed.errorMessage).toMatch(/authority/i)
  expect(Date.parse(failed.nextRenewalAt!)).toBeGreaterThan(Date.now())
  expect(await failuresOf(id)).toBe(1)
  expect(await alertsOf(id)).toEqual([])

  const again = await renew()
  expect(await failuresOf(id)).toBe(2)
  expect(await alertsOf(id)).toMatchObject([{ hostname, reason: 'RENEWAL_FAILING', status: 'ACTIVE' }])
  expect(Date.parse(again.nextRenewalAt!)).toBeGreaterThan(Date.parse(failed.nextRenewalAt!))
  await environment.untilServed(hostname, certificate)
  expect((await environment.panel.visit(hostname)).status).toBe(301)

  await pebble.start()
  await environment.makeDue(id)
  const renewed = await untilRenewed(id, certificate)
  expect(renewed).toMatchObject({ status: 'ACTIVE', errorMessage: null })
  expect(await failuresOf(id)).toBe(0)
  expect(await alertsOf(id)).toEqual([])
  await environment.untilServed(hostname, renewed)
  expect((await environment.shakeHands(hostname, await pebble.rootPem())).isTrusted).toBe(true)
})
