import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AcmeChallenge } from '../src/infra/acme/acme.ts'
import { createCertificateEnvironment, directoryUrl } from './support/certificates.ts'
import type { Client, TestPanel } from './support/panel.ts'
import { withResolvers } from './support/with-resolvers.ts'

const environment = createCertificateEnvironment()
const {
  memory,
  authority,
  proxy,
  dnsServer,
  logged,
  newDomain,
  newWildcard,
  requestAction,
  row,
  challenges,
  orders,
  requested,
  dropJobs,
  queuedJobs,
  issueNextOf,
  issue
} = environment
let panel: TestPanel
let ann: Client
beforeAll(async () => {
  ;({ panel, ann } = await environment.start())
})
afterAll(() => environment.close())
beforeEach(() => environment.reset())

describe('during an order', () => {
  function holdOrder() {
    const { promise: released, resolve: release } = withResolvers()
    const { promise: started, resolve: begin } = withResolvers<AbortSignal>()
    authority.order = async (request) => {
      const publish = async (challenge: AcmeChallenge) => {
        await request.publish(challenge)
        begin(request.signal)
        await released
      }
      return memory.order({ ...request, publish })
    }
    return { started, release }
  }

  test('another one of the account waits in the queue without blocking', async () => {
    const bob = await panel.createUser(ann)
    const carl = await panel.createUser(ann)
    const made = [await newDomain(undefined, {}, bob), await newDomain(undefined, {}, bob)]
    for (const { id } of made) await requestAction(id, 'provision', undefined, bob)
    const other = await newDomain(undefined, {}, carl)
    await requestAction(other.id, 'provision', undefined, carl)
    expect(await queuedJobs(bob)).toEqual({ renew: 0, issue: 1 })
    await dropJobs('certificates.issue')
    const { started, release } = holdOrder()
    const count = requested()
    const first = issueNextOf(bob)
    await started
    await issueNextOf(bob)
    expect(requested() - count).toBe(1)
    expect(await queuedJobs(bob)).toEqual({ renew: 0, issue: 0 })
    authority.order = undefined
    await issueNextOf(carl)
    expect((await row(other.id)).status).toBe('ACTIVE')
    expect(await queuedJobs(carl)).toEqual({ renew: 0, issue: 0 })
    release()
    await first
    expect((await Promise.all(made.map(({ id }) => row(id)))).map(({ status }) => status)).toEqual([
      'ACTIVE',
      'PENDING'
    ])
    expect(await queuedJobs(bob)).toEqual({ renew: 0, issue: 1 })
    await issueNextOf(bob)
    expect((await row(made[1]!.id)).status).toBe('ACTIVE')
    expect(await orders(made[0]!.hostname)).toEqual(['issued'])
  })

  test('no pooled connection is held', async () => {
    const bob = await panel.createUser(ann)
    const { id } = await newDomain(undefined, {}, bob)
    await requestAction(id, 'provision', undefined, bob)
    const { started, release } = holdOrder()
    const running = issueNextOf(bob)
    await started
    const pool = panel.deps.db.$client
    await expect.poll(() => pool.totalCount - pool.idleCount).toBe(0)
    release()
    await running
    expect((await row(id)).status).toBe('ACTIVE')
  })

  test('a lost lock connection aborts it for a retry', async () => {
    const bob = await panel.createUser(ann)
    const { id } = await newDomain(undefined, {}, bob)
    await requestAction(id, 'provision', undefined, bob)
    const { started, release } = holdOrder()
    const running = issueNextOf(bob)
    const ended = expect(running).rejects.toThrow()
    const signal = await started
    await panel.deps.db.$client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'panel-lock' and datname = current_database()"
    )
    await expect.poll(() => signal.aborted).toBe(true)
    release()
    await ended
    expect(await row(id)).toMatchObject({ status: 'PENDING', failures: 0 })
    authority.order = undefined
    await issueNextOf(bob)
    expect((await row(id)).status).toBe('ACTIVE')
    expect(memory.orders.at(-1)!.resumed).toBe(true)
  })

  test('a deleted domain ends it without leftovers', async () => {
    for (const make of [newDomain, newWildcard] as (() => Promise<{ id: string; hostname: string; zone?: string }>)[]) {
      const { id, zone } = await make()
      await requestAction(id, 'provision')
      const { id: certificateId } = await row(id)
      const { started, release } = holdOrder()
      const running = issue(id)
      await started
      expect((await ann.request('DELETE', `/api/domains/${id}`)).statusCode).toBe(204)
      release()
      await running
      expect(await challenges(id)).toEqual([])
      expect(proxy.certificates.has(certificateId)).toBe(false)
      if (zone) expect(dnsServer.files.get(zone)).not.toContain('_acme-challenge')
      await issue(id)
    }
    expect(logged.filter((line) => (JSON.parse(line) as { level: number }).level >= 50)).toEqual([])
  })

  test('a removed certificate and a new order do not mix', async () => {
    const { id } = await newDomain()
    await requestAction(id, 'provision')
    const { started, release } = holdOrder()
    const running = issue(id)
    await started
    expect((await ann.request('DELETE', `/api/domains/${id}/ssl`)).statusCode).toBe(200)
    expect((await requestAction(id, 'provision')).statusCode).toBe(202)
    const { id: second } = await row(id)
    release()
    await running
    expect(await row(id)).toMatchObject({ id: second, status: 'PENDING' })
    authority.order = undefined
    await issue(id)
    expect(await row(id)).toMatchObject({ id: second, status: 'ACTIVE' })
    expect([...proxy.certificates.keys()]).toContain(second)
  })

  test('a certificate removed before the order is known still counts', async () => {
    const { id, hostname } = await newDomain()
    await requestAction(id, 'provision')
    authority.order = (request) =>
      memory.order({
        ...request,
        onOrder: async (each) => {
          await ann.request('DELETE', `/api/domains/${id}/ssl`)
          await request.onOrder(each)
        }
      })
    await issue(id)
    expect(await orders(hostname)).toEqual(['failed'])
    expect(await row(id)).toBeUndefined()
  })

  test('a stopping panel keeps the order without a failure', async () => {
    const { id, hostname } = await newDomain()
    await requestAction(id, 'provision')
    const { started, release } = holdOrder()
    const stop = new AbortController()
    const running = issue(id, panel.deps, stop.signal)
    await started
    stop.abort(new Error('the panel stops'))
    release()
    await expect(running).rejects.toThrow('the panel stops')
    expect(await row(id)).toMatchObject({ status: 'PENDING', failures: 0, pendingOrder: { directoryUrl } })
    expect(await challenges(id)).toEqual([])
    authority.order = undefined
    await issue(id)
    expect((await row(id)).status).toBe('ACTIVE')
    expect(memory.orders.at(-1)!.resumed).toBe(true)
    expect(await orders(hostname)).toEqual(['issued'])
  })
})
