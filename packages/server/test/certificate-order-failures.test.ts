import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { notifyFailure } from '../src/features/certificates/alerts.service.ts'
import { renewDue } from '../src/features/certificates/renewal.jobs.ts'
import { AcmeError } from '../src/infra/acme/acme.ts'
import { createSelfSigned } from '../src/infra/x509/self-signed.ts'
import { createCertificateEnvironment, minuteMs } from './support/certificates.ts'
import type { TestPanel } from './support/panel.ts'

const environment = createCertificateEnvironment()
const {
  memory,
  authority,
  dnsServer,
  notified,
  logged,
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
  issue,
  provision
} = environment
let panel: TestPanel
beforeAll(async () => {
  ;({ panel } = await environment.start())
})
afterAll(() => environment.close())
beforeEach(() => environment.reset())

describe('a failure', () => {
  test('without a served certificate sets ERROR and retries three times', async () => {
    const { id, hostname } = await newDomain()
    memory.failure = new AcmeError('refused', `No valid IP addresses found for ${hostname}`)
    clock.at = new Date()
    const pauses: (number | null)[] = []
    await requestAction(id, 'provision')
    for (let failures = 1; failures <= 4; failures++) {
      await issue(id)
      const found = await row(id)
      expect(found).toMatchObject({ status: 'ERROR', failures, pendingOrder: null })
      expect(found.errorMessage).toMatch(/rejected the order: No valid IP addresses/)
      const answer = `No valid IP addresses found for ${hostname}`
      expect((await certificateOf(id)).errorSentences).toEqual([{ code: 'AUTHORITY_REFUSED', values: { answer } }])
      pauses.push(found.renewAt && Math.round((found.renewAt.getTime() - clock.at.getTime()) / minuteMs / 10))
      if (found.renewAt === null) break
      clock.at = new Date(found.renewAt.getTime() - 1)
      await renewDue(panel.deps)
      expect((await row(id)).status).toBe('ERROR')
      clock.at = found.renewAt
      await renewDue(panel.deps)
      expect((await row(id)).status).toBe('PENDING')
    }
    expect(pauses[0]).toBeLessThan(1)
    expect(pauses[1]).toBeGreaterThanOrEqual(5)
    expect(pauses[2]).toBeGreaterThanOrEqual(32)
    expect(pauses).toHaveLength(4)
    expect(pauses[3]).toBeNull()
    expect(await orders(hostname)).toEqual(['failed', 'failed', 'failed', 'failed'])
    expect(await challenges(id)).toEqual([])
  })

  test('by a rate limit waits as told by the authority and blocks nothing', async () => {
    const { id } = await newDomain()
    memory.failure = new AcmeError('rate-limited', 'slow down', { retryAfterSeconds: 7200 })
    clock.at = new Date()
    await requestAction(id, 'provision')
    await issue(id)
    const { renewAt, status } = await row(id)
    expect(status).toBe('ERROR')
    expect(renewAt!.getTime()).toBeGreaterThanOrEqual(clock.at.getTime() + 7200_000)
    memory.failure = undefined
    clock.at = renewAt!
    await renewDue(panel.deps)
    await issue(id)
    expect((await row(id)).status).toBe('ACTIVE')
  })

  test('of an authority that is down continues the same order, however often', async () => {
    const { id, hostname } = await newDomain()
    memory.failure = new AcmeError('unavailable', 'ECONNREFUSED')
    await requestAction(id, 'provision')
    for (let failures = 1; failures <= 6; failures++) {
      await issue(id)
      expect(await row(id)).toMatchObject({ status: 'ERROR', failures, renewAt: expect.any(Date) })
      await set(id, { renewAt: now() })
      await renewDue(panel.deps)
    }
    expect(await orders(hostname)).toEqual(['open'])
    memory.failure = undefined
    await issue(id)
    expect((await row(id)).status).toBe('ACTIVE')
    expect(await orders(hostname)).toEqual(['issued'])
    expect(memory.orders.slice(-6).map(({ resumed }) => resumed)).toEqual(Array.from({ length: 6 }, () => true))
  })

  test('of the name server counts, and its message is shown', async () => {
    const { id } = await newWildcard()
    await requestAction(id, 'provision')
    dnsServer.fail = true
    await issue(id)
    expect(await row(id)).toMatchObject({ status: 'ERROR', errorMessage: expect.stringContaining('name server') })
    dnsServer.fail = false
    await requestAction(id, 'provision')
    await issue(id)
    expect((await row(id)).status).toBe('ACTIVE')
  })

  test('that is unexpected stays in the log', async () => {
    const { id } = await newDomain()
    authority.order = () => Promise.reject(new TypeError('inner secret of ours'))
    expect(await provision(id)).toMatchObject({ status: 'ERROR', errorMessage: expect.stringContaining('log') })
    expect((await certificateOf(id)).errorMessage).not.toContain('inner secret')
    expect(logged.join()).toContain('inner secret of ours')
  })

  test('an order of another authority is not continued', async () => {
    const { id, hostname } = await newDomain()
    memory.failure = new AcmeError('unavailable', 'away')
    await provision(id)
    const { pendingOrder } = await row(id)
    await set(id, { pendingOrder: { ...pendingOrder!, directoryUrl: 'https://other.invalid/directory' } })
    memory.failure = undefined
    expect(await provision(id)).toMatchObject({ status: 'ACTIVE' })
    expect(memory.orders.at(-1)!.resumed).toBe(false)
    expect((await orders(hostname)).sort()).toEqual(['failed', 'issued'])
  })
})

describe('what the authority delivers', () => {
  const other = () => createSelfSigned(['other.example.com'], { now: now(), days: 90 })
  test.each<[string, (hostname: string) => Promise<{ chain: string; keyPem: string }>, RegExp]>([
    ['for another name', other, /does not cover shop\d+\.example\.com/],
    [
      'for another key',
      async (hostname) => ({
        ...(await createSelfSigned([hostname], { now: now(), days: 90 })),
        keyPem: (await other()).keyPem
      }),
      /does not match/
    ],
    ['expired', (hostname) => createSelfSigned([hostname], { now: new Date(0), days: 90 }), /expired/],
    ['no certificate', async () => ({ ...(await other()), chain: 'sorry' }), /No certificate/]
  ])('%s is not served: logged and ordered again', async (_name, make, reason) => {
    const { id, hostname } = await newDomain()
    const first = await provision(id)
    authority.order = async (request) => {
      await memory.order(request)
      return make(hostname)
    }
    await requestAction(id, 'renew')
    await issue(id)
    const found = await row(id)
    expect(found).toMatchObject({ status: 'ACTIVE', serialNumber: first.serialNumber, pendingOrder: null, failures: 1 })
    expect(found.errorMessage).toMatch(reason)
    expect(found.renewAt).not.toBeNull()
    expect(logged.join()).toContain('issued a certificate that cannot be served')
    expect(await orders(hostname)).toEqual(['issued', 'issued'])
    authority.order = undefined
    await requestAction(id, 'renew')
    await issue(id)
    expect(await row(id)).toMatchObject({ status: 'ACTIVE', failures: 0 })
    expect(memory.orders.at(-1)!.resumed).toBe(false)
  })
})

test('repeated failures of a name notify the account once', async () => {
  const { id } = await newDomain()
  memory.failure = new AcmeError('refused', 'no')
  await provision(id)
  await provision(id)
  const { id: certificateId } = await row(id)
  await Promise.all([notifyFailure(panel.deps, certificateId), notifyFailure(panel.deps, certificateId)])
  expect(await notified()).toHaveLength(1)
})
