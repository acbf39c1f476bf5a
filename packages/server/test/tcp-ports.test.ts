import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { TcpPort, TcpPortList } from '@panel/contract/tcp-ports'
import { domains } from '../src/db/schema/domains.ts'
import { projects } from '../src/db/schema/projects.ts'
import { tcpPorts } from '../src/db/schema/tcp-ports.ts'
import { users } from '../src/db/schema/users.ts'
import { syncAllRoutes } from '../src/features/domains/routing.service.ts'
import { newId } from '../src/security/ids.ts'
import { createMemoryEngine } from './fakes/memory-container-engine.ts'
import { createMemoryReverseProxy } from './fakes/memory-reverse-proxy.ts'
import { deployedSite, type DeployedSite } from './support/deployed-site.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'
import { renewable } from './support/renewable.ts'

let panel: TestPanel
let openEnv = ''
let admin: Client
let ann: Client
const { fake: engine, renew: renewEngine } = renewable(createMemoryEngine)
const { fake: proxy, renew: renewProxy } = renewable(createMemoryReverseProxy)
let site: DeployedSite
/** Tests with the same variables share a panel. */
async function open(env: Record<string, string>) {
  renewEngine()
  renewProxy()
  if (openEnv !== JSON.stringify(env)) {
    await (panel as TestPanel | undefined)?.close()
    panel = await createTestPanel({ PANEL_DOMAIN: 'panel.example.com', ...env }, { engine, proxy })
    openEnv = JSON.stringify(env)
  }
  await panel.empty()
  admin = await panel.signUp('admin')
  ann = await panel.signUp('ann')
  site = await deployedSite(panel, ann, engine)
}
afterAll(() => panel?.close())

const base = (id = site.id) => `/api/projects/${id}/tcp-ports`
const publish = (body: object, by = ann, id?: string) => by.request('POST', base(id), { containerPort: 1883, ...body })
async function published(body: object = {}): Promise<TcpPort> {
  const answer = await publish(body)
  expect(answer.statusCode).toBe(201)
  return answer.json<TcpPort>()
}
const list = async () => (await ann.request('GET', base())).json<TcpPortList>()
const targets = () => Object.fromEntries(proxy.tcp.map(({ at, target }) => [at, target && target.port]))
async function addDomain(hostname: string, projectId: string | null, owner = ann) {
  const now = new Date()
  await panel.deps.db.insert(domains).values({ id: newId(), userId: owner.user.id, hostname, projectId, status: 'ACTIVE', verificationToken: newId(), createdAt: now, updatedAt: now }) // oxfmt-ignore
}

describe('with a range of two ports', () => {
  beforeEach(() => open({ TCP_PORTS: '20000-20001', TCP_TLS_PORT: '20100' }))

  test('a port is published at once, listed with its address, and removed', async () => {
    const port = await published({ publishedPort: 20_001 })
    expect(port).toMatchObject({ kind: 'PORT', containerPort: 1883, isOpen: true })
    expect(port.addresses).toEqual(['panel.example.com:20001'])
    expect(targets()).toEqual({ 20001: 1883 })
    expect(await list()).toEqual({ ports: [port], range: { first: 20_000, last: 20_001 }, tlsPort: 20_100 })
    expect((await ann.request('DELETE', `${base()}/${port.id}`)).statusCode).toBe(200)
    expect(targets()).toEqual({})
    expect((await panel.audited({ targetId: site.id })).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['tcp_port.published', 'tcp_port.removed'])
    )
  })

  test('requests at the same time get different ports, until none is left', async () => {
    const answers = await Promise.all([publish({}), publish({}), publish({})])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 201, 503])
    expect((await list()).ports.map(({ publishedPort }) => publishedPort).sort()).toEqual([20_000, 20_001])
  })

  test.each([
    ['outside the range', { publishedPort: 20_002 }, 'VALIDATION_ERROR'],
    ['for a TLS name', { kind: 'TLS', publishedPort: 20_001 }, 'VALIDATION_ERROR'],
    ['that is published', { publishedPort: 20_000 }, 'CONFLICT']
  ])('a port %s is refused', async (_, body, code) => {
    await published({ publishedPort: 20_000 })
    expect((await publish(body)).json()).toMatchObject({ code })
  })

  test('a stopped project has none open, and reconcile closes and opens them', async () => {
    await published({ publishedPort: 20_000 })
    const setStatus = (status: 'ACTIVE' | 'STOPPED') =>
      panel.deps.db.update(projects).set({ status }).where(eq(projects.id, site.id))
    await setStatus('STOPPED')
    await syncAllRoutes(panel.deps)
    expect(targets()).toEqual({})
    expect((await list()).ports).toMatchObject([{ isOpen: false }])
    await setStatus('ACTIVE')
    expect(await syncAllRoutes(panel.deps)).toBe(true)
    expect(targets()).toEqual({ 20000: 1883 })
    proxy.tcp = []
    expect(await syncAllRoutes(panel.deps)).toBe(true)
    expect(targets()).toEqual({ 20000: 1883 })
    expect(await syncAllRoutes(panel.deps)).toBe(false)
  })

  test('stopping the project, and suspending its account, close its ports', async () => {
    await published({ publishedPort: 20_000 })
    expect((await ann.request('POST', `/api/projects/${site.id}/container/stop`)).statusCode).toBe(200)
    expect(targets()).toEqual({})
    expect((await ann.request('POST', `/api/projects/${site.id}/container/start`)).statusCode).toBe(200)
    expect(targets()).toEqual({ 20000: 1883 })
    expect((await admin.request('POST', `/api/users/${ann.user.id}/suspend`)).statusCode).toBe(200)
    expect(targets()).toEqual({})
  })

  test('the port of a deleted project is free again', async () => {
    await published({ publishedPort: 20_000 })
    expect((await ann.request('DELETE', `/api/projects/${site.id}`)).statusCode).toBe(204)
    const other = await deployedSite(panel, ann, engine)
    expect((await publish({ publishedPort: 20_000 }, ann, other.id)).statusCode).toBe(201)
  })

  test('TLS goes by the names of the project, and no name of another falls to its wildcard', async () => {
    const other = await deployedSite(panel, admin, engine)
    await addDomain('*.example.com', site.id)
    await addDomain('shop.example.com', other.id, admin)
    const port = await published({ kind: 'TLS' })
    expect(targets()).toEqual({
      [site.hostname]: 1883,
      '*.example.com': 1883,
      'shop.example.com': undefined,
      'panel.example.com': undefined
    })
    expect(port).toMatchObject({ publishedPort: 20_100, isOpen: true })
    expect(port.addresses).toContain(`${site.hostname}:20100`)
    expect((await publish({ kind: 'TLS' })).json()).toMatchObject({ code: 'CONFLICT' })
  })

  test('a project sleeps or publishes ports, not both', async () => {
    const setSleep = (sleepAfterMinutes: number | null) =>
      ann.request('PUT', `/api/projects/${site.id}`, { sleepAfterMinutes })
    const port = await published()
    expect((await setSleep(30)).json()).toMatchObject({ code: 'CONFLICT' })
    await ann.request('DELETE', `${base()}/${port.id}`)
    expect((await setSleep(30)).statusCode).toBe(200)
    expect((await publish({})).json()).toMatchObject({ code: 'CONFLICT' })
  })

  test('are within the quotas of the account and of the reseller above it', async () => {
    const limit = (id: string, maxTcpPorts: number | null) =>
      panel.deps.db.update(users).set({ maxTcpPorts }).where(eq(users.id, id))
    await limit(ann.user.id, 1)
    await published()
    expect((await publish({})).json()).toMatchObject({ code: 'QUOTA_EXCEEDED' })
    const usage = (await ann.request('GET', '/api/users/me/usage')).json<{ resources: object }>()
    expect(usage.resources).toMatchObject({ maxTcpPorts: { used: 1, limit: 1 } })

    const reseller = await panel.createUser(admin, { role: 'RESELLER', maxTcpPorts: 0 })
    const below = await panel.createUser(reseller)
    expect(below.user).toMatchObject({ maxTcpPorts: 0 })
    await limit(below.user.id, null)
    const { id } = await below.createProject()
    expect((await publish({}, below, id)).json()).toMatchObject({ code: 'QUOTA_EXCEEDED' })
  })

  test('one that the proxy could not take is published by reconcile', async () => {
    proxy.fail = true
    await published({ publishedPort: 20_000 })
    proxy.fail = false
    expect(targets()).toEqual({})
    await syncAllRoutes(panel.deps)
    expect(targets()).toEqual({ 20000: 1883 })
    expect(await panel.deps.db.$count(tcpPorts)).toBe(1)
  })
})

test.each([['PORT'], ['TLS']])('without ports for it, %s is refused', async (kind) => {
  await open({})
  expect((await publish({ kind })).json()).toMatchObject({ code: 'CONFLICT' })
  expect(await list()).toEqual({ ports: [], range: null, tlsPort: null })
})
