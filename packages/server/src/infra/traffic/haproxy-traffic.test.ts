import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createHaproxyTraffic } from './haproxy-traffic.ts'
import type { SiteTrafficLog } from './traffic.ts'

let directory: string
let path: string
let logs: SiteTrafficLog[]
let sockets: Socket[]
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'traffic-'))
  path = join(directory, 'traffic.sock')
  logs = []
  sockets = []
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  for (const log of logs) await log.close()
  await rm(directory, { recursive: true, force: true })
})

const open = (at = path) => {
  const log = createHaproxyTraffic(at, { restMs: 1 })
  logs.push(log)
  return log
}
async function requestsOf(wanted: number, ...requested: SiteTrafficLog[]): Promise<number> {
  let sum = 0
  await expect
    .poll(async () => {
      for (const log of requested) for (const { requests } of (await log.take()).sites) sum += requests
      return sum >= wanted
    })
    .toBe(true)
  return sum
}
async function notifyOwner(lines: number): Promise<Socket> {
  for (;;) {
    const socket = connect(path)
    sockets.push(socket)
    const isConnected = await once(socket, 'connect').then(
      () => true,
      () => false
    )
    if (!isConnected) {
      for (const log of logs) await log.take()
      continue
    }
    socket.on('error', () => {})
    socket.write('shop 200 1 2 3 4 -\n'.repeat(lines))
    return socket
  }
}

test('before the first proxy run there is no traffic', async () => {
  expect(await open(join(directory, 'none', 'traffic.sock')).take()).toEqual({ sites: [], lost: 0 })
})

test('a line is counted once by one of two readers', async () => {
  const [first, second] = [open(), open()]
  await Promise.all([first.take(), second.take()])
  const socket = await notifyOwner(3)
  expect(await requestsOf(3, first, second)).toBe(3)
  socket.write('shop 200 1 2 3 4 -\n')
  expect(await requestsOf(1, first, second)).toBe(1)
})

test('another reader takes over when the first is gone', async () => {
  const [first, second] = [open(), open()]
  await first.take()
  await notifyOwner(1)
  await requestsOf(1, first)
  await second.take()
  await first.close()
  logs.shift()
  await notifyOwner(2)
  expect(await requestsOf(2, second)).toBe(2)
})

test('a removed socket is recreated and open connections keep working', async () => {
  const log = open()
  await log.take()
  const early = await notifyOwner(1)
  await requestsOf(1, log)
  await rm(path)
  await notifyOwner(4)
  early.write('shop 200 1 2 3 4 -\n')
  expect(await requestsOf(5, log)).toBe(5)
  expect(await readdir(directory)).toEqual(['traffic.sock'])
})
