import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { notifyFailure } from '../src/features/certificates/alerts.service.ts'
import { renewDue } from '../src/features/certificates/renewal.jobs.ts'
import { AcmeError } from '../src/infra/acme/acme.ts'
import { createCertificateEnvironment, dayMs, minuteMs, outcome, times } from './support/certificates.ts'
import type { Client, TestPanel } from './support/panel.ts'

const environment = createCertificateEnvironment()
const {
  memory,
  authority,
  publicDns,
  notified,
  clock,
  now,
  newDomain,
  requestAction,
  row,
  set,
  orders,
  recordOrders,
  requested,
  jobs,
  dropJobs,
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

describe('the budget', () => {
  test.each([
    ['failed', minuteMs, 3600],
    ['issued', dayMs, 6 * 24 * 3600]
  ] as const)('5 %s: 429 with the time to wait', async (result, agoMs, waitSeconds) => {
    const { id, hostname } = await newDomain()
    await recordOrders(times(5, result), new Date(Date.now() - agoMs), { hostname })
    const answer = await requestAction(id, 'provision')
    expect(outcome(answer)).toEqual([429, 'RATE_LIMITED'])
    const wait = Number(answer.headers['retry-after'])
    expect(wait).toBeGreaterThan(waitSeconds - 120)
    expect(wait).toBeLessThanOrEqual(waitSeconds)
    expect((await ann.request('GET', `/api/domains/${id}/ssl`)).statusCode).toBe(404)
  })

  test('applies to automatic renewals: they wait', async () => {
    const { id, hostname } = await newDomain()
    await provision(id)
    await recordOrders(times(5, 'issued'), now(), { hostname })
    expect(outcome(await requestAction(id, 'renew'))).toEqual([429, 'RATE_LIMITED'])
    expect((await row(id)).status).toBe('ACTIVE')
    await set(id, { renewAt: now() })
    await renewDue(panel.deps)
    const count = requested()
    await issue(id)
    expect(requested()).toBe(count)
    const found = await row(id)
    expect(found).toMatchObject({ status: 'ACTIVE', failures: 0, errorMessage: expect.stringContaining('5 a week') })
    expect(found.renewAt!.getTime()).toBeGreaterThan(Date.now() + 6.9 * dayMs)
  })

  test.each<[string, number, 'issued' | 'refused', boolean, number, RegExp]>([
    ['an account’s orders', 50, 'issued', true, 3 * 3600, /Your account.*50 new ones in 3 hours.*Try again later/],
    ['an account’s failures', 20, 'refused', true, 3600, /your account.*20 failures an hour/],
    ['the server’s orders', 150, 'issued', false, 3 * 3600, /This server.*150 in 3 hours/]
  ])('%s: 429 with the limit and the time to wait', async (_name, count, result, isOwn, waitSeconds, message) => {
    const bob = await panel.createUser(ann)
    const { id } = await newDomain(undefined, {}, bob)
    await recordOrders(times(count - 1, result), now(), isOwn ? { userId: bob.user.id } : {})
    expect((await requestAction(id, 'provision', undefined, bob)).statusCode).toBe(202)
    await bob.request('DELETE', `/api/domains/${id}/ssl`)
    await recordOrders([result], now(), isOwn ? { userId: bob.user.id } : {})
    const answer = await requestAction(id, 'provision', undefined, bob)
    expect(outcome(answer)).toEqual([429, 'RATE_LIMITED'])
    expect(answer.json().error).toMatch(message)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(waitSeconds - 120)
    const other = await newDomain()
    expect((await requestAction(other.id, 'provision')).statusCode).toBe(isOwn ? 202 : 429)
  })

  test('of the account counts early renewals, but not due ones', async () => {
    const bob = await panel.createUser(ann)
    const { id } = await newDomain(undefined, {}, bob)
    await requestAction(id, 'provision', undefined, bob)
    await issue(id)
    await recordOrders(times(50, 'issued'), now(), { userId: bob.user.id })
    expect(outcome(await requestAction(id, 'renew', undefined, bob))).toEqual([429, 'RATE_LIMITED'])
    const due = () =>
      set(id, { validFrom: new Date(Date.now() - 80 * dayMs), validTo: new Date(Date.now() + 10 * dayMs) })
    await due()
    await recordOrders(times(198, 'issued'), now(), { userId: bob.user.id })
    expect((await requestAction(id, 'renew', undefined, bob)).statusCode).toBe(202)
    await issue(id)
    expect((await row(id)).status).toBe('ACTIVE')
    await due()
    const answer = await requestAction(id, 'renew', undefined, bob)
    expect(outcome(answer)).toEqual([429, 'RATE_LIMITED'])
    expect(answer.json().error).toContain('250')
  })

  test('applies to queued orders, which wait without failing', async () => {
    const bob = await panel.createUser(ann)
    const { id } = await newDomain(undefined, {}, bob)
    await requestAction(id, 'provision', undefined, bob)
    await recordOrders(times(50, 'issued'), now(), { userId: bob.user.id })
    const count = requested()
    await issue(id)
    expect(requested()).toBe(count)
    const found = await row(id)
    expect(found).toMatchObject({ status: 'ERROR', failures: 0, errorMessage: expect.stringContaining('50 new ones') })
    expect(found.renewAt!.getTime()).toBeGreaterThan(Date.now() + 2.9 * 3600_000)
  })

  test('counts orders refused by our own checks, also removed ones; one notification a day', async () => {
    const bob = await panel.createUser(ann)
    const { id, hostname } = await newDomain(undefined, {}, bob)
    publicDns.set(hostname, 'A', [])
    await dropJobs('certificates.alert')
    const start = new Date()
    let tries = 0
    async function tryTwice() {
      for (let n = 0; n < 2; n++) {
        const answer = await requestAction(id, 'provision', undefined, bob)
        if (answer.statusCode !== 202) return answer
        tries++
        await issue(id)
      }
      const { id: certificateId } = await row(id)
      expect(await jobs('certificates.alert', certificateId)).toEqual([{ certificateId }])
      await notifyFailure(panel.deps, certificateId)
      await bob.request('DELETE', `/api/domains/${id}/ssl`)
      return undefined
    }
    let refused: Awaited<ReturnType<typeof tryTwice>>
    for (let round = 0; round < 20 && !refused; round++) refused = await tryTwice()
    expect(tries).toBe(20)
    expect(outcome(refused!)).toEqual([429, 'RATE_LIMITED'])
    expect(refused!.json().error).toContain('20 failures an hour')
    expect((await notified()).map(({ userId }) => userId)).toEqual([bob.user.id])
    expect(await orders(hostname)).toEqual(times(20, 'refused'))

    clock.at = new Date(start.getTime() + 23 * 3600_000)
    await tryTwice()
    expect(await notified()).toHaveLength(1)
    clock.at = new Date(start.getTime() + dayMs + 3600_000)
    await tryTwice()
    expect(await notified()).toHaveLength(2)
  })

  test.each(['refused', 'rate-limited'] as const)('counts an order that the authority refuses: %s', async (kind) => {
    const { id, hostname } = await newDomain()
    authority.order = () => Promise.reject(new AcmeError(kind, 'policy forbids it'))
    expect(await provision(id)).toMatchObject({ status: 'ERROR' })
    expect(await orders(hostname)).toEqual(['refused'])
  })

  test('does not count an authority that is down', async () => {
    const { id, hostname } = await newDomain()
    authority.order = () => Promise.reject(new AcmeError('unavailable', 'ECONNREFUSED'))
    expect(await provision(id)).toMatchObject({ status: 'ERROR' })
    expect(await orders(hostname)).toEqual([])
  })

  test('does not apply to an order that is already counted', async () => {
    const { id, hostname } = await newDomain()
    memory.failure = new AcmeError('unavailable', 'away')
    await provision(id)
    await recordOrders(times(5, 'failed'), now(), { hostname })
    memory.failure = undefined
    expect(await provision(id)).toMatchObject({ status: 'ACTIVE' })
  })
})
