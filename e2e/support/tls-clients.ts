import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import http2 from 'node:http2'
import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import tls from 'node:tls'

export interface Handshake {
  certificate: X509Certificate
  serial: string
  protocol: string | null
  /** Whether the chain ends at the given root and the name matches. */
  isTrusted: boolean
}

export function handshake(port: number, hostname: string, options: tls.ConnectionOptions = {}): Promise<Handshake> {
  return new Promise((resolve, reject) => {
    const socket = tls.connect(
      { host: '127.0.0.1', port, servername: hostname, rejectUnauthorized: false, ...options },
      () => {
        const certificate = socket.getPeerX509Certificate()
        const isTrusted = socket.authorized
        const protocol = socket.getProtocol()
        socket.destroy()
        if (certificate) resolve({ certificate, serial: certificate.serialNumber, protocol, isTrusted })
        else reject(new Error('The server sent no certificate'))
      }
    )
    socket.on('error', reject)
  })
}

/** Output of `openssl s_client`, and whether it connected. */
export function sClient(port: number, hostname: string, ...args: string[]): Promise<{ ok: boolean; output: string }> {
  const fixed = ['s_client', '-connect', `127.0.0.1:${port}`, '-servername', hostname]
  return new Promise((resolve) => {
    const child = execFile('openssl', [...fixed, ...args], { timeout: 30_000 }, (error, stdout, stderr) =>
      resolve({ ok: error === null, output: stdout + stderr })
    )
    child.stdin?.end()
  })
}

interface Page {
  status: number
  body: string
  location: string | undefined
  headers: IncomingHttpHeaders
}

export async function visitSecurely(
  port: number,
  hostname: string,
  path = '/',
  { body, headers = {} }: { body?: object; headers?: Record<string, string> } = {}
): Promise<Page> {
  const json = body === undefined ? {} : { 'content-type': 'application/json' }
  const sent = request({
    host: '127.0.0.1',
    port,
    path,
    method: body === undefined ? 'GET' : 'POST',
    servername: hostname,
    headers: { host: hostname, ...json, ...headers },
    rejectUnauthorized: false,
    agent: false,
    timeout: 30_000
  })
  sent.on('timeout', () => sent.destroy(new Error('no answer')))
  sent.end(body === undefined ? undefined : JSON.stringify(body))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const { location } = response.headers
  return { status: response.statusCode ?? 0, body: await text(response), location, headers: response.headers }
}

interface OpenSession {
  protocol: string | undefined
  serial: string
  get(path: string): Promise<{ status: number; body: string }>
  close(): void
}

export async function openHttp2(port: number, hostname: string): Promise<OpenSession> {
  const session = http2.connect(`https://127.0.0.1:${port}`, { servername: hostname, rejectUnauthorized: false })
  let failure: Error | undefined
  session.on('error', (error: Error) => (failure = error))
  await once(session, 'connect')
  const socket = session.socket as unknown as tls.TLSSocket
  return {
    protocol: session.alpnProtocol,
    serial: new X509Certificate(socket.getPeerCertificate().raw).serialNumber,
    async get(path) {
      if (failure || session.closed || session.destroyed) throw failure ?? new Error('the connection was closed')
      const stream = session.request({ ':path': path, ':authority': hostname })
      const [headers] = (await once(stream, 'response')) as [http2.IncomingHttpHeaders]
      return { status: Number(headers[':status']), body: await text(stream) }
    },
    close: () => session.destroy()
  }
}

interface Handshakes {
  failures: readonly string[]
  /** Served serial numbers in the order of first appearance. */
  serials: readonly string[]
  count(): number
  stop(): Promise<void>
}

const pauseMs = 10

export function keepShakingHands(port: number, hostname: string): Handshakes {
  const failures: string[] = []
  const serials: string[] = []
  let count = 0
  let isStopping = false
  const shake = async () => {
    while (!isStopping) {
      try {
        const { serial } = await handshake(port, hostname)
        count++
        if (!serials.includes(serial)) serials.push(serial)
      } catch (error) {
        failures.push(String(error))
      }
      await sleep(pauseMs)
    }
  }
  const all = Promise.all([shake(), shake()])
  return {
    failures,
    serials,
    count: () => count,
    async stop() {
      isStopping = true
      await all
    }
  }
}
