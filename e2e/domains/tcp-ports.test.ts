import { once } from 'node:events'
import net from 'node:net'
import tls from 'node:tls'
import { unwrap } from '@panel/client'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Files } from '../support/git-repositories.ts'
import type { Client, RunningPanel, Site } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { kill } from '../support/processes.ts'
import { removeProjects, sharedWorld, type World } from '../support/shared-world.ts'

let world: World
let panel: RunningPanel
let ann: Client
let site: Site
let tlsPort: number
/** Published for the server that greets first. */
let first: number
beforeAll(async () => {
  world = await sharedWorld()
  panel = world.panel
  tlsPort = world.tcpTlsPort
  first = world.tcpPorts.first
  await world.change({ DEPLOY_DRAIN_SECONDS: '20' })
  ann = await panel.signUp()
  site = await ann.createSite(world.git, lineServer('one'))
  await ann.mustRun(site.id)
})
afterAll(async () => {
  await removeProjects(ann)
  await world?.change({})
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
    expect(await isRefused(connect(first))).toBe(true)
    const port = await publish({ containerPort: 7000, publishedPort: first })
    expect(port).toMatchObject({ addresses: [`panel.hosting.test:${first}`], isOpen: true })
    const greeting = connect(first)
    await greeting.receive('hello from one\n')
    greeting.socket.write('ping\n')
    await greeting.receive('one: ping\n')

    const waiting = await publish({ containerPort: 7001 })
    expect(await speaks(waiting.publishedPort!, 'one: ping\n')).toBe(true)
    await ann.call('DELETE', `/projects/${site.id}/tcp-ports/${waiting.id}`)
    expect(await isRefused(connect(waiting.publishedPort!))).toBe(true)
  })

  test('closes while the project is stopped', async () => {
    await ann.call('POST', `/projects/${site.id}/container/stop`)
    expect(await isRefused(connect(first))).toBe(true)
    await ann.call('POST', `/projects/${site.id}/container/start`)
    await until(
      () => speaks(first, 'hello from one\n'),
      (isOpen) => isOpen
    )
  })
})

test('a TLS name chooses the project, and no other name reaches one', async () => {
  const domain = await world.addManaged(world.newName(), ann)
  const { hostname } = domain
  await ann.call('PATCH', `/domains/${domain.id}`, { projectId: site.id })
  await world.untilServed(hostname, await world.provision(domain.id, ann))
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
  const open = connect(first)
  await open.receive('hello from one\n')
  const ended = once(open.socket, 'close')
  await world.git.commit(site.repository, lineServer('two'), 'Two')
  const building = ann.mustRun(site.id)
  await until(
    () => greetingOf(first),
    (greeting) => greeting === 'hello from two\n'
  )
  open.socket.write('still\n')
  await open.receive('one: still\n')
  await building
  await ended
  expect(await speaks(first, 'hello from two\n')).toBe(true)
})

test('the ports are those of the rows after kill -9 of the panel and of its proxy', async () => {
  await panel.kill()
  expect(await speaks(first, 'hello from two\n')).toBe(true)
  await panel.start()
  expect(await speaks(first, 'hello from two\n')).toBe(true)
  const { all } = await world.proxyProcesses()
  for (const pid of all) kill(pid, 'SIGKILL')
  await until(
    async () => (await world.proxyProcesses()).all,
    (now) => now.length > 1 && now.every((pid) => !all.includes(pid))
  )
  await until(
    () => speaks(first, 'hello from two\n').catch(() => false),
    (isOpen) => isOpen
  )
})
