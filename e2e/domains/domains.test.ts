import { readFile } from 'node:fs/promises'
import type { Schema } from '@panel/client'
import { unwrap } from '@panel/client'
import type { CreatedDomain, Domain } from '@panel/contract/domains'
import type { Project } from '@panel/contract/projects'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { docker } from '../support/engine.ts'
import { startLoad } from '../support/load.ts'
import { at, type Client, type RunningPanel, type Site } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { removeProjects, sharedWorld, type World } from '../support/shared-world.ts'
import { builtNodeSite, nodeSite } from '../support/sites.ts'

let world: World
let panel: RunningPanel
let ann: Client
let bob: Client
let shop: Site
let blog: Site
let theirs: Site
beforeAll(async () => {
  world = await sharedWorld()
  panel = world.panel
  ;[ann, bob] = [await panel.signUp(), await panel.signUp()]
  shop = await ann.createSite(world.git, nodeSite('shop'))
  blog = await ann.createSite(world.git, nodeSite('blog'))
  theirs = await bob.createSite(world.git, nodeSite('theirs'), { name: shop.name })
  await Promise.all([ann.mustRun(shop.id), ann.mustRun(blog.id), bob.mustRun(theirs.id)])
})
afterAll(() => removeProjects(ann, bob))
afterEach(({ task }) => {
  if (task.result?.state === 'fail') console.error(panel.output().slice(-5_000))
})

const add = (by: Client, hostname: string, values: Partial<Schema<'CreateDomain'>> = {}) =>
  unwrap(by.api.POST('/api/domains', { body: { hostname, ...values } }))
const verify = ({ id }: Pick<Domain, 'id'>) => unwrap(ann.api.POST('/api/domains/{id}/verify', at(id)))
const proofOf = (domain: CreatedDomain) => domain.verificationInstructions!
const bodyOf = async (hostname: string, path = '/') => (await panel.visit(hostname, path)).body
const projectOf = (client: Client, { id }: Pick<Site, 'id'>) => client.call<Project>('GET', `/projects/${id}`)
const isNowhere = async (hostname: string, path = '/') => {
  const page = await panel.visit(hostname, path)
  expect(page, hostname).toMatchObject({ status: 404, headers: { 'cache-control': 'no-store' } })
  expect(page.body).toContain('There is no site at this address')
  expect(page.body).not.toMatch(/panel|haproxy/i)
}

describe('verification', () => {
  afterEach(() => {
    for (const resolver of world.dns.resolvers) resolver.reset()
  })

  test('one of three resolvers is enough, and the site is up when the API responds', async () => {
    const hostname = world.newName()
    const domain = await add(ann, hostname, { projectId: shop.id })
    expect(domain).toMatchObject({ status: 'PENDING', dnsMode: 'CONNECTED' })
    await isNowhere(hostname)
    const [dead, , last] = world.dns.resolvers
    dead.fallback = { drop: true }
    const { recordName, recordValue } = proofOf(domain)
    last.set(recordName, 'TXT', { values: ['something else', recordValue] })
    const result = await verify(domain)
    expect(await bodyOf(hostname, '/x')).toBe('shop /x')
    expect(result).toMatchObject({ verified: true, status: 'ACTIVE' })
    const seen = result.detectedRecords.filter((record) => record.recordName === recordName)
    expect(seen.map(({ error }) => error)).toEqual(['TIMEOUT', 'NXDOMAIN', null])
  })

  test('no responding resolver sets a retryable ERROR', async () => {
    const domain = await add(ann, world.newName())
    for (const resolver of world.dns.resolvers) resolver.fallback = { rcode: 'REFUSED' }
    const refused = await verify(domain)
    expect(refused).toMatchObject({ verified: false, status: 'ERROR' })
    expect(refused.message).toContain('No resolver responded')
    world.dns.set(proofOf(domain).recordName, 'TXT', [proofOf(domain).recordValue])
    expect(await verify(domain)).toMatchObject({ verified: true })
  })
})

describe('hostnames of projects', () => {
  test('two users with the same project name get different ones, which neither can take', async () => {
    const second = `${shop.name}-${theirs.id.slice(-6)}.apps.localhost`
    expect((await projectOf(ann, shop)).deployedDomain).toBe(shop.hostname)
    expect((await projectOf(bob, theirs)).deployedDomain).toBe(second)
    const answers = async () => [await bodyOf(shop.hostname), await bodyOf(second)]
    expect(await answers()).toEqual(['shop /', 'theirs /'])
    await ann.call('POST', `/projects/${shop.id}/container/stop`)
    await bob.call('POST', `/projects/${theirs.id}/deploy`)
    expect(await panel.visit(shop.hostname)).toMatchObject({ status: 503 })
    await ann.call('POST', `/projects/${shop.id}/container/start`)
    expect(await answers()).toEqual(['shop /', 'theirs /'])
    const override = await bob.request('POST', `/projects/${theirs.id}/deploy`, { domain: shop.hostname })
    expect(override.status).toBe(403)
    expect(await answers()).toEqual(['shop /', 'theirs /'])
  })

  test('unknown and reserved ones show the placeholder page', async () => {
    for (const hostname of ['nobody.apps.localhost', 'apps.localhost', 'shop.example.com', '127.0.0.1'])
      await isNowhere(hostname)
    const { id } = await ann.createProject({ name: 'webmail', type: 'STATIC' })
    expect(await panel.visit('webmail.apps.localhost')).toMatchObject({ status: 404 })
    expect(await panel.visit(`webmail-${id.slice(-6)}.apps.localhost`)).toMatchObject({ status: 503 })
  })

  test('a first deployment in progress has its own page', async () => {
    const fresh = await ann.createSite(world.git, builtNodeSite('fresh', 'sleep 3'))
    expect(await panel.visit(fresh.hostname)).toMatchObject({ status: 503 })
    const deployment = await ann.call<{ id: string }>('POST', `/projects/${fresh.id}/build`)
    await expect.poll(() => bodyOf(fresh.hostname), { timeout: 60_000 }).toContain('is starting')
    await ann.waitFor(fresh.id, deployment.id)
    expect(await bodyOf(fresh.hostname)).toBe('fresh /')
    await ann.call('DELETE', `/projects/${fresh.id}`)
  })
})

describe('routes', () => {
  test('are active when the API responds: added, moved, removed', async () => {
    const parent = world.newName()
    await world.dns.addDomain(ann, parent)
    for (let round = 0; round < 3; round++) {
      const hostname = `n${round}.${parent}`
      const { id } = await add(ann, hostname, { projectId: blog.id })
      expect(await bodyOf(hostname)).toBe('blog /')
      await unwrap(ann.api.PATCH('/api/domains/{id}', { ...at(id), body: { projectId: shop.id } }))
      expect(await bodyOf(hostname)).toBe('shop /')
      await unwrap(ann.api.PATCH('/api/domains/{id}', { ...at(id), body: { pathPrefix: '/blog' } }))
      await isNowhere(hostname)
      expect(await bodyOf(hostname, '/blog/')).toBe('shop /blog/')
      await unwrap(ann.api.DELETE('/api/domains/{id}', at(id)))
      await isNowhere(hostname, '/blog/')
    }
  })

  test('follow a new container without a failed request, also of a wildcard', async () => {
    const hostname = world.newName()
    await world.dns.addDomain(ann, hostname, { projectId: shop.id })
    await add(ann, `*.${hostname}`, { projectId: shop.id })
    const loads = [hostname, `any.${hostname}`].map((each) => startLoad(panel.proxyPort, each, (body) => /^shop( |$)/.test(body))) // oxfmt-ignore
    const before = (await projectOf(ann, shop)).containerId
    await unwrap(ann.api.POST('/api/projects/{id}/deploy', at(shop.id)))
    const answered = loads.map((load) => load.answered())
    await until(
      async () => loads.map((load, index) => load.answered() - answered[index]!),
      (more) => more.every((count) => count > 50)
    )
    for (const load of loads) {
      await load.stop()
      expect(load.failures).toEqual([])
    }
    expect((await projectOf(ann, shop)).containerId).not.toBe(before)
  })

  test('survive a kill of the panel, including the last acknowledged change, and rules apply to them', async () => {
    const [kept, gone] = [world.newName(), world.newName()]
    const domain = await world.dns.addDomain(ann, kept, { projectId: blog.id })
    const removed = await world.dns.addDomain(ann, gone, { projectId: blog.id })
    const rules = [{ kind: 'REDIRECT', path: '/old', to: '/new', status: 301 }]
    await ann.call('PUT', `/domains/${domain.id}/rules`, { rules, version: 0 })
    const location = async () => {
      const { status, headers } = await panel.visit(kept, '/old')
      return status === 301 ? new URL(headers.location!, `http://${kept}`).pathname : ''
    }
    expect(await location()).toBe('/new')
    await unwrap(ann.api.DELETE('/api/domains/{id}', at(removed.id)))
    await panel.kill()
    const meanwhile = await bodyOf(kept)
    await panel.start()
    expect([meanwhile, await bodyOf(kept), await location()]).toEqual(['blog /', 'blog /', '/new'])
    await isNowhere(gone)
  })
})

test("a container runs with its user's uid, without capabilities, within limits", async () => {
  interface Inspected {
    State: { Pid: number }
    Config: { User: string }
    HostConfig: Record<string, unknown>
  }
  const inspect = async (client: Client, target: Site): Promise<Inspected> => {
    const { containerId } = await projectOf(client, target)
    return (JSON.parse(await docker('inspect', containerId!)) as [Inspected])[0]
  }
  const [mine, others] = [await inspect(ann, shop), await inspect(bob, theirs)]
  expect(mine.Config.User).toMatch(/^2\d{4}:2\d{4}$/)
  expect(others.Config.User).toMatch(/^2\d{4}:2\d{4}$/)
  expect(mine.Config.User).not.toBe(others.Config.User)
  expect(mine.HostConfig).toMatchObject({
    Privileged: false,
    CapAdd: null,
    CapDrop: ['ALL'],
    SecurityOpt: ['no-new-privileges'],
    ReadonlyRootfs: false,
    Memory: 128 * 2 ** 20,
    MemorySwap: 128 * 2 ** 20,
    PidsLimit: expect.any(Number) as number,
    NanoCpus: 1e9,
    Binds: null,
    PidMode: '',
    UsernsMode: '',
    RestartPolicy: { Name: 'unless-stopped' },
    LogConfig: { Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '3' } }
  })
  expect(mine.HostConfig.Devices ?? []).toEqual([])
  const status = await readFile(`/proc/${mine.State.Pid}/status`, 'utf8')
  const uid = mine.Config.User.split(':')[0]
  expect(status).toMatch(new RegExp(`^Uid:\\s${uid}\\s${uid}\\s${uid}\\s${uid}$`, 'm'))
  for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'])
    expect(status).toMatch(new RegExp(`^${set}:\\s0{16}$`, 'm'))
  expect(status).toMatch(/^NoNewPrivs:\s1$/m)
  expect(status).toMatch(/^Seccomp:\s2$/m)
})
