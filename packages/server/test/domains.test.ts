import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CreatedDomain, Domain } from '@panel/contract/domains'
import { syncAllRoutes } from '../src/features/domains/routing.service.ts'
import { purgeProject } from '../src/features/projects/purge.jobs.ts'
import { addDomain, addManagedDomain, addVerifiedDomain, proxyOf, publicDnsOf } from './support/domains.ts'
import { type Client, createTestPanel, password, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let admin: Client
let alice: Client
let bob: Client

beforeAll(async () => {
  panel = await createTestPanel({
    BASE_DOMAIN: 'apps.example.net',
    PANEL_DOMAIN: 'panel.example.net',
    PUBLIC_IP: '203.0.113.7'
  })
  admin = await panel.signUp()
  alice = await panel.signUp('alice')
  bob = await panel.signUp('bob')
})
afterAll(() => panel.close())

const get = async (by: Client, id: string) => (await by.request('GET', `/api/domains/${id}`)).json<Domain>()
const verify = (by: Client, id: string, query = '') => by.request('POST', `/api/domains/${id}/verify${query}`)

describe('adding', () => {
  test('responds PENDING with verification and routing records', async () => {
    const domain = await addDomain(alice, 'first.example.com')
    expect(domain).toMatchObject({
      hostname: 'first.example.com',
      status: 'PENDING',
      sslEnabled: false,
      certificate: null,
      projectId: null,
      parentId: null,
      pathPrefix: null,
      isWildcard: false,
      dnsMode: 'CONNECTED'
    })
    expect(domain.verificationToken).toMatch(/^panel-verify-[0-9a-f]{32}$/)
    expect(domain.verificationInstructions).toEqual({
      recordType: 'TXT',
      recordName: '_panel-challenge.first.example.com',
      recordValue: `panel-verification=${domain.verificationToken}`,
      routingRecord: { recordType: 'A', recordName: 'first.example.com', publicIp: '203.0.113.7' }
    })
  })

  test('a wildcard is verified at its parent', async () => {
    const domain = await addDomain(alice, '*.wild.example.com')
    expect(domain).toMatchObject({ isWildcard: true, status: 'PENDING' })
    expect(domain.verificationInstructions?.recordName).toBe('_panel-challenge.wild.example.com')
  })

  test.each([
    ['https://x.example.com'],
    ['x.example.com:8080'],
    ['x.example.com.'],
    [' x.example.com'],
    ['x example.com'],
    ['x.example.com\n'],
    ['x.example.com/path'],
    ['x_y.example.com'],
    ['-x.example.com'],
    ['x..example.com'],
    ['*.*.example.com'],
    ['a.*.example.com'],
    ['*.com'],
    ['localhost'],
    ['10.0.0.1'],
    ['xn--a.example.com'],
    ['`x`.example.com'],
    ['x.example.com`) || Host(`victim'],
    [`${'a'.repeat(64)}.example.com`],
    [`${'a.'.repeat(130)}example.com`]
  ])('refuses %j', async (hostname) => {
    const response = await alice.request('POST', '/api/domains', { hostname })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: 'hostname' }] })
  })

  test.each([
    ['/'],
    ['//'],
    ['a'],
    ['/a/'],
    ['/a//b'],
    ['/..'],
    ['/a/../b'],
    ['/a"b'],
    ['/a\nb'],
    ['/%2e'],
    ['/a`)'],
    [`/${'a'.repeat(4096)}`]
  ])('refuses the path prefix %j', async (pathPrefix) => {
    const response = await alice.request('POST', '/api/domains', { hostname: 'prefix.example.com', pathPrefix })
    expect(response.statusCode).toBe(400)
  })

  test('normalizes names', async () => {
    const domain = await addDomain(alice, 'BÜCHER.Example.com')
    expect(domain.hostname).toBe('xn--bcher-kva.example.com')
    const again = await alice.request('POST', '/api/domains', { hostname: 'xn--bcher-kva.example.com' })
    expect(again.statusCode).toBe(409)
    expect(again.json()).toMatchObject({ code: 'HOSTNAME_EXISTS' })
  })

  test.each([
    ['apps.example.net'],
    ['*.apps.example.net'],
    ['shop.apps.example.net'],
    ['panel.example.net'],
    ['mail.panel.example.net'],
    ['ns1.panel.example.net'],
    ['*.panel.example.net']
  ])('%s is reserved for the panel', async (hostname) => {
    const response = await alice.request('POST', '/api/domains', { hostname })
    expect(response.statusCode).toBe(409)
    expect(response.json()).toMatchObject({ code: 'HOSTNAME_RESERVED' })
  })

  test('an administrator can add panel names, which still route to the panel', async () => {
    await addVerifiedDomain(admin, 'panel.example.net')
    await syncAllRoutes(panel.deps)
    expect(proxyOf(panel).find('panel.example.net', '/')?.target).toEqual({ kind: 'panel' })
  })

  test.each(['panel.example.net', '*.example.net'])(
    'once a certificate for %s is served, the panel is HTTPS only',
    async (hostname) => {
      const listed = (await admin.request('GET', '/api/domains?limit=100')).json<Domain[]>()
      const { id } = listed.find((domain) => domain.hostname === hostname) ?? (await addVerifiedDomain(admin, hostname))
      const isForced = async (sync = true) => {
        if (sync) await syncAllRoutes(panel.deps)
        return proxyOf(panel).find('panel.example.net', '/')?.forceHttps
      }
      expect(await isForced()).toBe(false)
      await admin.request('POST', `/api/domains/${id}/ssl/provision`)
      expect(await isForced(hostname !== 'panel.example.net')).toBe(true)
      await admin.request('PATCH', `/api/domains/${id}/ssl/settings`, { forceHttps: false })
      expect([await isForced(false), await isForced()]).toEqual([true, true])
      await admin.request('DELETE', `/api/domains/${id}/ssl`)
      expect(await isForced(hostname !== 'panel.example.net')).toBe(false)
    }
  )

  test('a foreign project or parent is refused', async () => {
    const project = await bob.createProject()
    const foreign = await alice.request('POST', '/api/domains', { hostname: 'p.example.com', projectId: project.id })
    expect(foreign.statusCode).toBe(403)
    const parent = await addVerifiedDomain(bob, 'bobs.example.com')
    const below = await alice.request('POST', '/api/domains', { hostname: 'a.bobs.example.com', parentId: parent.id })
    expect(below.statusCode).toBe(404)
    const pending = await addDomain(alice, 'a.bobs.example.com')
    expect(pending).toMatchObject({ status: 'PENDING', parentId: null })
  })

  test('an invalid parent is refused', async () => {
    const parent = await addVerifiedDomain(alice, 'parent.example.com')
    for (const hostname of ['other.example.com', 'xparent.example.com']) {
      const response = await alice.request('POST', '/api/domains', { hostname, parentId: parent.id })
      expect(response.statusCode).toBe(400)
      expect(response.json()).toMatchObject({ details: [{ path: 'parentId' }] })
    }
  })

  test('below a verified own domain it is verified immediately', async () => {
    const parent = await addVerifiedDomain(alice, 'tree.example.com')
    const child = await addDomain(alice, 'shop.tree.example.com')
    expect(child).toMatchObject({
      status: 'ACTIVE',
      parentId: parent.id,
      verificationToken: null,
      verificationInstructions: null
    })
    const wildcard = await addDomain(alice, '*.tree.example.com', { parentId: parent.id })
    expect(wildcard).toMatchObject({ status: 'ACTIVE', parentId: parent.id })
    const children = await alice.request('GET', `/api/domains/${parent.id}/subdomains`)
    expect(children.json<Domain[]>().map((row) => row.hostname)).toEqual([
      '*.tree.example.com',
      'shop.tree.example.com'
    ])
    expect(children.headers).toMatchObject({ 'x-total-count': '2' })
    expect(children.headers).not.toHaveProperty('link')
    const second = await alice.request('GET', `/api/domains/${parent.id}/subdomains?limit=1&page=2`)
    expect(second.json<Domain[]>().map((row) => row.hostname)).toEqual(['shop.tree.example.com'])
    expect(second.headers).toMatchObject({
      'x-total-count': '2',
      link: `</api/domains/${parent.id}/subdomains?limit=1&page=1>; rel="prev"`
    })
  })

  test('shows how to verify until verified', async () => {
    const { id, verificationInstructions } = await addDomain(alice, 'told.example.com')
    const shown = async () => (await alice.request('GET', `/api/domains/${id}`)).json<CreatedDomain>()
    expect(verificationInstructions).not.toBeNull()
    expect(await shown()).toMatchObject({ status: 'PENDING', verificationInstructions })
    await alice.request('POST', `/api/domains/${id}/verify?mockRecord=other`)
    expect(await shown()).toMatchObject({ status: 'ERROR', verificationInstructions })
    await alice.request('POST', `/api/domains/${id}/verify?mock=true`)
    expect(await shown()).toMatchObject({ status: 'ACTIVE', verificationInstructions: null })
  })

  test('a foreign verified domain in between blocks inheritance', async () => {
    await addVerifiedDomain(alice, 'top.example.com')
    await addVerifiedDomain(bob, 'mid.top.example.com')
    expect(await addDomain(alice, 'low.mid.top.example.com')).toMatchObject({ status: 'PENDING' })
    expect(await addDomain(bob, 'low.mid.top.example.com')).toMatchObject({ status: 'ACTIVE' })
  })

  test('counts against the quota, also concurrently', async () => {
    const carol = await panel.createUser(admin, { maxDomains: 3 })
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        carol.request('POST', '/api/domains', { hostname: `c${index}.example.org` })
      )
    )
    expect(answers.filter((answer) => answer.statusCode === 201)).toHaveLength(3)
    expect(answers.find((answer) => answer.statusCode !== 201)?.json()).toMatchObject({ code: 'QUOTA_EXCEEDED' })
  })
})

describe('verification', () => {
  test('any one resolver is enough', async () => {
    const domain = await addDomain(alice, 'one.example.com')
    const dns = publicDnsOf(panel)
    dns.set('_panel-challenge.one.example.com', 'TXT', [`panel-verification=${domain.verificationToken}`], '192.0.2.3')
    dns.failWith('192.0.2.1', 'TIMEOUT')
    const response = await verify(alice, domain.id)
    dns.failWith('192.0.2.1', undefined)
    expect(response.json()).toMatchObject({ verified: true, status: 'ACTIVE' })
    expect(await get(alice, domain.id)).toMatchObject({ status: 'ACTIVE' })
  })

  test('a wrong token sets ERROR with the remedy; the right one succeeds later', async () => {
    const domain = await addDomain(alice, 'wrong.example.com')
    const name = '_panel-challenge.wrong.example.com'
    publicDnsOf(panel).set(name, 'TXT', [`panel-verification=panel-verify-${'0'.repeat(32)}`])
    const refused = (await verify(alice, domain.id)).json()
    expect(refused).toMatchObject({
      verified: false,
      status: 'ERROR',
      message: expect.stringContaining(`The TXT record ${name} belongs to another verification`),
      sentences: [
        {
          code: 'OTHER_VERIFICATION',
          values: {
            name,
            found: `panel-verification=panel-verify-${'0'.repeat(32)}`,
            wanted: `panel-verification=${domain.verificationToken}`
          }
        }
      ],
      expectedRecord: { recordName: name, recordValue: `panel-verification=${domain.verificationToken}` }
    })
    expect(refused.detectedRecords).toContainEqual(
      expect.objectContaining({ recordName: name, values: [`panel-verification=panel-verify-${'0'.repeat(32)}`] })
    )
    publicDnsOf(panel).set(name, 'TXT', [`panel-verification=${domain.verificationToken}`])
    expect((await verify(alice, domain.id)).json()).toMatchObject({ verified: true, status: 'ACTIVE' })
    expect((await verify(alice, domain.id)).json()).toMatchObject({
      message: 'wrong.example.com is verified',
      sentences: [{ code: 'VERIFIED_BEFORE', values: { hostname: 'wrong.example.com' } }]
    })
  })

  test('the token at the hostname itself is accepted', async () => {
    const domain = await addDomain(alice, 'apex.example.com')
    publicDnsOf(panel).set('apex.example.com', 'TXT', ['v=spf1 -all', `panel-verification=${domain.verificationToken}`])
    expect((await verify(alice, domain.id)).json()).toMatchObject({ verified: true })
  })

  test('test records are really checked', async () => {
    const domain = await addDomain(alice, 'mock.example.com')
    expect((await verify(alice, domain.id, '?mockRecord=nonsense')).json()).toMatchObject({ verified: false })
    const value = encodeURIComponent(`panel-verification=${domain.verificationToken}`)
    expect((await verify(alice, domain.id, `?mockRecord=${value}`)).json()).toMatchObject({ verified: true })
  })

  test('production mocks nothing', async () => {
    const production = await createTestPanel({ NODE_ENV: 'production' })
    try {
      const user = await production.signUp()
      const domain = await addDomain(user, 'prod.example.com')
      const value = encodeURIComponent(`panel-verification=${domain.verificationToken}`)
      for (const query of ['?mock=true', `?mockRecord=${value}`])
        expect((await verify(user, domain.id, query)).json()).toMatchObject({ verified: false, status: 'ERROR' })
    } finally {
      await production.close()
    }
  })

  test('a parent verified later verifies it too', async () => {
    const wildcard = await addDomain(alice, '*.later.example.com')
    await addVerifiedDomain(alice, 'later.example.com')
    expect((await verify(alice, wildcard.id)).json()).toMatchObject({
      verified: true,
      status: 'ACTIVE',
      sentences: [{ code: 'VERIFIED_ABOVE', values: { hostname: '*.later.example.com' } }]
    })
  })

  test('several accounts can claim a name; the verified one has it', async () => {
    const claim = await addDomain(bob, 'claimed.example.com')
    const real = await addDomain(alice, 'claimed.example.com')
    expect((await verify(alice, real.id, '?mock=true')).json()).toMatchObject({ verified: true })
    const late = await verify(bob, claim.id, '?mock=true')
    expect(late.statusCode).toBe(409)
    expect(late.json()).toMatchObject({ code: 'HOSTNAME_EXISTS' })
    const admins = await admin.request('POST', '/api/domains', { hostname: 'claimed.example.com' })
    expect(admins.json()).toMatchObject({ code: 'HOSTNAME_EXISTS' })
  })

  test('of two concurrent verifications exactly one succeeds', async () => {
    const claims = await Promise.all([addDomain(alice, 'race.example.com'), addDomain(bob, 'race.example.com')])
    const answers = await Promise.all([
      verify(alice, claims[0].id, '?mock=true'),
      verify(bob, claims[1].id, '?mock=true')
    ])
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 409])
  })
})

describe('routes', () => {
  const targetOf = (hostname: string, path = '/') => proxyOf(panel).find(hostname, path)?.target.kind

  test('use the longest prefix, and an exact host wins over a wildcard', async () => {
    const [shop, blog, rest] = await Promise.all([alice.createProject(), alice.createProject(), alice.createProject()])
    await addVerifiedDomain(alice, 'routes.example.com', { projectId: shop.id })
    const prefixed = await addDomain(alice, 'routes.example.com', { projectId: blog.id, pathPrefix: '/blog' })
    expect(prefixed.status).toBe('ACTIVE')
    await addDomain(alice, '*.routes.example.com', { projectId: rest.id })
    await addDomain(alice, 'held.routes.example.com')
    const routes = proxyOf(panel).routes
    expect([...routes.keys()].filter((key) => key.includes('routes.example.com')).sort()).toEqual([
      '*.routes.example.com/',
      'held.routes.example.com/',
      'routes.example.com/',
      'routes.example.com/blog/'
    ])
    expect(targetOf('held.routes.example.com')).toBe('nothing')
    expect(targetOf('any.routes.example.com')).toBe('stopped')
    const again = await alice.request('POST', '/api/domains', { hostname: 'routes.example.com', pathPrefix: '/blog' })
    expect(again.statusCode).toBe(409)
  })

  test('a host with only paths reserves its other paths beside a foreign wildcard', async () => {
    const [theirs, mine] = await Promise.all([bob.createProject(), alice.createProject()])
    await addVerifiedDomain(bob, '*.parts.example.com', { projectId: theirs.id })
    const domain = await addVerifiedDomain(alice, 'shop.parts.example.com', { projectId: mine.id, pathPrefix: '/app' })
    expect(targetOf('shop.parts.example.com', '/app/x')).toBe('stopped')
    expect(targetOf('shop.parts.example.com', '/login')).toBe('nothing')
    await alice.request('PATCH', `/api/domains/${domain.id}`, { pathPrefix: null })
    expect(targetOf('shop.parts.example.com', '/login')).toBe('stopped')
    await alice.request('PATCH', `/api/domains/${domain.id}`, { pathPrefix: '/b' })
    expect(targetOf('shop.parts.example.com', '/login')).toBe('nothing')
    expect(await syncAllRoutes(panel.deps)).toBe(false)
    await alice.request('DELETE', `/api/domains/${domain.id}`)
    expect(proxyOf(panel).routes.has('shop.parts.example.com/')).toBe(false)
  })

  test('beside an own wildcard, other paths go to it', async () => {
    const [rest, part] = await Promise.all([alice.createProject(), alice.createProject()])
    await addVerifiedDomain(alice, '*.mine.example.com', { projectId: rest.id })
    await addVerifiedDomain(alice, 'part.mine.example.com', { projectId: part.id, pathPrefix: '/app' })
    expect(proxyOf(panel).find('part.mine.example.com', '/login')?.hostname).toBe('*.mine.example.com')
    expect(await syncAllRoutes(panel.deps)).toBe(false)
  })

  test('change immediately', async () => {
    const [from, to] = await Promise.all([alice.createProject(), alice.createProject()])
    const domain = await addVerifiedDomain(alice, 'moves.example.com', { projectId: from.id, pathPrefix: '/a' })
    const response = await alice.request('PATCH', `/api/domains/${domain.id}`, { projectId: to.id, pathPrefix: '/b' })
    expect(response.json()).toMatchObject({ projectId: to.id, pathPrefix: '/b' })
    expect([...proxyOf(panel).routes.keys()].filter((key) => key.startsWith('moves.')).sort()).toEqual([
      'moves.example.com/',
      'moves.example.com/b/'
    ])
    const foreign = await bob.createProject()
    expect((await alice.request('PATCH', `/api/domains/${domain.id}`, { projectId: foreign.id })).statusCode).toBe(403)
    await alice.request('PATCH', `/api/domains/${domain.id}`, { projectId: null, pathPrefix: null })
    expect(targetOf('moves.example.com')).toBe('nothing')
  })

  test('a deploy token cannot point a domain at another project', async () => {
    const [from, to] = await Promise.all([alice.createProject(), alice.createProject()])
    await addVerifiedDomain(alice, 'token.example.com', { projectId: from.id })
    const answer = await alice.request('POST', '/api/auth/tokens', { name: 'ci', scope: 'deploy', password })
    const deploy = (projectId: string) =>
      panel.app.inject({
        method: 'POST',
        url: `/api/projects/${projectId}/deploy`,
        headers: { authorization: `Bearer ${answer.json<{ token: string }>().token}` },
        payload: { domain: 'token.example.com' }
      })
    expect((await deploy(to.id)).json()).toMatchObject({ code: 'FORBIDDEN' })
    expect((await deploy(from.id)).json()).toMatchObject({ code: 'NOT_BUILT' })
  })

  test('are removed with the domain and its subdomains', async () => {
    const parent = await addVerifiedDomain(alice, 'gone.example.com')
    const child = await addDomain(alice, 'a.gone.example.com')
    await addDomain(alice, 'b.a.gone.example.com', { parentId: child.id })
    await addDomain(alice, 'gone.example.com', { pathPrefix: '/x' })
    expect((await alice.request('DELETE', `/api/domains/${parent.id}`)).statusCode).toBe(204)
    expect((await alice.request('GET', `/api/domains/${child.id}`)).statusCode).toBe(404)
    expect([...proxyOf(panel).routes.keys()].filter((key) => key.includes('gone.example.com'))).toEqual([])
    await addVerifiedDomain(bob, 'gone.example.com')
  })

  test('are sent by the reconcile loop if the proxy was down', async () => {
    proxyOf(panel).fail = true
    const domain = await addVerifiedDomain(alice, 'away.example.com')
    proxyOf(panel).fail = false
    expect(targetOf('away.example.com')).toBeUndefined()
    await syncAllRoutes(panel.deps)
    expect(targetOf('away.example.com')).toBe('nothing')
    expect(domain.status).toBe('ACTIVE')
  })

  test('domains outlive their project', async () => {
    const [project, other] = await Promise.all([alice.createProject(), alice.createProject()])
    const plain = await addVerifiedDomain(alice, 'plain.example.com', { projectId: project.id })
    const part = await addDomain(alice, 'plain.example.com', { projectId: project.id, pathPrefix: '/x' })
    const pending = await addDomain(alice, 'pending.example.com', { projectId: project.id })
    const below = await addDomain(alice, 'x.plain.example.com', { projectId: other.id })
    const managed = await addManagedDomain(alice, 'zone.example.com')
    await alice.request('PATCH', `/api/domains/${managed.id}`, { projectId: project.id })
    expect((await alice.request('DELETE', `/api/projects/${project.id}`)).statusCode).toBe(204)
    for (const { id, status, verificationToken } of [plain, part, pending])
      expect(await get(alice, id)).toMatchObject({ projectId: null, status, verificationToken })
    expect(await get(alice, below.id)).toMatchObject({ projectId: other.id, parentId: plain.id })
    expect(await get(alice, managed.id)).toMatchObject({ projectId: null, dnsMode: 'MANAGED' })
    const { entries } = (await alice.request('GET', '/api/audit/me')).json()
    expect(entries.find(({ action }: { action: string }) => action === 'project.deleted').metadata).toMatchObject({
      domains: ['pending.example.com', 'plain.example.com', 'zone.example.com']
    })
    await purgeProject(panel.deps, project.id, {
      routes: [
        { hostname: 'plain.example.com', pathPrefix: null },
        { hostname: 'plain.example.com', pathPrefix: '/x' }
      ]
    })
    expect(targetOf('plain.example.com')).toBe('nothing')
  })
})

describe('reading', () => {
  test('the list is an array with pagination headers', async () => {
    const dave = await panel.createUser(admin)
    for (const name of ['a', 'b', 'c']) await addDomain(dave, `${name}.dave.example.org`)
    const response = await dave.request('GET', '/api/domains?limit=2&search=DAVE')
    expect(response.json<Domain[]>().map((row) => row.hostname)).toEqual(['c.dave.example.org', 'b.dave.example.org'])
    expect(response.headers).toMatchObject({
      'x-total-count': '3',
      link: '</api/domains?limit=2&search=DAVE&page=2>; rel="next"'
    })
    const byName = await dave.request('GET', '/api/domains?order=name')
    expect(byName.json<Domain[]>().map((row) => row.hostname[0])).toEqual(['a', 'b', 'c'])
    expect((await dave.request('GET', '/api/domains?status=ACTIVE')).json()).toEqual([])
    expect((await dave.request('GET', '/api/domains?limit=101')).statusCode).toBe(400)
    expect((await dave.request('GET', '/api/domains?page=0')).statusCode).toBe(400)
  })

  test('others cannot see domains, not even administrators', async () => {
    const domain = await addDomain(alice, 'private.example.com')
    for (const stranger of [bob, admin])
      for (const [method, path] of [
        ['GET', ''],
        ['GET', '/subdomains'],
        ['PATCH', ''],
        ['DELETE', ''],
        ['POST', '/verify?mock=true'],
        ['POST', '/dns-mode/check']
      ] as const)
        expect(
          (await stranger.request(method, `/api/domains/${domain.id}${path}`, method === 'PATCH' ? {} : undefined))
            .statusCode
        ).toBe(404)
    expect((await bob.request('PATCH', `/api/domains/${domain.id}/dns-mode`, { mode: 'MANAGED' })).statusCode).toBe(404)
    const response = await panel.app.inject({ method: 'GET', url: '/api/domains' })
    expect(response.statusCode).toBe(401)
  })
})

test('an account is deleted with its domains on request', async () => {
  const erin = await panel.createUser(admin)
  await addVerifiedDomain(erin, 'erin.example.org')
  const refused = await admin.request('DELETE', `/api/users/${erin.user.id}`)
  expect(refused.json()).toMatchObject({ code: 'ACCOUNT_NOT_EMPTY' })
  await admin.request('DELETE', `/api/users/${erin.user.id}?projects=delete`)
  expect(proxyOf(panel).find('erin.example.org', '/')).toBeUndefined()
  await addVerifiedDomain(alice, 'erin.example.org')
})
