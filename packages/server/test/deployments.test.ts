import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eq, inArray, sql } from 'drizzle-orm'
import type { Config } from '../src/config.ts'
import type { Deployment, DeploymentStatus } from '@panel/contract/deployments'
import type { Notification, NotificationList } from '@panel/contract/notifications'
import { deploymentLogs, deployments } from '../src/db/schema/deployments.ts'
import { hostNames } from '../src/db/schema/host-names.ts'
import { projects } from '../src/db/schema/projects.ts'
import { openDeploymentLog } from '../src/features/deployments/deployment-log.service.ts'
import { runQueue } from '../src/features/deployments/deployment-runner.jobs.ts'
import {
  claimDeployment,
  type DeploymentRow,
  insertDeployment,
  moveDeployment,
  readLogs
} from '../src/features/deployments/deployments.repository.ts'
import { recoverDeployments } from '../src/features/deployments/recovery.reconcile.ts'
import { BuildError, type BuildTask, type ImageBuilder } from '../src/infra/image-builder/image-builder.ts'
import { takeWorkerLease } from '../src/infra/worker-lease/worker-lease.ts'
import { newId } from '../src/security/ids.ts'
import { addVerifiedDomain } from './support/domains.ts'
import { strayCommit } from './fakes/memory-git.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

/** Also fires for signals that were aborted earlier. */
function onAbort(signal: AbortSignal, callback: (reason: Error) => void): void {
  if (signal.aborted) callback(signal.reason as Error)
  else signal.addEventListener('abort', () => callback(signal.reason as Error))
}

let build: (task: BuildTask) => Promise<never>
const builder: ImageBuilder = {
  build: (task) => build(task),
  detect: () => Promise.reject(new Error('nothing asks here'))
}

let panel: TestPanel
let ann: Client
let bob: Client
beforeAll(async () => {
  panel = await createTestPanel({}, { builder })
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
})
afterAll(() => panel.close())
beforeEach(async () => {
  build = () => Promise.reject(new BuildError('no build was expected'))
  await panel.deps.db
    .update(deployments)
    .set({ status: 'CANCELLED' })
    .where(inArray(deployments.status, ['QUEUED', 'BUILDING', 'DEPLOYING']))
})

const gitUrl = 'https://github.com/owner/repository'
const newProject = async (client = ann, values: object = {}) => (await client.createProject({ gitUrl, ...values })).id
const requestBuild = (id: string, payload?: object) => ann.request('POST', `/api/projects/${id}/build`, payload)
const get = (id: string, deploymentId: string) => ann.request('GET', `/api/projects/${id}/deployments/${deploymentId}`)
const requestAction = (id: string, deploymentId: string, action: 'cancel' | 'rollback') =>
  ann.request('POST', `/api/projects/${id}/deployments/${deploymentId}/${action}`)
const row = async (id: string) => (await panel.deps.db.select().from(deployments).where(eq(deployments.id, id)))[0]!
const insert = (projectId: string, userId: string, values: Partial<DeploymentRow> = {}) =>
  panel.deps.db.transaction((trx) =>
    insertDeployment(trx, { id: newId(), projectId, userId, trigger: 'MANUAL', ...values })
  )
const claim = (queue: 'build' | 'image' = 'build', workerId = 1, postponed: readonly string[] = []) =>
  panel.deps.db.transaction((trx) => claimDeployment(trx, queue, { workerId, postponed }, new Date()))
const logOf = async (id: string) => (await readLogs(panel.deps.db, [id], 64 * 1024 * 1024)).get(id)
const kept = { image: 'panel-x:1', imageSpec: { port: 80, readOnlyRoot: true, volumes: [] } }

describe('build', () => {
  test('responds 202 with the deployment', async () => {
    const id = await newProject()
    const answer = await requestBuild(id)
    expect(answer.statusCode).toBe(202)
    expect(answer.json()).toEqual({
      id: expect.any(String),
      status: 'QUEUED',
      active: false,
      failure: null,
      trigger: 'MANUAL',
      commitHash: null,
      commitMsg: null,
      upload: null,
      snapshot: null,
      sourceImage: null,
      buildLogs: null,
      duration: null,
      canRollback: false,
      projectId: id,
      createdAt: expect.any(String),
      updatedAt: expect.any(String)
    })
  })

  test('needs a repository, except for WordPress', async () => {
    const bare = await newProject(ann, { gitUrl: null })
    expect((await requestBuild(bare)).json().code).toBe('GIT_NOT_CONNECTED')
    expect((await requestBuild(bare)).statusCode).toBe(409)
    const wordpress = await newProject(ann, { gitUrl: null, type: 'WORDPRESS' })
    expect((await requestBuild(wordpress)).statusCode).toBe(202)
  })

  test.each([
    [{}],
    [{ buildCmd: null }],
    [{ buildCmd: 'npm run "build" && echo $HOME' }],
    [{ buildCmd: '' }],
    [{ unknown: 1 }]
  ])('accepts the body %j', async (body) => {
    const answer = await requestBuild(await newProject(), body)
    expect(answer.statusCode).toBe(202)
    expect((await row(answer.json().id)).buildCmd).toBe('buildCmd' in body ? body.buildCmd : null)
  })

  test.each([
    [{ buildCmd: 'make\nid' }],
    [{ buildCmd: 'make\r' }],
    [{ buildCmd: 'make\0' }],
    [{ buildCmd: 'make\u2028id' }],
    [{ buildCmd: 'x'.repeat(2001) }],
    [{ buildCmd: ['make'] }],
    [{ buildCmd: 5 }]
  ])('refuses the body %j', async (body) => {
    const id = await newProject()
    const answer = await requestBuild(id, body)
    expect([answer.statusCode, answer.json().details[0].path]).toEqual([400, 'buildCmd'])
  })

  test('accepts no body, and JSON announced without one', async () => {
    const id = await newProject()
    expect(
      (await ann.request('POST', `/api/projects/${id}/build`, undefined, { 'content-type': 'application/json' }))
        .statusCode
    ).toBe(202)
  })

  test('at most twenty queued per project, also concurrently', async () => {
    const id = await newProject()
    const answers = await Promise.all(Array.from({ length: 25 }, () => requestBuild(id)))
    expect(answers.filter((answer) => answer.statusCode === 202)).toHaveLength(20)
    expect(new Set(answers.filter((answer) => answer.statusCode !== 202).map((answer) => answer.json().code))).toEqual(
      new Set(['DEPLOYMENT_IN_PROGRESS'])
    )
    expect((await requestBuild(await newProject())).statusCode).toBe(202)
  })
})

describe('list and get', () => {
  let id: string
  let ids: string[]
  beforeAll(async () => {
    id = await newProject()
    ids = []
    for (let i = 0; i < 12; i++)
      ids.unshift((await insert(id, ann.user.id, { status: 'FAILED', ...(i === 0 ? kept : {}) })).id)
    await panel.deps.db.insert(deploymentLogs).values({ deploymentId: ids[0]!, text: 'a log\n' })
  })
  const list = (query = '') => ann.request('GET', `/api/projects/${id}/deployments${query}`)
  const listed = async (query: string) =>
    (await list(query)).json().deployments.map((deployment: Deployment) => deployment.id)

  test('latest first, ten per page', async () => {
    const answer = await list()
    expect(answer.statusCode).toBe(200)
    expect(answer.json().pagination).toEqual({ page: 1, limit: 10, total: 12, totalPages: 2 })
    expect(await listed('')).toEqual(ids.slice(0, 10))
    expect(await listed('?page=2')).toEqual(ids.slice(10))
    expect(await listed('?limit=50')).toEqual(ids)
    expect(await listed('?limit=5&page=3')).toEqual(ids.slice(10))
    expect(await listed('?page=9')).toEqual([])
    expect(answer.json().deployments[0].buildLogs).toBe('a log\n')
    expect(answer.body).not.toMatch(/imageSpec|workerId|panel-x/)
  })

  test.each([
    '?limit=51',
    '?limit=0',
    '?limit=-1',
    '?page=0',
    '?page=x',
    '?limit=1.5',
    '?limit=1e9',
    '?page=',
    '?limit=10&limit=20'
  ])('%s is refused', async (query) => {
    const answer = await list(query)
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('one of them with its log', async () => {
    expect((await get(id, ids[0]!)).json()).toMatchObject({
      id: ids[0],
      status: 'FAILED',
      buildLogs: 'a log\n',
      canRollback: false
    })
  })

  test('the live one is marked, even if not the newest', async () => {
    const project = await newProject()
    const [serves, newer] = [
      await insert(project, ann.user.id, { status: 'RUNNING', ...kept }),
      await insert(project, ann.user.id, { status: 'RUNNING', ...kept })
    ]
    await panel.deps.db.update(projects).set({ liveDeploymentId: serves.id }).where(eq(projects.id, project))
    const answer = await ann.request('GET', `/api/projects/${project}/deployments`)
    expect(answer.json().deployments.map(({ id, active }: Deployment) => [id, active])).toEqual([
      [newer.id, false],
      [serves.id, true]
    ])
    expect((await get(project, serves.id)).json()).toMatchObject({ active: true, failure: null })
  })

  test('a missing one or one of another project is 404 for every action', async () => {
    const other = await newProject()
    const theirs = await newProject(bob)
    const hers = await insert(theirs, bob.user.id, { status: 'RUNNING', ...kept })
    for (const deploymentId of ['nothing', ids[0]!, hers.id]) {
      expect((await get(other, deploymentId)).json().code).toBe('NOT_FOUND')
      expect((await requestAction(other, deploymentId, 'cancel')).json().code).toBe('NOT_FOUND')
      expect((await requestAction(other, deploymentId, 'rollback')).json().code).toBe('NOT_FOUND')
    }
    expect((await get(theirs, hers.id)).json().code).toBe('FORBIDDEN')
    expect((await requestAction(theirs, hers.id, 'cancel')).json().code).toBe('FORBIDDEN')
    expect((await requestAction(theirs, hers.id, 'rollback')).json().code).toBe('FORBIDDEN')
    expect((await row(hers.id)).status).toBe('RUNNING')
  })
})

describe('what changed', () => {
  const changes = (id: string, deploymentId: string, client = ann) =>
    client.request('GET', `/api/projects/${id}/deployments/${deploymentId}/changes`)
  const [older, newer] = ['b'.repeat(40), 'c'.repeat(40)]
  let id: string
  const insertOf = (values: Parameters<typeof insert>[2]) => insert(id, ann.user.id, values)
  beforeAll(async () => {
    id = await newProject()
  })

  test('lists commits since the last live deployment', async () => {
    const first = await insertOf({ status: 'RUNNING', commitHash: older })
    await insertOf({ status: 'FAILED', commitHash: 'd'.repeat(40) })
    const next = await insertOf({ status: 'RUNNING', commitHash: newer })
    expect((await changes(id, next.id)).json()).toEqual({
      base: { deploymentId: first.id, commitHash: older },
      commits: [{ hash: newer, subject: 'that commit', author: 'Ann', at: '1970-01-01T00:00:00.000Z' }],
      complete: true
    })
  })

  test('is empty for the first, the same or no commit', async () => {
    const [first, ...rest] = (await ann.request('GET', `/api/projects/${id}/deployments`))
      .json()
      .deployments.toReversed()
    expect((await changes(id, first.id)).json()).toEqual({ base: null, commits: [], complete: false })
    const again = await insertOf({ status: 'RUNNING', commitHash: newer })
    expect((await changes(id, again.id)).json()).toEqual({
      base: { deploymentId: rest.at(-1).id, commitHash: newer },
      commits: [],
      complete: true
    })
    const queued = await insertOf({ status: 'QUEUED', commitHash: null })
    expect((await changes(id, queued.id)).json()).toMatchObject({ base: null, commits: [] })
  })

  test('requires an own deployment', async () => {
    expect((await changes(id, 'nothing')).statusCode).toBe(404)
    expect((await changes(id, 'nothing', bob)).statusCode).toBe(403)
  })
})

describe('cancel', () => {
  test('QUEUED becomes CANCELLED and is logged', async () => {
    const id = await newProject()
    const { id: deploymentId } = (await requestBuild(id)).json()
    const answer = await requestAction(id, deploymentId, 'cancel')
    expect([answer.statusCode, answer.json().status]).toEqual([200, 'CANCELLED'])
    expect(answer.json().buildLogs).toContain('CANCELLED')
    const again = await requestAction(id, deploymentId, 'cancel')
    expect([again.statusCode, again.json().code]).toEqual([409, 'DEPLOYMENT_FINISHED'])
    expect(await claim()).toBeUndefined()
  })

  test.each<[DeploymentStatus, number]>([
    ['BUILDING', 200],
    ['DEPLOYING', 200],
    ['RUNNING', 409],
    ['FAILED', 409],
    ['CANCELLED', 409]
  ])('from %s: %i', async (status, expected) => {
    const id = await newProject()
    const { id: deploymentId } = await insert(id, ann.user.id, { status })
    expect((await requestAction(id, deploymentId, 'cancel')).statusCode).toBe(expected)
    expect((await row(deploymentId)).status).toBe(expected === 200 ? 'CANCELLED' : status)
  })

  test('not after its container serves', async () => {
    const id = await newProject()
    const { id: deploymentId } = await insert(id, ann.user.id, { status: 'DEPLOYING' })
    await panel.deps.db.update(projects).set({ liveDeploymentId: deploymentId }).where(eq(projects.id, id))
    expect((await requestAction(id, deploymentId, 'cancel')).json().code).toBe('DEPLOYMENT_FINISHED')
  })

  test('of concurrent requests one cancels', async () => {
    const id = await newProject()
    const { id: deploymentId } = await insert(id, ann.user.id)
    const answers = await Promise.all(Array.from({ length: 6 }, () => requestAction(id, deploymentId, 'cancel')))
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 409, 409, 409, 409, 409])
    expect((await logOf(deploymentId))!.match(/CANCELLED/g)).toHaveLength(1)
  })

  test('against completion: exactly one wins, and the row shows it', async () => {
    const id = await newProject()
    for (let i = 0; i < 10; i++) {
      const { id: deploymentId } = await insert(id, ann.user.id, { status: 'DEPLOYING', startedAt: new Date() })
      const finish = () => moveDeployment(panel.deps.db, deploymentId, 'RUNNING', new Date())
      const cancel = () => requestAction(id, deploymentId, 'cancel')
      const [finished, cancelled] =
        i % 2
          ? await Promise.all([finish(), cancel()])
          : ((await Promise.all([cancel(), finish()])).reverse() as [
              DeploymentRow | undefined,
              Awaited<ReturnType<typeof cancel>>
            ])
      expect([finished !== undefined, cancelled.statusCode === 200].filter(Boolean)).toHaveLength(1)
      expect((await row(deploymentId)).status).toBe(finished ? 'RUNNING' : 'CANCELLED')
    }
  })

  test('deleting the project cancels open ones', async () => {
    const id = await newProject()
    const { id: deploymentId } = (await requestBuild(id)).json()
    await ann.request('DELETE', `/api/projects/${id}`)
    expect((await row(deploymentId)).status).toBe('CANCELLED')
    expect(await claim()).toBeUndefined()
  })
})

describe('state transitions', () => {
  const statuses: DeploymentStatus[] = ['QUEUED', 'BUILDING', 'DEPLOYING', 'RUNNING', 'FAILED', 'CANCELLED']
  const allowed = [
    'QUEUED→BUILDING',
    'QUEUED→DEPLOYING',
    'QUEUED→FAILED',
    'QUEUED→CANCELLED',
    'BUILDING→DEPLOYING',
    'BUILDING→FAILED',
    'BUILDING→CANCELLED',
    'DEPLOYING→RUNNING',
    'DEPLOYING→FAILED',
    'DEPLOYING→CANCELLED'
  ]

  test('only allowed transitions change a row', async () => {
    const id = await newProject()
    const moved: string[] = []
    for (const from of statuses) {
      for (const to of statuses) {
        const { id: deploymentId } = await insert(id, ann.user.id, { status: from })
        if (await moveDeployment(panel.deps.db, deploymentId, to, new Date())) moved.push(`${from}→${to}`)
        else expect((await row(deploymentId)).status).toBe(from)
      }
    }
    expect(moved.sort()).toEqual(allowed.sort())
  })

  test('of concurrent ends one counts and sets duration and worker', async () => {
    const id = await newProject()
    const start = new Date('2026-01-01T00:00:00Z')
    const { id: deploymentId } = await insert(id, ann.user.id, { status: 'DEPLOYING', startedAt: start, workerId: 3 })
    const end = new Date('2026-01-01T00:01:30Z')
    const ends = await Promise.all(
      (['RUNNING', 'FAILED', 'CANCELLED', 'FAILED', 'RUNNING'] as const).map((status) =>
        moveDeployment(panel.deps.db, deploymentId, status, end)
      )
    )
    const [winner, ...others] = ends.filter((ended) => ended !== undefined)
    expect(others).toEqual([])
    expect(await row(deploymentId)).toMatchObject({ status: winner!.status, duration: 90, workerId: null })
  })
})

describe('claim', () => {
  test('oldest first, marked with the worker', async () => {
    const [one, two] = [await newProject(), await newProject()]
    const first = await insert(one, ann.user.id)
    const second = await insert(two, ann.user.id)
    expect(await claim('build', 42, [one, two])).toBeUndefined()
    expect(await claim('build', 42)).toMatchObject({
      id: first.id,
      status: 'BUILDING',
      workerId: 42,
      startedAt: expect.any(Date)
    })
    expect(await claim()).toMatchObject({ id: second.id })
    expect(await claim()).toBeUndefined()
  })

  test('one per project at a time across both queues, in order', async () => {
    const id = await newProject()
    const first = await insert(id, ann.user.id)
    const second = await insert(id, ann.user.id, { trigger: 'ROLLBACK', ...kept })
    const third = await insert(id, ann.user.id, { trigger: 'WEBHOOK' })
    expect(await claim('image')).toBeUndefined()
    expect(await claim()).toMatchObject({ id: first.id })
    expect([await claim(), await claim('image')]).toEqual([undefined, undefined])
    await moveDeployment(panel.deps.db, first.id, 'FAILED', new Date())
    expect(await claim()).toBeUndefined()
    expect(await claim('image')).toMatchObject({ id: second.id, status: 'DEPLOYING' })
    await moveDeployment(panel.deps.db, second.id, 'RUNNING', new Date())
    expect(await claim()).toMatchObject({ id: third.id })
  })

  test('fifty builds of one account delay no other', async () => {
    const carl = await panel.signUp('carl')
    const many: string[] = []
    for (let i = 0; i < 50; i++) many.push((await insert(await newProject(bob), bob.user.id)).id)
    const hers = await insert(await newProject(ann), ann.user.id)
    const his = await insert(await newProject(carl), carl.user.id)
    const claimed = [await claim(), await claim(), await claim()].map((each) => each!.id)
    expect(new Set(claimed)).toEqual(new Set([claimed.find((each) => many.includes(each)), hers.id, his.id]))
    for (const each of claimed) await moveDeployment(panel.deps.db, each, 'FAILED', new Date())
    const next = await insert(await newProject(ann), ann.user.id)
    const order = [(await claim())!, (await claim())!]
    expect(new Set(order.map((each) => each.userId))).toEqual(new Set([ann.user.id, bob.user.id]))
    expect(order.map((each) => each.id)).toContain(next.id)
  })

  test('twenty concurrent claims take twenty rows, never two of one project', async () => {
    const users = [ann, bob]
    const ids: string[] = []
    for (let i = 0; i < 12; i++) {
      const client = users[i % 2]!
      const projectId = await newProject(client)
      for (let n = 0; n < 2; n++) ids.push((await insert(projectId, client.user.id)).id)
    }
    const claimed = (await Promise.all(Array.from({ length: 20 }, (_, i) => claim('build', i)))).filter(
      (each) => each !== undefined
    )
    expect(claimed).toHaveLength(12)
    expect(new Set(claimed.map((each) => each.id)).size).toBe(12)
    expect(new Set(claimed.map((each) => each.projectId)).size).toBe(12)
    expect(claimed.every((each) => ids.includes(each.id))).toBe(true)
  })

  test('a claim against a cancellation: one wins', async () => {
    for (let i = 0; i < 8; i++) {
      const id = await newProject()
      const { id: deploymentId } = await insert(id, ann.user.id)
      const [claimed, cancelled] = await Promise.all([claim(), requestAction(id, deploymentId, 'cancel')])
      // Cancellation also ends BUILDING, so it may come after the claim.
      expect(cancelled.statusCode).toBe(200)
      expect((await row(deploymentId)).status).toBe('CANCELLED')
      if (claimed) expect(await moveDeployment(panel.deps.db, deploymentId, 'DEPLOYING', new Date())).toBeUndefined()
    }
  })
})

describe('deploy and rollback', () => {
  const deploy = (id: string, payload?: object) => ann.request('POST', `/api/projects/${id}/deploy`, payload)

  test('without an image is 409', async () => {
    const id = await newProject()
    expect([(await deploy(id)).statusCode, (await deploy(id)).json().code]).toEqual([409, 'NOT_BUILT'])
    await insert(id, ann.user.id, { status: 'FAILED', ...kept })
    await insert(id, ann.user.id, { status: 'RUNNING' })
    expect((await deploy(id)).json().code).toBe('NOT_BUILT')
  })

  test('with a foreign domain is 403', async () => {
    const id = await newProject()
    for (const domain of ['example.com', 'panel.apps.localhost', 'localhost', '*.apps.localhost']) {
      const answer = await deploy(id, { domain })
      expect([answer.statusCode, answer.json().code]).toEqual([403, 'DOMAIN_NOT_VERIFIED'])
    }
    expect((await deploy(id, { domain: 'a\nb' })).statusCode).toBe(400)
    expect((await deploy(id, { domain: 'a'.repeat(254) })).statusCode).toBe(400)
  })

  test('with a domain: shown until it is removed or the next deployment has none', async () => {
    const [id, other] = [await newProject(), await newProject()]
    const { id: domainId } = await addVerifiedDomain(ann, 'chosen.example.com')
    const deployedDomain = async (of: string) =>
      (await ann.request('GET', `/api/projects/${of}`)).json<{ deployedDomain: string }>().deployedDomain
    const deployTo = async (projectId: string, payload?: object) => {
      await insert(projectId, ann.user.id, { status: 'RUNNING', ...kept })
      const answer = deploy(projectId, payload)
      await expect.poll(async () => Boolean(await claim('image')), { timeout: 20_000 }).toBe(true)
      const [open] = await panel.deps.db.select().from(deployments).where(eq(deployments.status, 'DEPLOYING'))
      const [own] = await panel.deps.db.select().from(hostNames).where(eq(hostNames.projectId, projectId))
      const { hostname } = own!
      const live = { liveDeploymentId: open!.id, containerId: 'c', internalPort: 8100, deployedDomain: hostname }
      await panel.deps.db.update(projects).set(live).where(eq(projects.id, projectId))
      await moveDeployment(panel.deps.db, open!.id, 'RUNNING', new Date())
      return [hostname, (await answer).json<{ deployedDomain: string }>().deployedDomain] as const
    }
    const [hostname, answered] = await deployTo(id, { domain: 'chosen.example.com' })
    expect([answered, await deployedDomain(id)]).toEqual(['chosen.example.com', 'chosen.example.com'])

    const [, elsewhere] = await deployTo(other, { domain: 'chosen.example.com' })
    expect([elsewhere, await deployedDomain(other)]).toEqual(['chosen.example.com', 'chosen.example.com'])
    expect(await deployedDomain(id)).toBe(hostname)

    await deployTo(id, { domain: 'chosen.example.com' })
    expect(await deployedDomain(id)).toBe('chosen.example.com')
    await ann.request('PATCH', `/api/domains/${domainId}`, { projectId: null })
    expect(await deployedDomain(id)).toBe(hostname)

    await deployTo(id, { domain: 'chosen.example.com' })
    expect((await deployTo(id, {}))[1]).toBe(hostname)
    expect(await deployedDomain(id)).toBe(hostname)

    await deployTo(id, { domain: 'chosen.example.com' })
    await ann.request('DELETE', `/api/domains/${domainId}`)
    expect(await deployedDomain(id)).toBe(hostname)
  })

  test('runs the newest kept image and waits for the end', async () => {
    const id = await newProject()
    await insert(id, ann.user.id, { status: 'RUNNING', ...kept })
    const latest = await insert(id, ann.user.id, {
      status: 'RUNNING',
      ...kept,
      image: 'panel-x:2',
      commitHash: 'b'.repeat(40)
    })
    await insert(id, ann.user.id, { status: 'FAILED' })
    const answer = deploy(id)
    await expect
      .poll(() => claim('image'), { timeout: 20_000 })
      .toMatchObject({ trigger: 'DEPLOY', image: latest.image, commitHash: latest.commitHash })
    const [open] = await panel.deps.db.select().from(deployments).where(eq(deployments.status, 'DEPLOYING'))
    expect((await requestAction(id, open!.id, 'cancel')).statusCode).toBe(200)
    expect([(await answer).statusCode, (await answer).json().code]).toEqual([409, 'DEPLOYMENT_FAILED'])
  })

  test.each<[string, Partial<DeploymentRow>]>([
    ['one that has no image', { status: 'RUNNING' }],
    ['one that failed', { status: 'FAILED', ...kept }],
    ['one that is queued', { status: 'QUEUED', ...kept }]
  ])('a rollback to %s is 409', async (_name, values) => {
    const id = await newProject()
    const { id: deploymentId } = await insert(id, ann.user.id, values)
    const answer = await requestAction(id, deploymentId, 'rollback')
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'IMAGE_NOT_KEPT'])
  })

  test('a rollback queues a deployment of that image', async () => {
    const id = await newProject()
    const old = await insert(id, ann.user.id, {
      status: 'RUNNING',
      ...kept,
      commitHash: 'c'.repeat(40),
      commitMsg: 'then'
    })
    expect((await get(id, old.id)).json().canRollback).toBe(true)
    const answer = await requestAction(id, old.id, 'rollback')
    expect(answer.statusCode).toBe(202)
    expect(answer.json()).toMatchObject({
      status: 'QUEUED',
      trigger: 'ROLLBACK',
      commitHash: 'c'.repeat(40),
      commitMsg: 'then',
      projectId: id
    })
    expect(answer.json().id).not.toBe(old.id)
    expect(await claim('image')).toMatchObject({ id: answer.json().id, image: kept.image, imageSpec: kept.imageSpec })
  })
})

describe('the log', () => {
  const open = async (secrets: string[] = []) => {
    const { id } = await insert(await newProject(), ann.user.id)
    const log = openDeploymentLog(panel.deps, id)
    log.hide(secrets.map((value) => ({ key: 'SETTING', value })))
    return { id, log }
  }

  test('keeps the order of writes', async () => {
    const { id, log } = await open()
    const lines = Array.from({ length: 3000 }, (_, i) => `line ${i} ${'·'.repeat(i % 40)} 😀\n`).join('')
    for (let from = 0; from < lines.length; from += 7) log.write(lines.slice(from, from + 7))
    await log.close()
    expect(await logOf(id)).toBe(lines)
  })

  test('never splits a character', async () => {
    const { id, log } = await open()
    const text = `x${'😀'.repeat(40_000)}\n`
    log.write(text)
    await log.close()
    expect(await logOf(id)).toBe(text)
  })

  test('our messages start on a new line', async () => {
    const { id, log } = await open()
    log.write('output without an end')
    log.line('FAILED: it broke')
    log.line('second')
    await log.close()
    expect(await logOf(id)).toBe('output without an end\nFAILED: it broke\nsecond\n')
  })

  test('contains no NUL or lone surrogate', async () => {
    const { id, log } = await open()
    log.write('a\0b\ud800c\n')
    await log.close()
    expect(await logOf(id)).toBe('ab\ufffdc\n')
  })

  test('ends at 8 MiB, says so once, and still records the result', async () => {
    const { id, log } = await open()
    const line = `${'x'.repeat(1023)}\n`
    for (let i = 0; i < 9 * 1024; i++) log.write(line)
    log.write('the rest, without an end of line')
    log.line('FAILED: it was too much')
    await log.close()
    const text = (await logOf(id))!
    expect(text.match(/truncated at 8 MiB/g)).toHaveLength(1)
    expect(text.endsWith('[Log truncated at 8 MiB]\nFAILED: it was too much\n')).toBe(true)
    expect(text.length).toBeLessThan(8 * 1024 * 1024 + 200)
  })

  test('a response has the whole log or its last MiB, a list 16 KiB each', async () => {
    const id = await newProject()
    const slow = await insert(id, ann.user.id, { status: 'FAILED' })
    await panel.deps.db.execute(
      sql`insert into deployment_logs (deployment_id, text) select ${slow.id}, 'step ' || n || E'\n' from generate_series(1, 3000) n`
    )
    const text: string = (await get(id, slow.id)).json().buildLogs
    expect([text.startsWith('step 1\n'), text.endsWith('step 3000\n'), text.split('\n').length]).toEqual([
      true,
      true,
      3001
    ])
    await panel.deps.db
      .insert(deploymentLogs)
      .values(Array.from({ length: 100 }, () => ({ deploymentId: slow.id, text: 'ä'.repeat(16 * 1024) })))
    const long: string = (await get(id, slow.id)).json().buildLogs
    expect(long.length).toBeLessThanOrEqual(1024 * 1024)
    expect(long).toMatch(/^ä+$/)
    const [listed] = (await ann.request('GET', `/api/projects/${id}/deployments`)).json().deployments as Deployment[]
    expect(listed!.buildLogs!.length).toBeLessThanOrEqual(16 * 1024)
  })

  test('masks variable values: whole, partial, across chunks and encoded', async () => {
    const secret = 'p4ss/w0rd+ with "quotes"'
    const { id, log } = await open([secret, 'line one of it\nline two of it', 'abc', 'production'])
    log.write(
      `before ${secret} after ${encodeURIComponent(secret)} ${Buffer.from(secret).toString('base64')} ${JSON.stringify(secret)}\n`
    )
    for (const character of `piece by piece: ${secret}\n`) log.write(character)
    log.write('line one of it\nline two of it\n')
    log.write('abc is too short, production too common\n')
    log.line(`our own sentence with ${secret}`)
    await log.close()
    const text = (await logOf(id))!
    for (const form of [
      secret,
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64'),
      JSON.stringify(secret).slice(1, -1),
      'line one of it',
      'line two of it'
    ])
      expect(text).not.toContain(form)
    expect(text).toContain('piece by piece: ••••••\n')
    expect(text).toContain('abc is too short, production too common\n')
    expect(text).toContain('our own sentence with ••••••\n')
  })

  test('text that can no longer be masked is not shown', async () => {
    const { id, log } = await open(['swordfish-1'])
    log.write('before swordfish-1\n')
    await log.flush()
    log.line({ length: 1 } as unknown as string)
    log.write('swordfish-1\n')
    log.line('a sentence about swordfish-1')
    const last = await log.end('FAILED: swordfish-1', 'FAILED: for a reason')
    await panel.deps.db.transaction((trx) => log.lastLine(trx, last.text))
    await log.close()
    expect(await logOf(id)).toBe(
      'before ••••••\n[Output hidden: masking of secrets failed]\n' + '[Line hidden]\nFAILED: for a reason\n'
    )
  })

  test('variables too large to mask in all forms are named', async () => {
    const { id, log } = await open(['y1'.repeat(30_000), 'z1'.repeat(30_000)])
    log.write(`${'y1'.repeat(30_000)}\n`)
    await log.close()
    expect(await logOf(id)).toMatch(/^Note: 1 variable is too large .*\n••••••\n$/)
  })
})

describe('a failing build', () => {
  const released: boolean[] = []
  const release = async (isReusable: boolean) => void released.push(isReusable)
  const worker = {
    lease: { workerId: 7 },
    signal: new AbortController().signal,
    buildNetworks: { acquire: async () => ({ name: 'network-of-this-build', release }) }
  }

  test('ends FAILED with the reason; its log contains no secret', async () => {
    const id = await newProject()
    await ann.request('POST', `/api/projects/${id}/env`, { key: 'API_TOKEN', value: 'tok_live_123456' })
    let task: BuildTask | undefined
    build = async (given) => {
      task = given
      given.onLog('installing with tok_live_123456')
      throw new BuildError('npm run build exited with 1 (tok_live_123456)')
    }
    const { id: deploymentId } = (await requestBuild(id, { buildCmd: 'npm run special' })).json()
    await runQueue(panel.deps, worker, 'build')
    const ended: Deployment = (await get(id, deploymentId)).json()
    expect(ended).toMatchObject({
      status: 'FAILED',
      commitHash: 'a'.repeat(40),
      commitMsg: 'first commit',
      duration: expect.any(Number)
    })
    expect(ended.failure).toEqual({
      phase: 'BUILD',
      reason: 'npm run build exited with 1 (••••••)',
      sentences: [],
      exitCode: 1,
      line: 5
    })
    expect(ended.active).toBe(false)
    expect(ended.buildLogs).toMatch(/^==> fetch \S+Z\nCommit aaaaaaaaaaaa: first commit$/m)
    expect(ended.buildLogs).toMatch(/^==> end \S+Z\nFAILED: /m)
    expect(ended.buildLogs).toMatch(/^installing with ••••••$/m)
    expect(ended.buildLogs).toMatch(/^FAILED: npm run build exited with 1 \(••••••\)$/m)
    expect(task!.source).toMatchObject({ buildCmd: 'npm run special', buildEnv: { API_TOKEN: 'tok_live_123456' } })
  })

  test('without its commit says so by code, without masked values', async () => {
    const branches = ['main', 'release-4f3a9c2e71']
    for (const branch of branches) {
      const id = await newProject(ann, { branch })
      await ann.request('POST', `/api/projects/${id}/env`, { key: 'API_TOKEN', value: branches[1] })
      const { id: deploymentId } = await insert(id, ann.user.id, { commitHash: strayCommit })
      await runQueue(panel.deps, worker, 'build')
      const { failure } = (await get(id, deploymentId)).json<Deployment>()
      const shown = branch === 'main' ? branch : '••••••'
      expect(failure).toMatchObject({
        phase: 'SOURCE',
        reason: expect.stringContaining(`Commit ${strayCommit} is not on branch ${shown}`),
        sentences:
          branch === 'main' ? [{ code: 'GIT_NOT_ON_BRANCH', values: { commit: strayCommit, branch: 'main' } }] : []
      })
    }
  })

  test('shows variables that are not secret, and words and numbers', async () => {
    const id = await newProject()
    const variables = [
      { key: 'TABLE', value: 'orders' },
      { key: 'PORT', value: '3000' },
      { key: 'DEBUG', value: 'true' },
      { key: 'APP_URL', value: 'https://shop.example.com/de', sensitive: false },
      { key: 'API_TOKEN', value: 'tok_live_123456' }
    ]
    await ann.request('POST', `/api/projects/${id}/env`, { variables })
    const line = 'true: 3000 orders of https://shop.example.com/de by tok_live_123456'
    build = async (given) => {
      given.onLog(`${line}\n`)
      throw new BuildError('enough')
    }
    const { id: deploymentId } = (await requestBuild(id)).json()
    await runQueue(panel.deps, worker, 'build')
    expect((await get(id, deploymentId)).json().buildLogs).toContain(`${line.replace('tok_live_123456', '••••••')}\n`)
  })

  test('an internal error is not shown', async () => {
    const id = await newProject()
    build = () => Promise.reject(new TypeError('cannot read /root/secret.ts'))
    const { id: deploymentId } = (await requestBuild(id)).json()
    await runQueue(panel.deps, worker, 'build')
    const { status, buildLogs } = (await get(id, deploymentId)).json()
    expect(status).toBe('FAILED')
    expect(buildLogs).toContain('FAILED: Internal error')
    expect(buildLogs).not.toContain('secret.ts')
  })

  test('a cancellation reaches a running build', async () => {
    const id = await newProject()
    build = (given) => new Promise((_resolve, reject) => onAbort(given.signal, reject))
    const { id: deploymentId } = (await requestBuild(id)).json()
    const queue = runQueue(panel.deps, worker, 'build')
    await expect.poll(async () => (await row(deploymentId)).status, { timeout: 20_000 }).toBe('BUILDING')
    expect((await requestAction(id, deploymentId, 'cancel')).statusCode).toBe(200)
    await queue
    const { status, buildLogs } = (await get(id, deploymentId)).json()
    expect(status).toBe('CANCELLED')
    expect(buildLogs).not.toContain('FAILED')
  })

  test('a stopping worker fails its build with the reason', async () => {
    const id = await newProject()
    build = (given) => new Promise((_resolve, reject) => onAbort(given.signal, reject))
    const { id: deploymentId } = (await requestBuild(id)).json()
    const stop = new AbortController()
    const queue = runQueue(panel.deps, { ...worker, signal: stop.signal }, 'build')
    await expect.poll(async () => (await row(deploymentId)).status, { timeout: 20_000 }).toBe('BUILDING')
    stop.abort(new Error('the panel stops'))
    await queue
    expect((await get(id, deploymentId)).json()).toMatchObject({
      status: 'FAILED',
      buildLogs: expect.stringContaining('FAILED: The panel was stopped')
    })
  })

  test('ends its run if concurrency was lowered; another job takes the rest', async () => {
    const ids = [await newProject(), await newProject()]
    for (const id of ids) await requestBuild(id)
    const config = Object.create(panel.deps.config, { BUILD_CONCURRENCY: { value: 2, writable: true } }) as Config
    const built: string[] = []
    build = async (given) => {
      built.push(given.network!)
      Object.assign(config, { BUILD_CONCURRENCY: 1 })
      throw new BuildError('enough')
    }
    const waiting = () => panel.deps.db.execute(sql`select from pgboss.job where name = 'deployments.build' and state = 'created' and singleton_key = 'next'`) // oxfmt-ignore
    await panel.deps.db.execute(sql`delete from pgboss.job where name = 'deployments.build'`)
    await runQueue({ ...panel.deps, config }, worker, 'build')
    expect(built).toHaveLength(1)
    expect((await waiting()).rows).toHaveLength(1)
    await runQueue({ ...panel.deps, config }, worker, 'build')
    expect(built).toHaveLength(2)
  })

  test('has its own network, which is not reused', async () => {
    let network: string | undefined
    build = async (given) => {
      network = given.network
      throw new BuildError('enough')
    }
    await requestBuild(await newProject())
    released.length = 0
    await runQueue(panel.deps, worker, 'build')
    expect(network).toBe('network-of-this-build')
    expect(released).toEqual([false])
  })

  describe('low disk space', () => {
    let freeBytes: number
    const requested: string[] = []
    const deps = () => ({
      ...panel.deps,
      freeDiskBytes: async (directory: string) => {
        requested.push(directory)
        return freeBytes
      }
    })

    test('prevents the start', async () => {
      freeBytes = panel.deps.config.MIN_FREE_DISK - 1
      const id = await newProject()
      const { id: deploymentId } = (await requestBuild(id)).json()
      await runQueue(deps(), worker, 'build')
      const { status, buildLogs } = (await get(id, deploymentId)).json()
      expect(status).toBe('FAILED')
      expect(buildLogs).toMatch(/FAILED: The disk of this server is nearly full: 2047 MiB are free/)
      expect(buildLogs).not.toContain('no build was expected')
      expect(requested).toEqual(expect.arrayContaining(['/var/lib/memory-engine', panel.deps.config.DATA_DIR]))
    })

    test('aborts a running build', async () => {
      freeBytes = panel.deps.config.MIN_FREE_DISK
      build = (given) =>
        new Promise((_resolve, reject) => {
          onAbort(given.signal, reject)
          freeBytes = 0
        })
      const id = await newProject()
      const { id: deploymentId } = (await requestBuild(id)).json()
      await runQueue(deps(), worker, 'build')
      expect((await get(id, deploymentId)).json()).toMatchObject({
        status: 'FAILED',
        buildLogs: expect.stringContaining('FAILED: The disk of this server is nearly full: 0 MiB are free')
      })
    })
  })

  test('several processes share a queue, and every deployment runs once', async () => {
    const built: string[] = []
    build = async (given) => {
      built.push(given.tag)
      throw new BuildError('enough')
    }
    for (let i = 0; i < 6; i++) await requestBuild(await newProject())
    await Promise.all(Array.from({ length: 4 }, () => runQueue(panel.deps, worker, 'build')))
    expect(built).toHaveLength(6)
    expect(new Set(built).size).toBe(6)
  })
})

describe('recovery', () => {
  test('work of a dead worker fails, or runs if already serving; live workers are not affected', async () => {
    const dead = await takeWorkerLease(panel.databaseUrl, () => {})
    const alive = await takeWorkerLease(panel.databaseUrl, () => {})
    const mine = await takeWorkerLease(panel.databaseUrl, () => {})
    try {
      const insertOf = async (status: DeploymentStatus, workerId: number | null, isLive = false) => {
        const projectId = await newProject()
        const { id } = await insert(projectId, ann.user.id, { status, workerId, startedAt: new Date() })
        if (isLive) await panel.deps.db.update(projects).set({ liveDeploymentId: id }).where(eq(projects.id, projectId))
        return id
      }
      const orphans = {
        building: await insertOf('BUILDING', dead.workerId),
        deploying: await insertOf('DEPLOYING', dead.workerId),
        nobodys: await insertOf('BUILDING', null)
      }
      const serving = await insertOf('DEPLOYING', dead.workerId, true)
      const others = [
        await insertOf('BUILDING', alive.workerId),
        await insertOf('DEPLOYING', mine.workerId),
        await insertOf('QUEUED', null)
      ]
      const before = await Promise.all(others.map(row))

      const recover = () => recoverDeployments(panel.deps, mine)
      expect(await recover()).toMatchObject({ ended: 1 }) // A deployment without a worker.
      await dead.close()
      await expect.poll(recover, { timeout: 20_000 }).toMatchObject({ ended: 3 })
      expect(await recover()).toEqual({ ended: 0, underWay: 2 })

      for (const id of Object.values(orphans)) {
        expect(await row(id)).toMatchObject({
          status: 'FAILED',
          workerId: null,
          failure: { reason: expect.stringContaining('redeploy') as string, exitCode: null, line: null }
        })
        expect(await logOf(id)).toMatch(/^FAILED: The panel stopped while this was (BUILDING|DEPLOYING); redeploy$/m)
      }
      expect(await row(serving)).toMatchObject({ status: 'RUNNING' })
      expect(await logOf(serving)).toBeUndefined()
      expect(await Promise.all(others.map(row))).toEqual(before)
    } finally {
      await Promise.all([alive.close(), mine.close()])
    }
  })

  test('the owner is notified of failures and the first success afterwards', async () => {
    const id = await newProject()
    const notified = async (by = ann) =>
      (await by.request('GET', '/api/notifications?limit=100'))
        .json<NotificationList>()
        .notifications.filter(({ subject }) => subject.id === id)
    await ann.request('POST', `/api/projects/${id}/env`, { key: 'API_TOKEN', value: 'tok_live_123456' })
    build = () => Promise.reject(new BuildError('npm run build exited with 1 (tok_live_123456)'))
    const lease = await takeWorkerLease(panel.databaseUrl, () => {})
    const works = async () => {
      const { id: deploymentId } = await insert(id, ann.user.id, { status: 'DEPLOYING', workerId: null })
      await panel.deps.db.update(projects).set({ liveDeploymentId: deploymentId }).where(eq(projects.id, id))
      await recoverDeployments(panel.deps, lease)
      expect(await row(deploymentId)).toMatchObject({ status: 'RUNNING' })
    }
    try {
      await works()
      expect(await notified()).toEqual([])
      const { id: deploymentId } = (await requestBuild(id)).json<Deployment>()
      const buildNetworks = { acquire: async () => ({ name: 'n', release: async () => {} }) }
      await runQueue(panel.deps, { lease, signal: new AbortController().signal, buildNetworks }, 'build')
      const [failed, ...others] = await notified()
      expect(others).toEqual([])
      expect(failed).toMatchObject({ kind: 'deployment-failed', state: 'problem', subject: { type: 'project' } })
      expect(failed!.text).toContain('npm run build exited with 1 (••••••)')
      expect(failed!.sentences.map(({ code }) => code)).toEqual(['DEPLOYMENT_FAILED', 'STILL_SERVES'])
      expect(failed!.link).toContain(deploymentId)
      await works()
      await works()
      expect((await notified()).map(({ kind }) => kind).sort()).toEqual(['deployment-failed', 'deployment-recovered'])
      expect(await notified(bob)).toEqual([])
      await insert(id, ann.user.id, { status: 'DEPLOYING', workerId: null })
      await recoverDeployments(panel.deps, lease)
      const [{ text, sentences }] = (await notified()) as [Notification]
      expect(text).toMatch(
        / failed: The panel stopped while this was DEPLOYING; redeploy\. The previous release is still live\.$/
      )
      expect(sentences.slice(1)).toEqual([
        { code: 'PANEL_STOPPED_MEANWHILE', values: { status: 'DEPLOYING' } },
        { code: 'STILL_SERVES', values: {} }
      ])
    } finally {
      await lease.close()
    }
  })

  test('a lease reports a lost connection', async () => {
    let lost: Error | undefined
    const lease = await takeWorkerLease(panel.databaseUrl, (error) => (lost = error))
    const other = await takeWorkerLease(panel.databaseUrl, () => {})
    expect(await other.findDead([lease.workerId])).toEqual([])
    await panel.deps.db.execute(
      sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = ${lease.workerId}::oid and classid = 7236242`
    )
    await expect.poll(() => lost, { timeout: 20_000 }).toBeInstanceOf(Error)
    expect(await other.findDead([lease.workerId])).toEqual([lease.workerId])
    await lease.close().catch(() => {})
    await other.close()
  })
})
