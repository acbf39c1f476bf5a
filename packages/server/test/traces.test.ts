import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pack } from 'tar-stream'
import { buffer } from 'node:stream/consumers'
import type { AuditAction } from '@panel/contract/audit'
import { insertDeployment } from '../src/features/deployments/deployments.repository.ts'
import { verifyAudit } from '../src/features/audit/verification.service.ts'
import { newId } from '../src/security/ids.ts'
import { addManagedDomain } from './support/domains.ts'
import { filesOf, type FilesClient } from './support/files.ts'
import { type Client, createTestPanel, password, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let ann: Client
let files: FilesClient
let id: string
let domainId: string
let domainRoute: { id: string; otherProjectId: string }
beforeAll(async () => {
  panel = await createTestPanel()
  ann = await panel.signUp('ann')
  files = await filesOf(panel, ann)
  id = files.project.id
  domainId = (await addManagedDomain(ann, 'site.example.com')).id
  domainRoute = { id: domainId, otherProjectId: (await ann.createProject()).id }
})
afterAll(() => panel.close())

const at = (path: string) => `/api/projects/${id}${path}`
const run = async (method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, payload?: object) => {
  const answer = await ann.request(method, url, payload)
  if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.body}`)
  return answer.json<Record<string, string>>
}
const finished = (image: string | null = 'image') =>
  panel.deps.db.transaction((trx) =>
    insertDeployment(trx, {
      id: newId(),
      projectId: id,
      userId: ann.user.id,
      trigger: 'MANUAL',
      status: image === null ? 'QUEUED' : 'RUNNING',
      image,
      imageSpec: { port: 80, readOnlyRoot: true, volumes: [] },
      commitHash: 'c'.repeat(40)
    })
  )
const file = (perform: string, body: object) => async () => {
  const answer = await files.post(perform, body)
  if (answer.statusCode >= 300) throw new Error(answer.body)
}

/** Actions in order, the audit entry of each, and its subject. */
const actions: [AuditAction, about: () => string, act: () => Promise<unknown>, metadata?: object][] = [
  ['project.created', () => domainRoute.otherProjectId, async () => {}, { type: 'NODEJS', gitUrl: null }],
  [
    'project.updated',
    () => id,
    () => run('PUT', at(''), { name: 'renamed', startCmd: 'PASSWORD=hidden-1 node .', port: 8080 }),
    { name: { before: expect.any(String), after: 'renamed' }, startCmd: 'changed', port: { before: null, after: 8080 } }
  ],
  [
    'git.connected',
    () => id,
    () => run('POST', at('/git/connect'), { gitUrl: 'https://github.com/owner/repository' }),
    { gitUrl: 'https://github.com/owner/repository', branch: 'main' }
  ],
  ['git.deploy_key_created', () => id, () => run('POST', at('/git/ssh-key'))],
  ['git.webhook_secret_rotated', () => id, () => run('POST', at('/git/webhook-secret/rotate'))],
  [
    'deployment.build_requested',
    () => id,
    () => run('POST', at('/build'), { buildCmd: 'echo hidden-2' }),
    { deploymentId: expect.any(String), buildCmd: 'given' }
  ],
  [
    'deployment.rollback_requested',
    () => id,
    async () => run('POST', at(`/deployments/${(await finished()).id}/rollback`)),
    { commitHash: 'c'.repeat(40) }
  ],
  [
    'deployment.cancelled',
    () => id,
    async () => run('POST', at(`/deployments/${(await finished(null)).id}/cancel`)),
    { deploymentId: expect.any(String) }
  ],
  ['env_var.set', () => id, () => run('POST', at('/env'), { key: 'A', value: 'hidden-3' }), { count: 1, keys: ['A'] }],
  [
    'env_var.imported',
    () => id,
    () => run('POST', at('/env/import'), { content: 'B=hidden-4\nC=hidden-5\n' }),
    { count: 2, keys: ['B', 'C'] }
  ],
  ['env_var.exported', () => id, () => ann.request('GET', at('/env/export'))],
  ['env_var.deleted', () => id, () => run('DELETE', at('/env/B')), { keys: ['B'] }],
  ['file.created', () => id, file('create', { path: 'a.txt', content: 'hidden-6' }), { path: 'a.txt', bytes: 8 }],
  ['file.written', () => id, file('write', { path: 'a.txt', content: 'hidden' }), { path: 'a.txt', bytes: 6 }],
  ['file.directory_created', () => id, file('mkdir', { path: 'dir' }), { path: 'dir' }],
  ['file.copied', () => id, file('copy', { from: 'a.txt', to: 'dir/b.txt' }), { from: 'a.txt', to: 'dir/b.txt' }],
  ['file.moved', () => id, file('move', { from: 'a.txt', to: 'c.txt' }), { from: 'a.txt', to: 'c.txt' }],
  ['file.mode_changed', () => id, file('chmod', { path: 'c.txt', mode: '600' }), { path: 'c.txt', mode: '600' }],
  [
    'file.uploaded',
    () => id,
    () => files.upload({ name: 'up.txt', content: 'x' }, 'dir'),
    { path: 'dir/up.txt', bytes: 1 }
  ],
  ['file.deleted', () => id, () => files.remove('dir'), { path: 'dir' }],
  [
    'file.extracted',
    () => id,
    async () => {
      const tar = pack()
      tar.entry({ name: 'from-archive.txt' }, 'x')
      tar.finalize()
      await files.put({ 'site.tar': (await buffer(tar)).toString('latin1') })
      await file('extract', { path: 'site.tar', to: '' })()
    },
    { path: 'site.tar', to: '', files: 1 }
  ],
  [
    'dns_record.created',
    () => domainId,
    () => run('POST', `/api/domains/${domainId}/dns`, { type: 'A', name: 'a', value: '192.0.2.1' }),
    { hostname: 'site.example.com', type: 'A', name: 'a', value: '192.0.2.1' }
  ],
  ['dns_record.defaults_created', () => domainId, () => run('POST', `/api/domains/${domainId}/dns/defaults`)],
  [
    'domain.updated',
    () => domainId,
    () => run('PATCH', `/api/domains/${domainId}`, { projectId: domainRoute.otherProjectId }),
    { hostname: 'site.example.com', before: { projectId: null, pathPrefix: null } }
  ],
  ['git.disconnected', () => id, () => run('PUT', at(''), { gitUrl: null })]
]

test.each(actions)('%s', async (action, about, perform, metadata = {}) => {
  await perform()
  const entries = await panel.audited({ action, targetId: about() })
  expect(entries).toHaveLength(1)
  expect(entries[0]).toMatchObject({ actorId: ann.user.id, ip: '127.0.0.1', metadata })
})

test('changes and deletions record the previous values', async () => {
  const url = `/api/domains/${domainId}/dns`
  const { id: recordId } = (await ann.request('POST', url, { type: 'TXT', name: 't', value: 'old' })).json()
  await run('PATCH', `${url}/${recordId}`, { value: 'new' })
  expect((await ann.request('DELETE', `${url}/${recordId}`)).statusCode).toBe(204)
  const of = async (action: AuditAction) => (await panel.audited({ action, targetId: domainId })).at(-1)!.metadata
  expect(await of('dns_record.updated')).toMatchObject({ before: { value: 'old' }, after: { value: 'new' } })
  expect(await of('dns_record.deleted')).toMatchObject({ type: 'TXT', name: 't', value: 'new' })
})

test('a delivery is recorded once and visible to the owner', async () => {
  const project = await ann.createProject()
  const url = `/api/projects/${project.id}/git/connect`
  const git = await ann.request('POST', url, { gitUrl: 'https://github.com/owner/repository' })
  const hash = 'd'.repeat(40)
  const body = JSON.stringify({ ref: 'refs/heads/main', after: hash, head_commit: { id: hash, message: 'm' } })
  const secret = git.json<{ webhookSecret: string }>().webhookSecret
  const signature = (key: string) => `sha256=${createHmac('sha256', key).update(body).digest('hex')}`
  const deliver = (key: string) =>
    panel.app.inject({
      method: 'POST',
      url: `/api/webhooks/gitprovider/${project.id}`,
      payload: body,
      headers: {
        'content-type': 'application/json',
        'x-gitprovider-event': 'push',
        'x-hub-signature-256': signature(key)
      },
      remoteAddress: '192.0.2.99'
    })
  expect((await deliver('of nobody')).statusCode).toBe(401)
  const accepted = await deliver(secret)
  expect([accepted.statusCode, (await deliver(secret)).statusCode]).toEqual([202, 202])
  const own = (await ann.request('GET', '/api/audit/me?limit=200')).json<{ entries: { action: string }[] }>().entries
  expect(own.filter(({ action }) => action === 'deployment.push_received')).toMatchObject([
    {
      targetId: project.id,
      ip: '192.0.2.99',
      metadata: { by: 'webhook', branch: 'main', commitHash: hash, deploymentId: accepted.json().deploymentId }
    }
  ])
})

test('token actions are distinguished from session actions', async () => {
  const made = await ann.request('POST', '/api/auth/tokens', { name: 'ci', scope: 'deploy', password })
  const { id: tokenId, token } = made.json<{ id: string; token: string }>()
  const project = await ann.createProject({ gitUrl: 'https://github.com/owner/repository' })
  const url = `/api/projects/${project.id}/build`
  await panel.app.inject({ method: 'POST', url, headers: { authorization: `Bearer ${token}` } })
  await ann.request('POST', url)
  const entries = await panel.audited({ action: 'deployment.build_requested', targetId: project.id })
  expect(entries.map(({ metadata }) => metadata.by)).toEqual([`token:${tokenId}`, undefined])
})

test('refused requests leave no entry', async () => {
  const before = (await panel.audited()).length
  for (const [path, payload] of [
    ['/container/start', undefined],
    ['/env', { key: '1', value: 'x' }],
    ['/git/connect', { gitUrl: 'https://elsewhere.example/a/b' }]
  ] as const)
    expect((await ann.request('POST', at(path), payload)).statusCode).toBeGreaterThanOrEqual(400)
  expect((await files.post('create', { path: '../x', content: '' })).statusCode).toBe(403)
  expect(await panel.audited()).toHaveLength(before)
})

test('no values of variables, commands or files are recorded, and the chain verifies', async () => {
  expect(JSON.stringify(await panel.audited())).not.toContain('hidden-')
  expect(await verifyAudit(panel.deps)).toMatchObject({ brokenAt: undefined })
})
