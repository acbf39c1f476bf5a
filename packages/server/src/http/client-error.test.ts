import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { answerClientError } from './client-error.ts'

let server: Server
afterEach(() => server.close())

async function answerTo(listener: RequestListener, first: string, second: string): Promise<string> {
  server = createServer(listener).on('clientError', answerClientError)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => {})
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
  socket.write(first)
  if (second !== '') {
    await once(socket, 'data')
    socket.write(second)
  }
  await once(socket, 'close')
  return text
}

test('a malformed request gets an error body, and the connection is closed', async () => {
  const text = await answerTo(() => {}, 'hello\r\n\r\n', '')
  expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
  expect(JSON.parse(text.split('\r\n\r\n')[1]!)).toMatchObject({ code: 'MALFORMED_REQUEST' })
})

test('nothing is written after a partial response', async () => {
  const part: RequestListener = (_request, response) => {
    response.writeHead(200, { 'content-length': 10 })
    response.write('part')
  }
  const text = await answerTo(part, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n', 'garbage\r\n\r\n')
  expect(text).toMatch(/\r\n\r\npart$/)
})
