import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Certificate } from '@panel/contract/certificates'
import type { CreatedDomain } from '@panel/contract/domains'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeCertificate } from '../../packages/server/test/fixtures/certificate.fixture.ts'
import { readInfo } from '../../packages/server/src/infra/reverse-proxy/haproxy-socket.ts'
import { steps } from '../support/authority-front.ts'
import { type CertificateEnvironment, startCertificateEnvironment } from '../support/certificate-environment.ts'
import { dig } from '../support/dns-environment.ts'
import { until } from '../support/poll.ts'
import { kill, pause } from '../support/processes.ts'
import { handshake } from '../support/tls-clients.ts'

let environment: CertificateEnvironment
beforeAll(async () => {
  environment = await startCertificateEnvironment()
})
afterAll(() => environment?.close())
afterEach(() => environment.front.release())

const ordersOf = (hostname: string) =>
  environment.panel.query<{ outcome: string }>('select outcome from certificate_orders where hostname = $1', [hostname])
const challengesOf = (domainId: string) =>
  environment.panel.query('select * from acme_challenges where domain_id = $1', [domainId])
const ordersAsked = () => environment.front.requests.filter((path) => steps.order.test(path)).length

describe('kill -9 of the panel', () => {
  const untilDecided = (verdict: 'VALID' | 'INVALID', challenge: string) =>
    until(
      async () => environment.pebble.output(),
      (output) => output.includes(`set ${verdict} by completed challenge ${challenge}`)
    )

  async function cutOff(domainId: string, step: RegExp, where: 'request' | 'answer', how?: 'late') {
    const { ann, front, panel } = environment
    front.hold(step, where)
    await ann.call('POST', `/domains/${domainId}/ssl/provision`)
    await until(
      async () => front.held(),
      (held) => held > 0
    )
    const [, challenge] = /^\/chalZ\/(.+)$/.exec(front.requests.at(-1)!) ?? []
    if (challenge !== undefined && where === 'answer') await untilDecided('VALID', challenge)
    await panel.kill()
    if (how) front.release(how)
    if (challenge !== undefined && how) await untilDecided('INVALID', challenge)
    await panel.start()
    front.release()
    return environment.orderEnded(domainId)
  }

  test.each([
    ['while an order is placed', steps.order, 'answer', 2],
    ['before the authority looks at the proof', steps.proof, 'request', 1],
    ['once the authority has looked at the proof', steps.proof, 'answer', 1],
    ['before the request is handed in', steps.finalize, 'request', 1],
    ['once the certificate is issued', steps.finalize, 'answer', 1],
    ['at the download', steps.download, 'request', 1],
    ['after the download', steps.download, 'answer', 1]
  ] as const)('%s: the order goes on', async (_, step, where, placed) => {
    const { id, hostname } = await environment.addManaged()
    const before = ordersAsked()
    const certificate = await cutOff(id, step, where)
    expect(certificate).toMatchObject({ status: 'ACTIVE', errorMessage: null })
    await environment.untilServed(hostname, certificate)
    expect((await environment.shakeHands(hostname)).isTrusted).toBe(true)
    expect(ordersAsked() - before).toBe(placed)
    await until(
      () => challengesOf(id),
      (rows) => rows.length === 0
    )
    expect(await ordersOf(hostname)).toEqual([{ outcome: 'issued' }])
  })

  test('during a validation that fails afterwards: a new order replaces it', async () => {
    const { id, hostname } = await environment.addManaged()
    const certificate = await cutOff(id, steps.proof, 'request', 'late')
    expect(certificate).toMatchObject({ status: 'ACTIVE', errorMessage: null })
    await environment.untilServed(hostname, certificate)
    const outcomes = (await ordersOf(hostname)).map(({ outcome }) => outcome)
    expect(outcomes.sort()).toEqual(['failed', 'issued'])
    expect(await challengesOf(id)).toEqual([])
  })

  test('during a DNS validation: the order continues and the record is removed', async () => {
    const parent = await environment.addManaged()
    const wild = await environment.ann.call<CreatedDomain>('POST', '/domains', { hostname: `*.${parent.hostname}` })
    const certificate = await cutOff(wild.id, steps.proof, 'request')
    expect(certificate).toMatchObject({ status: 'ACTIVE', errorMessage: null })
    await environment.untilServed(`any.${parent.hostname}`, certificate)
    await until(
      () => challengesOf(wild.id),
      (rows) => rows.length === 0
    )
    await until(
      () => dig(environment.panel, `_acme-challenge.${parent.hostname}`, 'TXT'),
      ({ values }) => values.length === 0
    )
    expect(await ordersOf(wild.hostname)).toEqual([{ outcome: 'issued' }])
  })

  test('with the certificate stored but not served: the next start serves it', async () => {
    const { ann, front, panel } = environment
    const { id, hostname } = await environment.addManaged()
    front.hold(steps.download, 'answer')
    await ann.call('POST', `/domains/${id}/ssl/provision`)
    await until(
      async () => front.held(),
      (held) => held > 0
    )
    const proxy = (await environment.proxyProcesses()).all
    for (const pid of proxy) await pause(pid)
    front.release()
    const certificate = await environment.orderEnded(id)
    await panel.kill()
    for (const pid of proxy) kill(pid, 'SIGCONT')
    await panel.start()
    expect((await environment.shakeHands(hostname)).serial).toBe(certificate.serialNumber)
    expect((await panel.visit(hostname)).status).toBe(301)
  })

  test('during a renewal: the old certificate is served throughout', async () => {
    const { id, hostname } = await environment.addManaged()
    const previous = await environment.provision(id)
    await environment.untilServed(hostname, previous)
    const { ann, front, panel } = environment
    front.hold(steps.finalize, 'answer')
    await ann.call('POST', `/domains/${id}/ssl/renew`)
    await until(
      async () => front.held(),
      (held) => held > 0
    )
    await panel.kill()
    expect((await environment.shakeHands(hostname)).serial).toBe(previous.serialNumber)
    await panel.start()
    expect((await environment.shakeHands(hostname)).isTrusted).toBe(true)
    front.release()
    const renewed = await environment.orderEnded(id)
    expect(renewed.serialNumber).not.toBe(previous.serialNumber)
    await environment.untilServed(hostname, renewed)
    expect(await ordersOf(hostname)).toEqual([{ outcome: 'issued' }, { outcome: 'issued' }])
  })
})

describe('an obsolete order', () => {
  const untilOver = () =>
    until(
      () =>
        environment.panel.query(`select id from pgboss.job where name = 'certificates.issue' and state < 'completed'`),
      (jobs) => jobs.length === 0
    )

  async function changeDuringOrder(change: (domain: CreatedDomain) => Promise<unknown>): Promise<CreatedDomain> {
    const { ann, front } = environment
    const domain = await environment.addManaged()
    front.hold(steps.finalize, 'answer')
    await ann.call('POST', `/domains/${domain.id}/ssl/provision`)
    await until(
      async () => front.held(),
      (held) => held > 0
    )
    await change(domain)
    front.release()
    await untilOver()
    expect(await challengesOf(domain.id)).toEqual([])
    return domain
  }

  test.each([
    ['certificate', '/ssl'],
    ['domain', '']
  ])('whose %s was removed serves nothing', async (_, path) => {
    const { hostname } = await changeDuringOrder(({ id }) => environment.ann.call('DELETE', `/domains/${id}${path}`))
    expect(await environment.isDefaultServed(hostname)).toBe(true)
    expect((await environment.panel.visit(hostname)).status).toBe(404)
  })

  test('keeps the certificate uploaded in the meantime', async () => {
    let uploaded: Certificate | undefined
    const { id, hostname } = await changeDuringOrder(async (domain) => {
      const made = await makeCertificate(domain.id, [domain.hostname])
      uploaded = (await environment.upload(domain.id, made)).body
    })
    expect(await environment.certificateOf(id)).toMatchObject({ type: 'CUSTOM', serialNumber: uploaded!.serialNumber })
    expect((await environment.shakeHands(hostname)).serial).toBe(uploaded!.serialNumber)
    expect(await ordersOf(hostname)).toEqual([{ outcome: 'failed' }])
  })
})

describe('the proxy', () => {
  async function certifyThree() {
    const domains = [await environment.addManaged(), await environment.addManaged(), await environment.addManaged()]
    const certificates = await Promise.all(domains.map(({ id }) => environment.provision(id)))
    const hostnames = domains.map(({ hostname }) => hostname)
    for (const [index, hostname] of hostnames.entries()) await environment.untilServed(hostname, certificates[index]!)
    return { hostnames, serials: certificates.map(({ serialNumber }) => serialNumber) }
  }
  const servedSerials = (hostnames: readonly string[]) =>
    Promise.all(
      hostnames.map((hostname) =>
        handshake(environment.panel.proxyHttpsPort, hostname).then(
          ({ serial }) => serial,
          () => undefined
        )
      )
    )

  test.each(['worker', 'master'] as const)('kill -9 of its %s: certificates are served again', async (victim) => {
    const { hostnames, serials } = await certifyThree()
    const { master } = await environment.proxyProcesses()
    const worker = (await readInfo((await environment.proxyPaths()).adminSocket)).pid
    kill(victim === 'master' ? master! : worker, 'SIGKILL')
    await until(
      () => environment.proxyProcesses(),
      ({ all }) => !all.includes(worker)
    )
    await until(
      () => servedSerials(hostnames),
      (served) => served.every((serial, index) => serial === serials[index])
    )
    expect((await environment.panel.visit(hostnames[0]!)).status).toBe(301)
  })

  test.each(['with', 'without'])(
    'gone while the panel is away, %s its files in memory: all are served once the panel is ready',
    async (kept) => {
      const { hostnames, serials } = await certifyThree()
      await environment.panel.kill()
      for (const pid of (await environment.proxyProcesses()).all) kill(pid, 'SIGKILL')
      await until(
        () => environment.proxyProcesses(),
        ({ all }) => all.length === 0
      )
      // As after a reboot.
      if (kept === 'without') await rm(dirname((await environment.proxyPaths()).certificates), { recursive: true })
      await environment.panel.start()
      expect(await servedSerials(hostnames)).toEqual(serials)
      expect((await environment.panel.visit(hostnames[0]!)).status).toBe(301)
    }
  )

  test('a restarted panel serves the same certificates', async () => {
    const { hostnames, serials } = await certifyThree()
    await environment.panel.stop()
    await environment.panel.start()
    expect(await servedSerials(hostnames)).toEqual(serials)
  })
})
