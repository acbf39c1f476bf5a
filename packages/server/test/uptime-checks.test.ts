import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { NotificationList } from '@panel/contract/notifications'
import type { Project } from '@panel/contract/projects'
import type { UptimeCheck, UptimeCheckList, UptimeIncidentList, UptimeResults } from '@panel/contract/uptime-checks'
import { openDatabase } from '../src/db/database.ts'
import { projects } from '../src/db/schema/projects.ts'
import { uptimeChecks, uptimeHours, uptimeIncidents, uptimeResults } from '../src/db/schema/uptime-checks.ts'
import { users } from '../src/db/schema/users.ts'
import { recordRuns } from '../src/features/uptime-checks/recording.service.ts'
import { purgeHistory } from '../src/features/uptime-checks/retention.jobs.ts'
import { runDueChecks } from '../src/features/uptime-checks/run-due.jobs.ts'
import { takeDueRuns } from '../src/features/uptime-checks/runs.repository.ts'
import { addVerifiedDomain } from './support/domains.ts'
import { startFrontDoor, type TestFrontDoor } from './support/front-door.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

const start = new Date('2026-11-23T12:00:00Z')
const minute = 60_000
const never = new AbortController().signal

let now = start
let door: TestFrontDoor
let panel: TestPanel
let ann: Client
let bob: Client
beforeAll(async () => {
  door = await startFrontDoor()
  panel = await createTestPanel(
    { PROXY_HTTP_PORT: String(door.port), UPTIME_CHECKS_PER_ACCOUNT: '3' },
    { now: () => now }
  )
  await panel.signUp('admin')
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
})
afterAll(async () => {
  await panel?.close()
  await door?.close().catch(() => {})
})
afterEach(async () => {
  door.requested.length = 0
  door.answer = (_request, response) => void response.end('welcome')
  await panel.deps.db.delete(uptimeChecks)
})

async function site(by: Client = ann): Promise<Project & { hostname: string }> {
  const project = await by.createProject()
  await setProject(project.id, { liveDeploymentId: 'deployment' })
  return { ...project, hostname: `${project.name}.apps.localhost` }
}
const setProject = (id: string, values: Partial<typeof projects.$inferSelect>) =>
  panel.deps.db.update(projects).set(values).where(eq(projects.id, id))
const url = (projectId: string, rest = '') => `/api/projects/${projectId}/uptime-checks${rest}`
const create = (by: Client, project: { id: string; hostname: string }, values: object = {}) =>
  by.request('POST', url(project.id), { name: 'Shop', hostname: project.hostname, ...values })
async function watched(project: { id: string; hostname: string }, values: object = {}, by = ann): Promise<UptimeCheck> {
  const answer = await create(by, project, values)
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json()
}
const read = async ({ projectId, id }: UptimeCheck, by = ann) =>
  (await by.request('GET', url(projectId, `/${id}`))).json<UptimeCheck>()
const results = async ({ projectId, id }: UptimeCheck, range = '24h') =>
  (await ann.request('GET', url(projectId, `/${id}/results?range=${range}`))).json<UptimeResults>()
const incidents = async ({ projectId, id }: UptimeCheck) =>
  (await ann.request('GET', url(projectId, `/${id}/incidents`))).json<UptimeIncidentList>()
const runDue = () => runDueChecks(panel.deps, never)
async function runNext({ id }: UptimeCheck) {
  const [row] = await panel.deps.db.select().from(uptimeChecks).where(eq(uptimeChecks.id, id))
  now = row!.nextRunAt!
  await runDue()
}
const down = () => {
  door.answer = (_request, response) => void response.writeHead(500).end('broken')
}
const up = () => {
  door.answer = (_request, response) => void response.end('welcome')
}

describe('a check', () => {
  test('of a large account runs at most 32 at once, yielding to others', async () => {
    const [hers, his] = [await site(), await site(bob)]
    const check = await watched(hers)
    await watched(his, {}, bob)
    const [row] = await panel.deps.db.select().from(uptimeChecks).where(eq(uptimeChecks.id, check.id))
    const due = { ...row!, nextRunAt: new Date(now.getTime() - minute) }
    await panel.deps.db
      .insert(uptimeChecks)
      .values(Array.from({ length: 99 }, (_, n) => ({ ...due, id: `${row!.id}-${n}` })))
    const open = { ann: 0, most: 0, bobWasQueried: false }
    const held: (() => void)[] = []
    door.answer = (request, response) => {
      if (request.headers.host === his.hostname) open.bobWasQueried = true
      else open.most = Math.max(open.most, ++open.ann)
      held.push(() => {
        if (request.headers.host === hers.hostname) open.ann--
        response.end('welcome')
      })
    }
    const running = runDue()
    await expect.poll(() => held.length).toBeGreaterThanOrEqual(33)
    expect(open.bobWasQueried).toBe(true)
    await expect
      .poll(() => {
        for (const answer of held.splice(0)) answer()
        return door.requested.length
      })
      .toBe(101)
    for (const answer of held.splice(0)) answer()
    await running
    expect(open.most).toBe(32)
  })

  test('requests the name through the proxy repeatedly', async () => {
    const project = await site()
    const check = await watched(project, { path: '/health?deep=1', intervalMinutes: 1 })
    expect(check).toMatchObject({
      state: 'UNKNOWN',
      protocol: 'http',
      method: 'GET',
      expectedStatus: '200-399',
      lastRunAt: null,
      uptime: { '24h': null }
    })
    await runDue()
    expect(door.requested).toEqual([`GET ${project.hostname}/health?deep=1`])
    expect(await read(check)).toMatchObject({
      state: 'UP',
      lastStatus: 200,
      lastReason: null,
      lastRunAt: now.toISOString()
    })
    await runDue()
    expect(door.requested).toHaveLength(1)
    await runNext(check)
    expect(door.requested).toHaveLength(2)
    expect(await read(check)).toMatchObject({ state: 'UP', uptime: { '24h': 100, '90d': 100 } })
  })

  test.each([
    ['a status that is expected', { expectedStatus: '500' }, 'UP', null],
    ['another status', {}, 'DOWN', 'STATUS'],
    ['a text that is there', { expectedStatus: '500', text: 'broken' }, 'UP', null],
    ['a text that is not', { expectedStatus: '500', text: 'welcome' }, 'DOWN', 'TEXT_MISSING'],
    ['a text that must not be', { expectedStatus: '500', text: 'broken', textMode: 'absent' }, 'DOWN', 'TEXT_PRESENT'],
    ['an expression, which is text', { expectedStatus: '500', text: 'b.*' }, 'DOWN', 'TEXT_MISSING']
  ] as const)('judges %s', async (_what, values, state, lastReason) => {
    down()
    const check = await watched(await site(), { retries: 0, ...values })
    await runDue()
    expect(await read(check)).toMatchObject({ state, lastReason, lastStatus: 500 })
  })

  test('does not follow redirects', async () => {
    door.answer = (_request, response) => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
    const project = await site()
    const [fine, strict] = [await watched(project), await watched(project, { expectedStatus: '200-299', retries: 0 })]
    await runDue()
    expect([(await read(fine)).state, (await read(strict)).state]).toEqual(['UP', 'DOWN'])
    expect(door.requested).toHaveLength(2)
  })

  test('times out on a hanging site without delaying others', async () => {
    const project = await site()
    const hanging = await watched(project, { path: '/hangs', timeoutSeconds: 1, retries: 0 })
    const other = await watched(project)
    door.answer = (request, response) => void (request.url === '/hangs' || response.end())
    await runDue()
    expect(await read(hanging)).toMatchObject({ state: 'DOWN', lastReason: 'TIMEOUT', lastMs: null })
    expect(await read(other)).toMatchObject({ state: 'UP' })
  })

  test('is DOWN after its retries and UP after two successes', async () => {
    const check = await watched(await site(), { retries: 1, intervalMinutes: 60 })
    await runDue()
    down()
    await runNext(check)
    const since = now
    expect(await read(check)).toMatchObject({ state: 'UP', lastReason: 'STATUS' })
    await runNext(check)
    expect(now.getTime() - since.getTime()).toBe(30_000)
    expect(await read(check)).toMatchObject({ state: 'DOWN', stateSince: now.toISOString() })
    expect((await incidents(check)).incidents).toEqual([
      expect.objectContaining({ from: since.toISOString(), to: null, seconds: 30, reason: 'STATUS', status: 500 })
    ])
    up()
    await runNext(check)
    expect(await read(check)).toMatchObject({ state: 'DOWN', lastReason: null })
    await runNext(check)
    expect(await read(check)).toMatchObject({ state: 'UP' })
    expect((await incidents(check)).incidents[0]).toMatchObject({ to: now.toISOString() })
    const { notifications } = (await ann.request('GET', '/api/notifications')).json<NotificationList>()
    const notified = notifications.filter(({ subject }) => subject.id === check.id)
    expect(notified.map(({ kind }) => kind)).toEqual(['site-up', 'site-down'])
    expect(notified[1]!.text).toMatch(/ is down: it responded with an error \(500\)\./)
  })

  test('notifies the account within the transaction', async () => {
    const heard: unknown[] = []
    const stop = panel.deps.events.subscribe({ onEvent: (event) => event.name === 'uptime' && heard.push(event) })
    try {
      const check = await watched(await site(), { retries: 0 })
      await runDue()
      down()
      await runNext(check)
      const data = { projectId: check.projectId, checkId: check.id }
      const to = { userId: ann.user.id }
      await expect
        .poll(() => heard)
        .toEqual([
          { to, name: 'uptime', data: { ...data, state: 'UP' } },
          { to, name: 'uptime', data: { ...data, state: 'DOWN' } }
        ])
    } finally {
      stop()
    }
  })
})

describe('unknown results', () => {
  test('with the proxy down', async () => {
    const check = await watched(await site(), { retries: 0, intervalMinutes: 5 })
    await runDue()
    await door.close()
    await runNext(check)
    await door.open()
    expect(await read(check)).toMatchObject({ state: 'UP', lastReason: 'PROXY_AWAY', lastStatus: null })
    const seen = await results(check)
    expect(seen).toMatchObject({ uptime: 100, downSeconds: 0 })
    expect(seen.latest.map(({ outcome }) => outcome)).toEqual(['unknown', 'up'])
    expect(seen.unknownSeconds).toBeGreaterThan(0)
  })

  test('after the panel was down, until the next run', async () => {
    const check = await watched(await site(), { intervalMinutes: 1 })
    await runDue()
    await runNext(check)
    now = new Date(now.getTime() + 120 * minute)
    expect(await read(check)).toMatchObject({ state: 'UNKNOWN', uptime: { '24h': 100 } })
    await runDue()
    const seen = await results(check)
    expect(seen).toMatchObject({ uptime: 100, downSeconds: 0 })
    expect(seen.unknownSeconds).toBeGreaterThan(118 * 60)
    expect(await read(check)).toMatchObject({ state: 'UP' })
  })

  test('a clock set back by a day stops nothing', async () => {
    const check = await watched(await site(), { intervalMinutes: 1 })
    await runDue()
    now = new Date(now.getTime() - 24 * 60 * minute)
    await runDue()
    expect(door.requested).toHaveLength(2)
    expect(await read(check)).toMatchObject({ state: 'UP', lastRunAt: now.toISOString() })
  })
})

describe('targets', () => {
  test('foreign hosts and addresses are refused', async () => {
    const [project, bobs] = [await site(), await site(bob)]
    const other = await site()
    for (const hostname of [
      bobs.hostname,
      other.hostname,
      'example.net',
      '127.0.0.1',
      'localhost',
      'panel.apps.localhost'
    ])
      expect((await create(ann, { ...project, hostname })).json(), hostname).toMatchObject({ code: 'INVALID_TARGET' })
    for (const bad of [
      { path: 'http://example.net/' },
      { path: '/ HTTP/1.1' },
      { path: '/\r\nHost: x' },
      { text: 'a', method: 'HEAD' }
    ])
      expect((await create(ann, project, bad)).statusCode).toBe(400)
  })

  test('a check belongs to its project', async () => {
    const check = await watched(await site())
    const other = await site()
    expect((await ann.request('GET', url(other.id, `/${check.id}`))).statusCode).toBe(404)
    expect((await bob.request('GET', url(check.projectId, `/${check.id}`))).statusCode).toBe(403)
    expect((await ann.request('POST', url(other.id, `/${check.id}/run`))).statusCode).toBe(404)
  })

  test('a domain that moved is not requested', async () => {
    const project = await site()
    const domain = await addVerifiedDomain(ann, 'moves.example.com')
    await ann.request('PATCH', `/api/domains/${domain.id}`, { projectId: project.id })
    const check = await watched({ ...project, hostname: 'moves.example.com' }, { retries: 0 })
    await runDue()
    await ann.request('PATCH', `/api/domains/${domain.id}`, { projectId: null })
    expect(await read(check)).toMatchObject({ state: 'PAUSED', pausedBecause: 'HOST_NOT_OWN' })
    await runNext(check)
    expect(door.requested).toEqual(['GET moves.example.com/'])
  })

  test('below a wildcard until claimed separately', async () => {
    const project = await site()
    await addVerifiedDomain(ann, '*.wild.example.com', { projectId: project.id })
    const asks = (hostname: string) => create(ann, { ...project, hostname })
    expect((await asks('deep.below.wild.example.com')).statusCode).toBe(400)
    expect((await asks('wild.example.com')).statusCode).toBe(400)
    expect((await create(bob, { ...(await site(bob)), hostname: 'shop.wild.example.com' })).statusCode).toBe(400)
    const check = await watched({ ...project, hostname: 'shop.wild.example.com' })
    await runDue()
    expect(door.requested).toEqual(['GET shop.wild.example.com/'])
    expect(await read(check)).toMatchObject({ state: 'UP' })
    await addVerifiedDomain(ann, 'shop.wild.example.com')
    expect(await read(check)).toMatchObject({ state: 'PAUSED', pausedBecause: 'HOST_NOT_OWN' })
  })

  test('limited per account', async () => {
    const project = await site()
    const answers = await Promise.all(Array.from({ length: 5 }, () => create(ann, project)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 201, 201, 403, 403])
  })
})

describe('a check pauses', () => {
  test('while its project is stopped, and resumes', async () => {
    const project = await site()
    const check = await watched(project, { retries: 0 })
    await runDue()
    await setProject(project.id, { status: 'STOPPED' })
    down()
    await runNext(check)
    expect(door.requested).toHaveLength(1)
    expect(await read(check)).toMatchObject({ state: 'PAUSED', pausedBecause: 'PROJECT_STOPPED' })
    up()
    await setProject(project.id, { status: 'ACTIVE' })
    await runNext(check)
    expect(await read(check)).toMatchObject({ state: 'UP', pausedBecause: null })
    expect((await incidents(check)).incidents).toEqual([])
  })

  test('if its project stops during a run', async () => {
    const project = await site()
    const check = await watched(project, { retries: 0 })
    await runDue()
    door.answer = (_request, response) =>
      void setProject(project.id, { status: 'STOPPED' }).then(() => response.writeHead(503).end())
    await runNext(check)
    expect(await read(check)).toMatchObject({ state: 'PAUSED' })
    expect(await results(check)).toMatchObject({ downSeconds: 0 })
  })

  test('while its account is suspended: its incident ends', async () => {
    const project = await site(bob)
    const check = await watched(project, { retries: 0 }, bob)
    down()
    await runDue()
    expect(await read(check, bob)).toMatchObject({ state: 'DOWN' })
    await panel.deps.db.transaction(async (trx) => {
      await trx.update(users).set({ suspendedAt: now }).where(eq(users.id, bob.user.id))
      for (const { account } of panel.deps.features) await account?.suspended?.(panel.deps, trx, bob.user.id)
    })
    const [row] = await panel.deps.db.select().from(uptimeChecks)
    expect(row).toMatchObject({ state: 'PAUSED', pause: 'ACCOUNT_SUSPENDED' })
    expect((await panel.deps.db.select().from(uptimeIncidents))[0]).toMatchObject({ endedAt: now })
    await runNext(check)
    expect(door.requested).toHaveLength(1)
    await panel.deps.db.update(users).set({ suspendedAt: null }).where(eq(users.id, bob.user.id))
  })

  test('on request, ignoring a running request', async () => {
    const check = await watched(await site(), { retries: 0 })
    await runDue()
    const pause = (paused: boolean) => ann.request('PATCH', url(check.projectId, `/${check.id}`), { paused })
    door.answer = (_request, response) => void pause(true).then(() => response.writeHead(500).end())
    await runNext(check)
    expect(await read(check)).toMatchObject({ state: 'PAUSED', paused: true, pausedBecause: 'OWNER' })
    expect((await results(check)).latest).toHaveLength(1)
    expect((await ann.request('POST', url(check.projectId, `/${check.id}/run`))).statusCode).toBe(409)
    up()
    expect((await pause(false)).json()).toMatchObject({ state: 'UNKNOWN', paused: false })
    await runDue()
    expect(await read(check)).toMatchObject({ state: 'UP' })
  })

  test('and is deleted with its project', async () => {
    const check = await watched(await site())
    await runDue()
    expect((await ann.request('DELETE', `/api/projects/${check.projectId}`)).statusCode).toBeLessThan(300)
    for (const table of [uptimeChecks, uptimeResults, uptimeHours])
      expect(await panel.deps.db.select().from(table)).toEqual([])
  })
})

describe('several processes', () => {
  test('run each check once', async () => {
    const project = await site()
    for (const path of ['/1', '/2', '/3']) await watched(project, { path })
    const second = openDatabase(panel.databaseUrl, () => {})
    try {
      await Promise.all([runDue(), runDueChecks({ ...panel.deps, db: second }, never)])
    } finally {
      await second.$client.end()
    }
    expect(door.requested.map((line) => line.slice(-2)).sort()).toEqual(['/1', '/2', '/3'])
    expect(await panel.deps.db.select().from(uptimeResults)).toHaveLength(3)
  })

  test('a run of a killed process is lost', async () => {
    const check = await watched(await site())
    const [taken] = await takeDueRuns(panel.deps.db, { now, limit: 10, places: { left: new Map(), ofOthers: 10 } })
    await runDue()
    expect(door.requested).toEqual([])
    await runNext(check)
    expect(await read(check)).toMatchObject({ state: 'UP' })
    // The first run finishes too late, so its result is discarded.
    const judgement = { outcome: 'down', reason: 'STATUS', status: 500, ms: 1, tlsDaysLeft: null } as const
    await recordRuns(panel.deps, [{ run: taken!, at: now, judgement }])
    expect(await read(check)).toMatchObject({ state: 'UP', lastStatus: 200 })
  })
})

test('manual runs are limited to one per ten seconds', async () => {
  const check = await watched(await site())
  await runDue()
  const run = () => ann.request('POST', url(check.projectId, `/${check.id}/run`))
  expect(await run()).toMatchObject({ statusCode: 429, headers: { 'retry-after': '10' } })
  now = new Date(now.getTime() + 11_000)
  expect((await run()).statusCode).toBe(202)
  await runDue()
  expect(door.requested).toHaveLength(2)
})

test('the list is paginated with a summary', async () => {
  const project = await site()
  const first = await watched(project, { paused: true })
  now = new Date(now.getTime() + 1)
  await watched(project, { path: '/a' })
  await runDue()
  const list = (await ann.request('GET', url(project.id, '?limit=1'))).json<UptimeCheckList>()
  expect(list).toMatchObject({
    uptimeChecks: [{ id: first.id, state: 'PAUSED' }],
    summary: { state: 'UP', up: 1, down: 0, unknown: 0, paused: 1 },
    pagination: { total: 2, totalPages: 2 }
  })
})

test('old runs are deleted, their sums kept', async () => {
  const check = await watched(await site(), { intervalMinutes: 1 })
  await runDue()
  await runNext(check)
  now = new Date(now.getTime() + 10 * 24 * 60 * minute)
  await purgeHistory(panel.deps)
  expect(await panel.deps.db.select().from(uptimeResults)).toEqual([])
  expect((await panel.deps.db.select().from(uptimeHours)).length).toBeGreaterThan(0)
  now = new Date(now.getTime() + 100 * 24 * 60 * minute)
  await purgeHistory(panel.deps)
  expect(await panel.deps.db.select().from(uptimeHours)).toEqual([])
})
