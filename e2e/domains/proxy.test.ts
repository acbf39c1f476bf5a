import { readFile, rename, stat } from 'node:fs/promises'
import http from 'node:http'
import http2 from 'node:http2'
import { dirname } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sendCommand } from '../../packages/server/src/infra/reverse-proxy/haproxy-socket.ts'
import { describeReverseProxy } from '../../packages/server/test/contracts/reverse-proxy.contract.ts'
import type { Route, RouteTarget } from '../../packages/server/src/infra/reverse-proxy/reverse-proxy.ts'
import {
  eventually,
  gateway,
  raw,
  request,
  type Seen,
  startHaproxy,
  startTestProxy,
  stopHaproxy,
  type TestProxy,
  upgradeRequest
} from './proxy.harness.ts'
import { freePort } from '../../packages/server/test/support/ports.ts'
import { pause } from '../support/processes.ts'

describeReverseProxy('haproxy', async () => {
  const environment = await startTestProxy()
  return {
    proxy: environment.proxy,
    targets: [environment.first, environment.second],
    gateway,
    answer: environment.answer,
    servedFingerprint: environment.servedFingerprint,
    mapPath: environment.paths.map,
    async whileHanging(work) {
      const worker = await environment.workerPid()
      await pause(worker)
      try {
        await work()
      } finally {
        process.kill(worker, 'SIGCONT')
      }
    },
    close: environment.close
  }
})

let environment: TestProxy
const route = (hostname: string, target: RouteTarget, forceHttps = false): Route => ({ hostname, target, forceHttps })
const seenBy = async (host: string, path: string, headers: http.OutgoingHttpHeaders = {}): Promise<Seen> =>
  JSON.parse((await request(environment.httpPort, path, { host, headers })).body) as Seen

beforeAll(async () => {
  environment = await startTestProxy()
})
afterAll(() => environment?.close())
beforeEach(async () => {
  await environment.proxy.sync([route('a.example.com', environment.first)])
})

describe('requests', () => {
  test.each(['A.Example.COM', 'a.example.com:8080', 'a.example.com.', 'a.example.com.:80'])(
    '%s is the host',
    async (host) => {
      expect(await environment.answer(host, '/')).toBe(environment.first.name)
    }
  )

  test('an unknown host gets the placeholder page with 404', async () => {
    const { status, headers, body } = await request(environment.httpPort, '/', { host: 'other.example.com' })
    expect(status).toBe(404)
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    expect(body).toContain('no site at this address')
  })

  test.each([
    '',
    'a.example.com,b.example.com',
    'b.example.com/a',
    'user@a.example.com',
    'a.example.com/app',
    '[::1]',
    '*.example.com'
  ])('the host %j is refused', async (host) => {
    expect([400, 404]).toContain((await request(environment.httpPort, '/', { host })).status)
  })

  test('a request without a host is refused', async () => {
    for (const version of ['1.0', '1.1']) {
      const { text, socket } = await raw(environment.httpPort, `GET / HTTP/${version}\r\n\r\n`, '\r\n\r\n')
      socket.destroy()
      expect(text).toMatch(/^HTTP\/1\.[01] 40[04] /)
    }
  })

  test.each([
    ['two hosts', 'GET / HTTP/1.1\r\nHost: a.example.com\r\nHost: b.example.com\r\n\r\n'],
    ['a target of another host', 'GET http://b.example.com/ HTTP/1.1\r\nHost: a.example.com\r\n\r\n'],
    ['CONNECT', 'CONNECT a.example.com:80 HTTP/1.1\r\nHost: a.example.com\r\n\r\n']
  ])('a request with %s is refused', async (_, text) => {
    const answer = await raw(environment.httpPort, text, '\r\n\r\n')
    answer.socket.destroy()
    expect(answer.text).toMatch(/^HTTP\/1\.1 40[0-9] /)
  })

  test('stopped and starting are 503 with Retry-After, for HEAD too', async () => {
    await environment.proxy.set(route('stopped.example.com', { kind: 'stopped' }))
    await environment.proxy.set(route('starting.example.com', { kind: 'starting' }))
    const stopped = await request(environment.httpPort, '/x', { host: 'stopped.example.com' })
    expect(stopped).toMatchObject({ status: 503, headers: { 'retry-after': '30', 'cache-control': 'no-store' } })
    expect(stopped.body).not.toContain('refresh')
    const starting = await request(environment.httpPort, '/', { host: 'starting.example.com', method: 'POST' })
    expect(starting).toMatchObject({ status: 503, headers: { 'retry-after': '3' } })
    expect(starting.body).toContain('<meta http-equiv="refresh"')
    const head = await request(environment.httpPort, '/', { host: 'stopped.example.com', method: 'HEAD' })
    expect(head).toMatchObject({ status: 503, body: '' })
  })

  test('a container that is down gets a 503 page', async () => {
    await environment.proxy.set(
      route('down.example.com', { kind: 'container', address: '127.0.0.4', port: await freePort() })
    )
    const { status, headers, body } = await request(environment.httpPort, '/', { host: 'down.example.com' })
    expect({ status, retryAfter: headers['retry-after'] }).toEqual({ status: 503, retryAfter: '5' })
    expect(body).toContain('is not responding')
  })

  test('forwarding headers of the client are replaced', async () => {
    const { headers } = await seenBy('a.example.com:8080', '/', {
      'X-Forwarded-For': ['6.6.6.6', '7.7.7.7'],
      'x-forwarded-proto': 'https',
      'X-Forwarded-Host': 'victim.example.com',
      'X-Forwarded-Port': '1',
      X_Forwarded_For: '6.6.6.6',
      'X-Real-IP': '6.6.6.6',
      X_Real_IP: '6.6.6.6',
      Forwarded: 'for=6.6.6.6',
      Proxy: 'http://evil.example.com',
      'X-Panel-Proxy': 'evil',
      X_Panel_Proxy: 'evil',
      'X-Forward': 'kept'
    })
    expect(headers).toMatchObject({
      host: 'a.example.com:8080',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'a.example.com:8080',
      'x-real-ip': '127.0.0.1',
      'x-forward': 'kept'
    })
    expect(JSON.stringify(headers)).not.toMatch(/6\.6\.6\.6|victim|evil|forwarded-port|"forwarded"|"proxy"/)
  })

  test('authenticates to the panel only, and clients cannot forge it', async () => {
    await environment.proxy.set(route('panel.example.com', { kind: 'panel' }))
    for (const [host, path] of [
      ['panel.example.com', '/'],
      ['a.example.com', '/.well-known/acme-challenge/token']
    ] as const) {
      const { name, headers } = await seenBy(host, path, { 'X-Panel-Proxy': 'guess', 'X-Forwarded-For': '6.6.6.6' })
      expect({ name, proof: headers['x-panel-proxy'], from: headers['x-forwarded-for'] }).toEqual({
        name: 'panel',
        proof: environment.options.panel!.secret,
        from: '127.0.0.1'
      })
    }
    expect((await seenBy('a.example.com', '/')).headers).not.toHaveProperty('x-panel-proxy')
    expect((await stat(environment.paths.config)).mode & 0o777).toBe(0o600)
  })

  test('forced HTTPS excludes ACME challenges, which go to the panel on every host', async () => {
    await environment.proxy.set(route('s.example.com', environment.first, true))
    const answer = await request(environment.httpPort, '/a/b?c=d&e', { host: 'S.example.com:8080' })
    expect(answer).toMatchObject({ status: 301, headers: { location: 'https://s.example.com/a/b?c=d&e' } })
    for (const host of ['s.example.com', 'a.example.com', 'unknown.example.com'])
      expect(await environment.answer(host, '/.well-known/acme-challenge/tok_EN-1')).toBe('panel')
    for (const path of [
      '/.well-known/acme-challenge/../../api/users',
      '/.well-known/acme-challenge/',
      '/.well-known/acme-challenge/a/b'
    ])
      expect(await environment.answer('unknown.example.com', path)).toBe('nobody')
  })

  test('a value that is not a container address is refused by the proxy', async () => {
    const { map, adminSocket } = environment.paths
    for (const value of [
      `127.0.0.1:${environment.panel.port}:0`,
      '10.0.0.1:80:0',
      'x:80:0',
      '127.0.0.2::0',
      '127.0.0.2:0:0',
      '127.0.0.2:80'
    ]) {
      await sendCommand(adminSocket, `add map ${map} bad.example.com/ ${value}`)
      expect([value, (await request(environment.httpPort, '/', { host: 'bad.example.com' })).status]).toEqual([
        value,
        502
      ])
      await sendCommand(adminSocket, `del map ${map} bad.example.com/`)
    }
  })
})

describe('streams', () => {
  test('a WebSocket passes and counts as a connection', async () => {
    await environment.proxy.sync([route('ws.example.com', environment.second)])
    const { text, socket } = await raw(environment.httpPort, upgradeRequest('ws.example.com'), 'hello')
    expect(text).toMatch(/^HTTP\/1\.1 101 /)
    expect(text).toContain('/chat:hello')
    const { address, port } = environment.second
    expect(await environment.proxy.connectionCount(address, port)).toBe(1)
    socket.destroy()
    await eventually(async () => (await environment.proxy.connectionCount(address, port)) === 0)
  })

  test('an upgrade to cleartext HTTP/2 is blocked', async () => {
    const { headers } = await seenBy('a.example.com', '/', {
      Connection: 'Upgrade, HTTP2-Settings',
      Upgrade: 'h2c',
      'HTTP2-Settings': 'AAMAAABkAAQCAAAAAAIAAAAA'
    })
    expect(headers.upgrade).toBeUndefined()
    expect(headers['http2-settings']).toBeUndefined()
  })

  test('a 20 MB upload is streamed', async () => {
    const body = new PassThrough()
    const before = environment.first.received()
    const answer = request(environment.httpPort, '/', { host: 'a.example.com', method: 'POST', body })
    const megabyte = Buffer.alloc(1024 * 1024)
    body.write(megabyte)
    await eventually(() => environment.first.received() > before)
    for (let number = 1; number < 20; number++) body.write(megabyte)
    body.end()
    expect(JSON.parse((await answer).body)).toMatchObject({ bodyBytes: 20 * 1024 * 1024 })
  })

  test('HTTP/2 over TLS passes, with the default certificate', async () => {
    const client = http2.connect(`https://127.0.0.1:${environment.httpsPort}`, { rejectUnauthorized: false })
    try {
      const stream = client.request({ ':authority': 'A.example.com', ':path': '/x', 'x-forwarded-proto': 'http' })
      let body = ''
      for await (const chunk of stream.setEncoding('utf8')) body += chunk
      expect(client.alpnProtocol).toBe('h2')
      expect(JSON.parse(body)).toMatchObject({
        name: environment.first.name,
        url: '/x',
        headers: { 'x-forwarded-proto': 'https', 'x-forwarded-for': '127.0.0.1' }
      })
    } finally {
      client.destroy()
    }
    expect((await stat(environment.paths.defaultCertificate)).mode & 0o777).toBe(0o600)
    expect((await stat(environment.options.directory)).mode & 0o777).toBe(0o700)
  })

  test('a WebSocket over HTTP/2 passes', async () => {
    const client = http2.connect(`https://127.0.0.1:${environment.httpsPort}`, { rejectUnauthorized: false })
    try {
      await new Promise((resolve) => client.once('remoteSettings', resolve))
      const stream = client.request({
        ':method': 'CONNECT',
        ':protocol': 'websocket',
        ':scheme': 'https',
        ':authority': 'a.example.com',
        ':path': '/chat',
        'sec-websocket-version': '13'
      })
      await new Promise((resolve) => stream.once('response', resolve))
      stream.write('hello')
      let received = ''
      for await (const chunk of stream.setEncoding('utf8')) {
        received += chunk
        if (received.includes('hello')) break
      }
      expect(received).toBe('/chat:hello')
    } finally {
      client.destroy()
    }
  })

  test('switching a route under keep-alive load loses no request', async () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 8 })
    let isSwitching = true
    const names = new Set<string>()
    const client = async () => {
      while (isSwitching) {
        const { status, body } = await request(environment.httpPort, '/', { host: 'a.example.com', agent })
        expect(status).toBe(200)
        names.add((JSON.parse(body) as Seen).name)
      }
    }
    const clients = Array.from({ length: 8 }, client)
    for (let number = 0; number < 20; number++) {
      const target = number % 2 === 0 ? environment.second : environment.first
      await environment.proxy.set(route('a.example.com', target))
      for (let repeat = 0; repeat < 10; repeat++)
        expect(await environment.answer('a.example.com', '/')).toBe(target.name)
    }
    isSwitching = false
    await Promise.all(clients)
    agent.destroy()
    expect(names).toEqual(new Set([environment.first.name, environment.second.name]))
  })
})

describe('the map file', () => {
  const keysInFile = async () =>
    (await readFile(environment.paths.map, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0])

  test('a crash between proxy and file is repaired by the sync after a start', async () => {
    const killed = environment.newClient(() => new Promise(() => {}))
    await killed.set(route('b.example.com', environment.second))
    await killed.remove('a.example.com')
    expect(await environment.answer('b.example.com', '/')).toBe(environment.second.name)
    expect(await environment.answer('a.example.com', '/')).toBe('nobody')
    expect(await keysInFile()).toEqual(['a.example.com/'])
    await stopHaproxy(environment.options)
    await startHaproxy(environment.options)
    expect(await environment.answer('b.example.com', '/')).toBe('nobody')
    expect(await environment.newClient().sync([route('b.example.com', environment.second)])).toBe(true)
    expect(await environment.answer('b.example.com', '/')).toBe(environment.second.name)
    expect(await environment.answer('a.example.com', '/')).toBe('nobody')
    expect(await keysInFile()).toEqual(['b.example.com/'])
  })

  test('if the file cannot be written, no unwanted route is served', async () => {
    const directory = dirname(environment.paths.map)
    await rename(directory, `${directory}-away`)
    try {
      const wanted = [route('b.example.com', environment.second)]
      await expect(environment.newClient().sync(wanted)).rejects.toMatchObject({ code: 'ENOENT' })
      expect(await environment.answer('a.example.com', '/')).toBe('nobody')
      expect(await environment.answer('b.example.com', '/')).toBe(environment.second.name)
    } finally {
      await rename(`${directory}-away`, directory)
    }
  })

  test('concurrent changes do not undo unwritten ones of another process', async () => {
    const other = environment.newClient(() => new Promise(() => {}))
    await other.set(route('b.example.com', environment.second))
    const many = Array.from({ length: 50 }, (_, n) => route(`many-${n}.example.com`, environment.first))
    await Promise.all(many.map((each) => environment.proxy.set(each)))
    for (const host of ['a.example.com', 'many-0.example.com', 'many-49.example.com'])
      expect(await environment.answer(host, '/')).toBe(environment.first.name)
    expect(await environment.answer('b.example.com', '/')).toBe(environment.second.name)
  })

  test('new clients do not remove routes of others', async () => {
    const [one, two] = [environment.newClient(), environment.newClient()]
    await one.set(route('b.example.com', environment.second))
    await two.set(route('c.example.com', environment.second))
    await one.set(route('d.example.com', environment.second))
    const names = ['a', 'b', 'c', 'd'].map((label) => `${label}.example.com/`)
    await expect.poll(keysInFile).toEqual(names)
    expect((await stat(environment.paths.map)).mode & 0o777).toBe(0o600)
    for (const label of ['a', 'b', 'c', 'd'])
      expect(await environment.answer(`${label}.example.com`, '/')).not.toBe('nobody')
  })

  test('an abandoned replacement does not swallow a change', async () => {
    const { map, adminSocket } = environment.paths
    const version = /\d+$/.exec(await sendCommand(adminSocket, `prepare map ${map}`))?.[0]
    await sendCommand(adminSocket, `add map @${version} ${map} <<\nlate.example.com/ stopped:0:0\n`)
    expect(await environment.answer('late.example.com', '/')).toBe('nobody')
    await environment.proxy.set(route('late.example.com', environment.second))
    expect(await environment.answer('late.example.com', '/')).toBe(environment.second.name)
    expect(await environment.answer('a.example.com', '/')).toBe(environment.first.name)
  })

  test('thousands of routes are synced in chunks', async () => {
    const routes = Array.from({ length: 3_000 }, (_, number) => route(`n${number}.example.com`, environment.second))
    expect(await environment.proxy.sync(routes)).toBe(true)
    expect(await environment.proxy.sync(routes)).toBe(false)
    for (const number of [0, 1_234, 2_999])
      expect(await environment.answer(`n${number}.example.com`, '/')).toBe(environment.second.name)
  })
})
