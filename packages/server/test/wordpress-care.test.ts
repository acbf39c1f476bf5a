import { Readable } from 'node:stream'
import { eq } from 'drizzle-orm'
import type { Project } from '@panel/contract/projects'
import type { WordpressState, WordpressTask } from '@panel/contract/wordpress-care'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { projects } from '../src/db/schema/projects.ts'
import { wordpressSites, wordpressTasks } from '../src/db/schema/wordpress-care.ts'
import { queueAutomaticUpdates } from '../src/features/wordpress-care/automatic-updates.jobs.ts'
import { runDueEvents } from '../src/features/wordpress-care/cron.jobs.ts'
import { isAnyCheckDue } from '../src/features/wordpress-care/sites.repository.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'
import type { MemoryContainerEngine } from './fakes/memory-container-engine.ts'

let panel: TestPanel
let owner: Client
let other: Client
let project: Project
let engine: MemoryContainerEngine
let path: string
/** Requests that reached the site, and what its PHP answers. */
let asked: Record<string, unknown>[]
let answer: (request: Record<string, unknown>) => unknown

const site = {
  coreVersion: '6.8.1',
  phpVersion: '8.2.0',
  coreOffers: ['6.9', '6.8.2'],
  components: [
    { kind: 'CORE', id: 'core', name: 'WordPress', version: '6.8.1', newVersion: '6.9', isActive: true },
    { kind: 'PLUGIN', id: 'shop/shop.php', name: 'Shop', version: '1.0', newVersion: '1.1', isActive: true }
  ],
  administrators: ['ann'],
  canSignIn: true
}

beforeAll(async () => {
  panel = await createTestPanel()
  engine = panel.deps.engine as MemoryContainerEngine
  owner = await panel.signUp()
  other = await panel.createUser(owner)
})
afterAll(() => panel?.close())

beforeEach(async () => {
  project = await owner.createProject({ type: 'WORDPRESS' })
  path = `/api/projects/${project.id}/wordpress`
  const containerId = await runningContainer()
  await panel.deps.db.update(projects).set({ containerId }).where(eq(projects.id, project.id))
  asked = []
  answer = () => ({ value: site })
  engine.onExecute = async ({ input, command }) => {
    const [, marker, request] = /Panel_Care\('([^']+)', json_decode\(base64_decode\('([^']+)'/.exec(input)!
    asked.push(JSON.parse(Buffer.from(request!, 'base64').toString()) as Record<string, unknown>)
    expect(command.join(' ')).not.toContain(request)
    return { exitCode: 0, stdout: `noise ${marker}{}\n${marker}${JSON.stringify(answer(asked.at(-1)!))}\n`, stderr: '' }
  }
})

async function runningContainer(): Promise<string> {
  await engine.ensureNetwork('panel', {})
  await engine.importImage(Readable.from([]), 'site:1', [])
  const id = await engine.createContainer({
    name: `site-${project.id}`,
    image: 'site:1',
    labels: {},
    env: {},
    user: '20000:20000',
    network: 'panel',
    address: '172.30.0.9',
    containerPort: 8080,
    memoryBytes: 2 ** 28,
    cpus: 1,
    pids: 100,
    readOnlyRoot: true,
    volumes: [],
    binds: []
  })
  await engine.startContainer(id)
  return id
}

async function call<T>(method: 'GET' | 'POST' | 'PUT', url: string, body?: object): Promise<T> {
  const answered = await owner.request(method, url, body)
  expect(answered.statusCode, answered.body).toBeLessThan(300)
  return answered.json<T>()
}

const state = () => call<WordpressState>('GET', path)

test('shows what WordPress reports', async () => {
  const { coreOffers: _, ...known } = site
  expect(await state()).toMatchObject({ site: known, unavailable: null, updatePolicy: 'OFF', maintenance: false })
})

test.each([
  ['a refusal', { problem: 'BROKEN', text: 'Uncaught Error\u0000 in x.php' }, 'BROKEN'],
  ['a missing installation', { problem: 'NOT_INSTALLED', text: '' }, 'NOT_INSTALLED'],
  ['another shape', { value: { ...site, components: 'none' } }, 'BROKEN'],
  ['more than a page can show', { value: { ...site, administrators: Array(1000).fill('x') } }, 'BROKEN'],
  ['an unknown problem', { problem: 'HACKED', text: '' }, 'BROKEN']
])('takes %s for what it is', async (_, given, unavailable) => {
  answer = () => given
  expect(await state()).toMatchObject({ site: null, unavailable })
})

test('a stopped site is not asked', async () => {
  await panel.deps.db.update(projects).set({ status: 'STOPPED' }).where(eq(projects.id, project.id))
  expect(await state()).toMatchObject({ site: null, unavailable: 'NOT_RUNNING' })
  for (const [method, action, body] of [
    ['POST', 'updates', {}],
    ['POST', 'sign-in', {}],
    ['POST', 'users/ann/password', undefined],
    ['GET', 'core-changes', undefined],
    ['POST', 'replacements', { search: 'a', replace: 'b' }]
  ] as const)
    expect([action, (await owner.request(method, `${path}/${action}`, body)).statusCode]).toEqual([action, 409])
  expect(asked).toEqual([])
})

test('updates are queued once, and only those that exist', async () => {
  const components = [{ kind: 'PLUGIN', id: 'other/other.php' }]
  expect((await owner.request('POST', `${path}/updates`, { components })).statusCode).toBe(409)
  const task = await call<WordpressTask>('POST', `${path}/updates`, {})
  expect(task).toMatchObject({ status: 'RUNNING', step: 'QUEUED', trigger: 'MANUAL' })
  expect(task.items.map(({ id, to }) => `${id} ${to}`)).toEqual(['core 6.9', 'shop/shop.php 1.1'])
  expect((await owner.request('POST', `${path}/updates`, {})).statusCode).toBe(409)
  expect((await owner.request('PUT', `${path}/settings`, { maintenance: true })).statusCode).toBe(200)
  expect(await call('GET', `${path}/tasks/${task.id}`)).toMatchObject({ id: task.id })
  expect((await other.request('GET', `${path}/tasks/${task.id}`)).statusCode).toBe(403)
})

test('automatic updates follow the policy, and skip a version that was rolled back', async () => {
  const { db } = panel.deps
  const due = () => db.update(wordpressSites).set({ nextUpdateAt: new Date(0) }).where(eq(wordpressSites.projectId, project.id)) // oxfmt-ignore
  const run = async () => {
    await due()
    await queueAutomaticUpdates(panel.deps, new AbortController().signal)
    const { tasks } = await call<{ tasks: WordpressTask[] }>('GET', `${path}/tasks`)
    return tasks
  }
  await call('PUT', `${path}/settings`, { updatePolicy: 'SECURITY' })
  expect((await state()).nextUpdateAt).not.toBeNull()
  expect((await run()).map(({ items, trigger }) => [trigger, items[0]!.to])).toEqual([['AUTOMATIC', '6.8.2']])
  await db.update(wordpressTasks).set({ status: 'ROLLED_BACK' }).where(eq(wordpressTasks.projectId, project.id))
  expect(await run()).toHaveLength(1)
  await call('PUT', `${path}/settings`, { updatePolicy: 'OFF' })
  expect((await state()).nextUpdateAt).toBeNull()
})

test('each running site is checked once a minute', async () => {
  const { db } = panel.deps
  expect(await isAnyCheckDue(db)).toBe(true)
  await runDueEvents(panel.deps, new AbortController().signal)
  const { checkedAt } = (await state()).cron
  expect(checkedAt).not.toBeNull()
  expect(await isAnyCheckDue(db)).toBe(false)
  await runDueEvents(panel.deps, new AbortController().signal)
  expect((await state()).cron.checkedAt).toBe(checkedAt)
})

test('a sign-in link holds a token of which the site gets the hash', async () => {
  answer = () => ({ value: { login: 'ann', url: 'https://evil.example/wp-login.php' } })
  const link = await call<{ url: string }>('POST', `${path}/sign-in`, {})
  const token = new URL(link.url).searchParams.get('panel_sign_in')!
  expect(new URL(link.url).hostname).not.toBe('evil.example')
  expect(JSON.stringify(asked)).not.toContain(token)
  expect(asked[0]).toMatchObject({ action: 'sign-in', login: null, seconds: 60 })
  answer = () => ({ problem: 'NO_USER', text: '' })
  expect((await owner.request('POST', `${path}/sign-in`, { login: 'x' })).statusCode).toBe(404)
})

test('a new password is in the answer alone', async () => {
  answer = () => ({ value: { login: 'ann b@example.com' } })
  const login = encodeURIComponent('ann b@example.com')
  const { password } = await call<{ password: string }>('POST', `${path}/users/${login}/password`)
  expect(asked[0]).toMatchObject({ login: 'ann b@example.com', password })
  const entries = await panel.audited({ action: 'wordpress.password_reset', targetId: project.id })
  expect(entries).toHaveLength(1)
  expect(JSON.stringify(entries)).not.toContain(password)
})

test('maintenance mode and debug log are files of the site', async () => {
  expect(await call('PUT', `${path}/settings`, { maintenance: true, debugLog: true })).toEqual({ updatePolicy: 'OFF', maintenance: true, debugLog: true }) // oxfmt-ignore
  expect(await state()).toMatchObject({ maintenance: true, debugLog: true })
  expect(await call('PUT', `${path}/settings`, { maintenance: false, debugLog: false })).toEqual({ updatePolicy: 'OFF', maintenance: false, debugLog: false }) // oxfmt-ignore
  expect(await call('GET', `${path}/debug-log`)).toEqual({ size: 0, text: '' })
  expect((await owner.request('PUT', `${path}/settings`, {})).statusCode).toBe(400)
})

test('another type of project has none of it', async () => {
  const { id } = await owner.createProject({ type: 'NODEJS' })
  const answered = await owner.request('GET', `/api/projects/${id}/wordpress`)
  expect([answered.statusCode, answered.json<{ code: string }>().code]).toEqual([409, 'NOT_WORDPRESS'])
})
