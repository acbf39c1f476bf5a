import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

interface Load {
  /** Failures so far, with their time. */
  failures: readonly string[]
  answered: () => number
  /** Stops and waits for requests in progress. */
  stop(): Promise<void>
}

/** Continuous visitors of a site through the proxy: keep-alive, new connections, uploads, slow responses, each with a pause between two requests. */
export function startLoad(
  proxyPort: number,
  hostname: string,
  isGood: (body: string) => boolean,
  { address = '127.0.0.1', pauseMs = 25 } = {}
): Load {
  const failures: string[] = []
  const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true }), new Agent({ keepAlive: true })]
  let answered = 0
  let stopping = false

  const visitAll = async (what: string, agent: Agent | false, method: string, path: string) => {
    while (!stopping) {
      try {
        const { status, body } = await ask({ address, proxyPort, hostname, agent, method, path })
        const isRight = status === 200 && (method === 'POST' ? body === String(upload.length) : isGood(body))
        if (isRight) answered++
        else failures.push(`${new Date().toISOString()} ${what}: ${status} ${body.slice(0, 100)}`)
      } catch (error) {
        failures.push(`${new Date().toISOString()} ${what}: ${String(error)}`)
      }
      await sleep(pauseMs)
    }
  }
  const visitors = [
    ...agents.map((agent, index) => visitAll(`kept connection ${index}`, agent, 'GET', '/')),
    visitAll('new connection', false, 'GET', '/'),
    visitAll('another new connection', false, 'GET', '/'),
    visitAll('upload', false, 'POST', '/upload'),
    visitAll('slow request', false, 'GET', '/slow'),
    visitAll('slow request on a kept connection', new Agent({ keepAlive: true }), 'GET', '/slow')
  ]
  return {
    failures,
    answered: () => answered,
    async stop() {
      stopping = true
      await Promise.all(visitors)
      for (const agent of agents) agent.destroy()
    }
  }
}

const upload = Buffer.alloc(50_000, 'x')

interface Ask {
  address: string
  proxyPort: number
  hostname: string
  agent: Agent | false
  method: string
  path: string
}

function ask({ address, proxyPort, hostname, agent, method, path }: Ask): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: address, port: proxyPort, path, method, agent, headers: { host: hostname }, timeout: 30_000 },
      (response) => {
        let body = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => (body += chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
        response.on('error', reject)
      }
    )
    sent.on('timeout', () => sent.destroy(new Error('no answer')))
    sent.on('error', reject)
    sent.end(method === 'POST' ? upload : undefined)
  })
}

interface OpenWebSocket {
  /** Sends bytes to an echo site; resolves when they are back. */
  echo(text: string): Promise<void>
  close(): void
}

export async function openWebSocket(proxyPort: number, hostname: string): Promise<OpenWebSocket> {
  const socket = connect(proxyPort, '127.0.0.1')
  socket.setNoDelay(true)
  let received = ''
  let ended: Error | undefined
  socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk))
  socket.on('error', (error) => (ended = error))
  socket.on('close', () => (ended ??= new Error('the connection was closed')))
  socket.write(
    `GET /socket HTTP/1.1\r\nHost: ${hostname}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'
  )
  const take = async (isThere: () => boolean) => {
    for (const deadline = Date.now() + 30_000; !isThere(); await sleep(5)) {
      if (ended || Date.now() > deadline) throw ended ?? new Error(`no answer; received so far: ${received}`)
    }
  }
  await take(() => received.includes('\r\n\r\n'))
  if (!/^HTTP\/1\.1 101 .*s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=/s.test(received)) throw new Error(`no upgrade: ${received}`)
  received = ''
  return {
    async echo(text) {
      write(socket, text)
      await take(() => received.length >= text.length)
      if (received !== text) throw new Error(`sent ${text}, received ${received}`)
      received = ''
    },
    close: () => socket.destroy()
  }
}

const write = (socket: Socket, text: string) => void socket.write(text)
