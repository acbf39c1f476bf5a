import { eq } from 'drizzle-orm'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ExplainStepName, Explanation } from '@panel/contract/explain'
import { certificates } from '../src/db/schema/certificates.ts'
import { deployments } from '../src/db/schema/deployments.ts'
import { domains } from '../src/db/schema/domains.ts'
import { firewalls } from '../src/db/schema/firewalls.ts'
import { projects } from '../src/db/schema/projects.ts'
import { explainAnyHost } from '../src/features/explain/explain.service.ts'
import { createMemoryAcme } from './fakes/memory-acme.ts'
import { createMemoryEngine, type MemoryContainerEngine } from './fakes/memory-container-engine.ts'
import { createMemoryPublicDns, type MemoryPublicDns } from './fakes/memory-public-dns.ts'
import { newId } from '../src/security/ids.ts'
import { deployedSite, type DeployedSite } from './support/deployed-site.ts'
import { addDomain, addManagedDomain, addVerifiedDomain } from './support/domains.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'
import { startFrontDoor, type TestFrontDoor } from './support/front-door.ts'

const publicIp = '127.0.0.1'
const acme = createMemoryAcme(() => Promise.reject(new Error('this test issues nothing')))
let panel: TestPanel
let engine: MemoryContainerEngine
let publicDns: MemoryPublicDns
let door: TestFrontDoor
/** Port 80 at the public address, where the proof of the domain is requested. */
let publicPort: Server
let probed: string[]
let answerProof: RequestListener
let admin: Client
let ann: Client
let bob: Client
beforeAll(async () => {
  door = await startFrontDoor()
  publicPort = createServer((request, response) => {
    probed.push(`${request.headers.host} ${request.socket.localAddress}`)
    answerProof(request, response)
  }).listen(0, publicIp)
  await new Promise((resolve) => publicPort.once('listening', resolve))
  engine = createMemoryEngine()
  publicDns = createMemoryPublicDns()
  panel = await createTestPanel(
    {
      PUBLIC_IP: publicIp,
      PANEL_DOMAIN: 'panel.example.net',
      PROXY_HTTP_PORT: String(door.port),
      ACME_HTTP_PORT: String((publicPort.address() as AddressInfo).port),
      DNS_NAMESERVERS: 'ns1.example.net,ns2.example.net'
    },
    { acme, engine, publicDns }
  )
  admin = await panel.signUp('admin')
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
})
afterAll(async () => {
  await panel?.close()
  await door?.close()
  publicPort.close()
})
beforeEach(async () => {
  probed = []
  acme.caa = []
  engine.fail = undefined
  door.answer = (_request, response) => void response.end('welcome')
  answerProof = (request, response) =>
    void panel.app
      .inject({ url: request.url! })
      .then(({ statusCode, body }) => response.writeHead(statusCode).end(body))
  await panel.deps.db.delete(firewalls)
})

const ask = (host: string, by = ann) => by.request('GET', `/api/system/explain?host=${encodeURIComponent(host)}`)
async function explained(host: string, by = ann): Promise<Explanation> {
  const answer = await ask(host, by)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

let names = 0
interface Shop extends DeployedSite {
  domainId: string
}
/** A site of ann with a verified domain that points to this server. */
async function shop(): Promise<Shop> {
  const site = await deployedSite(panel, ann, engine)
  const hostname = `shop${++names}.example.com`
  const { id: domainId } = await addVerifiedDomain(ann, hostname, { projectId: site.id })
  publicDns.set(hostname, 'NS', [])
  publicDns.set('example.com', 'NS', ['ns.registrar.example'])
  publicDns.set(hostname, 'A', [publicIp])
  publicDns.set(hostname, 'AAAA', [])
  return { ...site, hostname, domainId }
}
const setProject = (id: string, values: Partial<typeof projects.$inferSelect>) =>
  panel.deps.db.update(projects).set(values).where(eq(projects.id, id))
const containerOf = ({ containerId }: Shop) => engine.containers.get(containerId)!
const certificate = (domainId: string, values: Partial<typeof certificates.$inferInsert>) =>
  panel.deps.db.insert(certificates).values({ id: newId(), domainId, commonName: 'x', ...values })
const firewall = (values: Partial<typeof firewalls.$inferInsert>) =>
  panel.deps.db.insert(firewalls).values({ nodeId: panel.deps.nodeId, ...values })

test('a site that answers: every step says so, and the log is shown with secrets masked', async () => {
  const site = await shop()
  const secret = 'hunter2-hunter2-hunter2'
  await ann.request('POST', `/api/projects/${site.id}/env`, { key: 'API_KEY', value: secret })
  containerOf(site).logs = `started with ${secret}\nlistening\n`
  const result = await explained(site.hostname)
  expect(result).toMatchObject({ hostname: site.hostname, domainId: site.domainId, projectId: site.id, cause: null })
  expect(result.steps.map(({ step, status }) => [step, status])).toEqual([
    ['DELEGATION', 'OK'],
    ['ADDRESS', 'OK'],
    ['CONNECTION', 'OK'],
    ['TLS', 'SKIPPED'],
    ['ROUTE', 'OK'],
    ['CONTAINER', 'OK'],
    ['RESPONSE', 'OK'],
    ['LOG', 'OK']
  ])
  expect(result.log.at(-1)).toBe('listening')
  expect(JSON.stringify(result)).not.toContain(secret)
})

describe('planted faults', () => {
  const day = 24 * 3600_000
  test.each<[string, (site: Shop) => unknown, ExplainStepName, string]>([
    ['DNS does not know the name', ({ hostname }) => {
      publicDns.set(hostname, 'A', undefined)
      publicDns.set(hostname, 'AAAA', undefined)
    }, 'ADDRESS', 'ADDRESS_MISSING'],
    ['the A record leads elsewhere', ({ hostname }) => publicDns.set(hostname, 'A', ['10.0.0.9']), 'ADDRESS', 'ADDRESS_ELSEWHERE'],
    ['an AAAA record leads elsewhere', ({ hostname }) => publicDns.set(hostname, 'AAAA', ['fd00::9']), 'ADDRESS', 'IPV6_ELSEWHERE'],
    ['the firewall is closed', () => firewall({ isEnabled: true, defaultAction: 'DENY', rules: [] }), 'CONNECTION', 'FIREWALL_CLOSED'],
    ['the port does not respond', () => (answerProof = (request) => request.socket.destroy()), 'CONNECTION', 'PORT_UNREACHABLE'],
    ['CAA forbids the certificate', async ({ hostname, domainId }) => {
      acme.caa = ['our-ca.example']
      publicDns.set(hostname, 'CAA', ['0 issue "other.example"'])
      await certificate(domainId, { status: 'ERROR', errorMessage: 'refused' })
    }, 'TLS', 'CERTIFICATE_CAA'],
    ['the order failed', ({ domainId }) => certificate(domainId, { status: 'ERROR', errorMessage: 'refused' }), 'TLS', 'CERTIFICATE_FAILED'],
    ['the certificate expired', ({ domainId }) => certificate(domainId, { status: 'EXPIRED', chain: 'x', validTo: new Date(Date.now() - day) }), 'TLS', 'CERTIFICATE_EXPIRED'],
    ['the domain is not verified', ({ domainId }) => panel.deps.db.update(domains).set({ status: 'PENDING' }).where(eq(domains.id, domainId)), 'ROUTE', 'DOMAIN_NOT_VERIFIED'],
    ['no project is attached', ({ domainId }) => ann.request('PATCH', `/api/domains/${domainId}`, { projectId: null }), 'ROUTE', 'DOMAIN_UNATTACHED'],
    ['nothing was deployed', ({ id }) => Promise.all([setProject(id, { liveDeploymentId: null, containerId: null }), panel.deps.db.delete(deployments)]), 'ROUTE', 'NEVER_DEPLOYED'],
    ['the project is stopped', ({ id }) => setProject(id, { status: 'STOPPED' }), 'ROUTE', 'PROJECT_STOPPED'],
    ['the engine is down', () => (engine.fail = 'unreachable'), 'CONTAINER', 'ENGINE_DOWN'],
    ['the container is gone', ({ containerId }) => engine.removeContainer(containerId), 'CONTAINER', 'CONTAINER_MISSING'],
    ['the container crashes', (site) => Object.assign(containerOf(site).state, { restarting: true, exitCode: 3 }), 'CONTAINER', 'CONTAINER_CRASHES'],
    ['it listens on another port', ({ containerId }) => engine.listening.set(containerId, [{ port: 3000, isLocal: false }]), 'CONTAINER', 'WRONG_PORT'],
    ['it answers 500', () => (door.answer = (_request, response) => void response.writeHead(500).end()), 'RESPONSE', 'SERVER_ERROR'],
    ['it redirects in a loop', () => (door.answer = (_request, response) => void response.writeHead(302, { location: '/' }).end()), 'RESPONSE', 'REDIRECT_LOOP'],
    ['it closes the connection', () => (door.answer = (request) => request.socket.destroy()), 'RESPONSE', 'CONNECTION_LOST']
  ])('%s', async (_what, plant, cause, code) => {
    const site = await shop()
    await plant(site)
    const result = await explained(site.hostname)
    const found = result.steps.find(({ step }) => step === cause)!
    expect([result.cause, found.sentences[0]?.code], found.message).toEqual([cause, code])
  }) // oxfmt-ignore

  test('the proxy is stopped', async () => {
    const { hostname } = await shop()
    await door.close()
    try {
      expect((await explained(hostname)).cause).toBe('CONNECTION')
    } finally {
      await door.open()
    }
  })

  test('a managed zone is delegated elsewhere', async () => {
    const { hostname } = await addManagedDomain(ann, 'managed.example.com')
    publicDns.set(hostname, 'NS', ['ns.elsewhere.example'])
    const { cause, steps } = await explained(hostname)
    expect([cause, steps[0]!.sentences[0]?.code]).toEqual(['DELEGATION', 'NOT_DELEGATED'])
  })
})

test('a cookie that a page sets is sent back, so that it does not look like a loop', async () => {
  const { hostname } = await shop()
  door.answer = ({ headers }, response) =>
    void (headers.cookie === 'seen=1'
      ? response.end('welcome')
      : response.writeHead(302, { location: '/', 'set-cookie': 'seen=1; Path=/' }).end())
  expect((await explained(hostname)).cause).toBeNull()
})

describe('who may check which host', () => {
  test('hosts of other accounts, of no account and of the panel are 404', async () => {
    const site = await shop()
    const { hostname: claimed } = await addDomain(ann, 'claimed.example.com')
    const automatic = (await deployedSite(panel, ann, engine)).hostname
    for (const host of [site.hostname, automatic, claimed, 'nobody.example.org', 'panel.example.net']) {
      const answer = await ask(host, bob)
      expect([answer.statusCode, answer.json().code], host).toEqual([404, 'NOT_FOUND'])
    }
    expect((await ask('nobody.example.org', admin)).statusCode).toBe(404)
    expect((await ask('not a host', admin)).statusCode).toBe(400)
  })

  test('an administrator may check each, but does not see the log of others', async () => {
    const site = await shop()
    const result = await explained(site.hostname, admin)
    expect(result).toMatchObject({ cause: null, projectId: site.id, log: [] })
    expect(result.steps.at(-1)).toMatchObject({ status: 'SKIPPED', sentences: [{ code: 'LOG_PRIVATE' }] })
    expect((await explained('panel.example.net', admin)).steps.find(({ step }) => step === 'ROUTE')).toMatchObject({
      sentences: [{ code: 'ROUTE_PANEL' }]
    })
  })

  test('the command on the server sees everything', async () => {
    const site = await shop()
    expect((await explainAnyHost(panel.deps, site.hostname)).log).toContain('three')
  })

  test('a name below a wildcard domain belongs to its account', async () => {
    const site = await deployedSite(panel, ann, engine)
    await addManagedDomain(ann, 'wild.example.com')
    await addVerifiedDomain(ann, '*.wild.example.com', { projectId: site.id })
    publicDns.set('any.wild.example.com', 'A', [publicIp])
    expect(await explained('any.wild.example.com')).toMatchObject({ projectId: site.id })
    expect((await ask('any.wild.example.com', bob)).statusCode).toBe(404)
  })
})

describe('no way to other hosts', () => {
  test('private and foreign addresses are not probed', async () => {
    const { hostname } = await shop()
    publicDns.set(hostname, 'A', ['10.0.0.9', '169.254.169.254', '192.168.1.1'])
    await explained(hostname)
    expect(probed).toEqual([])
  })

  test('redirects to other hosts are not followed', async () => {
    const { hostname } = await shop()
    door.requested.length = 0
    door.answer = (_request, response) =>
      void response.writeHead(302, { location: 'http://169.254.169.254/keys' }).end()
    const { cause, steps } = await explained(hostname)
    expect([cause, steps.find(({ step }) => step === 'RESPONSE')?.sentences[0]?.code]).toEqual([
      null,
      'REDIRECTS_ELSEWHERE'
    ])
    expect(door.requested).toEqual([`GET ${hostname}/`])
  })
})
