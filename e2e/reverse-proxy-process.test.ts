import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { findHaproxy } from '../packages/server/src/infra/reverse-proxy/haproxy-pids.ts'
import type { Route, RouteTarget } from '../packages/server/src/infra/reverse-proxy/reverse-proxy.ts'
import {
  answerName,
  eventually,
  raw,
  startHaproxy,
  startTestProxy,
  stopHaproxy,
  type TestProxy,
  upgradeRequest,
  watchHaproxy
} from './reverse-proxy.harness.ts'
import { freePort } from '../packages/server/test/support/ports.ts'

let world: TestProxy
const route = (hostname: string, target: RouteTarget): Route => ({ hostname, target, forceHttps: false })

beforeAll(async () => {
  world = await startTestProxy()
})
afterAll(() => world?.close())
beforeEach(async () => {
  await world.proxy.sync([route('a.example.com', world.first)])
})
afterEach(async () => {
  await startHaproxy(world.options)
})

test('one that runs with this configuration is adopted', async () => {
  expect(await startHaproxy(world.options)).toMatchObject({ pid: world.process.pid, outcome: 'adopted' })
})

test('another configuration is loaded without a restart; connections stay', async () => {
  const { socket } = await raw(world.httpPort, upgradeRequest('a.example.com'), 'hello')
  const port = await freePort()
  const changed = { ...world.options, httpBinds: [...world.options.httpBinds, `127.0.0.1:${port}`] }
  expect(await startHaproxy(changed)).toMatchObject({ pid: world.process.pid, outcome: 'reloaded' })
  expect(await answerName(port, 'a.example.com', '/')).toBe(world.first.name)
  const echo = new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(chunk.toString())))
  socket.write('still here')
  expect(await echo).toBe('still here')
  socket.destroy()
})

test('a configuration that the checker refuses leaves the old one serving', async () => {
  const before = await readFile(world.paths.config, 'utf8')
  const refused = startHaproxy({ ...world.options, httpBinds: ['[1:::2]:80'] })
  await expect(refused).rejects.toThrow(/The configuration of the reverse proxy was refused by its own checker/)
  expect(await readFile(world.paths.config, 'utf8')).toBe(before)
  expect(await world.answer('a.example.com', '/')).toBe(world.first.name)
  expect(await startHaproxy(world.options)).toMatchObject({ outcome: 'adopted' })
})

test('a configuration that cannot be loaded is put back', async () => {
  const before = await readFile(world.paths.config, 'utf8')
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const httpBinds = [...world.options.httpBinds, `127.0.0.1:${port}`]
  const refused = startHaproxy({ ...world.options, httpBinds, startTimeoutMs: 3_000 })
  await expect(refused).rejects.toThrow(/The reverse proxy could not load its configuration; the one before is back/)
  await new Promise((resolve) => server.close(resolve))
  expect(await readFile(world.paths.config, 'utf8')).toBe(before)
  expect(await world.answer('a.example.com', '/')).toBe(world.first.name)
  await world.proxy.set(route('b.example.com', world.second))
  expect(await world.answer('b.example.com', '/')).toBe(world.second.name)
  expect(await startHaproxy(world.options)).toMatchObject({ pid: world.process.pid, outcome: 'adopted' })
})

test.each(['worker', 'master', 'hung worker'])(
  'the watch brings all routes back when the %s is gone',
  async (victim) => {
    await world.proxy.set(route('b.example.com', world.second))
    const started = await startHaproxy(world.options)
    let restarts = 0
    let isWatched = false
    const watch = watchHaproxy(world.options, {
      onStart({ outcome }) {
        if (outcome === 'adopted') isWatched = true
        else restarts++
      }
    })
    try {
      await eventually(() => isWatched)
      const worker = await world.workerPid()
      if (victim === 'hung worker') process.kill(worker, 'SIGSTOP')
      else process.kill(victim === 'worker' ? worker : started.pid, 'SIGKILL')
      await eventually(() => restarts === 1)
      const { master, all } = await findHaproxy(world.paths.config, world.paths.pid)
      expect(master).toBe(watch.pid())
      expect(all).not.toContain(worker)
      expect(all).not.toContain(started.pid)
      expect(await world.answer('a.example.com', '/')).toBe(world.first.name)
      expect(await world.answer('b.example.com', '/')).toBe(world.second.name)
      await world.proxy.set(route('c.example.com', world.second))
      expect(await world.answer('c.example.com', '/')).toBe(world.second.name)
    } finally {
      await watch.stop()
    }
  }
)

test('stop leaves nothing behind, and a pid file that names another program harms nobody', async () => {
  await stopHaproxy(world.options)
  expect((await findHaproxy(world.paths.config, world.paths.pid)).all).toEqual([])
  await expect(world.proxy.ping()).rejects.toMatchObject({ code: 'REVERSE_PROXY_UNAVAILABLE' })
  await writeFile(world.paths.pid, `${process.pid}\n`)
  await stopHaproxy(world.options)
  await writeFile(world.paths.pid, `${process.pid}\n`)
  expect(await startHaproxy(world.options)).toMatchObject({ outcome: 'started' })
  expect(await world.answer('a.example.com', '/')).toBe(world.first.name)
})
