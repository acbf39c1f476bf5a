import { createServer, type RequestListener, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { ApiError, createClient, createCookieJar, isApiError, unwrap } from './client.ts'

const servers: Server[] = []
afterEach(() => servers.splice(0).forEach((server) => server.close()))

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a cookie jar sends what was set and drops expired cookies; a token is sent without cookies', async () => {
  const seen: (string | undefined)[] = []
  const answers = ['panel_session=one; Path=/; HttpOnly', 'panel_session=; Max-Age=0', '']
  const baseUrl = await serve((request, response) => {
    seen.push(request.headers.authorization ?? request.headers.cookie)
    const cookie = answers.shift()
    if (cookie) response.setHeader('Set-Cookie', cookie)
    response.setHeader('Content-Type', 'application/json').end('{"projects":[],"pagination":{}}')
  })
  const client = createClient({ baseUrl, cookies: createCookieJar() })
  for (let turn = 0; turn < 3; turn += 1) await unwrap(client.GET('/api/projects'))
  await unwrap(createClient({ baseUrl, token: 'panel_x', cookies: createCookieJar() }).GET('/api/projects'))
  expect(seen).toEqual([undefined, 'panel_session=one', undefined, 'Bearer panel_x'])
})

test('an error has the members of the envelope, and a foreign response has no code', async () => {
  const baseUrl = await serve((request, response) => {
    if (request.url === '/api/projects') {
      response.writeHead(429, { 'Content-Type': 'application/json', 'Retry-After': '7' })
      response.end('{"error":"Too many","code":"RATE_LIMITED","details":[{"path":"a","message":"b"}]}')
    } else response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad gateway</h1>')
  })
  const client = createClient({ baseUrl })
  const error: unknown = await unwrap(client.GET('/api/projects')).catch((cause: unknown) => cause)
  expect(error).toMatchObject({ status: 429, code: 'RATE_LIMITED', message: 'Too many', retryAfterSeconds: 7 })
  expect(isApiError(error, 'RATE_LIMITED', 'BUSY')).toBe(true)
  expect(isApiError(error, 'NOT_FOUND')).toBe(false)
  const strange: unknown = await unwrap(client.GET('/api/domains')).catch((cause: unknown) => cause)
  expect(strange).toBeInstanceOf(ApiError)
  expect(strange).toMatchObject({ status: 502, code: undefined })
  expect(isApiError(strange)).toBe(true)
})

test('error codes are typed per operation', async () => {
  const client = createClient({ baseUrl: 'http://127.0.0.1:1' })
  const check = async () => {
    const { error } = await client.POST('/api/projects', { body: { name: 'shop', type: 'NODEJS' } })
    // @ts-expect-error making a project cannot fail over a certificate
    if (error?.code === 'CERTIFICATE_EXPIRED') return 'certificate'
    if (error?.code === 'PROJECT_NAME_EXISTS') return 'taken'
    // @ts-expect-error and takes no body of another kind
    await client.POST('/api/projects', { body: { name: 'shop', type: 'COBOL' } })
    return 'done'
  }
  await expect(check()).rejects.toThrow()
})
