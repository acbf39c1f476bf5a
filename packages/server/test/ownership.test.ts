import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { NotificationList } from '@panel/contract/notifications'
import { notify } from '../src/features/notifications/notify-access.ts'
import type { RoutePolicy } from '../src/http/access.ts'
import { newId } from '../src/security/ids.ts'
import { type Client, createTestPanel, password, type TestPanel } from './support/panel.ts'

/** Bodies that no route accepts, with their content types. */
const rubbish: [name: string, body: string, type: string][] = [
  ['an empty object', '{}', 'application/json'],
  ['members of wrong types', '{"port":"x","name":1,"path":[],"variables":7,"mode":{},"type":"?"}', 'application/json'],
  ['a list', '[]', 'application/json'],
  ['null', 'null', 'application/json'],
  ['nothing', '', 'application/json'],
  ['JSON that breaks off', '{"port":', 'application/json'],
  ['bytes that are no text', '\u0000\u0001', 'application/octet-stream'],
  ['a form without a boundary', 'x', 'multipart/form-data']
]
const badQuery = '?page=0&limit=-1&depth=99&tail=x&path=%00&mock=maybe&strategy=x&projects=x'

/** Responses to a stranger for another account's resource; missing resources are 404 for everyone. */
const strangers: Record<string, [status: number, code: string]> = {
  '/api/projects/:id': [403, 'FORBIDDEN'],
  '/api/files/:id': [404, 'NOT_FOUND'],
  '/api/domains/:id': [404, 'NOT_FOUND'],
  '/api/databases/:id': [404, 'NOT_FOUND'],
  '/api/env-groups/:id': [404, 'NOT_FOUND'],
  '/api/registries/:id': [404, 'NOT_FOUND'],
  '/api/mailboxes/:id': [404, 'NOT_FOUND'],
  '/api/mail/deleted-mailboxes/:id': [404, 'NOT_FOUND'],
  '/api/mail/aliases/:id': [404, 'NOT_FOUND'],
  '/api/mail/auth/:domainId': [404, 'NOT_FOUND'],
  '/api/mail/spam/:domainId': [404, 'NOT_FOUND'],
  '/api/mail/dkim/:domainId': [404, 'NOT_FOUND'],
  '/api/mail/dmarc/:domainId': [404, 'NOT_FOUND'],
  '/api/mail/delivery-tests/:id': [404, 'NOT_FOUND'],
  '/api/notifications/channels/:id': [404, 'NOT_FOUND'],
  '/api/notifications/:id': [404, 'NOT_FOUND'],
  '/api/mail/queue/:queueId': [403, 'FORBIDDEN_ROLE'],
  '/api/users/:id': [403, 'FORBIDDEN'],
  '/api/backups/account-restores/:id': [403, 'FORBIDDEN_ROLE'],
  '/api/backups/targets/:id': [403, 'FORBIDDEN_ROLE'],
  '/api/machines/:id': [403, 'FORBIDDEN_ROLE'],
  '/api/firewall/bans/:id': [403, 'FORBIDDEN_ROLE'],
  '/api/firewall/allow-list/:id': [403, 'FORBIDDEN_ROLE'],
  '/api/auth/sessions/:id': [404, 'NOT_FOUND'],
  '/api/auth/tokens/:id': [404, 'NOT_FOUND']
}

let panel: TestPanel
let ann: Client
let bob: Client
let routes: RoutePolicy[]
/** Ann's resources, by the path of the table above. */
const hers: Record<string, string> = {}
let connected: string
let managed: string
beforeAll(async () => {
  const imageRegistry = { checkLogin: async () => {}, findDigest: async () => `sha256:${'0'.repeat(64)}` }
  panel = await createTestPanel(
    { SERVER_IP: '192.0.2.1', DNS_NAMESERVERS: 'ns1.example.net,ns2.example.net' },
    { imageRegistry }
  )
  await panel.signUp('admin')
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
  routes = panel.app.routePolicies.filter(
    ({ method, url, access }) => method !== 'HEAD' && url.includes('/:') && access.kind !== 'public'
  )
  const project = await ann.createProject()
  const idOf = async (method: 'GET' | 'POST', url: string, body?: object) => {
    const answer = await ann.request(method, url, body)
    expect([url, answer.statusCode]).toEqual([url, method === 'GET' ? 200 : 201])
    return answer.json<{ id: string; sessions: { id: string }[] }>()
  }
  const domainOf = async (hostname: string) => {
    const { id } = await idOf('POST', '/api/domains', { hostname })
    expect((await ann.request('POST', `/api/domains/${id}/verify?mock=true`)).statusCode).toBe(200)
    return id
  }
  connected = await domainOf('connected.example.com')
  managed = await domainOf('managed.example.com')
  const mode = { mode: 'MANAGED', skipDelegationCheck: true }
  expect((await ann.request('PATCH', `/api/domains/${managed}/dns-mode`, mode)).statusCode).toBe(200)
  hers['/api/projects/:id'] = hers['/api/files/:id'] = project.id
  hers['/api/domains/:id'] = managed
  hers['/api/env-groups/:id'] = (await idOf('POST', '/api/env-groups', { name: 'hers' })).id
  const registry = { host: 'ghcr.io', username: 'ann', secret: 'a token' }
  hers['/api/registries/:id'] = (await ann.request('PUT', '/api/registries', registry)).json<{ id: string }>().id
  hers['/api/databases/:id'] = (await idOf('POST', '/api/databases', { name: 'hers', type: 'POSTGRESQL' })).id
  const mailboxOf = async (localPart: string) =>
    (await idOf('POST', '/api/mailboxes', { domainId: connected, localPart, password })).id
  hers['/api/mailboxes/:id'] = await mailboxOf('ann')
  hers['/api/mail/deleted-mailboxes/:id'] = await mailboxOf('old')
  await ann.request('DELETE', `/api/mailboxes/${hers['/api/mail/deleted-mailboxes/:id']}`)
  const alias = { domainId: connected, localPart: 'sales', targets: ['ann@example.net'] }
  hers['/api/mail/aliases/:id'] = (await idOf('POST', '/api/mail/aliases', alias)).id
  const delivery = { mailboxId: hers['/api/mailboxes/:id'], to: 'delivery-test@mail.panel.example.net' }
  hers['/api/mail/delivery-tests/:id'] = (await idOf('POST', '/api/mail/delivery-tests', delivery)).id
  hers['/api/notifications/:id'] = await notificationOf(ann)
  const channel = { type: 'WEBHOOK', name: 'hers', url: 'https://hooks.example.com/x' }
  hers['/api/notifications/channels/:id'] = (await idOf('POST', '/api/notifications/channels', channel)).id
  for (const root of ['auth', 'dkim', 'dmarc', 'spam']) hers[`/api/mail/${root}/:domainId`] = connected
  hers['/api/mail/queue/:queueId'] = '4jWdh75MSBzLxKl'
  hers['/api/backups/targets/:id'] = project.id
  hers['/api/backups/account-restores/:id'] = project.id
  hers['/api/machines/:id'] = project.id
  hers['/api/firewall/bans/:id'] = project.id
  hers['/api/firewall/allow-list/:id'] = project.id
  hers['/api/users/:id'] = ann.user.id
  hers['/api/auth/sessions/:id'] = (await idOf('GET', '/api/auth/sessions')).sessions[0]!.id
  const token = { name: 'hers', scope: 'read', password }
  hers['/api/auth/tokens/:id'] = (await idOf('POST', '/api/auth/tokens', token)).id
})
afterAll(() => panel.close())

async function notificationOf(owner: Client): Promise<string> {
  const subject = { type: 'account', id: owner.user.id, name: 'ann' } as const
  const notified = { userId: owner.user.id, kind: 'quota-nearly-used', subject, text: 'Nearly used.' } as const
  await panel.deps.db.transaction((trx) => notify(panel.deps, trx, notified))
  const answer = await owner.request('GET', '/api/notifications')
  return answer.json<NotificationList>().notifications[0]!.id
}

const rootOf = (url: string) => Object.keys(strangers).find((root) => url === root || url.startsWith(`${root}/`))
const fill = (url: string, id: string) =>
  url
    .replace(':action', 'start')
    .replace(/\/:(id|domainId)/, `/${id}`)
    .replaceAll(/:\w+/g, encodeURIComponent(newId()))

async function answersTo(client: Client, { method, url }: RoutePolicy, id: string) {
  const address = fill(url, id)
  const sent =
    method === 'GET'
      ? [await client.request('GET', address + badQuery)]
      : await Promise.all(
          rubbish.map(([, body, type]) =>
            client.request(method as 'POST', address + badQuery, body, { 'content-type': type })
          )
        )
  return sent.map((answer, at) => [
    method,
    url,
    rubbish[at]![0],
    answer.statusCode,
    answer.json<{ code: string }>().code
  ])
}

test('every route with an id is covered', () => {
  expect(routes.filter(({ url }) => rootOf(url) === undefined).map(({ url }) => url)).toEqual([])
  expect(routes.length).toBeGreaterThan(70)
})

describe('with any body', () => {
  test('another’s is refused', async () => {
    for (const route of routes) {
      const root = rootOf(route.url)!
      const expected = route.access.kind === 'role' ? [403, 'FORBIDDEN_ROLE'] : strangers[root]!
      for (const [method, url, what, ...answer] of await answersTo(bob, route, hers[root]!))
        expect([method, url, what, ...answer]).toEqual([method, url, what, ...expected])
    }
    expect((await ann.request('GET', `/api/projects/${hers['/api/projects/:id']}`)).statusCode).toBe(200)
    expect((await ann.request('GET', `/api/domains/${managed}`)).json()).toMatchObject({ dnsMode: 'MANAGED' })
    expect((await ann.request('GET', '/api/auth/tokens')).json()).toMatchObject({ pagination: { total: 1 } })
  })

  // The last values can never be ids.
  test.each([newId(), "1'--", '%00', encodeURIComponent('😀'), '..%2f', 'x'.repeat(200)])(
    'missing is 404: %s',
    async (id) => {
      for (const route of routes) {
        const expected = route.access.kind === 'role' ? [403, 'FORBIDDEN_ROLE'] : [404, 'NOT_FOUND']
        for (const [method, url, what, ...answer] of await answersTo(bob, route, id))
          expect([method, url, what, ...answer]).toEqual([method, url, what, ...expected])
      }
    }
  )

  test('external DNS is 409', async () => {
    const ofDns = routes.filter(({ url }) => /^\/api\/domains\/:id\/(dns|dnssec)(\/|$)/.test(url))
    expect(ofDns.length).toBeGreaterThan(8)
    for (const route of ofDns)
      for (const [method, url, what, ...answer] of await answersTo(ann, route, connected))
        expect([method, url, what, ...answer]).toEqual([method, url, what, 409, 'DNS_NOT_MANAGED'])
  })

  test('missing own sub-resources are 404: record, check, deployment', async () => {
    const ofSecond = routes.filter(({ url }) => /\/:\w+\/.*\/:\w+Id(\/|$)/.test(url))
    expect(ofSecond.length).toBeGreaterThan(15)
    for (const route of ofSecond)
      for (const [method, url, what, ...answer] of await answersTo(ann, route, hers[rootOf(route.url)!]!))
        expect([method, url, what, ...answer]).toEqual([method, url, what, 404, 'NOT_FOUND'])
  })
})

test('own resources report body errors', async () => {
  const answer = await ann.request('PUT', `/api/projects/${hers['/api/projects/:id']}`, { port: 'x' })
  expect([answer.statusCode, answer.json()]).toMatchObject([400, { code: 'VALIDATION_ERROR' }])
})

test('with registration off, the body does not matter', async () => {
  const closed = await createTestPanel({ ALLOW_REGISTRATION: 'false' })
  try {
    await closed.signUp('admin')
    for (const [, payload, type] of rubbish) {
      const answer = await closed.app.inject({
        method: 'POST',
        url: '/api/auth/register',
        headers: { 'content-type': type },
        payload
      })
      expect([answer.statusCode, answer.json().code]).toEqual([403, 'REGISTRATION_DISABLED'])
    }
  } finally {
    await closed.close()
  }
})
