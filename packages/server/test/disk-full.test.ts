import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { freeFloor } from '../src/process/free-disk-space.ts'
import { writesOf } from '../src/http/writes.policy.ts'
import { addManagedDomain } from './support/domains.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let ann: Client
let id: string
let domainId: string
let free = Infinity
beforeAll(async () => {
  panel = await createTestPanel(
    { DNS_NAMESERVERS: 'ns1.example.net,ns2.example.net' },
    { freeDiskBytes: async () => free }
  )
  await panel.signUp('admin')
  ann = await panel.signUp('ann')
  id = (await ann.createProject()).id
  domainId = (await addManagedDomain(ann, 'full.example.com')).id
})
afterEach(() => {
  free = Infinity
})
afterAll(() => panel.close())

const codeOf = async (method: 'POST' | 'PUT' | 'DELETE' | 'GET', url: string, body?: object) => {
  const answer = await ann.request(method, url, body)
  return answer.statusCode < 300 ? answer.statusCode : [answer.statusCode, answer.json().code]
}
const full = [507, 'DISK_FULL']

describe('a full disk', () => {
  test.each<[string, 'POST' | 'PUT', string, object]>([
    ['a file', 'POST', 'files/:id/write', { path: 'a', content: 'x'.repeat(1_900_000) }],
    ['a new file', 'POST', 'files/:id/create', { path: 'b' }],
    ['a directory', 'POST', 'files/:id/mkdir', { path: 'c' }],
    ['a copy', 'POST', 'files/:id/copy', { from: 'a', to: 'd' }],
    ['an archive', 'POST', 'files/:id/extract', { path: 'a.zip', to: '' }],
    ['a variable', 'POST', 'projects/:id/env', { key: 'A', value: 'b' }],
    ['a build', 'POST', 'projects/:id/build', {}],
    ['a repository', 'POST', 'projects/:id/git/connect', {}],
    ['a project', 'POST', 'projects', { name: 'next', type: 'NODEJS' }],
    ['a domain', 'POST', 'domains', { domain: 'example.com' }],
    ['a record', 'POST', 'domains/:domainId/dns', { type: 'A', name: '@', value: '192.0.2.1' }],
    ['a database', 'POST', 'databases', { name: 'd', type: 'MYSQL' }]
  ])('accepts no %s', async (_what, method, url, body) => {
    free = 0
    expect(await codeOf(method, `/api/${url.replace(':id', id).replace(':domainId', domainId)}`, body)).toEqual(full)
  })

  test('can be cleaned up, and sign-in and reads work', async () => {
    await ann.request('POST', `/api/projects/${id}/env`, { key: 'GONE', value: 'b' })
    free = 0
    expect((await panel.signIn(ann.user.email)).user.id).toBe(ann.user.id)
    expect(await codeOf('GET', `/api/projects/${id}/env`)).toBe(200)
    expect(await codeOf('DELETE', `/api/projects/${id}/env/GONE`)).toBe(200)
    const { parts } = (await panel.app.inject('/api/health')).json()
    expect(parts.disk).toMatchObject({ status: 'unreachable', remedy: expect.stringContaining('The disk is full') })
  })

  test('reveals nothing to strangers', async () => {
    free = 0
    expect((await panel.app.inject({ method: 'POST', url: `/api/projects/${id}/env`, payload: {} })).statusCode).toBe(
      401
    )
  })
})

test('a nearly full disk accepts rows but no files', async () => {
  free = freeFloor(panel.deps.config, panel.deps.config.DATA_DIR, 'files') - 1
  expect(await codeOf('POST', `/api/projects/${id}/env`, { key: 'ROW', value: 'b' })).toBe(200)
  expect(await codeOf('POST', `/api/files/${id}/mkdir`, { path: 'c' })).toEqual(full)
})

test('each writing route is classified', () => {
  const kinds = panel.app.routePolicies
    .filter(({ method }) => !['GET', 'HEAD', 'OPTIONS', 'DELETE'].includes(method))
    .map(({ method, url }) => [writesOf(method, url), `${method} ${url}`] as const)
  const of = (kind: string) =>
    kinds
      .filter(([each]) => each === kind)
      .map(([, route]) => route.replace(/^\w+ \/api\//, ''))
      .sort()
  expect(of('files')).toMatchInlineSnapshot(`
    [
      "databases",
      "files/:id/copy",
      "files/:id/create",
      "files/:id/extract",
      "files/:id/mkdir",
      "files/:id/upload",
      "files/:id/write",
      "git/inspect",
      "projects/:id/build",
      "projects/:id/deploy",
      "projects/:id/deployments/:deploymentId/rollback",
      "projects/:id/git/connect",
      "projects/:id/wordpress/import",
    ]
  `)
  expect(of('nothing')).toMatchInlineSnapshot(`
    [
      "POST /autodiscover/autodiscover.xml",
      "auth/2fa/challenge",
      "auth/2fa/disable",
      "auth/2fa/recovery-codes",
      "auth/2fa/setup",
      "auth/2fa/verify-setup",
      "auth/change-password",
      "auth/confirm",
      "auth/device",
      "auth/device/answer",
      "auth/device/find",
      "auth/device/token",
      "auth/forgot-password",
      "auth/login",
      "auth/logout",
      "auth/reset-password",
      "auth/session/move",
      "auth/session/take",
      "databases/:id/test",
      "domains/:id/dns-mode/check",
      "domains/:id/dns/:recordId/propagation",
      "files/:id/chmod",
      "files/:id/move",
      "files/:id/rename",
      "mail/dkim/:domainId/keys/:keyId/retire",
      "mail/queue/:queueId/delete",
      "mail/queue/:queueId/flush",
      "mail/queue/:queueId/hold",
      "mail/queue/:queueId/release",
      "mail/queue/flush",
      "projects/:id/container/:action",
      "projects/:id/deployments/:deploymentId/cancel",
      "sftp/enable",
      "sftp/remove-ssh-key",
      "system/disk/cleanup",
      "system/disk/measure",
      "system/dns-info/verify",
      "system/settings",
      "users/:id/2fa/reset",
      "users/:id/permissions",
      "users/:id/quotas",
      "users/:id/resume",
      "users/:id/role",
      "users/:id/suspend",
    ]
  `)
})
