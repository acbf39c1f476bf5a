import { once } from 'node:events'
import net from 'node:net'
import tls from 'node:tls'
import { unwrap } from '@panel/client'
import type { Domain } from '@panel/contract/domains'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { containerPorts, freePort } from '../../packages/server/test/support/ports.ts'
import type { Files } from '../support/git-repositories.ts'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import { type Client, type RunningPanel, type Site, startPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'

const hostname = 'lines.localhost'
let git: GitHttpServer
let panel: RunningPanel
let ann: Client
let site: Site
let tlsPort: number
let range: { first: number; last: number }
beforeAll(async () => {
  git = await startGitHttpServer()
  tlsPort = await freePort()
  const { first } = await containerPorts()
  range = { first, last: first + 2 }
  panel = await startPanel({
    GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}`,
    DEFAULT_MAX_TCP_PORTS: 'unlimited',
    DEPLOY_DRAIN_SECONDS: '20',
    PANEL_MOCK_DNS: 'true',
    PANEL_DOMAIN: 'panel.test',
    TCP_PORTS: `${range.first}-${range.last}`,
    TCP_TLS_PORT: String(tlsPort)
  })
  ann = await panel.signUp()
  site = await ann.createSite(git, lineServer('one'))
  await ann.mustRun(site.id)
})
afterAll(async () => {
  await panel?.dispose()
  await git?.stop()
})
afterEach(({ task }) => {
  if (task.result?.state === 'fail') console.error(panel.output().slice(-5_000))
})

/** HTTP on its port; on 7000 a server that greets first, on 7001 one that waits for the client. Both repeat lines. */
function lineServer(word: string): Files {
  return {
    'package.json': JSON.stringify({ name: 'lines', private: true, scripts: { start: 'node server.js' } }),
    'server.js': `
const { createServer } = require('node:http')
const net = require('node:net')
const speak = (greets) => net.createServer((socket) => {
  socket.on('error', () => {})
  if (greets) socket.write('hello from ${word}\\n')
  socket.on('data', (data) => socket.write('${word}: ' + data))
})
speak(true).listen(7000, '0.0.0.0')
speak(false).listen(7001, '0.0.0.0')
createServer((_, response) => response.end('${word}')).listen(process.env.PORT, '0.0.0.0')
process.on('SIGTERM', () => process.exit(0))
`
  }
}

const publish = (body: { containerPort: number; kind?: 'PORT' | 'TLS'; publishedPort?: number }) =>
  unwrap(
    ann.api.POST('/api/projects/{id}/tcp-ports', {
      params: { path: { id: site.id } },
      body: { kind: 'PORT', publishedPort: null, ...body }
    })
  )

interface Line {
  socket: net.Socket
  /** Waits until the server has sent this text. */
  receive(text: string): Promise<void>
}

const opened: net.Socket[] = []
afterAll(() => {
  for (const socket of opened) socket.destroy()
})

function follow(socket: net.Socket): Line {
  opened.push(socket)
  let received = ''
  let failure: Error | undefined
  socket.on('data', (data: Buffer) => (received += data.toString()))
  socket.on('error', (error) => (failure = error))
  return {
    socket,
    async receive(text) {
      await until(
        async () => received + (failure?.message ?? ''),
        (all) => all.includes(text),
        30_000
      )
    }
  }
}

const connect = (port: number): Line => follow(net.connect(port, '127.0.0.1'))
const connectTls = (servername?: string): Line =>
  follow(
    tls.connect({
      host: '127.0.0.1',
      port: tlsPort,
      rejectUnauthorized: false,
      ...(servername !== undefined && { servername })
    })
  )

/** The connection ends without a word of an application. */
async function isRefused({ socket }: Line): Promise<boolean> {
  let received = false
  socket.on('data', () => (received = true))
  if (!socket.destroyed) await once(socket, 'close').catch(() => {})
  return !received
}

const speaks = async (port: number, text: string) => {
  const line = connect(port)
  line.socket.write('ping\n')
  const answer = await Promise.race([
    line.receive(text).then(
      () => true,
      () => false
    ),
    once(line.socket, 'close').then(
      () => false,
      () => false
    )
  ])
  line.socket.destroy()
  return answer
}

/** What a server that speaks first says. */
async function greetingOf(port: number): Promise<string> {
  const { socket } = connect(port)
  const [data] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return data.toString()
}

describe('a published port', () => {
  test('reaches servers that speak first, and those that wait', async () => {
    expect(await isRefused(connect(range.first))).toBe(true)
    const port = await publish({ containerPort: 7000, publishedPort: range.first })
    expect(port).toMatchObject({ addresses: [`panel.test:${range.first}`], isOpen: true })
    const greeting = connect(range.first)
    await greeting.receive('hello from one\n')
    greeting.socket.write('ping\n')
    await greeting.receive('one: ping\n')

    const waiting = await publish({ containerPort: 7001 })
    expect(await speaks(waiting.publishedPort!, 'one: ping\n')).toBe(true)
    await ann.call('DELETE', `/projects/${site.id}/tcp-ports/${waiting.id}`)
    expect(await isRefused(connect(waiting.publishedPort!))).toBe(true)
  })

  test('is another one for each of two requests at the same time', async () => {
    const made = await Promise.all([publish({ containerPort: 7001 }), publish({ containerPort: 7001 })])
    const numbers = made.map(({ publishedPort }) => publishedPort!)
    expect(new Set(numbers).size).toBe(2)
    for (const number of numbers) expect(await speaks(number, 'one: ping\n')).toBe(true)
    const full = await ann.request('POST', `/projects/${site.id}/tcp-ports`, { containerPort: 7001 })
    expect(full.body).toMatchObject({ code: 'PORTS_EXHAUSTED' })
    for (const { id } of made) await ann.call('DELETE', `/projects/${site.id}/tcp-ports/${id}`)
  })

  test('closes while the project is stopped', async () => {
    await ann.call('POST', `/projects/${site.id}/container/stop`)
    expect(await isRefused(connect(range.first))).toBe(true)
    await ann.call('POST', `/projects/${site.id}/container/start`)
    await until(
      () => speaks(range.first, 'hello from one\n'),
      (isOpen) => isOpen
    )
  })
})

test('a TLS name chooses the project, and no other name reaches one', async () => {
  const domain = await ann.call<Domain>('POST', '/domains', { hostname, projectId: site.id })
  await ann.call('POST', `/domains/${domain.id}/verify?mock=true`)
  await ann.call('POST', `/domains/${domain.id}/ssl/provision`)
  const port = await publish({ containerPort: 7000, kind: 'TLS' })
  expect(port.addresses).toContain(`${hostname}:${tlsPort}`)
  const line = connectTls(hostname)
  await line.receive('hello from one\n')
  line.socket.write('ping\n')
  await line.receive('one: ping\n')
  expect(await isRefused(connectTls('other.localhost'))).toBe(true)
  expect(await isRefused(connectTls())).toBe(true)
  const plain = connect(tlsPort)
  plain.socket.write('not a handshake at all\n')
  expect(await isRefused(plain)).toBe(true)
})

test('after a redeployment new connections reach the new release, and open ones the old one until it stops', async () => {
  const open = connect(range.first)
  await open.receive('hello from one\n')
  const ended = once(open.socket, 'close')
  await git.commit(site.repository, lineServer('two'), 'Two')
  const building = ann.mustRun(site.id)
  await until(
    () => greetingOf(range.first),
    (greeting) => greeting === 'hello from two\n'
  )
  open.socket.write('still\n')
  await open.receive('one: still\n')
  await building
  await ended
  expect(await speaks(range.first, 'hello from two\n')).toBe(true)
})

test('the ports are those of the rows after the panel and its proxy were started again', async () => {
  await panel.kill()
  expect(await speaks(range.first, 'hello from two\n')).toBe(true)
  await panel.start()
  expect(await speaks(range.first, 'hello from two\n')).toBe(true)
  await panel.stop()
  await panel.start()
  await until(
    () => speaks(range.first, 'hello from two\n').catch(() => false),
    (isOpen) => isOpen
  )
})
