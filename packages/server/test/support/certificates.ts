import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import { pino } from 'pino'
import { expect } from 'vitest'
import type { Certificate } from '@panel/contract/certificates'
import { acmeChallenges } from '../../src/db/schema/acme-challenges.ts'
import { certificateOrders } from '../../src/db/schema/certificate-orders.ts'
import { certificates } from '../../src/db/schema/certificates.ts'
import { notifications } from '../../src/db/schema/notifications.ts'
import type { Dependencies } from '../../src/dependencies.ts'
import { issueCertificate } from '../../src/features/certificates/issuance.service.ts'
import { issueNext } from '../../src/features/certificates/issue-next.jobs.ts'
import type { AcmeAuthority } from '../../src/infra/acme/acme.ts'
import { createMemoryAcme } from '../fakes/memory-acme.ts'
import { createMemoryDnsServer } from '../fakes/memory-dns-server.ts'
import { createMemoryPublicDns } from '../fakes/memory-public-dns.ts'
import { createMemoryReverseProxy } from '../fakes/memory-reverse-proxy.ts'
import { createSelfSigned } from '../../src/infra/x509/self-signed.ts'
import { newId } from '../../src/security/ids.ts'
import { type Client, createTestPanel, type TestPanel } from './panel.ts'

export const directoryUrl = 'https://acme.invalid/directory'
export const minuteMs = 60_000
export const dayMs = 24 * 60 * minuteMs

export const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)
export const outcome = (answer: { statusCode: number; json(): { code?: string } }) => [
  answer.statusCode,
  answer.json().code
]

type Answer = { status: number; body: string; location?: string }

/** A panel that orders certificates from an in-memory authority: `start` once, `reset` before each test. */
export function createCertificateEnvironment() {
  const clock: { at: Date | undefined } = { at: undefined }
  const now = () => clock.at ?? new Date()
  const memory = createMemoryAcme(
    async (hostnames) => createSelfSigned(hostnames, { now: now(), days: 90 }),
    directoryUrl
  )
  const authority: { order: AcmeAuthority['order'] | undefined } = { order: undefined }
  const acme: AcmeAuthority = {
    directoryUrl,
    caaIdentities: () => memory.caaIdentities(),
    order: (request) => (authority.order ?? memory.order)(request)
  }
  const proxy = createMemoryReverseProxy()
  const publicDns = createMemoryPublicDns()
  const dnsServer = createMemoryDnsServer()
  const logged: string[] = []
  const answerAsPanel = async (url: string): Promise<Answer> => {
    const { statusCode, body } = await panel.app.inject({ url })
    return { status: statusCode, body }
  }
  /** Response at the server's address to the probe of the hostname. */
  const probe: { answer: (path: string, host: string) => Promise<Answer> } = { answer: answerAsPanel }
  let web: Server
  let panel: TestPanel
  let ann: Client

  async function start() {
    web = createServer((request, response) => {
      void probe
        .answer(request.url ?? '', request.headers.host ?? '')
        .then(({ status, body, location }) =>
          response.writeHead(status, location === undefined ? {} : { location }).end(body)
        )
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => web.once('listening', resolve))
    const logger = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) })
    panel = await createTestPanel(
      {
        ACME_DIRECTORY_URL: directoryUrl,
        PUBLIC_IP: '127.0.0.1',
        ACME_HTTP_PORT: String((web.address() as AddressInfo).port)
      },
      { acme, proxy, publicDns, dnsServer, logger, now }
    )
    ann = await panel.signUp('ann')
    return { panel, ann }
  }
  async function close() {
    try {
      if (panel) expect(await keysInStore()).toEqual([])
    } finally {
      await panel?.close()
      web.close()
    }
  }
  async function reset() {
    await panel.deps.db.delete(certificateOrders)
    clock.at = undefined
    authority.order = undefined
    memory.failure = undefined
    memory.caa = []
    proxy.fail = false
    dnsServer.fail = false
    await panel.deps.db.delete(notifications)
    logged.length = 0
    probe.answer = answerAsPanel
  }

  let names = 0
  async function newDomain(hostname = `shop${++names}.example.com`, values: object = {}, owner = ann) {
    if (!hostname.startsWith('*.')) {
      publicDns.set(hostname, 'A', ['127.0.0.1'])
      publicDns.set(hostname, 'AAAA', [])
    }
    const created = await owner.request('POST', '/api/domains', { hostname, ...values })
    expect([created.statusCode, created.body]).toEqual([201, created.body])
    const { id } = created.json<{ id: string }>()
    await owner.request('POST', `/api/domains/${id}/verify?mock=true`)
    return { id, hostname }
  }
  async function newWildcard() {
    const parent = await newDomain(`zone${++names}.example.com`)
    const mode = await ann.request('PATCH', `/api/domains/${parent.id}/dns-mode`, {
      mode: 'MANAGED',
      skipDelegationCheck: true
    })
    expect(mode.statusCode).toBe(200)
    const wildcard = await newDomain(`*.${parent.hostname}`)
    return { ...wildcard, zone: parent.hostname, zoneId: parent.id }
  }
  const requestAction = (id: string, action: 'provision' | 'renew' | 'upload', payload?: object, owner = ann) =>
    owner.request('POST', `/api/domains/${id}/ssl/${action}`, payload)
  const certificateOf = async (id: string, owner = ann) =>
    (await owner.request('GET', `/api/domains/${id}/ssl`)).json<Certificate>()
  const row = async (domainId: string) =>
    (await panel.deps.db.select().from(certificates).where(eq(certificates.domainId, domainId)))[0]!
  const set = (domainId: string, values: Partial<typeof certificates.$inferInsert>) =>
    panel.deps.db.update(certificates).set(values).where(eq(certificates.domainId, domainId))
  const challenges = (domainId: string) =>
    panel.deps.db.select().from(acmeChallenges).where(eq(acmeChallenges.domainId, domainId))
  const orders = async (hostname: string) =>
    (
      await panel.deps.db
        .select()
        .from(certificateOrders)
        .where(eq(certificateOrders.hostname, hostname))
        .orderBy(certificateOrders.createdAt)
    ).map(({ outcome: each }) => each)
  const served = async (domainId: string) => proxy.certificates.get((await row(domainId)).id)?.fingerprint
  const recordOrders = (
    outcomes: (typeof certificateOrders.$inferInsert)['outcome'][],
    createdAt: Date,
    values: { hostname?: string; userId?: string }
  ) =>
    panel.deps.db.insert(certificateOrders).values(
      outcomes.map((each) => ({
        id: newId(),
        hostname: `other${++names}.example.com`,
        outcome: each,
        createdAt,
        ...values
      }))
    )
  const requested = () => memory.orders.length
  const jobs = async (queue: string, key: string) => {
    const { rows } = await panel.deps.db.$client.query(
      "select data from pgboss.job where name = $1 and singleton_key = $2 and state = 'created'",
      [queue, key]
    )
    return rows.map(({ data }) => data as unknown)
  }
  const dropJobs = (queue: string) => panel.deps.db.$client.query('delete from pgboss.job where name = $1', [queue])
  const queuedJobs = async ({ user }: Client) => ({
    renew: (await jobs('certificates.renew', user.id)).length,
    issue: (await jobs('certificates.issue', user.id)).length
  })
  /** Runs the account's next job, as the worker does. */
  const issueNextOf = (owner: Client, queue: 'certificates.issue' | 'certificates.renew' = 'certificates.issue') =>
    issueNext(panel.deps, {
      queue,
      userId: owner.user.id,
      stopped: new AbortController().signal
    })
  const issue = (id: string, deps: Dependencies = panel.deps, stopped = new AbortController().signal) =>
    issueCertificate(deps, id, stopped)
  async function provision(id: string): Promise<Certificate> {
    expect((await requestAction(id, 'provision')).statusCode).toBe(202)
    await issue(id)
    return certificateOf(id)
  }
  /** Plaintext private keys in the database. */
  const keysInStore = async () => {
    const { rows } = await panel.deps.db.$client.query<{ text: string }>(
      'select certificates::text as text from certificates union all select job::text from pgboss.job'
    )
    return rows.filter(({ text }) => text.includes('PRIVATE KEY'))
  }

  return {
    start,
    close,
    reset,
    clock,
    now,
    memory,
    authority,
    acme,
    proxy,
    publicDns,
    dnsServer,
    /** Certificate notifications since the last reset. */
    notified: () =>
      panel.deps.db
        .select()
        .from(notifications)
        .where(eq(notifications.subjectType, 'certificate'))
        .orderBy(notifications.id),
    logged,
    probe,
    newDomain,
    newWildcard,
    requestAction,
    certificateOf,
    row,
    set,
    challenges,
    orders,
    served,
    recordOrders,
    requested,
    jobs,
    dropJobs,
    queuedJobs,
    issueNextOf,
    issue,
    provision,
    keysInStore
  }
}
