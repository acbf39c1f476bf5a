import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { CreatedDomain } from '@panel/contract/domains'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { readInfo } from '../../packages/server/src/infra/reverse-proxy/haproxy-socket.ts'
import { steps } from '../support/authority-front.ts'
import { dig } from '../support/dns-environment.ts'
import { until } from '../support/poll.ts'
import { kill, pause } from '../support/processes.ts'
import { sharedWorld, type World } from '../support/shared-world.ts'
import { handshake } from '../support/tls-clients.ts'

/** The steps at which the panel is killed here are those where Pebble matters; the others are tests of the API. */
let environment: World
beforeAll(async () => {
  environment = await sharedWorld()
})
afterEach(() => environment.front.release())

const ordersOf = (hostname: string) =>
  environment.panel.query<{ outcome: string }>('select outcome from certificate_orders where hostname = $1', [hostname])
const challengesOf = (domainId: string) =>
  environment.panel.query('select * from acme_challenges where domain_id = $1', [domainId])
const ordersAsked = () => environment.front.requests.filter((path) => steps.order.test(path)).length

describe('kill -9 of the panel', () => {
  const untilRefused = (challenge: string) =>
    until(
      async () => environment.pebble.output(),
      (output) => output.includes(`set INVALID by completed challenge ${challenge}`)
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
    await panel.kill()
    if (how) front.release(how)
    if (challenge !== undefined && how) await untilRefused(challenge)
    await panel.start()
    front.release()
    return environment.orderEnded(domainId)
  }

  test('while an order is placed: another one replaces it', async () => {
    const { id, hostname } = await environment.addManaged()
    const before = ordersAsked()
    const certificate = await cutOff(id, steps.order, 'answer')
    expect(certificate).toMatchObject({ status: 'ACTIVE', errorMessage: null })
    await environment.untilServed(hostname, certificate)
    expect((await environment.shakeHands(hostname)).isTrusted).toBe(true)
    expect(ordersAsked() - before).toBe(2)
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
    const before = ordersAsked()
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
    expect(ordersAsked() - before).toBe(1)
    expect(await ordersOf(hostname)).toEqual([{ outcome: 'issued' }, { outcome: 'issued' }])
  })
})

describe('the proxy', () => {
  const [hostnames, serials]: [string[], (string | null)[]] = [[], []]
  beforeAll(async () => {
    for (const { id, hostname } of [await environment.addManaged(), await environment.addManaged()]) {
      const certificate = await environment.provision(id)
      await environment.untilServed(hostname, certificate)
      hostnames.push(hostname)
      serials.push(certificate.serialNumber)
    }
  })
  const servedSerials = () =>
    Promise.all(
      hostnames.map((hostname) =>
        handshake(environment.panel.proxyHttpsPort, hostname).then(
          ({ serial }) => serial,
          () => undefined
        )
      )
    )

  test.each(['worker', 'master'] as const)('kill -9 of its %s: certificates are served again', async (victim) => {
    const { master } = await environment.proxyProcesses()
    const worker = (await readInfo((await environment.proxyPaths()).adminSocket)).pid
    kill(victim === 'master' ? master! : worker, 'SIGKILL')
    await until(
      () => environment.proxyProcesses(),
      ({ all }) => !all.includes(worker)
    )
    await until(
      () => servedSerials(),
      (served) => served.every((serial, index) => serial === serials[index])
    )
    expect((await environment.panel.visit(hostnames[0]!)).status).toBe(301)
  })

  test('gone with its files while the panel is down, as after a reboot: certificates are served once the panel is ready', async () => {
    await environment.panel.kill()
    for (const pid of (await environment.proxyProcesses()).all) kill(pid, 'SIGKILL')
    await until(
      () => environment.proxyProcesses(),
      ({ all }) => all.length === 0
    )
    await rm(dirname((await environment.proxyPaths()).certificates), { recursive: true })
    await environment.panel.start()
    expect(await servedSerials()).toEqual(serials)
    expect((await environment.panel.visit(hostnames[0]!)).status).toBe(301)
  })
})
