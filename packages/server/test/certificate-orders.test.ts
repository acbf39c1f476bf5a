import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AcmeError, type AcmeChallenge } from '../src/infra/acme/acme.ts'
import { readCertificate } from '../src/infra/x509/certificate.ts'
import { createSelfSigned } from '../src/infra/x509/self-signed.ts'
import { createCertificateEnvironment, dayMs, outcome } from './support/certificates.ts'
import type { Client, TestPanel } from './support/panel.ts'

const environment = createCertificateEnvironment()
const {
  memory,
  authority,
  proxy,
  dnsServer,
  now,
  newDomain,
  newWildcard,
  requestAction,
  certificateOf,
  row,
  challenges,
  orders,
  served,
  jobs,
  issue,
  provision,
  keysInStore
} = environment
let panel: TestPanel
let ann: Client
beforeAll(async () => {
  ;({ panel, ann } = await environment.start())
})
afterAll(() => environment.close())
beforeEach(() => environment.reset())

describe('an order', () => {
  test('goes from PENDING to ACTIVE, is served and redirects the site to HTTPS', async () => {
    const { id, hostname } = await newDomain()
    const answer = await requestAction(id, 'provision')
    expect(answer.statusCode).toBe(202)
    expect(answer.json()).toMatchObject({
      type: 'LETS_ENCRYPT',
      status: 'PENDING',
      commonName: hostname,
      sans: [hostname],
      validTo: null,
      nextRenewalAt: null
    })
    expect(await jobs('certificates.issue', ann.user.id)).toEqual([{ userId: ann.user.id }])
    expect((await ann.request('GET', `/api/domains/${id}`)).json()).toMatchObject({ sslEnabled: false })
    await issue(id)
    const certificate = await certificateOf(id)
    expect(certificate).toMatchObject({ type: 'LETS_ENCRYPT', status: 'ACTIVE', errorMessage: null })
    const left = Date.parse(certificate.validTo!) - Date.parse(certificate.nextRenewalAt!)
    expect(left).toBeGreaterThanOrEqual(30 * dayMs)
    expect(left).toBeLessThanOrEqual(39 * dayMs)
    expect(proxy.certificates.get(certificate.id)).toMatchObject({ hostnames: [hostname] })
    expect(proxy.routes.get(`${hostname}/`)).toMatchObject({ forceHttps: true })
    expect(await orders(hostname)).toEqual(['issued'])
    expect(await challenges(id)).toEqual([])
    expect(await row(id)).toMatchObject({ pendingOrder: null, failures: 0 })
  })

  test('is validated over HTTP with the response in place', async () => {
    const { id } = await newDomain()
    const seen: [number, string, string][] = []
    authority.order = async (request) => {
      const publish = async (challenge: AcmeChallenge) => {
        await request.publish(challenge)
        const url = `/.well-known/acme-challenge/${challenge.token}`
        const { statusCode, body } = await panel.app.inject({ url })
        seen.push([statusCode, body, challenge.keyAuthorization])
      }
      return memory.order({ ...request, publish })
    }
    expect(await provision(id)).toMatchObject({ status: 'ACTIVE' })
    expect(seen).toEqual([[200, seen[0]![2], seen[0]![2]]])
  })

  test('of a wildcard is validated in DNS, and the record is removed afterwards', async () => {
    const { id, hostname, zone } = await newWildcard()
    const seen: boolean[] = []
    authority.order = async (request) => {
      expect(request.challengeType).toBe('dns-01')
      const publish = async (challenge: AcmeChallenge) => {
        await request.publish(challenge)
        seen.push(dnsServer.files.get(zone)!.includes(`TXT "${challenge.dnsValue}"`))
        expect(dnsServer.files.get(zone)).toMatch(/^_acme-challenge \d+ IN TXT/m)
      }
      return memory.order({ ...request, publish })
    }
    expect(await provision(id)).toMatchObject({ status: 'ACTIVE', sans: [hostname] })
    expect(seen).toEqual([true])
    expect(dnsServer.files.get(zone)).not.toContain('_acme-challenge')
    expect(await challenges(id)).toEqual([])
  })

  test('of a managed non-wildcard name uses HTTP too', async () => {
    const { zoneId } = await newWildcard()
    const types: string[] = []
    authority.order = (request) => {
      types.push(request.challengeType)
      return memory.order(request)
    }
    expect(await provision(zoneId)).toMatchObject({ status: 'ACTIVE' })
    expect(types).toEqual(['http-01'])
  })

  test('of a wildcard requires its zone here', async () => {
    const { id } = await newDomain('*.elsewhere.example.com')
    const answer = await requestAction(id, 'provision')
    expect(outcome(answer)).toEqual([409, 'DNS_NOT_MANAGED'])
    expect(answer.json().error).toContain('elsewhere.example.com')
    expect(outcome(await requestAction(id, 'renew'))).toEqual([404, 'NOT_FOUND'])
  })

  test('in progress is not started again', async () => {
    const { id } = await newDomain()
    const answers = await Promise.all([1, 2, 3].map(() => requestAction(id, 'provision')))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([202, 409, 409])
    expect(outcome(await requestAction(id, 'renew'))).toEqual([409, 'CERTIFICATE_PENDING'])
    expect(await jobs('certificates.issue', ann.user.id)).toHaveLength(1)
  })

  test('keeps an uploaded certificate served until it succeeds, and after a failure', async () => {
    const { id, hostname } = await newDomain()
    const own = await createSelfSigned([hostname], { now: now(), days: 30 })
    await requestAction(id, 'upload', { certificate: own.chain, privateKey: own.keyPem })
    const { fingerprint } = readCertificate(own.chain)
    memory.failure = new AcmeError('refused', 'no')
    expect((await requestAction(id, 'provision')).json()).toMatchObject({ status: 'PENDING', type: 'CUSTOM' })
    expect(await served(id)).toBe(fingerprint)
    await issue(id)
    expect(await certificateOf(id)).toMatchObject({
      status: 'ACTIVE',
      type: 'CUSTOM',
      errorMessage: expect.stringContaining('no')
    })
    expect(await served(id)).toBe(fingerprint)
    memory.failure = undefined
    expect(await provision(id)).toMatchObject({ status: 'ACTIVE', type: 'LETS_ENCRYPT', errorMessage: null })
    expect(await served(id)).not.toBe(fingerprint)
  })

  test('is replaced by an upload', async () => {
    const { id, hostname } = await newDomain()
    const own = await createSelfSigned([hostname], { now: now(), days: 30 })
    await requestAction(id, 'provision')
    authority.order = async (request) => {
      const issued = await memory.order(request)
      await requestAction(id, 'upload', { certificate: own.chain, privateKey: own.keyPem })
      return issued
    }
    await issue(id)
    expect(await certificateOf(id)).toMatchObject({ type: 'CUSTOM', status: 'ACTIVE' })
    expect(await served(id)).toBe(readCertificate(own.chain).fingerprint)
    expect((await row(id)).pendingOrder).toBeNull()
  })

  test('is served later if the proxy is down', async () => {
    const { id, hostname } = await newDomain()
    await requestAction(id, 'provision')
    proxy.fail = true
    await issue(id)
    expect(await certificateOf(id)).toMatchObject({ status: 'ACTIVE' })
    proxy.fail = false
    expect(await served(id)).toBeUndefined()
    await issue(id)
    expect(await served(id)).toBe((await row(id)).fingerprint)
    expect(await orders(hostname)).toEqual(['issued'])
  })
})

test('no plaintext key is in the database or a job', async () => {
  const { id } = await newDomain()
  memory.failure = new AcmeError('unavailable', 'away')
  await provision(id)
  expect((await row(id)).pendingOrder!.key).toMatch(/^[0-9a-f]{24}:/)
  expect(await keysInStore()).toEqual([])
})
