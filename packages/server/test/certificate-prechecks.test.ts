import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eq } from 'drizzle-orm'
import { dnsRecords } from '../src/db/schema/dns-records.ts'
import { domains } from '../src/db/schema/domains.ts'
import { findIssuanceProblem } from '../src/features/certificates/precheck.service.ts'
import type { Dependencies } from '../src/dependencies.ts'
import { AcmeError } from '../src/infra/acme/acme.ts'
import { newId } from '../src/security/ids.ts'
import { createCertificateEnvironment } from './support/certificates.ts'
import type { TestPanel } from './support/panel.ts'
import { withResolvers } from './support/with-resolvers.ts'

const environment = createCertificateEnvironment()
const {
  acme,
  memory,
  probe,
  publicDns,
  newDomain,
  newWildcard,
  requestAction,
  row,
  challenges,
  requested,
  issue,
  provision
} = environment
let panel: TestPanel
beforeAll(async () => {
  ;({ panel } = await environment.start())
})
afterAll(() => environment.close())
beforeEach(() => environment.reset())

describe('checks before contacting the authority', () => {
  async function refused(id: string): Promise<string> {
    const count = requested()
    const { status, errorMessage } = await provision(id)
    expect([status, requested()]).toEqual(['ERROR', count])
    expect(await challenges(id)).toEqual([])
    return errorMessage!
  }

  test.each<[string, string[], string[], RegExp]>([
    ['no address', [], [], /add an A record .* 127\.0\.0\.1/],
    ['a private address', ['10.0.0.7'], [], /points to 10\.0\.0\.7/],
    ['a private address among others', ['127.0.0.1', '169.254.169.254'], [], /points to 169\.254\.169\.254/],
    ['a private IPv6 address', ['127.0.0.1'], ['::1'], /points to ::1.*AAAA/],
    ['an IPv4 address in an IPv6 one', ['127.0.0.1'], ['::ffff:10.0.0.1'], /points to ::ffff:10\.0\.0\.1/]
  ])('%s is refused without contacting that address', async (_name, a, aaaa, message) => {
    const { id, hostname } = await newDomain()
    publicDns.set(hostname, 'A', a)
    publicDns.set(hostname, 'AAAA', aaaa)
    const probes: string[] = []
    probe.answer = async (path) => {
      probes.push(path)
      return { status: 200, body: '' }
    }
    expect(await refused(id)).toMatch(message)
    expect(probes).toEqual([])
  })

  test.each<[string, { status: number; body: string }]>([
    ['another answer', { status: 200, body: '<h1>secret-of-the-inner-network</h1>' }],
    ['a long answer', { status: 200, body: 'secret-of-the-inner-network'.repeat(10_000) }],
    ['an error', { status: 503, body: 'secret-of-the-inner-network' }]
  ])('%s is not shown, only that the response was not ours', async (_name, answer) => {
    const { id } = await newDomain()
    probe.answer = async () => answer
    const message = await refused(id)
    expect(message).toMatch(/does not reach this server at 127\.0\.0\.1/)
    // Whole words, because the port number may contain these digits.
    expect(message).not.toMatch(/secret|\b(503|200)\b/)
  })

  test('the probe uses its own token and hostname and follows no redirects', async () => {
    const { id, hostname } = await newDomain()
    const seen: string[] = []
    probe.answer = async (path, host) => {
      seen.push(`${host} ${path}`)
      return { status: 302, body: '', location: '/inner' }
    }
    expect(await provision(id)).toMatchObject({ status: 'ACTIVE' })
    expect(seen).toEqual([
      expect.stringMatching(new RegExp(`^${hostname} /.well-known/acme-challenge/[A-Za-z0-9_-]{32}$`))
    ])
  })

  test('unresponsive resolvers leave it to the authority', async () => {
    const { id } = await newDomain()
    for (const resolver of publicDns.resolvers) publicDns.failWith(resolver, 'TIMEOUT')
    expect(await provision(id)).toMatchObject({ status: 'ACTIVE' })
    for (const resolver of publicDns.resolvers) publicDns.failWith(resolver, undefined)
  })

  test('CAA records of the name and its parents are enforced', async () => {
    const { id, hostname } = await newDomain('caa.of.above.example')
    memory.caa = ['Authority.example']
    publicDns.set('above.example', 'CAA', ['0 issue "other.example"'])
    expect(await refused(id)).toMatch(/CAA records of above\.example.*0 issue "authority\.example"/)
    publicDns.set('of.above.example', 'CAA', ['0 issue "authority.example"'])
    expect(await provision(id)).toMatchObject({ status: 'ACTIVE' })
    publicDns.set(hostname, 'CAA', ['128 unheard "x"'])
    await requestAction(id, 'renew')
    await issue(id)
    expect((await row(id)).errorMessage).toMatch(/critical/)
  })

  test('parent CAA records are queried at once, for at most ten names', async () => {
    const labels = Array.from({ length: 20 }, (_, index) => `l${index}`).join('.')
    const { id } = await newDomain(`${labels}.deep.example`)
    const seen: string[] = []
    const { promise: all, resolve: answer } = withResolvers()
    const slow: Dependencies['publicDns'] = {
      ...publicDns,
      async lookUp(name, type) {
        if (type === 'CAA') {
          if (seen.push(name) === 10) answer()
          await all
        }
        return publicDns.lookUp(name, type)
      }
    }
    await requestAction(id, 'provision')
    await issue(id, { ...panel.deps, publicDns: slow })
    expect((await row(id)).status).toBe('ACTIVE')
    expect(seen).toHaveLength(10)
  })

  test.each(['CAA', 'A'])('unanswered %s queries end at the timeout', async (never) => {
    const { id } = await newDomain()
    const silent: Dependencies['publicDns'] = {
      ...publicDns,
      lookUp: (name, type) => (type === never ? new Promise(() => {}) : publicDns.lookUp(name, type))
    }
    const [domain] = await panel.deps.db.select().from(domains).where(eq(domains.id, id))
    const check = (signal: AbortSignal, timeoutMs: number) =>
      findIssuanceProblem({ ...panel.deps, publicDns: silent }, domain!, signal, timeoutMs)
    expect(await check(new AbortController().signal, 20)).toMatchObject({ kind: 'unavailable' })
    const stop = new AbortController()
    const checking = check(stop.signal, 600_000)
    stop.abort(new Error('the panel stops'))
    await expect(checking).rejects.toThrow('the panel stops')
  })

  test('an unanswered probe ends at the timeout, and its response is removed', async () => {
    const { id } = await newDomain()
    probe.answer = () => new Promise(() => {})
    const [domain] = await panel.deps.db.select().from(domains).where(eq(domains.id, id))
    const problem = await findIssuanceProblem(panel.deps, domain!, new AbortController().signal, 500)
    expect(problem).toMatchObject({ kind: 'unavailable' })
    expect(await challenges(id)).toEqual([])
  })

  test('an authority that is down is not a failure of the name', async () => {
    const { id } = await newDomain()
    const unavailable = { ...acme, caaIdentities: () => Promise.reject(new AcmeError('unavailable', 'ECONNREFUSED')) }
    await requestAction(id, 'provision')
    await issue(id, { ...panel.deps, acme: unavailable })
    expect(await row(id)).toMatchObject({ status: 'ERROR', renewAt: expect.any(Date) })
  })

  test('a conflicting record in the zone is named', async () => {
    const { id, zone, zoneId } = await newWildcard()
    await panel.deps.db.insert(dnsRecords).values({
      id: newId(),
      domainId: zoneId,
      type: 'CNAME',
      name: '_acme-challenge',
      value: 'elsewhere.example',
      ttl: 3600
    })
    const message = await refused(id)
    expect(message).toContain(`_acme-challenge.${zone}`)
    expect(message).toContain('CNAME')
  })

  test('a wildcard without its zone says so', async () => {
    const { id } = await newWildcard()
    await requestAction(id, 'provision')
    await panel.deps.db.update(domains).set({ zoneId: null, dnsMode: 'CONNECTED' }).where(eq(domains.id, id))
    await issue(id)
    expect((await row(id)).errorMessage).toMatch(/switch the domain to managed DNS/)
  })

  test('the probe can be disabled', async () => {
    const { id, hostname } = await newDomain()
    publicDns.set(hostname, 'A', ['10.0.0.7'])
    probe.answer = () => Promise.reject(new Error('asked'))
    await requestAction(id, 'provision')
    await issue(id, { ...panel.deps, config: { ...panel.deps.config, ACME_CHECK_REACHABLE: false } })
    expect((await row(id)).status).toBe('ACTIVE')
  })
})
