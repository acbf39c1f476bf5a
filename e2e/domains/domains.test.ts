import { type operations, type Schema, unwrap } from '@panel/client'
import type { DeployResult } from '@panel/contract/deployments'
import type { CreatedDomain, Domain } from '@panel/contract/domains'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type DnsEnvironment, publicIp, startDnsEnvironment } from '../support/dns-environment.ts'
import type { Files } from '../support/git-repositories.ts'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import { startLoad } from '../support/load.ts'
import { at, type Client, type RunningPanel, type Site, startPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { nodeSite } from '../support/sites.ts'

let git: GitHttpServer
let environment: DnsEnvironment
let panel: RunningPanel
let ann: Client
let bob: Client
let shop: Site
let blog: Site
let deep: Site
let rest: Site
beforeAll(async () => {
  ;[git, environment] = await Promise.all([startGitHttpServer(), startDnsEnvironment()])
  panel = await startPanel({ GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}`, BUILD_CONCURRENCY: '2', ...environment.env })
  await panel.signUp()
  ;[ann, bob] = [await panel.signUp(), await panel.signUp()]
  shop = await ann.createSite(git, nodeSite('shop'))
  ;[blog, deep, rest] = [await makeSite('blog'), await makeSite('deep'), await makeSite('rest')]
  for (const deployment of await Promise.all([shop, blog, deep, rest].map(({ id }) => ann.build(id))))
    expect(deployment, deployment.buildLogs ?? '').toMatchObject({ status: 'RUNNING' })
})
afterAll(async () => {
  await panel?.dispose()
  await environment?.close()
  await git?.stop()
})
afterEach(({ task }) => {
  for (const resolver of environment.resolvers) resolver.reset()
  if (task.result?.state === 'fail') console.error(panel.output().slice(-5_000))
})

const staticSite = (word: string): Files => ({
  'index.html': word,
  'blog/index.html': word,
  'blog/deep/index.html': word,
  'blog/deeper.html': word,
  'blogger/index.html': word
})
const makeSite = (word: string) => ann.createSite(git, staticSite(word), { type: 'STATIC' })
type Pretence = NonNullable<operations['verifyDomain']['parameters']['query']>
const add = (by: Client, hostname: string, values: Partial<Schema<'CreateDomain'>> = {}) =>
  unwrap(by.api.POST('/api/domains', { body: { hostname, ...values } }))
const verify = (by: Client, { id }: Pick<Domain, 'id'>, query: Pretence = {}) =>
  unwrap(by.api.POST('/api/domains/{id}/verify', { params: { path: { id }, query } }))
const proofOf = (domain: CreatedDomain) => domain.verificationInstructions!
const bodyOf = async (hostname: string, path = '/') => (await panel.visit(hostname, path)).body
const noSite = 'There is no site at this address'
const isNowhere = async (hostname: string, path = '/') => {
  const page = await panel.visit(hostname, path)
  expect(page, hostname).toMatchObject({ status: 404 })
  expect(page.body).toContain(noSite)
}

describe('verification', () => {
  test('one of three resolvers is enough, and the site is up when the API responds', async () => {
    const domain = await add(ann, 'first.test', { projectId: shop.id })
    expect(domain).toMatchObject({ status: 'PENDING', dnsMode: 'CONNECTED' })
    expect(proofOf(domain).routingRecord).toEqual({ recordType: 'A', recordName: 'first.test', publicIp })
    await isNowhere('first.test')
    const [dead, , last] = environment.resolvers
    dead.fallback = { drop: true }
    last.set(proofOf(domain).recordName, 'TXT', { values: ['something else', proofOf(domain).recordValue] })
    const result = await verify(ann, domain)
    expect(await bodyOf('first.test', '/x')).toBe('shop /x')
    expect(result).toMatchObject({ verified: true, status: 'ACTIVE' })
    const seen = result.detectedRecords.filter(({ recordName }) => recordName === proofOf(domain).recordName)
    expect(seen.map(({ error }) => error)).toEqual(['TIMEOUT', 'NXDOMAIN', null])
    expect(await unwrap(ann.api.GET('/api/domains/{id}', at(domain.id)))).toMatchObject({
      status: 'ACTIVE',
      projectId: shop.id
    })
    expect(await verify(ann, domain)).toMatchObject({ verified: true, status: 'ACTIVE' })
  })

  test('a wrong token sets ERROR with the remedy; the right one succeeds', async () => {
    const domain = await add(ann, 'wrong.test', { projectId: blog.id })
    const { recordName, recordValue } = proofOf(domain)
    environment.set(recordName, 'TXT', [`panel-verification=panel-verify-${'0'.repeat(32)}`])
    const refused = await verify(ann, domain)
    expect(refused).toMatchObject({ verified: false, status: 'ERROR', expectedRecord: { recordName, recordValue } })
    expect(refused.message).toContain(`replace it with "${recordValue}"`)
    await isNowhere('wrong.test')
    environment.set(recordName, 'TXT', [recordValue])
    expect(await verify(ann, domain)).toMatchObject({ verified: true, status: 'ACTIVE' })
    expect(await bodyOf('wrong.test')).toBe('blog')
  })

  test('no responding resolver sets a retryable ERROR', async () => {
    const domain = await add(ann, 'silent.test')
    for (const resolver of environment.resolvers) resolver.fallback = { rcode: 'REFUSED' }
    const refused = await verify(ann, domain)
    expect(refused).toMatchObject({ verified: false, status: 'ERROR' })
    expect(refused.message).toContain('No resolver responded')
    environment.set(proofOf(domain).recordName, 'TXT', [proofOf(domain).recordValue])
    expect(await verify(ann, domain)).toMatchObject({ verified: true })
  })

  test('test-only overrides have no effect here', async () => {
    const domain = await add(ann, 'mocked.test', { projectId: shop.id })
    const mockRecord = proofOf(domain).recordValue
    for (const query of [{ mock: 'true' }, { mockRecord }, { mock: 'true', mockRecord }] as const)
      expect(await verify(ann, domain, query)).toMatchObject({ verified: false, status: 'ERROR' })
    await isNowhere('mocked.test')
  })

  test('an unverified claim does not block other accounts and cannot be verified later', async () => {
    const claim = await add(bob, 'claimed.test')
    const real = await environment.addDomain(ann, 'claimed.test', { projectId: shop.id })
    expect(await bodyOf('claimed.test')).toBe('shop /')
    environment.set(proofOf(claim).recordName, 'TXT', [proofOf(claim).recordValue])
    const late = await bob.request('POST', `/domains/${claim.id}/verify`)
    expect(late).toMatchObject({ status: 409, body: { code: 'HOSTNAME_EXISTS' } })
    expect(await bob.request('GET', `/domains/${real.id}`)).toMatchObject({ status: 404 })
    expect(await bodyOf('claimed.test')).toBe('shop /')
    expect(await add(bob, 'www.claimed.test')).toMatchObject({ status: 'PENDING' })
    expect(await add(ann, 'www.claimed.test', { projectId: blog.id })).toMatchObject({ status: 'ACTIVE' })
    expect(await bodyOf('www.claimed.test')).toBe('blog')
  })
})

describe('routes', () => {
  test('exact host before wildcard, longest path first', async () => {
    const top = await environment.addDomain(ann, 'routes.test', { projectId: shop.id })
    await add(ann, '*.routes.test', { projectId: rest.id })
    await add(ann, 'www.routes.test', { projectId: shop.id })
    await add(ann, 'www.routes.test', { projectId: blog.id, pathPrefix: '/blog' })
    const longest = await add(ann, 'www.routes.test', { projectId: deep.id, pathPrefix: '/blog/deep' })
    expect(longest.status).toBe('ACTIVE')
    const words = async (hostname: string, ...paths: string[]) =>
      Promise.all(paths.map((path) => bodyOf(hostname, path)))
    const paths = ['/', '/blog/', '/blog/deep/', '/blogger/', '/blog/deeper', '/?/blog/']
    const answers = ['shop /', 'blog', 'deep', 'shop /blogger/', 'blog', 'shop /?/blog/']
    expect(await words('www.routes.test', ...paths)).toEqual(answers)
    expect(await words('any.routes.test', '/', '/blog/')).toEqual(['rest', 'rest'])
    await isNowhere('a.b.routes.test')
    await add(ann, 'part.routes.test', { projectId: deep.id, pathPrefix: '/blog' })
    expect(await words('part.routes.test', '/', '/blog/')).toEqual(['rest', 'deep'])
    expect(await words('WWW.Routes.TEST', '/blog/')).toEqual(['blog'])
    expect(await words('routes.test', '/blog/')).toEqual(['shop /blog/'])

    await unwrap(ann.api.DELETE('/api/domains/{id}', at(longest.id)))
    expect(await words('www.routes.test', '/blog/deep/')).toEqual(['blog'])
    await unwrap(ann.api.DELETE('/api/domains/{id}', at(top.id)))
    for (const hostname of ['routes.test', 'www.routes.test', 'any.routes.test']) await isNowhere(hostname, '/blog/')
    expect(await ann.request('GET', `/domains/${longest.id}`)).toMatchObject({ status: 404 })
  })

  test('are active when the API responds: added, moved, removed', async () => {
    await environment.addDomain(ann, 'quick.test')
    for (let round = 0; round < 10; round++) {
      const hostname = `n${round}.quick.test`
      const { id } = await add(ann, hostname, { projectId: blog.id })
      expect(await bodyOf(hostname)).toBe('blog')
      await unwrap(ann.api.PATCH('/api/domains/{id}', { ...at(id), body: { projectId: rest.id } }))
      expect(await bodyOf(hostname)).toBe('rest')
      await unwrap(ann.api.PATCH('/api/domains/{id}', { ...at(id), body: { pathPrefix: '/blog' } }))
      await isNowhere(hostname)
      expect(await bodyOf(hostname, '/blog/')).toBe('rest')
      await unwrap(ann.api.DELETE('/api/domains/{id}', at(id)))
      await isNowhere(hostname, '/blog/')
    }
  })

  test('an internationalized name as sent by browsers', async () => {
    const domain = await environment.addDomain(ann, 'Bücher.test', { projectId: blog.id })
    expect(domain.hostname).toBe('xn--bcher-kva.test')
    expect(await bodyOf(new URL('http://bücher.test').hostname)).toBe('blog')
  })

  test('a deployment points a verified domain at the project', async () => {
    await environment.addDomain(ann, 'chosen.test', { projectId: blog.id })
    await add(ann, 'unproved.test')
    const deploy = (by: Client, site: Site, domain: string) =>
      by.request<DeployResult>('POST', `/projects/${site.id}/deploy`, { domain })
    expect(await deploy(ann, shop, 'chosen.test')).toMatchObject({
      status: 200,
      body: { deployedDomain: 'chosen.test', containerStatus: 'running' }
    })
    expect((await unwrap(ann.api.GET('/api/projects/{id}', at(shop.id)))).deployedDomain).toBe('chosen.test')
    expect(await bodyOf('chosen.test')).toBe('shop /')
    expect(await bodyOf(shop.hostname)).toBe('shop /')
    for (const domain of ['unproved.test', 'nobodys.test', blog.hostname])
      expect(await deploy(ann, shop, domain)).toMatchObject({ status: 403 })
    expect(await bodyOf(blog.hostname)).toBe('blog')
  })

  test('follow a new container without a failed request', async () => {
    await environment.addDomain(ann, 'busy.test', { projectId: shop.id })
    await add(ann, '*.busy.test', { projectId: shop.id })
    const isGood = (body: string) => /^(shop|new)( |$)/.test(body)
    const loads = ['busy.test', 'any.busy.test'].map((hostname) => startLoad(panel.proxyPort, hostname, isGood))
    const containerOf = async () => (await unwrap(ann.api.GET('/api/projects/{id}', at(shop.id)))).containerId
    const before = await containerOf()
    await git.commit(shop.repository, nodeSite('new'), 'Change')
    await ann.mustRun(shop.id)
    expect(await bodyOf('busy.test')).toBe('new /')
    expect(await bodyOf('any.busy.test')).toBe('new /')
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
    expect(await containerOf()).not.toBe(before)
  })

  test('survive a kill of the panel, including the last acknowledged change', async () => {
    await environment.addDomain(ann, 'kept.test', { projectId: blog.id })
    const gone = await environment.addDomain(ann, 'gone.test', { projectId: blog.id })
    await unwrap(ann.api.DELETE('/api/domains/{id}', at(gone.id)))
    await panel.kill()
    expect(await bodyOf('kept.test')).toBe('blog')
    await panel.start()
    expect(await bodyOf('kept.test')).toBe('blog')
    await isNowhere('gone.test')
  })

  test('domains of a deleted project stay and show the placeholder page', async () => {
    const site = await makeSite('leaving')
    await ann.mustRun(site.id)
    const plain = await environment.addDomain(ann, 'leaving.test', { projectId: site.id })
    await add(ann, 'www.leaving.test', { projectId: site.id })
    const parent = await environment.addDomain(ann, 'staying.test', { projectId: site.id })
    await add(ann, 'blog.staying.test', { projectId: blog.id })
    expect([await bodyOf('www.leaving.test'), await bodyOf('staying.test')]).toEqual(['leaving', 'leaving'])
    await unwrap(ann.api.DELETE('/api/projects/{id}', at(site.id)))
    for (const { id } of [plain, parent])
      expect(await unwrap(ann.api.GET('/api/domains/{id}', at(id)))).toMatchObject({
        status: 'ACTIVE',
        projectId: null
      })
    await until(
      () => Promise.all(['leaving.test', 'www.leaving.test', 'staying.test'].map((hostname) => panel.visit(hostname))),
      (pages) => pages.every(({ status, body }) => status === 404 && body.includes(noSite))
    )
    expect(await bodyOf('blog.staying.test')).toBe('blog')
  })
})
