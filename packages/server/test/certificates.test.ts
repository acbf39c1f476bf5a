import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eq } from 'drizzle-orm'
import { pino } from 'pino'
import type { Certificate, CertificateAlerts, CertificateStatus } from '@panel/contract/certificates'
import type { ErrorBody } from '@panel/contract/errors'
import { acmeChallenges } from '../src/db/schema/acme-challenges.ts'
import { certificates } from '../src/db/schema/certificates.ts'
import { notifyExpiring } from '../src/features/certificates/alerts.service.ts'
import { notifications } from '../src/db/schema/notifications.ts'
import { evaluateExpiries } from '../src/features/certificates/renewal.jobs.ts'
import { evaluateExpiry } from '../src/features/domains/certificate-expiry.policy.ts'
import {
  certificateSource,
  syncCertificates,
  reconcileCertificates
} from '../src/features/certificates/served-certificates.service.ts'
import { CertificateRefusedError } from '../src/infra/reverse-proxy/reverse-proxy.ts'
import { createMemoryReverseProxy } from './fakes/memory-reverse-proxy.ts'
import { createSelfSigned } from '../src/infra/x509/self-signed.ts'
import { newId } from '../src/security/ids.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

const dayMs = 24 * 3600 * 1000
const proxy = createMemoryReverseProxy()
const logged: string[] = []
const clock: { at: Date | undefined } = { at: undefined }
const now = () => clock.at ?? new Date()
let panel: TestPanel
let ann: Client
let bob: Client
const answers: string[] = []
beforeAll(async () => {
  const logger = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) })
  panel = await createTestPanel({}, { proxy, logger, now })
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
})
afterAll(() => panel.close())
beforeEach(() => {
  clock.at = undefined
  proxy.fail = false
})

let names = 0
async function newDomain(client = ann, hostname = `shop${++names}.example.com`, values: object = {}) {
  const created = await client.request('POST', '/api/domains', { hostname, ...values })
  expect(created.statusCode).toBe(201)
  const { id, status } = created.json<{ id: string; status: string }>()
  if (status === 'PENDING') await client.request('POST', `/api/domains/${id}/verify?mock=true`)
  return { id, hostname }
}
async function call(client: Client, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) {
  const answer = await client.request(method, url, payload)
  answers.push(answer.body)
  return answer
}
const get = (id: string, client = ann) => call(client, 'GET', `/api/domains/${id}/ssl`)
const requestAction = (id: string, action: 'provision' | 'renew' | 'upload', payload?: object, client = ann) =>
  call(client, 'POST', `/api/domains/${id}/ssl/${action}`, payload)
const change = (id: string, settings: object, client = ann) =>
  call(client, 'PATCH', `/api/domains/${id}/ssl/settings`, settings)
const remove = (id: string, client = ann) => call(client, 'DELETE', `/api/domains/${id}/ssl`)
const outcome = (answer: { statusCode: number; json(): unknown }) => [
  answer.statusCode,
  (answer.json() as ErrorBody).code
]
const certificateOf = async (id: string, client = ann) => (await get(id, client)).json<Certificate>()
const row = async (domainId: string) =>
  (await panel.deps.db.select().from(certificates).where(eq(certificates.domainId, domainId)))[0]!
const servedFor = (hostname: string) =>
  [...proxy.certificates.values()].filter((certificate) => certificate.hostnames.includes(hostname))
const selfSigned = async (hostname: string, at = now(), days = 30) => {
  const { chain, keyPem } = await createSelfSigned([hostname], { now: at, days })
  return { certificate: chain, privateKey: keyPem }
}

describe('provision', () => {
  test('creates a self-signed certificate immediately if no authority is used', async () => {
    const { id, hostname } = await newDomain()
    const answer = await requestAction(id, 'provision')
    expect(answer.statusCode).toBe(200)
    const certificate = answer.json<Certificate>()
    expect(certificate).toMatchObject({
      domainId: id,
      type: 'SELF_SIGNED',
      status: 'ACTIVE',
      commonName: hostname,
      sans: [hostname],
      autoRenew: true,
      forceHttps: true,
      certPath: null,
      keyPath: null,
      errorMessage: null
    })
    const lifeMs = Date.parse(certificate.validTo!) - Date.parse(certificate.validFrom!)
    expect(Math.round(lifeMs / dayMs)).toBe(90)
    expect(Date.parse(certificate.nextRenewalAt!)).toBeLessThan(Date.parse(certificate.validTo!) - lifeMs / 3 + 1)
    expect((await get(id)).json()).toEqual(certificate)
    const [served] = servedFor(hostname)
    expect(served).toMatchObject({ id: certificate.id, hostnames: [hostname] })
    expect(proxy.routes.get(`${hostname}/`)).toMatchObject({ forceHttps: true })
    const domain = (await ann.request('GET', `/api/domains/${id}`)).json()
    const { status, validTo } = certificate
    expect(domain).toMatchObject({ sslEnabled: true, certificate: { status, validTo } })
    const listed = (await ann.request('GET', `/api/domains?search=${hostname}`)).json()
    expect(listed).toEqual([expect.objectContaining({ sslEnabled: true, certificate: { status, validTo } })])
  })

  test('of a wildcard covers only the wildcard', async () => {
    const { id } = await newDomain(ann, '*.wild.example.com')
    expect((await requestAction(id, 'provision')).json()).toMatchObject({
      type: 'SELF_SIGNED',
      sans: ['*.wild.example.com']
    })
  })

  test('again creates a new one', async () => {
    const { id, hostname } = await newDomain()
    const before = (await requestAction(id, 'provision')).json<Certificate>()
    const after = (await requestAction(id, 'provision')).json<Certificate>()
    expect(after).toMatchObject({ id: before.id, type: 'SELF_SIGNED', status: 'ACTIVE' })
    expect(after.serialNumber).not.toBe(before.serialNumber)
    expect(servedFor(hostname)).toHaveLength(1)
  })

  test('requires a verified domain', async () => {
    const created = await ann.request('POST', '/api/domains', { hostname: 'unverified.example.com' })
    const { id } = created.json<{ id: string }>()
    expect(outcome(await requestAction(id, 'provision'))).toEqual([409, 'DOMAIN_NOT_ACTIVE'])
    expect(outcome(await requestAction(id, 'upload', { certificate: 'x', privateKey: 'y' }))).toEqual([
      409,
      'DOMAIN_NOT_ACTIVE'
    ])
    expect(outcome(await get(id))).toEqual([404, 'NOT_FOUND'])
  })

  test('is per hostname: its paths share the certificate', async () => {
    const whole = await newDomain()
    const path = await newDomain(ann, whole.hostname, { pathPrefix: '/app' })
    for (const answer of [
      await requestAction(path.id, 'provision'),
      await requestAction(path.id, 'upload', await selfSigned(whole.hostname))
    ]) {
      expect(outcome(answer)).toEqual([409, 'CERTIFICATE_EXISTS'])
      expect(answer.json().error).toContain(whole.id)
    }
    expect((await requestAction(whole.id, 'provision')).statusCode).toBe(200)
    expect(proxy.routes.get(`${whole.hostname}/app/`)).toMatchObject({ forceHttps: true })
  })

  test('of two paths at once, one succeeds', async () => {
    const one = await newDomain(ann, undefined, { pathPrefix: '/one' })
    const other = await newDomain(ann, one.hostname)
    const statuses = await Promise.all(
      [one, other].map(async ({ id }) => (await requestAction(id, 'provision')).statusCode)
    )
    expect(statuses.sort()).toEqual([200, 409])
  })

  test('works while the proxy is down, which is updated later', async () => {
    const { id, hostname } = await newDomain()
    proxy.fail = true
    expect((await requestAction(id, 'provision')).statusCode).toBe(200)
    proxy.fail = false
    expect(servedFor(hostname)).toEqual([])
    expect(await syncCertificates(panel.deps)).toBe(true)
    expect(servedFor(hostname)).toHaveLength(1)
  })
})

describe('renew', () => {
  test('creates a new self-signed one immediately', async () => {
    const { id, hostname } = await newDomain()
    await requestAction(id, 'provision')
    const before = servedFor(hostname)[0]!.fingerprint
    const answer = await requestAction(id, 'renew')
    expect([answer.statusCode, answer.json<Certificate>().status]).toEqual([200, 'ACTIVE'])
    expect(servedFor(hostname)[0]!.fingerprint).not.toBe(before)
  })

  test('is refused for an uploaded or missing one', async () => {
    const { id, hostname } = await newDomain()
    expect(outcome(await requestAction(id, 'renew'))).toEqual([404, 'NOT_FOUND'])
    await requestAction(id, 'upload', await selfSigned(hostname))
    expect(outcome(await requestAction(id, 'renew'))).toEqual([409, 'CERTIFICATE_NOT_RENEWABLE'])
  })
})

describe('upload', () => {
  test('serves the certificate immediately and does not renew it', async () => {
    const { id, hostname } = await newDomain()
    await requestAction(id, 'provision')
    const upload = await selfSigned(hostname, now(), 30)
    const answer = await requestAction(id, 'upload', upload)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({
      type: 'CUSTOM',
      status: 'ACTIVE',
      commonName: hostname,
      autoRenew: true,
      nextRenewalAt: null
    })
    expect(servedFor(hostname)).toEqual([expect.objectContaining({ chain: upload.certificate })])
  })

  test('with 7 days left or fewer is EXPIRING_SOON', async () => {
    const { id, hostname } = await newDomain()
    expect((await requestAction(id, 'upload', await selfSigned(hostname, now(), 7))).json()).toMatchObject({
      status: 'EXPIRING_SOON'
    })
  })

  test('accepts CRLF and surrounding text', async () => {
    const { id, hostname } = await newDomain()
    const { certificate, privateKey } = await selfSigned(hostname)
    const answer = await requestAction(id, 'upload', {
      certificate: `Subject: '; id #\r\n${certificate.replaceAll('\n', '\r\n')}trailing junk`,
      privateKey: privateKey.replaceAll('\n', '\r\n')
    })
    expect(answer.statusCode).toBe(200)
    expect(servedFor(hostname)[0]).toMatchObject({ chain: certificate, keyPem: privateKey })
  })

  test.each<[string, (hostname: string) => Promise<object>, number, string]>([
    ['no certificate', async (name) => ({ ...(await selfSigned(name)), certificate: 'x' }), 400, 'CERTIFICATE_INVALID'],
    ['no key', async (name) => ({ ...(await selfSigned(name)), privateKey: 'x' }), 400, 'KEY_INVALID'],
    [
      'an encrypted key',
      async (name) => ({
        ...(await selfSigned(name)),
        privateKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
          type: 'pkcs8',
          format: 'pem',
          cipher: 'aes-256-cbc',
          passphrase: 'secret'
        })
      }),
      400,
      'KEY_INVALID'
    ],
    [
      'another key',
      async (name) => ({ ...(await selfSigned(name)), privateKey: (await selfSigned(name)).privateKey }),
      400,
      'KEY_MISMATCH'
    ],
    [
      'a stranger in the chain',
      async (name) => {
        const { certificate, privateKey } = await selfSigned(name)
        return { certificate: certificate + (await selfSigned('stranger.example')).certificate, privateKey }
      },
      400,
      'CHAIN_INVALID'
    ],
    ['an old one', async (name) => selfSigned(name, new Date(Date.now() - 2 * dayMs), 1), 400, 'CERTIFICATE_EXPIRED'],
    ['another name', async () => selfSigned('other.example'), 400, 'CERTIFICATE_HOST_MISMATCH'],
    ['nothing', async () => ({}), 400, 'VALIDATION_ERROR'],
    ['too much', async () => ({ certificate: 'x'.repeat(70_000), privateKey: 'y' }), 400, 'VALIDATION_ERROR'],
    ['far too much', async () => ({ certificate: 'x'.repeat(5_000_000), privateKey: 'y' }), 413, 'PAYLOAD_TOO_LARGE']
  ])('refuses %s and keeps the old one', async (_name, make, status, code) => {
    const { id, hostname } = await newDomain()
    await requestAction(id, 'provision')
    const before = await certificateOf(id)
    expect(outcome(await requestAction(id, 'upload', await make(hostname)))).toEqual([status, code])
    expect(await certificateOf(id)).toEqual(before)
  })
})

describe('settings', () => {
  test('toggle the redirect immediately', async () => {
    const { id, hostname } = await newDomain()
    await requestAction(id, 'provision')
    const off = await change(id, { forceHttps: false })
    expect([off.statusCode, off.json<Certificate>().forceHttps]).toEqual([200, false])
    expect(proxy.routes.get(`${hostname}/`)).toMatchObject({ forceHttps: false })
    await change(id, { forceHttps: true })
    expect(proxy.routes.get(`${hostname}/`)).toMatchObject({ forceHttps: true })
  })

  test('toggle automatic renewal', async () => {
    const { id } = await newDomain()
    const { nextRenewalAt } = (await requestAction(id, 'provision')).json<Certificate>()
    expect((await change(id, { autoRenew: false })).json()).toMatchObject({ autoRenew: false, nextRenewalAt: null })
    expect((await requestAction(id, 'renew')).json()).toMatchObject({ autoRenew: false, nextRenewalAt: null })
    const on = (await change(id, { autoRenew: true })).json<Certificate>()
    expect(on.autoRenew).toBe(true)
    expect(Math.abs(Date.parse(on.nextRenewalAt!) - Date.parse(nextRenewalAt!))).toBeLessThan(dayMs)
    expect((await change(id, { forceHttps: false })).json()).toMatchObject({ nextRenewalAt: on.nextRenewalAt })
  })

  test('do not affect renewal of an uploaded one', async () => {
    const { id, hostname } = await newDomain()
    await requestAction(id, 'upload', await selfSigned(hostname))
    await change(id, { autoRenew: false })
    expect((await change(id, { autoRenew: true })).json()).toMatchObject({ autoRenew: true, nextRenewalAt: null })
  })

  test.each([{}, { forceHttps: 'yes' }, { autoRenew: null }, { other: true }])('refuses %j', async (settings) => {
    const { id } = await newDomain()
    expect(outcome(await change(id, settings))).toEqual([400, 'VALIDATION_ERROR'])
    await requestAction(id, 'provision')
    expect(outcome(await change(id, settings))).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('without a certificate are 404', async () => {
    const { id } = await newDomain()
    expect(outcome(await change(id, { autoRenew: false }))).toEqual([404, 'NOT_FOUND'])
  })
})

describe('delete', () => {
  test('removes certificate and redirect', async () => {
    const { id, hostname } = await newDomain()
    await requestAction(id, 'provision')
    const answer = await remove(id)
    expect([answer.statusCode, answer.json()]).toEqual([200, { message: expect.stringContaining(hostname) }])
    expect(servedFor(hostname)).toEqual([])
    expect(proxy.routes.get(`${hostname}/`)).toMatchObject({ forceHttps: false })
    expect(outcome(await get(id))).toEqual([404, 'NOT_FOUND'])
    expect(outcome(await remove(id))).toEqual([404, 'NOT_FOUND'])
    expect((await ann.request('GET', `/api/domains/${id}`)).json()).toMatchObject({
      sslEnabled: false,
      certificate: null
    })
  })

  test('of the domain removes the certificate', async () => {
    const { id, hostname } = await newDomain()
    await requestAction(id, 'provision')
    expect((await ann.request('DELETE', `/api/domains/${id}`)).statusCode).toBe(204)
    expect(servedFor(hostname)).toEqual([])
    expect(await row(id)).toBeUndefined()
  })
})

describe('access', () => {
  const calls = (id: string): ['GET' | 'POST' | 'PATCH' | 'DELETE', string, object?][] => [
    ['GET', `/api/domains/${id}/ssl`],
    ['POST', `/api/domains/${id}/ssl/provision`],
    ['POST', `/api/domains/${id}/ssl/upload`, { certificate: 'x', privateKey: 'y' }],
    ['POST', `/api/domains/${id}/ssl/renew`],
    ['PATCH', `/api/domains/${id}/ssl/settings`, { autoRenew: false }],
    ['DELETE', `/api/domains/${id}/ssl`]
  ]

  test('requires a session', async () => {
    const { id } = await newDomain()
    for (const [method, url, payload] of [...calls(id), ['GET', '/api/domains/ssl/alerts'] as const]) {
      const answer = await panel.app.inject({ method, url, ...(payload ? { payload } : {}) })
      expect([url, ...outcome(answer)]).toEqual([url, 401, 'UNAUTHENTICATED'])
    }
  })

  test('others, including administrators, get 404', async () => {
    const { id } = await newDomain(bob)
    expect((await requestAction(id, 'provision', undefined, bob)).statusCode).toBe(200)
    const before = await certificateOf(id, bob)
    for (const domainId of [id, newId()])
      for (const [method, url, payload] of calls(domainId))
        expect([url, ...outcome(await call(ann, method, url, payload))]).toEqual([url, 404, 'NOT_FOUND'])
    expect(await certificateOf(id, bob)).toEqual(before)
  })
})

test('requests, uploads and removals are audited without secrets', async () => {
  const { id, hostname } = await newDomain()
  await requestAction(id, 'provision')
  await requestAction(id, 'upload', await selfSigned(hostname))
  await remove(id)
  const entries = await panel.audited({ targetId: id })
  expect(entries.map((entry) => entry.action).filter((action) => action.startsWith('certificate'))).toEqual([
    'certificate.requested',
    'certificate.uploaded',
    'certificate.removed'
  ])
})

describe('expiry', () => {
  const statuses: [number, CertificateStatus][] = [
    [-90 * dayMs, 'ACTIVE'],
    [-7 * dayMs - 1000, 'ACTIVE'],
    [-7 * dayMs, 'EXPIRING_SOON'],
    [-1000, 'EXPIRING_SOON'],
    [0, 'EXPIRED'],
    [90 * dayMs, 'EXPIRED']
  ]

  test('is the same in SQL and policy and shown immediately', async () => {
    const { id } = await newDomain()
    await requestAction(id, 'provision')
    const { validTo } = await row(id)
    for (const [offsetMs, status] of statuses) {
      clock.at = new Date(validTo!.getTime() + offsetMs)
      await evaluateExpiries(panel.deps)
      const found = await row(id)
      expect([offsetMs, found.status, found.lastCheckedAt]).toEqual([offsetMs, status, clock.at])
      for (const other of ['PENDING', 'ERROR'] as const) expect(evaluateExpiry(other, validTo, now())).toBe(other)
    }
    clock.at = undefined
    // The cached state predates the clock change.
    expect((await certificateOf(id)).status).toBe('ACTIVE')
  })

  test('is notified weekly to the owner', async () => {
    const { id, hostname } = await newDomain()
    await requestAction(id, 'provision')
    const { validTo } = await row(id)
    const notifiedAt = async (days: number) => {
      clock.at = new Date(validTo!.getTime() + days * dayMs)
      await notifyExpiring(panel.deps)
      const notified = await panel.deps.db.select().from(notifications).where(eq(notifications.subjectName, hostname))
      return notified.length
    }
    const days = [-8, -7, -6, -1, 0.5, 1, 7.6, 13, 15, 40]
    const counts: number[] = []
    for (const day of days) counts.push(await notifiedAt(day))
    expect(counts).toEqual([0, 1, 1, 1, 2, 2, 3, 3, 3, 3])
    clock.at = undefined
  })

  test('does not change an order or a failure', async () => {
    for (const status of ['PENDING', 'ERROR'] as const) {
      const { id } = await newDomain()
      await requestAction(id, 'provision')
      await panel.deps.db
        .update(certificates)
        .set({ status, validTo: new Date(Date.now() - dayMs) })
        .where(eq(certificates.domainId, id))
      await evaluateExpiries(panel.deps)
      expect((await row(id)).status).toBe(status)
    }
  })
})

test('alerts: own certificates, earliest expiry first', async () => {
  const carol = await panel.signUp('carol')
  const withEnd = async (days: number | null, values: object = {}) => {
    const domain = await newDomain(carol)
    await requestAction(domain.id, 'provision', undefined, carol)
    await panel.deps.db
      .update(certificates)
      .set({ ...(days === null ? {} : { validTo: new Date(Date.now() + days * dayMs) }), ...values })
      .where(eq(certificates.domainId, domain.id))
    return domain.hostname
  }
  const noValue = { chain: null, encryptedKey: null, validTo: null }
  const [failed, soon, expired, sooner, failing] = [
    await withEnd(null, { ...noValue, status: 'ERROR', failures: 1, errorMessage: 'No address' }),
    await withEnd(6.5),
    await withEnd(-3.5),
    await withEnd(1.5),
    await withEnd(20, { failures: 2, errorMessage: 'No address' })
  ]
  await withEnd(60)
  await withEnd(20, { failures: 1 })
  const alertsOf = async (client: Client) =>
    (await call(client, 'GET', '/api/domains/ssl/alerts')).json<CertificateAlerts>()
  const { checked, alerts } = await alertsOf(carol)
  expect(checked).toBe(7)
  expect(alerts.map(({ hostname, status, reason, daysLeft }) => [hostname, status, reason, daysLeft])).toEqual([
    [expired, 'EXPIRED', 'EXPIRED', -4],
    [sooner, 'EXPIRING_SOON', 'EXPIRING_SOON', 1],
    [soon, 'EXPIRING_SOON', 'EXPIRING_SOON', 6],
    [failing, 'ACTIVE', 'RENEWAL_FAILING', 19],
    [failed, 'ERROR', 'ISSUANCE_FAILED', null]
  ])
  const dave = await panel.signUp('dave')
  expect(await alertsOf(dave)).toMatchObject({ checked: 0, alerts: [] })
})

describe('the challenge path', () => {
  const token = 'LoqXcYV8q5ONbJQxbmR7SCTNo3tiAXDfowyjxAjEuX0'
  const ask = (path: string, host = 'anything.example.com') =>
    panel.app.inject({ url: `/.well-known/acme-challenge/${path}`, headers: { host } })

  test('returns a token under every hostname', async () => {
    const { id } = await newDomain()
    await panel.deps.db
      .insert(acmeChallenges)
      .values({ token, domainId: id, type: 'http-01', value: `${token}.thumbprint` })
    const answer = await ask(token)
    expect([answer.statusCode, answer.body]).toEqual([200, `${token}.thumbprint`])
    expect(answer.headers['content-type']).toMatch(/^text\/plain/)
    expect((await panel.app.inject({ method: 'HEAD', url: `/.well-known/acme-challenge/${token}` })).statusCode).toBe(
      200
    )
  })

  test('returns nothing else, and no zone value', async () => {
    const { id } = await newDomain()
    const dnsToken = newId()
    await panel.deps.db
      .insert(acmeChallenges)
      .values({ token: dnsToken, domainId: id, type: 'dns-01', name: '_acme-challenge.a.example', value: 'secret' })
    for (const path of [
      dnsToken,
      'x'.repeat(43),
      'short',
      `${token}.`,
      '%00'.repeat(20),
      "x'%20or%201=1--".padEnd(40, 'x')
    ])
      expect([path, (await ask(path)).statusCode]).toEqual([path, 404])
  })
})

describe('the proxy', () => {
  test('gets exactly what is stored', async () => {
    const { id, hostname } = await newDomain()
    await requestAction(id, 'provision')
    proxy.certificates.clear()
    const { id: certificateId } = await row(id)
    const served = await certificateSource(panel.deps).load(certificateId)
    proxy.certificates.set('stranger', { ...served!, id: 'stranger' })
    expect(await syncCertificates(panel.deps)).toBe(true)
    expect(await syncCertificates(panel.deps)).toBe(false)
    expect(proxy.certificates.has('stranger')).toBe(false)
    expect(servedFor(hostname)).toHaveLength(1)
  })

  test('is retried by the reconcile loop only if it was down', async () => {
    proxy.fail = true
    await expect(reconcileCertificates(panel.deps)).rejects.toThrow()
    proxy.fail = false
    proxy.certificates.clear()
    await reconcileCertificates(panel.deps)
    expect(proxy.certificates.size).toBeGreaterThan(0)
    const refusing = {
      ...proxy,
      syncCertificates: () => Promise.reject(new CertificateRefusedError('a bad one'))
    }
    await expect(reconcileCertificates({ ...panel.deps, proxy: refusing })).resolves.toBeUndefined()
  })

  test('gets certificates of existing domains before it starts', async () => {
    const { id, hostname } = await newDomain()
    await requestAction(id, 'upload', await selfSigned(hostname))
    const empty = await newDomain()
    await requestAction(empty.id, 'provision')
    await panel.deps.db.update(certificates).set({ chain: null }).where(eq(certificates.domainId, empty.id))
    const source = certificateSource(panel.deps)
    const versions = new Map((await source.list()).map((version) => [version.id, version.fingerprint]))
    const stored = await row(id)
    expect(versions.get(stored.id)).toBe(stored.fingerprint)
    expect(versions.has((await row(empty.id)).id)).toBe(false)
    expect(await source.load(stored.id)).toMatchObject({ hostnames: [hostname], chain: stored.chain })
    expect(await source.load((await row(empty.id)).id)).toBeUndefined()
    expect(await source.load('nothing')).toBeUndefined()
  })
})

test('no key was in a response, log or the database', async () => {
  expect(answers.length).toBeGreaterThan(100)
  const { rows } = await panel.deps.db.$client.query<{ text: string }>(
    `select certificates::text as text from certificates union all select audit_log::text from audit_log
     union all select audit_pending::text from audit_pending
     union all select job::text from pgboss.job`
  )
  const texts = [...answers, ...logged, ...rows.map(({ text }) => text)]
  expect(
    texts.filter((text) => /PRIVATE KEY-----(\\n|\s)|MIGHAgEAMBMGByqGSM49|encryptedKey|encrypted_key/.test(text))
  ).toEqual([])
  expect(answers.filter((text) => /BEGIN CERTIFICATE-----\\n|pendingOrder|fingerprint/.test(text))).toEqual([])
})
