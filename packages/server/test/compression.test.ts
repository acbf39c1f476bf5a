import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let ada: Client
let projectId: string
beforeAll(async () => {
  panel = await createTestPanel()
  ada = await panel.signUp('ada')
  for (const name of ['one', 'two', 'three']) projectId = (await ada.createProject({ name })).id
})
afterAll(() => panel?.close())

const get = (url: string, encoding?: string) =>
  panel.app.inject({
    method: 'GET',
    url,
    headers: { cookie: ada.cookie, ...(encoding !== undefined && { 'accept-encoding': encoding }) }
  })

test('a long list is compressed on request without changes', async () => {
  const plain = await get('/api/projects')
  expect(plain.headers['content-encoding']).toBeUndefined()
  expect(plain.headers.vary).toBe('accept-encoding')
  const answer = await get('/api/projects', 'br, gzip;q=0.8')
  expect(answer.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
  expect(Number(answer.headers['content-length'])).toBe(answer.rawPayload.length)
  expect(answer.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
  expect(gunzipSync(answer.rawPayload).toString()).toBe(plain.body)
})

test.each([undefined, '', 'br', 'gzip;q=0', 'gzip; q=0.0, br'])(
  'with accept-encoding %j it is not',
  async (encoding) => {
    const answer = await get('/api/projects', encoding)
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect(answer.json()).toMatchObject({ pagination: { total: 3 } })
  }
)

test('short, failed or secret responses are not compressed', async () => {
  for (const url of ['/api/domains', '/api/projects?page=nothing', `/api/projects/${projectId}`]) {
    const answer = await get(url, 'gzip')
    expect(answer.headers['content-encoding'], url).toBeUndefined()
    expect(() => answer.json(), url).not.toThrow()
  }
})

test('HEAD has the same headers and no body', async () => {
  const { headers, rawPayload } = await panel.app.inject({
    method: 'HEAD',
    url: '/api/projects',
    headers: { cookie: ada.cookie, 'accept-encoding': 'gzip' }
  })
  expect(rawPayload.length).toBe(0)
  expect(headers.vary).toBe('accept-encoding')
})
