import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Project } from '@panel/contract/projects'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let owner: Client
let site: Project
beforeAll(async () => {
  panel = await createTestPanel()
  owner = await panel.signUp()
  site = await owner.createProject({ type: 'WORDPRESS' })
})
afterAll(() => panel?.close())

const path = (id = site.id) => `/api/projects/${id}/wordpress/page-cache`
const put = (name: string, content: string) =>
  owner.request('POST', `/api/files/${site.id}/create`, { path: `.panel-cache/${name}`, content })

test('off at first, and a setting of WordPress alone', async () => {
  expect((await owner.request('GET', path())).json()).toEqual({ enabled: false, active: false, days: [] })
  const other = await owner.createProject({ type: 'NODEJS' })
  expect((await owner.request('GET', path(other.id))).json()).toMatchObject({ code: 'NOT_WORDPRESS' })
  for (const answer of [
    await owner.request('PUT', `/api/projects/${other.id}`, { pageCache: true }),
    await owner.request('POST', '/api/projects', { name: 'cached', type: 'STATIC', pageCache: true })
  ])
    expect([answer.statusCode, answer.json()]).toEqual([400, expect.objectContaining({ code: 'INVALID_TARGET' })])
})

test('active once its container has made the directory; requests by day, and a purge that may be repeated', async () => {
  expect((await owner.request('PUT', `/api/projects/${site.id}`, { pageCache: true })).json()).toMatchObject({
    pageCache: true
  })
  expect((await owner.request('GET', path())).json()).toEqual({ enabled: true, active: false, days: [] })
  expect((await owner.request('POST', `/api/files/${site.id}/mkdir`, { path: '.panel-cache' })).statusCode).toBe(201)
  await put('generation', '0123456789abcdef')
  await put('requests-2026-11-28.hits', '....')
  await put('requests-2026-11-28.misses', '.')
  const days = [{ date: '2026-11-28', hits: 4, misses: 1, bypasses: 0 }]
  expect((await owner.request('GET', path())).json()).toEqual({ enabled: true, active: true, days })
  for (let time = 0; time < 2; time++) expect((await owner.request('DELETE', path())).statusCode).toBe(204)
  expect((await owner.request('GET', `/api/files/${site.id}/read?path=.panel-cache/generation`)).statusCode).toBe(404)
  expect((await owner.request('GET', path())).json()).toEqual({ enabled: true, active: true, days })
})

test('another account neither sees nor purges it', async () => {
  const other = await panel.createUser(owner)
  expect([(await other.request('GET', path())).statusCode, (await other.request('DELETE', path())).statusCode]).toEqual(
    [403, 403]
  )
})
