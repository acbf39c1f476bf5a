import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { buildContext, buildOptions } from '../../../test/contracts/container-engine.contract.ts'
import type { ContainerEngine } from './container-engine.ts'
import { createDockerEngine } from './docker.ts'
import { untilDeadline } from './patience.ts'

const limits = { short: 100, ordinary: 100, long: 100, idle: 100 }
const labels = { a: 'b' }

const calls: [string, (engine: ContainerEngine) => Promise<unknown>][] = [
  ['ping', (engine) => engine.ping()],
  ['ensureNetwork', (engine) => engine.ensureNetwork('n', labels)],
  ['listNetworks', (engine) => engine.listNetworks(labels)],
  ['storageDirectory', (engine) => engine.storageDirectory()],
  ['removeNetwork', (engine) => engine.removeNetwork('n')],
  [
    'buildImage',
    (engine) => engine.buildImage(buildContext({ Dockerfile: 'FROM scratch' }), buildOptions({ tag: 't', labels }))
  ],
  ['pullImage', (engine) => engine.pullImage('i', () => {})],
  ['importImage', (engine) => engine.importImage(buildContext({ a: 'b' }), 'i', [])],
  ['findImage', (engine) => engine.findImage('i')],
  ['listImages', (engine) => engine.listImages(labels)],
  ['removeImage', (engine) => engine.removeImage('i')],
  ['startContainer', (engine) => engine.startContainer('c')],
  ['stopContainer', (engine) => engine.stopContainer('c', 0)],
  ['restartContainer', (engine) => engine.restartContainer('c', 0)],
  ['removeContainer', (engine) => engine.removeContainer('c')],
  ['findContainer', (engine) => engine.findContainer('c')],
  ['listContainers', (engine) => engine.listContainers(labels)],
  ['watchContainers', (engine) => engine.watchContainers(labels, () => {}, new AbortController().signal)],
  ['readFigures', (engine) => engine.readFigures(['0'.repeat(64)])],
  ['containerLogs', (engine) => engine.containerLogs('c', 10)],
  [
    'followLogs',
    (engine) => engine.followLogs('c', { tail: 1 }, new AbortController().signal)[Symbol.asyncIterator]().next()
  ],
  ['listVolumes', (engine) => engine.listVolumes(labels)],
  ['removeVolume', (engine) => engine.removeVolume('v')]
]

describe('an unavailable engine', () => {
  const sockets = new Set<Socket>()
  let server: Server | undefined

  const listen = async (onConnection: (socket: Socket) => void): Promise<string> => {
    const socketPath = join(tmpdir(), `engine-${randomUUID()}.sock`)
    server = createServer((socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      socket.on('error', () => {})
      onConnection(socket)
    })
    await once(server.listen(socketPath), 'listening')
    return socketPath
  }

  afterEach(() => {
    for (const socket of sockets) socket.destroy()
    server?.close()
    server = undefined
  })

  test.each(calls)('%s: no socket', async (_, operation) => {
    const engine = createDockerEngine({ socketPath: '/nonexistent/docker.sock', limits })
    await expect(operation(engine)).rejects.toMatchObject({
      kind: 'container-engine-unavailable',
      // The user gets the short message; socket and code go to the log.
      sentence: 'The container engine is unreachable. Try again later.',
      reason: '/nonexistent/docker.sock (ENOENT)'
    })
  })

  test.each(calls)('%s: accepts and never responds, and the connection is closed', async (_, operation) => {
    const socketPath = await listen((socket) => socket.resume())
    await expect(operation(createDockerEngine({ socketPath, limits }))).rejects.toMatchObject({
      kind: 'container-engine-unavailable'
    })
    await expect.poll(() => sockets.size).toBe(0)
  })

  test('one of another machine: calls fail at once after one timed out, until it answers', async () => {
    let isHanging = true
    let connections = 0
    const version = 'HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n{"Version":"20"}'
    const socketPath = await listen((socket) => {
      connections++
      if (!isHanging) socket.end(version)
    })
    const engine = createDockerEngine({ socketPath, limits: { ...limits, short: 1_000 }, isPatient: false })
    const unavailable = { kind: 'container-engine-unavailable' }
    // Past its limit, also for work with a deadline of its own.
    const work = untilDeadline(new AbortController().signal, () => engine.findContainer('c'))
    await expect(work).rejects.toMatchObject(unavailable)
    await expect.poll(() => connections).toBe(2)
    await expect(engine.listContainers(labels)).rejects.toMatchObject(unavailable)
    await expect(engine.ping()).rejects.toMatchObject({ ...unavailable, reason: 'an earlier call timed out' })
    expect(connections).toBe(2)
    isHanging = false
    await expect.poll(() => engine.ping().catch(() => 'unavailable'), { timeout: 10_000 }).toBe('20')
  })

  describe('work with a deadline of its own', () => {
    const version = 'HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n{"Version":"20"}'
    const tooLong = new Error('It took longer than it may')

    test('waits past the limit of a call, unlike other work', async () => {
      const requested: (() => void)[] = []
      const socketPath = await listen((socket) => requested.push(() => socket.end(version)))
      const engine = createDockerEngine({ socketPath, limits })
      const waiting = untilDeadline(new AbortController().signal, () => engine.ping())
      await expect(engine.ping()).rejects.toMatchObject({ kind: 'container-engine-unavailable' })
      for (const answer of requested) answer()
      expect(await waiting).toBe('20')
    })

    test('ends at the deadline', async () => {
      const engine = createDockerEngine({ socketPath: await listen((socket) => socket.resume()), limits })
      const deadline = new AbortController()
      const waiting = untilDeadline(deadline.signal, () => engine.ping())
      deadline.abort(tooLong)
      await expect(waiting).rejects.toBe(tooLong)
      await expect.poll(() => sockets.size).toBe(0)
    })

    test('fails at once if the engine is down', async () => {
      const engine = createDockerEngine({ socketPath: '/nonexistent/docker.sock', limits })
      await expect(untilDeadline(new AbortController().signal, () => engine.ping())).rejects.toMatchObject({
        kind: 'container-engine-unavailable'
      })
    })

    test('does not wait for a stalled pull', async () => {
      const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
      const socketPath = await listen((socket) => socket.write(`${head}10\r\n{"status":"ok"}\n\r\n`))
      const engine = createDockerEngine({ socketPath, limits })
      await expect(
        untilDeadline(new AbortController().signal, () => engine.pullImage('i', () => {}))
      ).rejects.toMatchObject({ kind: 'container-engine-unavailable' })
    })
  })

  test('waits for the input of an import, and then for the engine only within the limit', async () => {
    const socketPath = await listen((socket) => socket.resume())
    const engine = createDockerEngine({ socketPath, limits })
    const tar = new PassThrough()
    let isOver = false
    const importing = engine.importImage(tar, 'i', []).finally(() => (isOver = true))
    importing.catch(() => {}) // Awaited below.
    await sleep(5 * limits.idle)
    expect(isOver).toBe(false)
    tar.end('complete')
    await expect(importing).rejects.toMatchObject({ kind: 'container-engine-unavailable' })
  })

  test('closes the connection', async () => {
    const socketPath = await listen((socket) => socket.destroy())
    const engine = createDockerEngine({ socketPath, limits })
    await expect(engine.ping()).rejects.toMatchObject({ kind: 'container-engine-unavailable' })
  })

  test('disconnects in the middle of a response', async () => {
    const socketPath = await listen((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"Ver')
      setTimeout(() => socket.destroy(), 10)
    })
    const engine = createDockerEngine({ socketPath, limits })
    await expect(engine.ping()).rejects.toMatchObject({ kind: 'container-engine-unavailable' })
    await expect(engine.containerLogs('c', 1)).rejects.toMatchObject({ kind: 'container-engine-unavailable' })
  })

  test('error responses become EngineErrors with the engine’s message', async () => {
    const body = JSON.stringify({ message: 'conflict: in use' })
    const head = `HTTP/1.1 409 Conflict\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
    const socketPath = await listen((socket) => void socket.on('data', () => socket.end(head + body)))
    const engine = createDockerEngine({ socketPath, limits })
    const refusal = { name: 'EngineError', status: 409, message: 'conflict: in use' }
    await expect(engine.removeImage('i')).rejects.toMatchObject(refusal)
    await expect(engine.pullImage('i', () => {})).rejects.toMatchObject(refusal)
  })

  const longAnswer = async (mebibytes: number) =>
    createDockerEngine({
      socketPath: await listen((socket) => {
        const line = Buffer.alloc(mebibytes * 2 ** 20, ' ')
        socket.once('data', () => socket.end(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), line])))
      })
    })

  test.each<[string, (engine: ContainerEngine) => Promise<unknown>]>([
    ['a list', (engine) => engine.listContainers(labels)],
    ['an inspection', (engine) => engine.findImage('i')]
  ])('rejects endless data in %s', async (_, action) => {
    await expect(action(await longAnswer(65))).rejects.toMatchObject({
      kind: 'container-engine-unavailable',
      message: expect.stringContaining('exceeds 64 MiB')
    })
    await expect.poll(() => sockets.size).toBe(0)
  })

  test('rejects an endless progress line of a pull', async () => {
    await expect((await longAnswer(5)).pullImage('i', () => {})).rejects.toMatchObject({
      kind: 'container-engine-unavailable',
      message: expect.stringContaining('of more than 4 MiB')
    })
    await expect.poll(() => sockets.size).toBe(0)
  })

  test.each(['../info', 'a/../../b', 'a?b', 'a b', ''])('rejects %j in a URL path', async (name) => {
    const engine = createDockerEngine({ socketPath: '/nonexistent/docker.sock', limits })
    expect(await engine.findContainer(name)).toBeUndefined()
    for (const work of [engine.findImage(name), engine.removeVolume(name), engine.removeNetwork(name)]) {
      await expect(work).rejects.toMatchObject({ name: 'EngineError', status: 400 })
    }
  })
})

test('the login of a pull is a header in padded base64url, without which the engine ignores it', async () => {
  const socketPath = join(tmpdir(), `engine-${randomUUID()}.sock`)
  let request = ''
  const server = createServer((socket) => {
    socket.on('data', (data) => {
      request += data.toString()
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
    })
  })
  await once(server.listen(socketPath), 'listening')
  const login = { host: 'ghcr.io', username: 'ann', secret: 'ÿÿÿ>>>???' }
  await createDockerEngine({ socketPath, limits: { ...limits, idle: 5_000 } }).pullImage('ghcr.io/a/b:1', () => {}, {
    login
  })
  server.close()
  const header = /^X-Registry-Auth: (\S+)\r$/m.exec(request)![1]!
  expect(header).toMatch(/^[\w-]+={0,2}$/)
  expect(header.length % 4).toBe(0)
  expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({
    username: 'ann',
    password: login.secret,
    serveraddress: 'ghcr.io'
  })
})
