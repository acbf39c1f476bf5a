import { setTimeout as sleep } from 'node:timers/promises'
import type { Deployment } from '@panel/contract/deployments'
import type { Domain } from '@panel/contract/domains'
import { io } from 'socket.io-client'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { liveTestClients } from '../../packages/server/test/support/live.ts'
import { type SmtpSink, startSmtpSink } from '../../packages/server/test/support/smtp-sink.ts'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import { type ApiAnswer, type Client, signUp, type Site, visit } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { type ServeProcess, type SharedStore, startSharedStore } from '../support/shared-store.ts'
import { builtNodeSite, nodeSite } from '../support/sites.ts'

const loginLimit = 20

let git: GitHttpServer
let mail: SmtpSink
let shared: SharedStore
let first: ServeProcess
let second: ServeProcess
let ann: Client
beforeAll(async () => {
  git = await startGitHttpServer()
  mail = await startSmtpSink()
  shared = await startSharedStore({
    GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}`,
    SMTP_URL: mail.url,
    MAIL_FROM: 'panel@example.com',
    PANEL_MOCK_DNS: 'true',
    TRUSTED_PROXIES: '127.0.0.1',
    AUTH_RATE_LIMIT_MAX: String(loginLimit),
    BUILD_CONCURRENCY: '1'
  })
  ;[first, second] = shared.processes
  ann = await signUp(first.url, 'ann')
})
afterAll(async () => {
  await shared?.dispose()
  await mail?.close()
  await git?.stop()
})
afterEach(({ task }) => {
  if (task.result?.state === 'fail') for (const each of [first, second]) console.error(each.output().slice(-5_000))
})

let addresses = 0
async function ask<T = unknown>(
  panel: ServeProcess,
  method: string,
  path: string,
  body?: unknown,
  { cookie = '', from = `198.51.100.${++addresses % 250}` }: { cookie?: string; from?: string } = {}
): Promise<ApiAnswer<T>> {
  const answer = await fetch(`${panel.url}/api${path}`, {
    method,
    headers: { cookie, 'x-forwarded-for': from, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await answer.text()
  return { status: answer.status, body: (text === '' ? null : JSON.parse(text)) as T, headers: answer.headers }
}
const password = 'correct horse battery'
async function signIn(panel: ServeProcess): Promise<string> {
  const answer = await ask(panel, 'POST', '/auth/login', { email: 'ann@example.com', password })
  expect(answer.status).toBe(200)
  return answer.headers.get('set-cookie')!.split(';')[0]!
}
const whoAmI = async (panel: ServeProcess, cookie: string) =>
  (await ask(panel, 'GET', '/auth/me', undefined, { cookie })).status

test('sessions are shared and end on both', async () => {
  for (const [here, there] of [
    [first, second],
    [second, first]
  ] as const) {
    const cookie = await signIn(here)
    expect(await whoAmI(here, cookie)).toBe(200)
    expect(await whoAmI(there, cookie)).toBe(200)
    expect((await ask(there, 'POST', '/auth/logout', undefined, { cookie })).status).toBe(200)
    expect(await whoAmI(here, cookie)).toBe(401)
    expect(await whoAmI(there, cookie)).toBe(401)
  }
})

test('the rate limit is shared', async () => {
  const statuses: number[] = []
  for (let n = 0; n < loginLimit + 2; n++) {
    const body = { email: 'nobody@example.com', password }
    statuses.push((await ask(n % 2 ? first : second, 'POST', '/auth/login', body, { from: '192.0.2.7' })).status)
  }
  expect(statuses).toEqual([...Array.from({ length: loginLimit }, () => 401), 429, 429])
})

test('each job runs once', async () => {
  const people = Array.from({ length: 12 }, (_, n) => `person${n}@example.com`)
  for (const email of people)
    expect(await ann.request('POST', '/users', { name: email.split('@')[0], email, password })).toMatchObject({
      status: 201
    })
  await Promise.all(people.map((email, n) => ask(n % 2 ? first : second, 'POST', '/auth/forgot-password', { email })))
  const recipients = () => mail.received.flatMap(({ to }) => to.filter((each) => people.includes(each))).sort()
  await expect.poll(() => new Set(recipients()).size).toBe(people.length)
  // Anything done twice is done by now: queues are polled within seconds.
  await sleep(3_000)
  expect(recipients()).toEqual([...people].sort())
})

test('concurrent audit entries form one chain', async () => {
  const cookie = ann.cookie
  const operations = Array.from({ length: 30 }, (_, n) =>
    ask(n % 2 ? first : second, 'POST', '/projects', { name: `chain-${n}`, type: 'STATIC' }, { cookie })
  )
  for (const answer of await Promise.all(operations)) expect(answer.status).toBe(201)
  await Promise.all([first, second].map((panel) => ask(panel, 'GET', '/audit', undefined, { cookie })))
  expect(await shared.query('select id from audit_pending')).toEqual([])
  const rows = await shared.query<{ n: number; last: number }>(
    'select count(*)::int as n, max(id)::int as last from audit_log'
  )
  expect(rows[0]!.n).toBe(rows[0]!.last)
})

test('the last change of a route wins, whichever process made it', async () => {
  const project = await ann.createProject({ type: 'STATIC' })
  const made = await ann.call<Domain>('POST', '/domains', { hostname: 'order.example.org' })
  await ann.call('POST', `/domains/${made.id}/verify?mock=true`)
  const page = async () => (await visit('127.0.0.1', shared.proxyPort, 'order.example.org', '/', {})).status
  await expect.poll(page).toBe(404)
  for (let round = 0; round < 5; round++) {
    const changes = Array.from({ length: 12 }, (_, n) => {
      const projectId = (n + round) % 3 === 0 ? null : project.id
      return ask(n % 2 ? first : second, 'PATCH', `/domains/${made.id}`, { projectId }, { cookie: ann.cookie })
    })
    for (const answer of await Promise.all(changes)) expect(answer.status).toBe(200)
    const { projectId } = await ann.call<Domain>('GET', `/domains/${made.id}`)
    expect(await page()).toBe(projectId === null ? 404 : 503)
  }
})

// The first one has what only one process of a panel does.
test('kill -9 of one: the other fails its work, continues and takes over the queue', async () => {
  const [dying, other] = [first, second]
  const [one, two, waiting] = [
    await ann.createSite(git, builtNodeSite('slow', 'sleep 20')),
    await ann.createSite(git, builtNodeSite('slow', 'sleep 20')),
    await ann.createSite(git, nodeSite('waited'))
  ]
  const press = async ({ id }: Pick<Site, 'id'>) =>
    (await askAnn<Deployment>(other, 'POST', `/projects/${id}/build`)).id
  const see = ({ id }: Pick<Site, 'id'>, deployment: string) =>
    askAnn<Deployment>(other, 'GET', `/projects/${id}/deployments/${deployment}`)
  const builds = new Map<string, Site>()
  for (const site of [one, two]) builds.set(await press(site), site)
  const workers = await until(
    () => shared.query<{ id: string; worker: number }>(inHand),
    (rows) => rows.length === 2
  )
  expect(new Set(workers.map(({ worker }) => worker)).size).toBe(2)
  const last = await press(waiting)
  const live = liveTestClients(() => other.url)
  const bystander = await live.connect({ cookie: ann.cookie })
  const follower = io(dying.url, { transports: ['websocket'], extraHeaders: { cookie: ann.cookie }, forceNew: true })
  const isConnected = () => follower.connected
  await expect.poll(isConnected).toBe(true)

  await dying.end('SIGKILL')
  try {
    await expect.poll(isConnected).toBe(false)
    const isEnded = ({ status }: Deployment) => ['RUNNING', 'FAILED', 'CANCELLED'].includes(status)
    const ended = new Map<number, Deployment>()
    for (const { id, worker } of workers)
      ended.set(worker, await until(() => see(builds.get(id)!, id), isEnded, 240_000))
    expect(ended.get(dying.workerId())).toMatchObject({
      status: 'FAILED',
      buildLogs: expect.stringContaining('The panel stopped while this was BUILDING') as string
    })
    expect(ended.get(other.workerId())?.status).toBe('RUNNING')
    expect(await until(() => see(waiting, last), isEnded, 240_000)).toMatchObject({ status: 'RUNNING' })
    expect(await visit('127.0.0.1', shared.proxyPort, waiting.hostname, '/', {})).toMatchObject({ status: 200 })
    for (const [id, status] of [[last, 'RUNNING'], ...[...ended.values()].map((row) => [row.id, row.status])])
      await expect
        .poll(() => bystander.of('deployment:status'))
        .toContainEqual(expect.objectContaining({ deploymentId: id, status }))
  } finally {
    await dying.start()
  }
  await expect.poll(isConnected).toBe(true)
  const notified = new Promise((resolve) => follower.once('changed', resolve))
  await askAnn(other, 'POST', `/projects/${waiting.id}/container/stop`)
  await notified
  follower.disconnect()
  live.close()
  expect(await whoAmI(dying, ann.cookie)).toBe(200)
})

const inHand = "select id, worker_id as worker from deployments where status = 'BUILDING'"

async function askAnn<T>(panel: ServeProcess, method: string, path: string): Promise<T> {
  const { status, body } = await ask<T>(panel, method, path, undefined, { cookie: ann.cookie })
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`)
  return body
}
