import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DnsInfo, DnsInfoVerification } from '@panel/contract/system'
import { users } from '../src/db/schema/users.ts'
import { createMemoryPublicDns } from './fakes/memory-public-dns.ts'
import { createPublicDns } from '../src/infra/public-dns/resolvers.ts'
import { startFakeResolver } from './support/fake-resolver.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

const env = { PANEL_DOMAIN: 'panel.example.com', BASE_DOMAIN: 'apps.example.com', PUBLIC_IP: '203.0.113.5' }
const names = ['panel.example.com', 'api.panel.example.com', 'webmail.panel.example.com', '*.apps.example.com']

describe('dns-info', () => {
  const publicDns = createMemoryPublicDns()
  let panel: TestPanel
  let admin: Client
  beforeAll(async () => {
    panel = await createTestPanel(env, { publicDns })
    admin = await panel.signUp('admin')
  })
  afterAll(() => panel.close())
  const verify = async (client = admin) => {
    const response = await client.request('POST', '/api/system/dns-info/verify')
    expect(response.statusCode).toBe(200)
    return response.json<DnsInfoVerification>()
  }

  test('lists the records to set', async () => {
    const response = await admin.request('GET', '/api/system/dns-info')
    expect(response.statusCode).toBe(200)
    const { records, ...rest } = response.json<DnsInfo>()
    expect(rest).toEqual({ publicIp: '203.0.113.5', domain: 'panel.example.com', baseDomain: 'apps.example.com' })
    expect(records).toEqual(
      names.map((name) => ({ type: 'A', name, value: '203.0.113.5', purpose: expect.stringMatching(/\S/) }))
    )
  })

  test('verify reports each record per resolver', async () => {
    const [first, second, third] = publicDns.resolvers as [string, string, string]
    publicDns.set('panel.example.com', 'A', ['203.0.113.5'])
    publicDns.set('api.panel.example.com', 'A', ['198.51.100.9'], first)
    publicDns.set('panel-probe.apps.example.com', 'A', ['198.51.100.9'], first)
    publicDns.set('panel-probe.apps.example.com', 'A', ['203.0.113.5'], second)
    publicDns.failWith(third, 'TIMEOUT')
    const { records, ...rest } = await verify()
    expect(rest).toEqual({ publicIp: '203.0.113.5', domain: 'panel.example.com', baseDomain: 'apps.example.com' })
    expect(records.map(({ name, state, probedName }) => [name, state, probedName])).toEqual([
      ['panel.example.com', 'Live', 'panel.example.com'],
      ['api.panel.example.com', 'Not pointed here yet', 'api.panel.example.com'],
      ['webmail.panel.example.com', 'Not found', 'webmail.panel.example.com'],
      ['*.apps.example.com', 'Live', 'panel-probe.apps.example.com']
    ])
    expect(records[3]!.resolvers).toEqual([
      { resolver: first, state: 'Not pointed here yet', values: ['198.51.100.9'], latencyMs: 1, error: null },
      { resolver: second, state: 'Live', values: ['203.0.113.5'], latencyMs: 1, error: null },
      { resolver: third, state: 'Not found', values: [], latencyMs: 1, error: 'TIMEOUT' }
    ])
  })

  test.each([
    ['GET', '/api/system/dns-info'],
    ['POST', '/api/system/dns-info/verify']
  ] as const)('%s %s requires an administrator or canManageDns', async (method, url) => {
    const stranger = await panel.app.inject({ method, url })
    expect([stranger.statusCode, stranger.json().code]).toEqual([401, 'UNAUTHENTICATED'])
    for (const role of ['USER', 'RESELLER']) {
      const client = await panel.createUser(admin, { role })
      const refused = await client.request(method, url)
      expect([refused.statusCode, refused.json().code]).toEqual([403, 'FORBIDDEN_ROLE'])
      const grant = (permissions: (typeof users.$inferInsert)['permissions']) =>
        panel.deps.db.update(users).set({ permissions }).where(eq(users.id, client.user.id))
      await grant(['canManageFirewall'])
      expect((await client.request(method, url)).statusCode).toBe(403)
      await grant(['canManageDns'])
      expect((await client.request(method, url)).statusCode).toBe(200)
    }
  })
})

test.each([
  ['PANEL_DOMAIN', { publicIp: '203.0.113.5', domain: null }],
  ['PUBLIC_IP', { publicIp: null, domain: 'panel.example.com' }]
])('without %s there are no records', async (variable, values) => {
  const panel = await createTestPanel({ ...env, [variable]: '' })
  try {
    const admin = await panel.signUp()
    const expected = { ...values, baseDomain: 'apps.example.com', records: [] }
    expect((await admin.request('GET', '/api/system/dns-info')).json()).toEqual(expected)
    expect((await admin.request('POST', '/api/system/dns-info/verify')).json()).toEqual(expected)
  } finally {
    await panel.close()
  }
})

test('verify asks the resolvers of the configuration', async () => {
  const fakes = await Promise.all(['127.0.0.11', '127.0.0.12', '127.0.0.13'].map((host) => startFakeResolver(host)))
  const [first, second, third] = fakes as [(typeof fakes)[0], (typeof fakes)[0], (typeof fakes)[0]]
  const resolvers = fakes.map(({ address }) => address)
  const panel = await createTestPanel(env, { publicDns: createPublicDns({ resolvers, timeoutMs: 300 }) })
  try {
    first.fallback = { values: ['203.0.113.5'] }
    second.fallback = { drop: true }
    third.set('panel.example.com', 'A', { values: ['198.51.100.9'] })
    const admin = await panel.signUp()
    const { records } = (await admin.request('POST', '/api/system/dns-info/verify')).json<DnsInfoVerification>()
    expect(records.map(({ name, state }) => [name, state])).toEqual(names.map((name) => [name, 'Live']))
    expect(records[0]!.resolvers).toMatchObject([
      { resolver: first.address, state: 'Live', values: ['203.0.113.5'], error: null },
      { resolver: second.address, state: 'Not found', values: [], error: 'TIMEOUT' },
      { resolver: third.address, state: 'Not pointed here yet', values: ['198.51.100.9'], error: null }
    ])
    expect(third.queries.map(({ name }) => name).sort()).toEqual(
      [...names.slice(0, 3), 'panel-probe.apps.example.com'].sort()
    )
  } finally {
    await panel.close()
    await Promise.all(fakes.map((fake) => fake.close()))
  }
})
