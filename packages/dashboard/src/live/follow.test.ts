import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from 'socket.io'
import { io, type Socket } from 'socket.io-client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { followOn } from './follow.ts'

interface Request {
  input: unknown
  answer(answer: object): void
}

let server: Server
let socket: Socket
let requested: Request[]
let ended: unknown[]
beforeEach(async () => {
  requested = []
  ended = []
  const http = createServer()
  server = new Server(http)
  server.on('connection', (client) => {
    client.on('subscribe:log', (input: unknown, answer: Request['answer']) => requested.push({ input, answer }))
    client.on('unsubscribe:log', (what: unknown) => ended.push(what))
  })
  await once(http.listen(0, '127.0.0.1'), 'listening')
  socket = io(`http://127.0.0.1:${(http.address() as AddressInfo).port}`, { transports: ['websocket'] })
  await once(socket as never, 'connect')
})
afterEach(async () => {
  socket.disconnect()
  await server.close()
})

async function settled(): Promise<void> {
  const leave = followOn(socket, 'log', { input: () => ({ mark: true }), on: {} })
  const isMark = ({ input }: Request) => JSON.stringify(input) === '{"mark":true}'
  await expect.poll(() => requested.some(isMark)).toBe(true)
  const heard = once(socket as never, 'mark')
  server.emit('mark')
  await heard
  requested = requested.filter((one) => !isMark(one))
  leave()
}

test('unsubscribing ends the subscription on the server', async () => {
  const leave = followOn(socket, 'log', { input: () => ({ from: 1 }), on: {} })
  await expect.poll(() => requested.map(({ input }) => input)).toEqual([{ from: 1 }])
  requested[0]!.answer({ ok: true, id: 'one' })
  await settled()
  leave()
  await expect.poll(() => ended).toEqual([{ id: 'one' }])
})

test('unsubscribing before the reply ends the subscription when the reply arrives', async () => {
  const leave = followOn(socket, 'log', { input: () => ({}), on: {} })
  await expect.poll(() => requested).toHaveLength(1)
  leave()
  await settled()
  expect(ended).toEqual([])
  requested[0]!.answer({ ok: true, id: 'late' })
  await expect.poll(() => ended).toEqual([{ id: 'late' }])
})

test('a refusal after unsubscribing is ignored', async () => {
  const refused: unknown[] = []
  const follow = () => followOn(socket, 'log', { input: () => ({}), on: {}, onEnded: (error) => refused.push(error) })
  const leave = follow()
  await expect.poll(() => requested).toHaveLength(1)
  leave()
  const error = { code: 'RATE_LIMITED', error: 'Too many logs at once' }
  requested[0]!.answer({ ok: false, error })
  await settled()
  expect([refused, ended]).toEqual([[], []])
  follow()
  await expect.poll(() => requested).toHaveLength(2)
  requested[1]!.answer({ ok: false, error })
  await expect.poll(() => refused).toEqual([error])
})
