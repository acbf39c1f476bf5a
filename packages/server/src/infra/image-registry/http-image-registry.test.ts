import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parseImageReference } from '@panel/contract/image-references'
import { createHttpImageRegistry } from './http-image-registry.ts'
import type { RegistryHttpOptions } from './registry-request.ts'

const digest = `sha256:${'0f'.repeat(32)}`
const login = { username: 'ann', secret: 'pässword' }
const basic = `Basic ${Buffer.from('ann:pässword').toString('base64')}`

type Answer = (request: IncomingMessage, response: ServerResponse) => void
const requested: { method: string; path: string; authorization: string | undefined }[] = []
let answer: Answer
const server = createServer((request, response) => {
  const { method = '', url: path = '', headers } = request
  requested.push({ method, path, authorization: headers.authorization })
  answer(request, response)
})
let host: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close().closeAllConnections())
beforeEach(() => void (requested.length = 0))

const registry = (options: Partial<RegistryHttpOptions> = {}) =>
  createHttpImageRegistry({ allow: ['127.0.0.1'], own: [], ...options })
const find = (options?: Partial<RegistryHttpOptions>, given?: typeof login) =>
  registry(options).findDigest(parseImageReference(`${host}/org/app:1`)!, given && { host, ...given })
const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    response.writeHead(code, headers).end()

test('asks for the head of the manifest only', async () => {
  answer = status(200, { 'docker-content-digest': digest })
  expect(await find()).toBe(digest)
  expect(requested).toEqual([{ method: 'HEAD', path: '/v2/org/app/manifests/1', authorization: undefined }])
})

test('computes the digest where the registry does not name it', async () => {
  answer = (_request, response) => response.writeHead(200).end('{"a":1}')
  expect(await find()).toBe(`sha256:${createHash('sha256').update('{"a":1}').digest('hex')}`)
})

test('signs in with a token of the realm that the registry names', async () => {
  answer = ({ url = '', headers }, response) => {
    if (url.startsWith('/token')) return response.writeHead(200).end('{"token":"abc"}')
    const realm = `Bearer realm="https://${host}/token",service="the registry"`
    if (headers.authorization !== 'Bearer abc') return response.writeHead(401, { 'www-authenticate': realm }).end()
    return response.writeHead(200, { 'docker-content-digest': digest }).end()
  }
  expect(await find({}, login)).toBe(digest)
  expect(requested[1]).toEqual({
    method: 'GET',
    path: '/token?service=the+registry&scope=repository%3Aorg%2Fapp%3Apull',
    authorization: basic
  })
})

test('does not ask a realm at a private address', async () => {
  answer = status(401, { 'www-authenticate': 'Bearer realm="https://10.0.0.1/token"' })
  await expect(find({}, login)).rejects.toMatchObject({ sentences: [{ code: 'REGISTRY_REFUSED_ADDRESS' }] })
})

describe('says what is wrong', () => {
  const challenge = { 'www-authenticate': 'Basic realm="x"' }
  test.each<[string, Answer, typeof login | undefined, string]>([
    ['a missing tag', status(404), undefined, 'IMAGE_NOT_FOUND'],
    ['a private image', status(401, challenge), undefined, 'IMAGE_NOT_PUBLIC'],
    ['wrong credentials', status(401, challenge), login, 'REGISTRY_LOGIN_REFUSED'],
    ['a rate limit', status(429), undefined, 'REGISTRY_RATE_LIMITED'],
    ['an error of the registry', status(503), undefined, 'REGISTRY_ANSWERED'],
    ['a closed connection', ({ socket }) => socket.destroy(), undefined, 'REGISTRY_NOT_REACHED']
  ])('%s', async (_what, given, withLogin, code) => {
    answer = given
    await expect(find({}, withLogin)).rejects.toMatchObject({ kind: 'registry-refused', sentences: [{ code }] })
  })

  test('a registry that hangs', async () => {
    answer = () => {}
    await expect(find({ timeoutMs: 300 })).rejects.toMatchObject({ sentences: [{ code: 'REGISTRY_SILENT' }] })
  })

  test('an unknown name', async () => {
    const addressesOf = () => Promise.reject(new Error('ENOTFOUND'))
    const reference = parseImageReference('registry.example.com/app')!
    await expect(registry({ addressesOf }).findDigest(reference)).rejects.toMatchObject({
      sentences: [{ code: 'REGISTRY_NOT_REACHED' }]
    })
  })

  test.each([['127.0.0.1'], ['10.0.0.1'], ['169.254.169.254'], ['::1']])(
    'a name with the address %s',
    async (address) => {
      const addressesOf = async () => ['93.184.215.14', address]
      const reference = parseImageReference('registry.example.com/app')!
      await expect(registry({ allow: [], addressesOf }).findDigest(reference)).rejects.toMatchObject({
        sentences: [{ code: 'REGISTRY_REFUSED_ADDRESS' }]
      })
      expect(requested).toEqual([])
    }
  )
})

test('checks credentials', async () => {
  answer = ({ headers }, response) =>
    headers.authorization === basic
      ? response.writeHead(200).end()
      : response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end()
  await registry().checkLogin({ host, ...login })
  await expect(registry().checkLogin({ host, ...login, secret: 'other' })).rejects.toMatchObject({
    sentences: [{ code: 'REGISTRY_LOGIN_REFUSED' }]
  })
})
