import type { Certificate } from '@panel/contract/certificates'
import type { CreatedDomain } from '@panel/contract/domains'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { steps } from '../support/authority-front.ts'
import {
  type CertificateEnvironment,
  startCertificateEnvironment,
  type Ingress
} from '../support/certificate-environment.ts'

let environment: CertificateEnvironment
beforeAll(async () => {
  environment = await startCertificateEnvironment()
})
afterAll(() => environment?.close())
afterEach(() => {
  environment.ingress = 'open'
  environment.front.caaIdentities = []
})

const orders = () => environment.front.requests.filter((path) => steps.order.test(path)).length

describe('before contacting the authority', () => {
  const caa = (value: string, tag = 'issue') => ({ flags: 0, tag, value })
  const setWay = (ingress: Ingress) => () => void (environment.ingress = ingress)

  test.each<[string, (hostname: string) => void, (hostname: string) => void, RegExp[]]>([
    [
      'a name that points elsewhere',
      (hostname) => environment.dns.set(hostname, 'A', ['192.0.2.9']),
      (hostname) => environment.dns.set(hostname, 'A', ['127.0.0.1']),
      [/points to 192\.0\.2\.9/, /A record to 127\.0\.0\.1/]
    ],
    [
      'a name of which one address of two is elsewhere',
      (hostname) => environment.dns.set(hostname, 'AAAA', ['2001:db8::9']),
      (hostname) => environment.dns.set(hostname, 'AAAA', []),
      [/points to 2001:db8::9/, /AAAA record/]
    ],
    [
      'a name without an address',
      (hostname) => environment.dns.set(hostname, 'A', []),
      (hostname) => environment.dns.set(hostname, 'A', ['127.0.0.1']),
      [/add an A record/, /127\.0\.0\.1/]
    ],
    [
      'a CAA record for another authority',
      (hostname) => {
        environment.front.caaIdentities = ['authority.test']
        environment.dns.set(hostname, 'CAA', [caa('other.test'), caa('mailto:a@b.test', 'iodef')])
      },
      (hostname) => environment.dns.set(hostname, 'CAA', [caa('other.test'), caa('authority.test')]),
      [/CAA/, /0 issue "authority\.test"/]
    ],
    [
      'a CAA record for nobody, of the name above',
      (hostname) => {
        environment.front.caaIdentities = ['authority.test']
        environment.dns.set(hostname.split('.').slice(1).join('.'), 'CAA', [caa(';')])
      },
      (hostname) => environment.dns.set(hostname, 'CAA', [caa('authority.test')]),
      [/CAA/, /0 issue "authority\.test"/]
    ],
    ['a port 80 that is closed', setWay('closed'), setWay('open'), [/acme-challenge/, /Forward port \d+ to this/]],
    ['another web server in the way', setWay('elsewhere'), setWay('open'), [/acme-challenge/, /does not reach this/]]
  ])('%s ends the order with the remedy, and following it helps', async (_, spoil, mend, words) => {
    const parent = await environment.addManaged()
    const { id, hostname } = await environment.addManaged(`www2.${parent.hostname}`)
    spoil(hostname)
    const before = orders()
    const refused = await environment.provision(id)
    expect(refused).toMatchObject({ status: 'ERROR', errorMessage: expect.any(String), serialNumber: null })
    for (const word of [hostname.split('.').at(-2)!, ...words]) expect(refused.errorMessage).toMatch(word)
    expect(orders()).toBe(before)
    expect(await environment.isDefaultServed(hostname)).toBe(true)
    expect((await environment.panel.visit(hostname)).status).not.toBe(301)
    expect(await environment.panel.query('select * from acme_challenges where domain_id = $1', [id])).toEqual([])

    mend(hostname)
    const issued = await environment.provision(id)
    expect(issued).toMatchObject({ status: 'ACTIVE', errorMessage: null })
    await environment.untilServed(hostname, issued)
  })

  test('an unverified name is refused immediately', async () => {
    const { id } = await environment.ann.call<CreatedDomain>('POST', '/domains', { hostname: environment.newName() })
    const answer = await environment.ann.request('POST', `/domains/${id}/ssl/provision`)
    expect(answer).toMatchObject({ status: 409, body: { code: 'DOMAIN_NOT_ACTIVE' } })
  })

  test('of two simultaneous orders one is placed', async () => {
    const { id } = await environment.addManaged()
    const before = orders()
    const provision = () => environment.ann.request<{ code?: string }>('POST', `/domains/${id}/ssl/provision`)
    const answers = await Promise.all([provision(), provision(), provision()])
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409])
    expect(await environment.orderEnded(id)).toMatchObject({ status: 'ACTIVE' })
    expect(orders()).toBe(before + 1)
  })
})

test('another account’s certificate is not found', async () => {
  const bob = await environment.panel.signUp()
  const { id } = await environment.addManaged()
  await environment.provision(id)
  for (const [method, path] of [
    ['GET', ''],
    ['POST', '/provision'],
    ['POST', '/renew'],
    ['DELETE', '']
  ] as const)
    expect((await bob.request(method, `/domains/${id}/ssl${path}`)).status, method + path).toBe(404)
})

test('after five failures in an hour no order is placed, except for other names', async () => {
  const hostname = environment.newName('unknown')
  environment.dns.set(hostname, 'A', ['127.0.0.1'])
  const { id } = await environment.dns.addDomain(environment.ann, hostname)
  for (let failures = 1; failures <= 5; failures++) {
    const refused = await environment.provision(id)
    expect(refused).toMatchObject({ status: 'ERROR', serialNumber: null })
    expect(refused.errorMessage).toMatch(/authority rejected/)
    expect(refused.errorMessage).toContain(hostname)
  }
  const requested = orders()
  for (const path of ['provision', 'renew']) {
    const answer = await environment.ann.request('POST', `/domains/${id}/ssl/${path}`)
    expect(answer).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
    const seconds = Number(answer.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(3600)
  }
  expect(orders()).toBe(requested)
  expect(await environment.ann.call<Certificate>('GET', `/domains/${id}/ssl`)).toMatchObject({ status: 'ERROR' })
  const other = await environment.addManaged()
  expect(await environment.provision(other.id)).toMatchObject({ status: 'ACTIVE' })
})
