import { createHmac } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WebhookDeliveryList } from '@panel/contract/webhook-deliveries'
import { webhookDeliveries } from '../src/db/schema/webhook-deliveries.ts'
import { pushes } from '../src/features/pushes/pushes.module.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let ann: Client
beforeAll(async () => {
  panel = await createTestPanel()
  ann = await panel.signUp('ann')
})
afterAll(() => panel.close())

interface Connected {
  id: string
  secret: string
}

const hash = 'deadbeef'.repeat(5)

async function connected(): Promise<Connected> {
  const { id } = await ann.createProject()
  const connection = { gitUrl: 'https://github.com/o/r', branch: 'main' }
  const answer = await ann.request('POST', `/api/projects/${id}/git/connect`, connection)
  return { id, secret: answer.json().webhookSecret }
}

function deliver({ id, secret }: Connected, values: object = {}, headers: Record<string, string> = {}) {
  const body = { ref: 'refs/heads/main', after: hash, head_commit: { id: hash, message: 'Fix' }, ...values }
  const payload = JSON.stringify(body)
  const signature = createHmac('sha256', secret).update(payload).digest('hex')
  return panel.app.inject({
    method: 'POST',
    url: `/api/webhooks/gitprovider/${id}`,
    payload,
    headers: { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${signature}`, ...headers }
  })
}

const inbox = async (id: string, query = ''): Promise<WebhookDeliveryList> =>
  (await ann.request('GET', `/api/projects/${id}/webhook-deliveries${query}`)).json()

const replay = (id: string, deliveryId: string, client = ann) =>
  client.request('POST', `/api/projects/${id}/webhook-deliveries/${deliveryId}/replay`)

describe('the inbox', () => {
  test('has the verdict and the reason of every delivery, newest first', async () => {
    const project = await connected()
    await deliver(project, {}, { 'x-github-event': 'ping' })
    await deliver(project, { ref: 'refs/heads/dev' }, { 'x-gitea-event': 'push' })
    await deliver(project, { after: 'HEAD' })
    const { deploymentId } = (await deliver(project)).json()
    await deliver(project)
    const push = { event: 'push', provider: 'GITHUB', commitHash: hash, commitMsg: 'Fix' }
    const main = { kind: 'branch', name: 'main' }
    const reason = '"after" or "head_commit.id" is not a commit id'
    expect((await inbox(project.id)).deliveries).toMatchObject([
      { ...push, verdict: 'ACCEPTED', reason: 'Repeated delivery', ref: main, deploymentId, replayable: true },
      { ...push, verdict: 'ACCEPTED', reason: null, ref: main, deploymentId, replayable: true },
      { event: 'push', verdict: 'REFUSED', reason, ref: null, commitHash: null, replayable: false },
      {
        ...push,
        provider: 'GITEA',
        verdict: 'IGNORED',
        reason: 'Branch mismatch',
        ref: { kind: 'branch', name: 'dev' },
        deploymentId: null,
        replayable: false
      },
      { event: 'ping', verdict: 'ACCEPTED', reason: null, deploymentId: null, replayable: false }
    ])
    expect(await inbox(project.id, '?verdict=IGNORED')).toMatchObject({ pagination: { total: 1 } })
    expect(await inbox(project.id, '?page=3&limit=2')).toMatchObject({
      deliveries: [{ event: 'ping' }],
      pagination: { page: 3, total: 5, totalPages: 3 }
    })
  })

  test('only counts requests with a wrong signature', async () => {
    const project = await connected()
    for (let i = 0; i < 3; i++) await deliver({ ...project, secret: 'wrong' })
    await expect.poll(async () => (await inbox(project.id)).unsigned.count).toBe(3)
    expect(await inbox(project.id)).toMatchObject({ deliveries: [], unsigned: { latestAt: expect.any(String) } })
    await deliver({ ...project, secret: 'wrong' })
    await expect.poll(async () => (await inbox(project.id)).unsigned.count).toBe(4)
  })

  test('keeps the latest 200 of a project, for 30 days', async () => {
    const [project, other] = [await connected(), await connected()]
    await deliver(other, { ref: 'refs/heads/other' })
    await deliver(project)
    const [row] = await panel.deps.db
      .select()
      .from(webhookDeliveries)
      .where(eq(webhookDeliveries.projectId, project.id))
    const more = Array.from({ length: 205 }, (_, i) => ({ ...row!, id: `zz${String(i).padStart(4, '0')}` }))
    await panel.deps.db.insert(webhookDeliveries).values(more)
    await deliver(project, { ref: 'refs/heads/dev' })
    expect((await inbox(project.id)).pagination.total).toBe(200)
    expect((await inbox(other.id)).pagination.total).toBe(1)
    const old = new Date(Date.now() - 30 * 24 * 3600_000 - 60_000)
    await panel.deps.db.update(webhookDeliveries).set({ createdAt: old }).where(eq(webhookDeliveries.id, 'zz0100'))
    await pushes.jobs['pushes.sweep'].run(panel.deps)
    expect((await inbox(project.id)).pagination.total).toBe(199)
  })
})

describe('a replay', () => {
  test('queues the same commit, whatever the rules say; audited', async () => {
    const project = await connected()
    await ann.request('PUT', `/api/projects/${project.id}`, { deployRules: { automatic: false } })
    expect((await deliver(project)).json()).toEqual({ ignored: true, reason: 'Automatic deployment is off' })
    const [delivery] = (await inbox(project.id)).deliveries
    const answer = await replay(project.id, delivery!.id)
    expect([answer.statusCode, answer.json()]).toMatchObject([202, { commitHash: hash, trigger: 'WEBHOOK' }])
    const deploymentId = answer.json().id
    expect((await inbox(project.id)).deliveries).toMatchObject([{ verdict: 'IGNORED', deploymentId }])
    const metadata = { deploymentId, deliveryId: delivery!.id, commitHash: hash }
    const audited = await panel.audited({ action: 'deployment.push_replayed', targetId: project.id })
    expect(audited).toMatchObject([{ actorId: ann.user.id, metadata }])
  })

  test('needs a commit of the branch, a known delivery of the project and its owner', async () => {
    const [project, other] = [await connected(), await connected()]
    await deliver(project, { ref: 'refs/heads/dev' })
    await deliver(project)
    const [main, dev] = (await inbox(project.id)).deliveries
    expect((await replay(project.id, dev!.id)).json().code).toBe('CONFLICT')
    expect((await replay(other.id, main!.id)).statusCode).toBe(404)
    const bob = await panel.signUp('bob')
    expect((await replay(project.id, main!.id, bob)).statusCode).toBe(403)
    expect((await bob.request('GET', `/api/projects/${project.id}/webhook-deliveries`)).statusCode).toBe(403)
    await ann.request('PUT', `/api/projects/${project.id}`, { gitUrl: null })
    expect((await replay(project.id, main!.id)).json().code).toBe('GIT_NOT_CONNECTED')
  })
})
