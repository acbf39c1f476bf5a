import { type AddressInfo, connect } from 'node:net'
import { setImmediate as poll, setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { afterAll, describe, expect, test } from 'vitest'
import { addBodyDeadline } from './body-deadline.ts'

const app = Fastify({ requestTimeout: 0 })
addBodyDeadline(app, { arrivalMs: 1_000, spanMs: 1_000, bytesInSpan: 2 })
const paced = Fastify({ requestTimeout: 0 })
addBodyDeadline(paced, { arrivalMs: 600_000, spanMs: 600_000, bytesInSpan: 2 })
paced.post('/steady', { config: { bodyPace: { spanMs: 2_000, bytesInSpan: 100 } } }, async () => 'done')
app.addContentTypeParser('text/stream', (_request, _payload, done) => done(null))
app.post('/usual', async () => 'done')
app.post('/refused', { onRequest: async (_request, reply) => reply.code(401).send('no') }, async () => 'done')
app.post('/slow', { config: { slowBody: true } }, async (request) => {
  let bytes = 0
  for await (const chunk of request.raw) bytes += (chunk as Buffer).length
  return `${bytes} bytes`
})
app.post('/slow-refused', { config: { slowBody: true } }, async (request, reply) => {
  request.raw.resume()
  return reply.code(413).send('too large')
})
const listening = Promise.all([app, paced].map((each) => each.listen({ port: 0, host: '127.0.0.1' })))
afterAll(() => [app, paced].forEach(({ server }) => server.closeAllConnections()))

async function drip(
  path: string,
  contentType: string,
  length: number,
  everyMs: number,
  { to = app, piece = 1 } = {}
): Promise<string> {
  await listening
  const socket = connect((to.server.address() as AddressInfo).port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text))
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: ${contentType}\r\ncontent-length: ${length}\r\n\r\n`)
  for (let sent = 0; sent < length && !socket.destroyed; sent += piece) {
    socket.write('x'.repeat(piece))
    await sleep(everyMs)
    // Read the response first: a failing write would discard it.
    await poll()
  }
  if (!socket.destroyed) {
    await sleep(50)
    socket.end()
  }
  await closed
  return answer
}

describe.concurrent('a body', () => {
  test('a slow body is cut off', async () => {
    expect(await drip('/usual', 'text/plain', 10_000, 50)).toMatch(/^HTTP\/1.1 408 /)
  })

  test('also on unknown routes, and after a response that did not wait for it', async () => {
    expect(await drip('/nothing', 'text/plain', 10_000, 50)).toMatch(/^HTTP\/1.1 (404|408) /)
    expect(await drip('/%zz', 'text/plain', 10_000, 50)).toMatch(/^HTTP\/1.1 400 /)
    expect(await drip('/refused', 'text/plain', 10_000, 50)).toMatch(/^HTTP\/1.1 401 /)
  })

  test('slowBody allows more time as long as bytes keep arriving', async () => {
    expect(await drip('/slow', 'text/stream', 16, 100)).toMatch(/^HTTP\/1.1 200 [^]*16 bytes/)
  })

  test('slowBody is cut off without bytes, or with too few', async () => {
    expect(await drip('/slow', 'text/stream', 3, 3_000)).toMatch(/^HTTP\/1.1 408 /)
    expect(await drip('/slow', 'text/stream', 10_000, 800)).toMatch(/^HTTP\/1.1 408 /)
  })

  test('after a refusal the rest has the usual time', async () => {
    expect(await drip('/slow-refused', 'text/stream', 10_000, 50)).toMatch(/^HTTP\/1.1 413 /)
  })

  test('a body with a required pace is cut off when it falls behind', async () => {
    expect(await drip('/steady', 'text/plain', 10_000, 200, { to: paced })).toMatch(/^HTTP\/1.1 408 /)
    expect(await drip('/steady', 'text/plain', 15_000, 25, { to: paced, piece: 100 })).toMatch(/^HTTP\/1.1 200 /)
  })
})

test('the deadline of one request does not cut off the next on the same connection', async () => {
  await listening
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  let answers = ''
  socket.setEncoding('utf8').on('data', (text: string) => (answers += text))
  const head = 'POST /usual HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: 1\r\n\r\n'
  for (let n = 0; n < 3; n++) {
    socket.write(`${head}x`)
    await sleep(250)
  }
  await expect.poll(() => answers.match(/HTTP\/1.1 200/g)).toHaveLength(3)
  socket.destroy()
})
