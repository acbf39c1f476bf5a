import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eq } from 'drizzle-orm'
import type { Certificate, CertificateAlerts } from '@panel/contract/certificates'
import { acmeChallenges } from '../src/db/schema/acme-challenges.ts'
import { certificateAlertMails } from '../src/db/schema/certificate-alert-mails.ts'
import { certificateOrders } from '../src/db/schema/certificate-orders.ts'
import { dnsZones } from '../src/db/schema/dns-zones.ts'
import { notifyFailure } from '../src/features/certificates/alerts.service.ts'
import { renewDue, sweepOrders } from '../src/features/certificates/renewal.jobs.ts'
import { AcmeError } from '../src/infra/acme/acme.ts'
import { newId } from '../src/security/ids.ts'
import { createCertificateEnvironment, dayMs } from './support/certificates.ts'
import type { Client, TestPanel } from './support/panel.ts'

const environment = createCertificateEnvironment()
const {
  memory,
  authority,
  proxy,
  notified,
  clock,
  now,
  newDomain,
  newWildcard,
  requestAction,
  certificateOf,
  row,
  set,
  challenges,
  orders,
  served,
  requested,
  jobs,
  dropJobs,
  queuedJobs,
  issueNextOf,
  issue,
  provision
} = environment
let panel: TestPanel
let ann: Client
beforeAll(async () => {
  ;({ panel, ann } = await environment.start())
})
afterAll(() => environment.close())
beforeEach(() => environment.reset())

describe('a renewal', () => {
  test('serves the old certificate until the new one is active', async () => {
    const { id, hostname } = await newDomain()
    const first = await provision(id)
    const before = await served(id)
    const answer = await requestAction(id, 'renew')
    expect(answer.statusCode).toBe(202)
    expect(answer.json()).toMatchObject({ status: 'PENDING', serialNumber: first.serialNumber, validTo: first.validTo })
    let during: string | undefined
    authority.order = async (request) => {
      const issued = await memory.order(request)
      during = await served(id)
      expect(proxy.routes.get(`${hostname}/`)).toMatchObject({ forceHttps: true })
      return issued
    }
    await issue(id)
    expect(during).toBe(before)
    expect(await served(id)).not.toBe(before)
    const renewed = await certificateOf(id)
    expect(renewed).toMatchObject({ id: first.id, status: 'ACTIVE' })
    expect(await served(id)).toBe((await row(id)).fingerprint)
    expect(Date.parse(renewed.lastRenewedAt!)).toBeGreaterThanOrEqual(Date.parse(first.lastRenewedAt!))
  })

  test('that fails keeps it, retries and notifies once, on the second failure', async () => {
    const { id, hostname } = await newDomain()
    const first = await provision(id)
    const fingerprint = await served(id)
    const start = new Date(first.nextRenewalAt!)
    memory.failure = new AcmeError('refused', 'DNS problem')
    clock.at = start
    const alerts: unknown[] = []
    const mails: number[] = []
    for (let failures = 1; failures <= 7; failures++) {
      expect(await renewDue(panel.deps)).toBeGreaterThan(0)
      await issue(id)
      const found = await row(id)
      expect(found).toMatchObject({ status: 'ACTIVE', failures, fingerprint, renewAt: expect.any(Date) })
      expect(await served(id)).toBe(fingerprint)
      alerts.push(await jobs('certificates.alert', found.id))
      await dropJobs('certificates.alert')
      await notifyFailure(panel.deps, found.id)
      mails.push((await notified()).length)
      clock.at = found.renewAt!
    }
    expect(alerts).toEqual([[], [{ certificateId: first.id }], [], [], [], [], []])
    expect(mails[0]).toBe(0)
    expect(mails[1]).toBe(1)
    const [notification] = await notified()
    expect(notification).toMatchObject({ userId: ann.user.id, kind: 'certificate-failing', subjectName: hostname })
    expect(notification!.text).toMatch(/failed to renew 2 times.*DNS problem/s)
    clock.at = undefined
    const listed = (await ann.request('GET', '/api/domains/ssl/alerts')).json<CertificateAlerts>().alerts
    expect(listed).toContainEqual(expect.objectContaining({ hostname, reason: 'RENEWAL_FAILING', status: 'ACTIVE' }))

    memory.failure = undefined
    await set(id, { renewAt: now() })
    await renewDue(panel.deps)
    await issue(id)
    expect(await row(id)).toMatchObject({ failures: 0, errorMessage: null, status: 'ACTIVE' })
    const before = (await notified()).length
    await notifyFailure(panel.deps, first.id)
    expect(await notified()).toHaveLength(before)
  })

  test('that fails does not hide the expiry', async () => {
    const { id } = await newDomain()
    const { validTo } = await provision(id)
    memory.failure = new AcmeError('unavailable', 'away')
    for (const [leftMs, status] of [
      [7 * dayMs, 'EXPIRING_SOON'],
      [0, 'EXPIRED']
    ] as const) {
      clock.at = new Date(Date.parse(validTo!) - leftMs)
      await set(id, { renewAt: clock.at })
      await renewDue(panel.deps)
      await issue(id)
      expect((await row(id)).status).toBe(status)
      expect(await served(id)).toBeDefined()
    }
    memory.failure = undefined
    await set(id, { renewAt: now() })
    await renewDue(panel.deps)
    await issue(id)
    expect((await row(id)).status).toBe('ACTIVE')
  })

  test('of a self-signed one creates a self-signed one', async () => {
    const { id } = await newDomain('shop.localhost')
    const before = (await requestAction(id, 'provision')).json<Certificate>()
    expect(before).toMatchObject({ type: 'SELF_SIGNED', status: 'ACTIVE' })
    const count = requested()
    clock.at = new Date(before.nextRenewalAt!)
    await renewDue(panel.deps)
    expect((await row(id)).status).toBe('PENDING')
    await issue(id)
    expect(await row(id)).toMatchObject({ type: 'SELF_SIGNED', status: 'ACTIVE' })
    expect((await row(id)).serialNumber).not.toBe(before.serialNumber)
    expect(requested()).toBe(count)
  })

  test('has its own queue, before new certificates', async () => {
    const bob = await panel.createUser(ann)
    const old = await newDomain(undefined, {}, bob)
    await requestAction(old.id, 'provision', undefined, bob)
    await issueNextOf(bob)
    const { renewAt } = await row(old.id)
    await dropJobs('certificates.issue')
    const fresh = await newDomain(undefined, {}, bob)
    await requestAction(fresh.id, 'provision', undefined, bob)
    clock.at = renewAt!
    await renewDue(panel.deps)
    expect(await queuedJobs(bob)).toEqual({ renew: 1, issue: 1 })
    await dropJobs('certificates.renew')
    await dropJobs('certificates.issue')
    await issueNextOf(bob, 'certificates.issue')
    expect([(await row(old.id)).status, (await row(fresh.id)).status]).toEqual(['PENDING', 'PENDING'])
    expect(await queuedJobs(bob)).toEqual({ renew: 1, issue: 0 })
    await issueNextOf(bob, 'certificates.renew')
    expect([(await row(old.id)).status, (await row(fresh.id)).status]).toEqual(['ACTIVE', 'PENDING'])
    expect((await queuedJobs(bob)).issue).toBe(1)
    await issueNextOf(bob, 'certificates.issue')
    expect((await row(fresh.id)).status).toBe('ACTIVE')
    const users = await panel.deps.db
      .select({ userId: certificateOrders.userId })
      .from(certificateOrders)
      .orderBy(certificateOrders.createdAt)
    expect(users).toEqual([{ userId: bob.user.id }, { userId: null }, { userId: bob.user.id }])
  })

  test('is not done while autoRenew is off', async () => {
    const { id } = await newDomain()
    const { nextRenewalAt } = await provision(id)
    await ann.request('PATCH', `/api/domains/${id}/ssl/settings`, { autoRenew: false })
    clock.at = new Date(Date.parse(nextRenewalAt!) + dayMs)
    await renewDue(panel.deps)
    expect((await row(id)).status).toBe('ACTIVE')
  })

  test('by several workers is started once each, in batches', async () => {
    const made = await Promise.all(Array.from({ length: 12 }, () => newDomain()))
    for (const { id } of made) await requestAction(id, 'provision')
    for (const { id } of made) await issue(id)
    for (const { id } of made) await set(id, { renewAt: now() })
    const counts = await Promise.all([1, 2, 3].map(() => renewDue(panel.deps)))
    expect(counts[0]! + counts[1]! + counts[2]!).toBe(12)
    for (const { id } of made) expect((await row(id)).status).toBe('PENDING')
    expect(await jobs('certificates.issue', ann.user.id)).toHaveLength(1)
  })
})

test('abandoned orders are cleaned up', async () => {
  const { id, zone, zoneId } = await newWildcard()
  const old = new Date(Date.now() - 25 * 3600 * 1000)
  const rows = [
    {
      token: newId(),
      domainId: id,
      type: 'dns-01' as const,
      name: `_acme-challenge.${zone}`,
      value: 'left',
      createdAt: old
    },
    { token: 'x'.repeat(30), domainId: zoneId, type: 'http-01' as const, value: 'left', createdAt: new Date() }
  ]
  await panel.deps.db.insert(acmeChallenges).values(rows)
  await panel.deps.db.insert(certificateOrders).values([
    { id: 'old', hostname: 'old.example', createdAt: new Date(Date.now() - 9 * dayMs) },
    { id: 'new', hostname: 'old.example', createdAt: new Date(Date.now() - 7 * dayMs) }
  ])
  await panel.deps.db.delete(certificateAlertMails)
  await panel.deps.db.insert(certificateAlertMails).values([
    { userId: ann.user.id, hostname: 'old.example', sentAt: new Date(Date.now() - 9 * dayMs) },
    { userId: ann.user.id, hostname: 'new.example', sentAt: new Date() }
  ])
  const revision = async () =>
    (await panel.deps.db.select().from(dnsZones).where(eq(dnsZones.domainId, zoneId)))[0]!.revision
  const before = await revision()
  await sweepOrders(panel.deps)
  expect(await challenges(id)).toEqual([])
  expect(await challenges(zoneId)).toHaveLength(1)
  expect(await orders('old.example')).toHaveLength(1)
  expect(await panel.deps.db.select().from(certificateAlertMails)).toMatchObject([{ hostname: 'new.example' }])
  expect(await revision()).toBe(before + 1)
})
