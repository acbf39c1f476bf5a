import { chmod, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { findHaproxy } from '../../packages/server/src/infra/reverse-proxy/haproxy-pids.ts'
import type { Route, RouteTarget } from '../../packages/server/src/infra/reverse-proxy/reverse-proxy.ts'
import { sendCommand } from '../../packages/server/src/infra/reverse-proxy/haproxy-socket.ts'
import { createHaproxyTraffic } from '../../packages/server/src/infra/traffic/haproxy-traffic.ts'
import type { SiteTrafficLog } from '../../packages/server/src/infra/traffic/traffic.ts'
import {
  answerName,
  eventually,
  raw,
  request,
  startHaproxy,
  startTestProxy,
  stopHaproxy,
  type TestProxy,
  upgradeRequest,
  watchHaproxy
} from './proxy.harness.ts'
import { noCapability, statusOf } from '../support/processes.ts'
import { freePort } from '../../packages/server/test/support/ports.ts'
import { pause } from '../support/processes.ts'

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

test('a running one with this configuration is adopted', async () => {
  expect(await startHaproxy(environment.options)).toMatchObject({ pid: environment.process.pid, outcome: 'adopted' })
})

test('a new configuration is loaded without a restart; connections stay', async () => {
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

test('workers have no capabilities and no files before and after a reload; the master has what it needs', async () => {
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
    // Sockets of the panel and of its own.
    expect(await readdir(`/proc/${worker}/root`)).toEqual(['pools.sock', 'relay.sock'])
  }
  // dac_read_search, kill, setgid, setuid, net_bind_service, sys_chroot.
  expect(await statusOf(environment.process.pid)).toMatchObject({ CapEff: '00000000000404e4', NoNewPrivs: '1' })
})

test('a configuration refused by the checker leaves the old one active', async () => {
  const before = await readFile(environment.paths.config, 'utf8')
  const refused = startHaproxy({ ...environment.options, httpBinds: ['[1:::2]:80'] })
  await expect(refused).rejects.toThrow(/The configuration of the reverse proxy was rejected by its own checker/)
  expect(await readFile(environment.paths.config, 'utf8')).toBe(before)
  expect(await environment.answer('a.example.com', '/')).toBe(environment.first.name)
  expect(await startHaproxy(environment.options)).toMatchObject({ outcome: 'adopted' })
})

test('a configuration that cannot be loaded is rolled back', async () => {
  const before = await readFile(environment.paths.config, 'utf8')
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const httpBinds = [...environment.options.httpBinds, `127.0.0.1:${port}`]
  const refused = startHaproxy({ ...environment.options, httpBinds, startTimeoutMs: 3_000 })
  await expect(refused).rejects.toThrow(
    /The reverse proxy could not load its configuration; the previous one was restored/
  )
  await new Promise((resolve) => server.close(resolve))
  expect(await readFile(environment.paths.config, 'utf8')).toBe(before)
  expect(await environment.answer('a.example.com', '/')).toBe(environment.first.name)
  await environment.proxy.set(route('b.example.com', environment.second))
  expect(await environment.answer('b.example.com', '/')).toBe(environment.second.name)
  expect(await startHaproxy(environment.options)).toMatchObject({ pid: environment.process.pid, outcome: 'adopted' })
})

test.each(['worker', 'master', 'hung worker'])('monitoring restores all routes when the %s is gone', async (victim) => {
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
})

test('stop leaves nothing behind; a pid file of another program is ignored', async () => {
  await stopHaproxy(environment.options)
  expect((await findHaproxy(environment.paths.config, environment.paths.pid)).all).toEqual([])
  await expect(environment.proxy.ping()).rejects.toMatchObject({ kind: 'reverse-proxy-unavailable' })
  await writeFile(environment.paths.pid, `${process.pid}\n`)
  await stopHaproxy(environment.options)
  await writeFile(environment.paths.pid, `${process.pid}\n`)
  expect(await startHaproxy(environment.options)).toMatchObject({ outcome: 'started' })
  expect(await environment.answer('a.example.com', '/')).toBe(environment.first.name)
})

describe('requests to sites', () => {
  const long = 'x'.repeat(64)
  // One mark per read, because lines of earlier reads may still arrive.
  const marks = Array.from({ length: 20 }, (_, i) => `mark-${i}`)
  let requested = 0
  let log: SiteTrafficLog
  beforeEach(async () => {
    await environment.proxy.sync([
      { ...route('a.example.com', environment.first), site: 'site-a' },
      { ...route('*.b.example.com', { kind: 'stopped' }), site: 'site-b' },
      { ...route('long.example.com', { kind: 'stopped' }), forceHttps: true, site: long },
      ...marks.map((site) => ({ ...route(`${site}.example.com`, { kind: 'stopped' as const }), site })),
      route('mail.example.com', { kind: 'nothing' })
    ])
    log = createHaproxyTraffic(environment.paths.trafficSocket, { restMs: 20 })
    await counted()
  })
  afterEach(() => log.close())

  const visit = (host: string, path = '/') => request(environment.httpPort, path, { host })
  async function counted() {
    const sums: Record<string, { requests: number; serverErrors: number }> = {}
    const mark = marks[requested++]!
    await eventually(async () => {
      await visit(`${mark}.example.com`)
      for (const { site, requests, serverErrors } of (await log.take()).sites) {
        if (site !== mark && marks.includes(site)) continue
        const sum = (sums[site] ??= { requests: 0, serverErrors: 0 })
        sum.requests += requests
        sum.serverErrors += serverErrors
      }
      return mark in sums
    })
    delete sums[mark]
    return sums
  }

  async function relay(): Promise<{ status: string; sessions: number }> {
    const lines = (await sendCommand(environment.paths.adminSocket, 'show stat traffic 6 -1')).split('\n')
    const [head, ...rows] = lines.filter((line) => line !== '').map((line) => line.replace(/^# /, '').split(','))
    const of = (service: string, field: string) =>
      rows.find((row) => row[head!.indexOf('svname')] === service)![head!.indexOf(field)]!
    return { status: of('BACKEND', 'status'), sessions: Number(of('BACKEND', 'stot')) }
  }

  test('are counted for their site only, whatever a client sends', async () => {
    for (let i = 0; i < 50; i++) {
      await visit(`name${i}.example.com`)
      await visit('mail.example.com')
      await visit(`name${i}.b.example.com`, `/${i}?site-a%20200%201%202%203%204`)
    }
    await visit('a.example.com', '/%0asite-x%20200%201%202%203%204')
    await raw(environment.httpPort, 'site-x 200 1 2 3 4\r\n\r\n', '</html>')
    await raw(environment.httpPort, 'GET / HTTP/1.1\r\nHost: a.example.com\r\nsite-x 200 1 2 3 4\r\n\r\n', '</html>')
    expect(await counted()).toEqual({
      'site-a': { requests: 1, serverErrors: 0 },
      'site-b': { requests: 50, serverErrors: 50 }
    })
  })

  test('are counted after a reload', async () => {
    const port = await freePort()
    await startHaproxy({ ...environment.options, httpBinds: [...environment.options.httpBinds, `127.0.0.1:${port}`] })
    await counted()
    for (let i = 0; i < 10; i++) await request(port, '/', { host: 'a.example.com' })
    expect(await counted()).toEqual({ 'site-a': { requests: 10, serverErrors: 0 } })
  })

  test('are served without a reader and read by the next one', async () => {
    await log.close()
    for (let i = 0; i < 50; i++) expect(await visit('a.example.com')).toMatchObject({ status: 200 })
    log = createHaproxyTraffic(environment.paths.trafficSocket, { restMs: 20 })
    expect((await counted())['site-a']!.requests).toBeGreaterThan(40)
  })

  test('wait in the proxy without a reader and without busy retries', async () => {
    await log.close()
    await visit('a.example.com')
    await eventually(async () => (await relay()).status === 'DOWN')
    const { sessions } = await relay()
    for (let i = 0; i < 200; i++) await visit('a.example.com')
    expect((await relay()).sessions - sessions).toBeLessThan(3)
    log = createHaproxyTraffic(environment.paths.trafficSocket, { restMs: 20 })
    expect((await counted())['site-a']!.requests).toBeGreaterThan(199)
  })

  test('are counted after the socket was deleted', async () => {
    await rm(environment.paths.trafficSocket)
    await visit('a.example.com')
    expect(await counted()).toEqual({ 'site-a': { requests: 1, serverErrors: 0 } })
    await log.close()
    await rm(environment.paths.trafficSocket, { force: true })
    log = createHaproxyTraffic(environment.paths.trafficSocket, { restMs: 20 })
    await counted()
    await visit('a.example.com')
    expect(await counted()).toEqual({ 'site-a': { requests: 1, serverErrors: 0 } })
  })

  test('are served while a reader hangs, and lost log lines are counted', async () => {
    await log.close()
    await rm(environment.paths.trafficSocket, { force: true })
    const connections: Socket[] = []
    const hanging = createServer({ pauseOnConnect: true }, (socket) => void connections.push(socket))
    onTestFinished(() => {
      hanging.close()
      for (const socket of connections) socket.destroy()
    })
    await new Promise<void>((resolve) => hanging.listen(environment.paths.trafficSocket, resolve))
    await chmod(environment.paths.trafficSocket, 0o666)
    await eventually(async () => (await relay()).status === 'UP')
    const one = 'GET / HTTP/1.1\r\nHost: long.example.com\r\n\r\n'
    for (let i = 0; i < 70; i++) {
      const answers = await raw(environment.httpPort, `${one.repeat(999)}${one.replace('/ ', '/last ')}`, '/last')
      answers.socket.destroy()
    }
    let text = ''
    for (const socket of connections) socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk))
    for (const socket of connections) socket.resume()
    await eventually(async () => {
      await visit('mark-0.example.com')
      return /^mark-0 /m.test(text)
    })
    const dropped = [...text.matchAll(/(\d+) events? dropped/g)].reduce((sum, [, n]) => sum + Number(n), 0)
    expect(dropped).toBeGreaterThan(0)
    // Threads may report the same line twice, or one line too few.
    const known = text.match(new RegExp(`^${long} 301 `, 'gm'))!.length + dropped
    expect(Math.abs(known - 70_000)).toBeLessThan(20)
  })
})
