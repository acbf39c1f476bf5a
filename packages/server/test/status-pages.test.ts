import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PublicStatus, StatusPage } from '@panel/contract/status-pages'
import type { UptimeCheck } from '@panel/contract/uptime-checks'
import { projects } from '../src/db/schema/projects.ts'
import { runDueChecks } from '../src/features/uptime-checks/run-due.jobs.ts'
import { startFrontDoor, type TestFrontDoor } from './support/front-door.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let door: TestFrontDoor
let panel: TestPanel
let ann: Client
let bob: Client
beforeAll(async () => {
  door = await startFrontDoor()
  panel = await createTestPanel({ PROXY_HTTP_PORT: String(door.port), PANEL_DOMAIN: 'panel.test' })
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
})
afterAll(async () => {
  await panel?.close()
  await door?.close()
})

const save = (by: Client, projectId: string, values: object) =>
  by.request('PUT', `/api/projects/${projectId}/status-page`, values)
const check = (slug: string, path = '/api/status/') => panel.app.inject(`${path}${slug}`)

async function watchedProject(values: object = {}) {
  const project = await ann.createProject()
  await panel.deps.db.update(projects).set({ liveDeploymentId: 'x' }).where(eq(projects.id, project.id))
  const body = { name: 'Shop', hostname: `${project.name}.apps.localhost`, path: '/inner', retries: 0, ...values }
  const answer = await ann.request('POST', `/api/projects/${project.id}/uptime-checks`, body)
  expect(answer.statusCode, answer.body).toBe(201)
  return { project, check: answer.json<UptimeCheck>() }
}

test('shows the state publicly, and only what the owner named', async () => {
  door.answer = (_request, response) => void response.writeHead(500).end()
  const { project } = await watchedProject()
  const hidden = { name: 'Hidden', hostname: `${project.name}.apps.localhost`, onStatusPage: false }
  await ann.request('POST', `/api/projects/${project.id}/uptime-checks`, hidden)
  const page = (await save(ann, project.id, { enabled: true, title: 'Shop of Ann', showDays: 7 })).json<StatusPage>()
  expect(page).toMatchObject({ showDays: 7, url: `https://panel.test/status/${page.slug}` })
  expect(page.slug).toMatch(/^[0-9a-f]{32}$/)
  await runDueChecks(panel.deps, new AbortController().signal)
  const answer = await check(page.slug)
  expect(answer.headers['cache-control']).toBe('public, max-age=15')
  const status = answer.json<PublicStatus>()
  expect(status).toMatchObject({
    title: 'Shop of Ann',
    state: 'DOWN',
    checks: [{ name: 'Shop', state: 'DOWN', uptime: 0 }],
    incidents: [{ name: 'Shop', to: null }]
  })
  expect(status.checks[0]!.days).toHaveLength(7)
  const html = await check(page.slug, '/status/')
  expect(html.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'x-content-type-options': 'nosniff'
  })
  expect(html.headers['content-security-policy']).toMatch(/^default-src 'none';style-src 'sha256-/)
  expect(html.body).toContain('Some systems are down.')
  const german = await panel.app.inject({
    url: `/status/${page.slug}`,
    headers: { 'accept-language': 'de-AT,en;q=0.5' }
  })
  expect(german.body).toContain('<html lang="de">')
  expect(german.headers.vary).toContain('accept-language')
  for (const secret of [project.id, project.name, 'apps.localhost', '/inner', 'STATUS', '500', 'Hidden', ann.user.id]) {
    expect(answer.body, secret).not.toContain(secret)
    expect(html.body, secret).not.toContain(secret)
  }
})

test('disabled it is 404 immediately', async () => {
  const { project } = await watchedProject()
  const { slug } = (await save(ann, project.id, { enabled: true, title: 'Shop' })).json<StatusPage>()
  expect((await check(slug)).statusCode).toBe(200)
  await save(ann, project.id, { enabled: false })
  for (const path of ['/api/status/', '/status/']) {
    const seen = async (name: string) => {
      const { statusCode, body, headers } = await check(name, path)
      return [statusCode, body, Object.keys(headers).sort(), headers['cache-control']]
    }
    expect(await seen(slug)).toEqual(await seen('never-was'))
    expect((await seen(slug))[0]).toBe(404)
  }
  await save(ann, project.id, { enabled: true })
  expect((await check(slug)).statusCode).toBe(200)
  await ann.request('DELETE', `/api/projects/${project.id}`)
  expect((await check(slug)).statusCode).toBe(404)
})

test('is hidden while its account is suspended', async () => {
  const carl = await panel.createUser(ann)
  const project = await carl.createProject()
  const { slug } = (await save(carl, project.id, { enabled: true, title: 'Trading on' })).json<StatusPage>()
  const seen = async () => [(await check(slug)).statusCode, (await check(slug, '/status/')).statusCode]
  expect(await seen()).toEqual([200, 200])
  const put = async (state: 'suspend' | 'resume') =>
    expect((await ann.request('POST', `/api/users/${carl.user.id}/${state}`)).statusCode).toBe(200)
  await put('suspend')
  expect(await seen()).toEqual([404, 404])
  await put('resume')
  expect(await seen()).toEqual([200, 200])
})

test('a slug is unique', async () => {
  const [first, second] = [await ann.createProject(), await bob.createProject()]
  expect((await save(ann, first.id, { enabled: true, title: 'First', slug: 'my-shop' })).statusCode).toBe(200)
  expect((await save(bob, second.id, { enabled: true, title: 'Second', slug: 'my-shop' })).statusCode).toBe(409)
  expect((await save(bob, first.id, { enabled: false })).statusCode).toBe(403)
  expect((await check('my-shop')).json()).toMatchObject({ title: 'First', checks: [], state: 'UNKNOWN' })
  expect((await save(ann, first.id, { enabled: true, slug: 'other-shop' })).json()).toMatchObject({ title: 'First' })
  expect((await check('my-shop')).statusCode).toBe(404)
})

test.each([
  [{ title: 'x' }],
  [{ enabled: true }],
  [{ enabled: true, title: ' ' }],
  [{ enabled: true, title: 'x', slug: '../api' }],
  [{ enabled: true, title: 'x', slug: 'a' }],
  [{ enabled: true, title: 'x', showDays: 91 }]
])('%j is refused', async (values) => {
  const project = await ann.createProject()
  expect((await save(ann, project.id, values)).statusCode).toBe(400)
})
