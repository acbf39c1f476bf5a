import { createHash, X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import http from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import tls from 'node:tls'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { createHaproxy } from '../../packages/server/src/infra/reverse-proxy/haproxy.ts'
import { haproxyPaths } from '../../packages/server/src/infra/reverse-proxy/haproxy-paths.ts'
import { fingerprintOf } from '../../packages/server/test/fixtures/certificate.fixture.ts'
import { readInfo } from '../../packages/server/src/infra/reverse-proxy/haproxy-socket.ts'
import {
  haproxyProgram,
  type HaproxyProgramOptions,
  panelUpstream
} from '../../packages/server/src/programs/haproxy.ts'
import { startProgram, stopProgram } from '../../packages/server/src/programs/lifecycle.ts'
import { type WatchOptions, watchProgram } from '../../packages/server/src/programs/watch.ts'
import { createSemaphore } from '../../packages/server/src/concurrency/semaphore.ts'
import { freePort } from '../../packages/server/test/support/ports.ts'

export const loginKey = 'cd'.repeat(32)
export const gateway = '127.0.0.1'
export const network = { subnet: '127.0.0.0/8', gateway, pools: [], networkPrefix: 27 }

// RFC 6455 §1.3.
const webSocketGuid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

/** A server that reports what reached it and echoes after an upgrade. */
interface Upstream {
  kind: 'container'
  address: string
  port: number
  name: string
  received(): number
  close(): Promise<void>
}

export interface Seen {
  name: string
  url: string
  headers: http.IncomingHttpHeaders
  bodyBytes: number
}

/** Listens on a free port of the address; named `address:port` by default. */
async function startUpstream(address: string, label?: string): Promise<Upstream> {
  let received = 0
  const server = http.createServer((request, response) => {
    let bodyBytes = 0
    request.on('data', (chunk: Buffer) => {
      bodyBytes += chunk.length
      received += chunk.length
    })
    request.on('end', () => {
      const seen: Seen = { name, url: request.url ?? '', headers: request.headers, bodyBytes }
      response.setHeader('content-type', 'application/json').end(JSON.stringify(seen))
    })
  })
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => {})
    // HAProxy verifies it and responds with 502 otherwise.
    const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${webSocketGuid}`).digest('base64')
    const head101 = ['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: websocket']
    socket.write(`${[...head101, `Sec-WebSocket-Accept: ${accept}`].join('\r\n')}\r\n\r\n`)
    socket.write(`${request.url}:`)
    socket.write(head)
    socket.pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  const { port } = server.address() as AddressInfo
  const name = label ?? `${address}:${port}`
  return {
    kind: 'container',
    address,
    port,
    name,
    received: () => received,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

interface Answer {
  status: number
  headers: http.IncomingHttpHeaders
  body: string
}

interface RequestOptions {
  host?: string
  headers?: http.OutgoingHttpHeaders
  method?: string
  body?: Readable
  agent?: http.Agent
}

/** One HTTP request to a port of 127.0.0.1 with the exact Host header given. */
export function request(port: number, path: string, options: RequestOptions = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = http.request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: options.method ?? 'GET',
        setHost: false,
        agent: options.agent ?? false,
        headers: { ...(options.host === undefined ? {} : { host: options.host }), ...options.headers }
      },
      (incoming) => {
        text(incoming).then(
          (body) => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body }),
          reject
        )
      }
    )
    outgoing.on('error', reject)
    if (options.body) options.body.pipe(outgoing)
    else outgoing.end()
  })
}

/** Who responded, as defined in the contract tests. */
export async function answerName(port: number, host: string, path: string): Promise<string> {
  const { status, body } = await request(port, path, { host })
  if (status === 200) return (JSON.parse(body) as Seen).name
  if (status === 404) return 'nobody'
  if (status === 503 && body.includes('is stopped')) return 'stopped'
  if (status === 503 && body.includes('is starting')) return 'starting'
  return `status ${status}`
}

export const startHaproxy = async (options: HaproxyProgramOptions) => startProgram(await haproxyProgram(options))
export const stopHaproxy = async (options: HaproxyProgramOptions) => stopProgram(await haproxyProgram(options))
export const watchHaproxy = (options: HaproxyProgramOptions, more: WatchOptions) =>
  watchProgram(() => haproxyProgram(options), { probeEveryMs: 50, maxUnanswered: 1, ...more })

export type TestProxy = Awaited<ReturnType<typeof startTestProxy>>

/** A HAProxy with a panel and two containers behind it, all on loopback addresses. */
export async function startTestProxy(changes: Partial<HaproxyProgramOptions> = {}) {
  const root = await mkdtemp(join(tmpdir(), 'proxy-'))
  // Long path, because socket paths have a length limit.
  const directory = join(root, 'a-directory-with-a-long-name'.repeat(5), 'proxy')
  const runtimeDirectory = join(root, 'run')
  const certificateDirectory = join(root, 'memory')
  const [panel, first, second] = await Promise.all([
    startUpstream('127.0.0.1', 'panel'),
    startUpstream('127.0.0.2'),
    startUpstream('127.0.0.3')
  ])
  const httpPort = await freePort()
  const httpsPort = await freePort()
  const options: HaproxyProgramOptions = {
    directory,
    runtimeDirectory,
    certificateDirectory,
    httpBinds: [`127.0.0.1:${httpPort}`],
    httpsBinds: [`127.0.0.1:${httpsPort}`],
    network,
    unlimitedSources: ['127.0.0.1'],
    panel: panelUpstream({ SESSION_SECRET: 'of the tests' }, panel.port, { proxy: 1_024, live: 1_024 }),
    loginKey,
    run,
    ...changes
  }
  const paths = haproxyPaths(directory, runtimeDirectory, certificateDirectory)
  const process_ = await startHaproxy(options)
  const oneByOne = createSemaphore(1)
  const newClient = (alone: (work: () => Promise<void>) => Promise<void> = oneByOne) =>
    createHaproxy({
      directory,
      runtimeDirectory,
      certificateDirectory,
      network,
      commandTimeoutMs: 2_000,
      alone: (_what, work) => alone(work)
    })
  return {
    options,
    paths,
    process: process_,
    proxy: newClient(),
    newClient,
    panel,
    first,
    second,
    httpPort,
    httpsPort,
    answer: (host: string, path: string) => answerName(httpPort, host, path),
    async servedFingerprint(hostname: string) {
      const fingerprint = await handshake(httpsPort, hostname)
      const isDefault = fingerprint === fingerprintOf(new X509Certificate(await readFile(paths.defaultCertificate)))
      return isDefault ? 'default' : fingerprint
    },
    workerPid: async () => (await readInfo(paths.adminSocket)).pid,
    async close() {
      await stopHaproxy(options)
      await Promise.all([panel.close(), first.close(), second.close()])
      await rm(root, { recursive: true, maxRetries: 10 })
    }
  }
}

/** Fingerprint of the certificate served on a new TLS connection. */
export function handshake(port: number, servername: string, options: tls.ConnectionOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = tls.connect({ host: '127.0.0.1', port, servername, rejectUnauthorized: false, ...options }, () => {
      const certificate = socket.getPeerX509Certificate()
      socket.destroy()
      if (certificate) resolve(fingerprintOf(certificate))
      else reject(new Error('The server sent no certificate'))
    })
    socket.on('error', reject)
  })
}

export async function eventually(isSo: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** Sends raw bytes; resolves with everything received until `end` or the end of the connection. */
export function raw(port: number, text: string, end: string): Promise<{ text: string; socket: Socket }> {
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    const finish = () => resolve({ text: received, socket })
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      if (received.includes(end)) finish()
    })
    socket.on('end', finish)
    socket.on('error', reject)
  })
}

export const upgradeRequest = (host: string) =>
  `GET /chat HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\nhello`
