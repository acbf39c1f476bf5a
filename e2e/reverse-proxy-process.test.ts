import { readdir, readFile, readlink, writeFile } from 'node:fs/promises'
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
import { noCapability, statusOf } from './support/processes.ts'
import { freePort } from '../packages/server/test/support/ports.ts'
import { pause } from './support/processes.ts'

let environment: TestProxy
const route = (hostname: string, target: RouteTarget): Route => ({ hostname, target, forceHttps: false })

beforeAll(async () => {
  environment = await startTestProxy()
})
afterAll(() => environment?.close())
beforeEach(async () => {
  await environment.proxy.sync([route('a.example.com', environment.first)])
})
afterEach(async () => {
  await startHaproxy(environment.options)
})

test('one that runs with this configuration is adopted', async () => {
  expect(await startHaproxy(environment.options)).toMatchObject({ pid: environment.process.pid, outcome: 'adopted' })
})

test('another configuration is loaded without a restart; connections stay', async () => {
  const { socket } = await raw(environment.httpPort, upgradeRequest('a.example.com'), 'hello')
  const port = await freePort()
  const changed = { ...environment.options, httpBinds: [...environment.options.httpBinds, `127.0.0.1:${port}`] }
  expect(await startHaproxy(changed)).toMatchObject({ pid: environment.process.pid, outcome: 'reloaded' })
  expect(await answerName(port, 'a.example.com', '/')).toBe(environment.first.name)
  const echo = new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(chunk.toString())))
  socket.write('still here')
  expect(await echo).toBe('still here')
  socket.destroy()
})

test('a worker has no right and no files, before a reload and after it; its master has what a reload takes', async () => {
  const port = await freePort()
  const changed = { ...environment.options, httpBinds: [...environment.options.httpBinds, `127.0.0.1:${port}`] }
  for (const options of [environment.options, changed]) {
    await startHaproxy(options)
    const worker = await environment.workerPid()
    const status = await statusOf(worker)
    expect(status.Uid).toMatch(/^([1-9]\d*)\t\1\t\1\t\1$/)
    expect(status.Gid).toMatch(/^([1-9]\d*)\t\1\t\1\t\1$/)
    expect(status).toMatchObject({ CapEff: noCapability, CapPrm: noCapability, NoNewPrivs: '1', Groups: '' })
    expect(await readlink(`/proc/${worker}/root`)).toBe(environment.paths.emptyDirectory)
    expect(await readdir(`/proc/${worker}/root`)).toEqual([])
  }
  // dac_read_search, kill, setgid, setuid, net_bind_service, sys_chroot.
  expect(await statusOf(environment.process.pid)).toMatchObject({ CapEff: '00000000000404e4', NoNewPrivs: '1' })
})

test('a configuration that the checker refuses leaves the old one serving', async () => {
  const before = await readFile(environment.paths.config, 'utf8')
  const refused = startHaproxy({ ...environment.options, httpBinds: ['[1:::2]:80'] })
  await expect(refused).rejects.toThrow(/The configuration of the reverse proxy was refused by its own checker/)
  expect(await readFile(environment.paths.config, 'utf8')).toBe(before)
  expect(await environment.answer('a.example.com', '/')).toBe(environment.first.name)
  expect(await startHaproxy(environment.options)).toMatchObject({ outcome: 'adopted' })
})

test('a configuration that cannot be loaded is put back', async () => {
  const before = await readFile(environment.paths.config, 'utf8')
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const httpBinds = [...environment.options.httpBinds, `127.0.0.1:${port}`]
  const refused = startHaproxy({ ...environment.options, httpBinds, startTimeoutMs: 3_000 })
  await expect(refused).rejects.toThrow(/The reverse proxy could not load its configuration; the one before is back/)
  await new Promise((resolve) => server.close(resolve))
  expect(await readFile(environment.paths.config, 'utf8')).toBe(before)
  expect(await environment.answer('a.example.com', '/')).toBe(environment.first.name)
  await environment.proxy.set(route('b.example.com', environment.second))
  expect(await environment.answer('b.example.com', '/')).toBe(environment.second.name)
  expect(await startHaproxy(environment.options)).toMatchObject({ pid: environment.process.pid, outcome: 'adopted' })
})

test.each(['worker', 'master', 'hung worker'])(
  'the watch brings all routes back when the %s is gone',
  async (victim) => {
    await environment.proxy.set(route('b.example.com', environment.second))
    const started = await startHaproxy(environment.options)
    let restarts = 0
    let isWatched = false
    const watch = watchHaproxy(environment.options, {
      onStart({ outcome }) {
        if (outcome === 'adopted') isWatched = true
        else restarts++
      }
    })
    try {
      await eventually(() => isWatched)
      const worker = await environment.workerPid()
      if (victim === 'hung worker') await pause(worker)
      else process.kill(victim === 'worker' ? worker : started.pid, 'SIGKILL')
      await eventually(() => restarts === 1)
      const { master, all } = await findHaproxy(environment.paths.config, environment.paths.pid)
      expect(master).toBe(watch.pid())
      expect(all).not.toContain(worker)
      expect(all).not.toContain(started.pid)
      expect(await environment.answer('a.example.com', '/')).toBe(environment.first.name)
      expect(await environment.answer('b.example.com', '/')).toBe(environment.second.name)
      await environment.proxy.set(route('c.example.com', environment.second))
      expect(await environment.answer('c.example.com', '/')).toBe(environment.second.name)
    } finally {
      await watch.stop()
    }
  }
)

test('stop leaves nothing behind, and a pid file that names another program harms nobody', async () => {
  await stopHaproxy(environment.options)
  expect((await findHaproxy(environment.paths.config, environment.paths.pid)).all).toEqual([])
  await expect(environment.proxy.ping()).rejects.toMatchObject({ kind: 'reverse-proxy-unavailable' })
  await writeFile(environment.paths.pid, `${process.pid}\n`)
  await stopHaproxy(environment.options)
  await writeFile(environment.paths.pid, `${process.pid}\n`)
  expect(await startHaproxy(environment.options)).toMatchObject({ outcome: 'started' })
  expect(await environment.answer('a.example.com', '/')).toBe(environment.first.name)
})
