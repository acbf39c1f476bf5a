import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { DeploymentStatus } from '@panel/contract/deployments'
import { commitStatuses } from '../src/db/schema/commit-statuses.ts'
import { deployments } from '../src/db/schema/deployments.ts'
import { sendStatus } from '../src/features/commit-status/send-status.jobs.ts'
import { recoverDeployments } from '../src/features/deployments/recovery.reconcile.ts'
import { createPublicHttp } from '../src/infra/outbound-http/public-http.ts'
import { newId } from '../src/security/ids.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

interface Received {
  path: string
  headers: Record<string, unknown>
  body: Record<string, string>
}

/** Answers as the documentation of the three APIs says. */
const received: Received[] = []
let answer = { status: 201, body: '{"id":1}' }
const api = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const { url: path = '', headers } = request
    received.push({ path, headers, body: JSON.parse(Buffer.concat(parts).toString()) as Record<string, string> })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
  })
})

let panel: TestPanel
let ann: Client
let bob: Client
let apiUrl: string
beforeAll(async () => {
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
  apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
  panel = await createTestPanel({}, { outboundHttp: createPublicHttp({ allow: ['127.0.0.1'], own: [] }) })
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
})
afterAll(async () => {
  api.close()
  await panel.close()
})
beforeEach(() => {
  received.length = 0
  answer = { status: 201, body: '{"id":1}' }
})

const commitHash = 'a'.repeat(40)
const newProject = async () => (await ann.createProject({ gitUrl: 'https://github.com/owner/repository' })).id
const path = (id: string) => `/api/projects/${id}/git/commit-status`
const setUp = (id: string, values: object = {}, client = ann) =>
  client.request('PUT', path(id), { provider: 'GITHUB', token: 'the-token', apiUrl, ...values })
const settingsOf = async (id: string) => (await ann.request('GET', path(id))).json()
const newDeployment = async (projectId: string, status: DeploymentStatus) => {
  const id = newId()
  await panel.deps.db
    .insert(deployments)
    .values({ id, projectId, userId: ann.user.id, trigger: 'MANUAL', status, commitHash })
  return id
}
const send = (deploymentId: string, attempts = 1) => sendStatus(panel.deps, { deploymentId, attempts })

describe('settings', () => {
  test('are of one account, and the token is sealed and never shown', async () => {
    const id = await newProject()
    expect(await settingsOf(id)).toEqual({ provider: null, apiUrl: null, last: null })
    const saved = await setUp(id)
    expect([saved.statusCode, saved.json()]).toEqual([200, { provider: 'GITHUB', apiUrl, last: null }])
    const [row] = await panel.deps.db.select().from(commitStatuses).where(eq(commitStatuses.projectId, id))
    expect(JSON.stringify([row, saved.body])).not.toContain('the-token')
    expect(panel.deps.secretBox.open(row!.token)).toBe('the-token')
    for (const method of ['GET', 'PUT', 'DELETE'] as const)
      expect((await bob.request(method, path(id), method === 'PUT' ? { provider: 'GITHUB', token: 'x' } : undefined)).statusCode).toBe(403) // oxfmt-ignore
    expect((await ann.request('DELETE', path(id))).statusCode).toBe(204)
    expect(await settingsOf(id)).toMatchObject({ provider: null })
  })

  test('take the API of the repository’s host by default, and refuse what is not a URL', async () => {
    const id = await newProject()
    expect((await setUp(id, { apiUrl: null })).json().apiUrl).toBe('https://api.github.com')
    for (const values of [{ apiUrl: 'https://u:p@host' }, { apiUrl: 'file:///x' }, { token: '' }, { token: 'a\nb' }])
      expect((await setUp(id, values)).statusCode).toBe(400)
    const bare = (await ann.createProject()).id
    expect((await setUp(bare)).json().code).toBe('GIT_NOT_CONNECTED')
  })
})

describe('a status', () => {
  test.each([
    [
      'GITHUB',
      '/repos/owner/repository/statuses/',
      { authorization: 'Bearer the-token' },
      ['pending', 'success', 'failure', 'error']
    ],
    [
      'GITLAB',
      '/projects/owner%2Frepository/statuses/',
      { 'private-token': 'the-token' },
      ['running', 'success', 'failed', 'canceled']
    ],
    [
      'GITEA',
      '/repos/owner/repository/statuses/',
      { authorization: 'token the-token' },
      ['pending', 'success', 'failure', 'error']
    ]
  ] as const)('is sent to %s', async (provider, at, headers, states) => {
    const id = await newProject()
    await setUp(id, { provider })
    const statuses = ['BUILDING', 'RUNNING', 'FAILED', 'CANCELLED'] as const
    const ids = []
    for (const status of statuses) {
      const deployment = await newDeployment(id, status)
      ids.push(deployment)
      await send(deployment)
    }
    expect(received.map(({ body }) => body.state)).toEqual(states)
    for (const [index, request] of received.entries()) {
      expect(request).toMatchObject({ path: `${at}${commitHash}`, headers })
      expect(request.body.target_url).toMatch(new RegExp(`/projects/${id}/deployments\\?d=${ids[index]}$`))
    }
    expect((await settingsOf(id)).last).toMatchObject({ state: 'CANCELLED', outcome: 'SENT', commitHash, reason: null })
  })

  test.each([
    [401, 'FAILED', 'TOKEN_REJECTED'],
    [404, 'FAILED', 'COMMIT_NOT_FOUND'],
    [503, 'RETRYING', 'ANSWERED']
  ])('that is answered with %i is shown with its reason', async (status, outcome, code) => {
    const id = await newProject()
    await setUp(id)
    answer = { status, body: '{"message":"no"}' }
    await send(await newDeployment(id, 'RUNNING'))
    expect((await settingsOf(id)).last).toMatchObject({ outcome, sentences: [{ code }] })
  })

  test('is given up after the last attempt, and goes to no private address', async () => {
    const id = await newProject()
    await setUp(id)
    answer = { status: 503, body: '' }
    const deployment = await newDeployment(id, 'RUNNING')
    await send(deployment, 6)
    expect((await settingsOf(id)).last).toMatchObject({ outcome: 'FAILED' })
    await setUp(id, { apiUrl: 'http://10.0.0.1/api' })
    await send(deployment)
    expect((await settingsOf(id)).last).toMatchObject({ outcome: 'FAILED', sentences: [{ code: 'NOT_SENT' }] })
    expect(received).toHaveLength(1)
  })

  test('that GitLab has already counts as sent', async () => {
    const id = await newProject()
    await setUp(id, { provider: 'GITLAB' })
    answer = { status: 400, body: '{"message":"Cannot transition status via :run from :running"}' }
    await send(await newDeployment(id, 'BUILDING'))
    expect((await settingsOf(id)).last).toMatchObject({ outcome: 'SENT' })
  })

  test('is enqueued with the end of a deployment, and sent as the deployment is then', async () => {
    const id = await newProject()
    await setUp(id)
    const deployment = await newDeployment(id, 'BUILDING')
    await recoverDeployments(panel.deps, { findDead: async (ids) => [...ids] })
    const { rows } = await panel.deps.db.$client.query<{ data: object }>(
      `select data from pgboss.job where name = 'commit-status.send' and data::text like $1`,
      [`%${deployment}%`]
    )
    expect(rows).toHaveLength(1)
    await send(deployment)
    expect(received).toMatchObject([{ body: { state: 'failure' } }])
  })
})
