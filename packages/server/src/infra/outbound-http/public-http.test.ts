import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createPublicHttp, type PublicHttpOptions } from './public-http.ts'

const answers: Record<string, (response: ServerResponse) => void> = {
  '/ok': (response) => response.writeHead(200).end('taken\r\nand noted'),
  '/elsewhere': (response) => response.writeHead(302, { location: '/secret' }).end(),
  '/endless': (response) => void feed(response.writeHead(200)),
  '/silent': () => {},
  '/trickle': (response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('x'), 20)
    response.once('close', () => clearInterval(timer))
  },
  '/head': (response) => response.writeHead(200, { 'x-long': 'x'.repeat(10_000) }).end(),
  '/bomb': (response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50 * 1024 * 1024))),
  '/other-protocol': ({ socket }) =>
    socket!.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
  '/broken': (response) => response.writeHead(200, { 'content-length': '10' }).destroy()
}
const feed = (response: ServerResponse): void => {
  while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x')));
  response.once('drain', () => feed(response))
}
const requested: (string | undefined)[] = []
const server = createServer((request, response) => {
  requested.push(request.url)
  answers[request.url ?? '']?.(response)
})
let url: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close().closeAllConnections())
beforeEach(() => void (requested.length = 0))

const post = (to: string, options: Partial<PublicHttpOptions> = {}) =>
  createPublicHttp({ allow: [], own: [], timeoutMs: 60_000, ...options }).post({ url: to, headers: {}, body: '{}' })
const listed = { allow: ['127.0.0.1'] }

const isPrivate = 'This address is private or belongs to this server. Use a public address.'
const portOf = () => new URL(url).port

test.each([
  ['this machine', () => `http://127.0.0.1:${portOf()}/ok`],
  ['as one number', () => `http://2130706433:${portOf()}/ok`],
  ['in octal', () => `http://0177.0.0.1:${portOf()}/ok`],
  ['in hexadecimal', () => `http://0x7f.1:${portOf()}/ok`],
  ['all interfaces', () => `http://0.0.0.0:${portOf()}/ok`],
  ['its name', () => `http://localhost:${portOf()}/ok`],
  ['IPv6', () => 'https://[::1]/'],
  ['IPv4 within IPv6', () => `http://[::ffff:127.0.0.1]:${portOf()}/ok`],
  ['NAT64', () => 'https://[64:ff9b::7f00:1]/'],
  ['6to4', () => 'https://[2002:7f00:1::]/'],
  ['link-local', () => 'https://[fe80::1]/'],
  ['unique local', () => 'https://[fd00::1]/'],
  ['the metadata of a cloud', () => 'https://169.254.169.254/latest/meta-data'],
  ['that of another cloud', () => 'https://100.100.100.200/latest/meta-data'],
  ['a private network', () => 'https://10.0.0.1/'],
  ['a network of containers', () => 'https://172.17.0.1/'],
  ['a broadcast', () => 'https://255.255.255.255/']
])('refuses addresses that are not public: %s', async (_what, target) => {
  await expect(post(target())).rejects.toMatchObject({ message: isPrivate, isFinal: true })
  expect(requested).toEqual([])
})

test('its name with a trailing dot is refused', async () => {
  const target = `http://localhost.:${portOf()}/ok`
  await expect(post(target)).rejects.toThrow()
  const addressesOf = async () => ['127.0.0.1']
  await expect(post(target, { addressesOf })).rejects.toMatchObject({ message: isPrivate, isFinal: true })
  expect(requested).toEqual([])
})

test.each([
  ['file:///etc/passwd'],
  ['ftp://93.184.215.14/'],
  ['gopher://93.184.215.14/'],
  ['https://user:secret@93.184.215.14/'],
  ['no address']
])('%s is not a valid URL', async (target) => {
  await expect(post(target)).rejects.toMatchObject({
    message: expect.stringMatching(/Enter an address like/),
    isFinal: true
  })
})

test('public hosts require TLS on an allowed port', async () => {
  const to = { addressesOf: async () => ['93.184.215.14'] }
  await expect(post('http://service.example/', to)).rejects.toMatchObject({
    message: expect.stringMatching(/start with https/),
    isFinal: true
  })
  for (const port of ['22', '25', '6379', '8080'])
    await expect(post(`https://service.example:${port}/`, to)).rejects.toMatchObject({
      message: expect.stringMatching(/port 443/),
      isFinal: true
    })
})

test('a name is looked up once, and one private address is enough to refuse it', async () => {
  let lookUps = 0
  const rebinding = async () => (lookUps++ === 0 ? ['93.184.215.14', '127.0.0.1'] : ['127.0.0.1'])
  await expect(post('https://rebinding.example/', { addressesOf: rebinding })).rejects.toThrow(isPrivate)
  lookUps = 0
  const turning = async () => (lookUps++ === 0 ? ['127.0.0.1'] : ['169.254.169.254'])
  const answer = await post(`http://turning.example:${portOf()}/ok`, { ...listed, addressesOf: turning })
  expect([answer, lookUps]).toEqual([{ status: 200, text: 'taken and noted' }, 1])
})

test('a hanging resolver times out', async () => {
  const never = () => new Promise<string[]>(() => {})
  await expect(post('https://slow.example/', { addressesOf: never, timeoutMs: 300 })).rejects.toThrow(
    'Could not resolve the host slow.example'
  )
})

test('a redirect is returned, not followed', async () => {
  expect(await post(`${url}/elsewhere`, listed)).toEqual({ status: 302, text: '' })
  expect(requested).toEqual(['/elsewhere'])
})

test.each([
  ['/silent', 400, 'No response in time'],
  ['/trickle', 400, 'No response in time'],
  ['/head', 60_000, 'The response headers are too large'],
  ['/broken', 60_000, 'No response (ECONNRESET)'],
  ['/other-protocol', 60_000, 'No response (connection closed)']
])('%s fails with a message that does not reveal the response', async (path, timeoutMs, message) => {
  await expect(post(`${url}${path}`, { ...listed, timeoutMs })).rejects.toMatchObject({ message, isFinal: false })
})

test.each(['/endless', '/bomb'])('of %s only the beginning is read, and nothing is decompressed', async (path) => {
  const { status, text } = await post(`${url}${path}`, listed)
  expect(status).toBe(200)
  expect(text.length).toBeLessThanOrEqual(300)
})

test('proxy environment variables are ignored', async () => {
  const before = { ...process.env }
  Object.assign(process.env, {
    HTTP_PROXY: 'http://127.0.0.1:1',
    http_proxy: 'http://127.0.0.1:1',
    NODE_USE_ENV_PROXY: '1'
  })
  try {
    expect(await post(`${url}/ok`, listed)).toMatchObject({ status: 200 })
  } finally {
    for (const name of ['HTTP_PROXY', 'http_proxy', 'NODE_USE_ENV_PROXY'])
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
  }
})
