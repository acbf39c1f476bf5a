import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readInfo, sendCommand } from './haproxy-socket.ts'

let directory: string
let server: Server
const unavailable = { kind: 'reverse-proxy-unavailable' }

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'socket-'))
})
afterEach(async () => {
  server?.close()
  await rm(directory, { recursive: true })
})

async function listen(answer: (command: string, socket: Socket) => void): Promise<string> {
  const path = join(directory, 'admin.sock')
  server = createServer({ allowHalfOpen: true }, (socket) => {
    let command = ''
    socket.on('data', (chunk) => (command += chunk))
    socket.on('end', () => answer(command, socket))
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  return path
}

test('sends one command, half-closes and reads to the end', async () => {
  const path = await listen((command, socket) => socket.end(`\n${command.toUpperCase()}\n\n`))
  expect(await sendCommand(path, 'show map')).toBe('SHOW MAP')
})

test('reads the fields of show info', async () => {
  const path = await listen((_, socket) => socket.end('Name: HAProxy\nVersion: 2.6.12\nPid: 7\ndescription: panel-1\n'))
  expect(await readInfo(path)).toEqual({ version: '2.6.12', pid: 7, description: 'panel-1' })
})

test('a connection closed without a response is a failure', async () => {
  const path = await listen((_, socket) => socket.end())
  await expect(sendCommand(path, 'set map a b')).rejects.toMatchObject(unavailable)
})

test('a timeout, an endless or too long response and a missing socket are failures', async () => {
  const path = await listen((command, socket) => {
    if (command === 'half\n') socket.write('half an answer\n')
    if (command === 'long\n') socket.end('x'.repeat(100_000))
    if (command === 'cut\n') socket.destroy()
  })
  await expect(sendCommand(path, 'never', { timeoutMs: 50 })).rejects.toMatchObject(unavailable)
  await expect(sendCommand(path, 'half', { timeoutMs: 50 })).rejects.toMatchObject(unavailable)
  await expect(sendCommand(path, 'long', { maxOutputBytes: 1_000 })).rejects.toMatchObject(unavailable)
  await expect(sendCommand(path, 'cut')).rejects.toMatchObject(unavailable)
  await expect(sendCommand(`${path}.none`, 'x')).rejects.toMatchObject(unavailable)
})
