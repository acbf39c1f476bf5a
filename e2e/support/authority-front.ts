import { readFile } from 'node:fs/promises'
import { type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer, request } from 'node:https'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Pebble } from './pebble.ts'

/** Steps of an ACME order, matched by URL. */
export const steps = {
  order: /^\/order-plz/,
  proof: /^\/chalZ\//,
  finalize: /^\/finalize-order\//,
  download: /^\/certZ\//
} as const

export interface AuthorityFront {
  /** Directory URL for the panel; constant while the Pebble behind it changes. */
  directoryUrl: string
  /** Requested paths, oldest first. */
  requests: string[]
  caaIdentities: string[]
  use(pebble: Pebble): void
  /** Holds requests of this step, before or after the authority handles them. */
  hold(step: RegExp, where: 'request' | 'answer'): void
  held(): number
  /** Releases held requests; `late` also forwards those of clients that are gone. */
  release(how?: 'late'): void
  close(): Promise<void>
}

/** A proxy in front of Pebble that can watch an order and stop it at each step. */
export async function startAuthorityFront(first: Pebble): Promise<AuthorityFront> {
  let pebble = first
  let holding: { step: RegExp; where: 'request' | 'answer' } | undefined
  const waiting: ((how?: 'late') => void)[] = []
  const directory = dirname(first.caFile)
  const [key, cert] = await Promise.all(['server.key', 'server.pem'].map((name) => readFile(join(directory, name))))
  const server = createServer({ key, cert }, (incoming, outgoing) => {
    outgoing.on('error', () => {})
    pass(incoming, outgoing).catch(() => outgoing.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const held = async (path: string, where: 'request' | 'answer') => {
    if (holding?.where !== where || !holding.step.test(path)) return undefined
    return new Promise<'late' | undefined>((resolve) => waiting.push(resolve))
  }
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const path = incoming.url ?? '/'
    front.requests.push(path)
    const body = await buffer(incoming)
    if ((await held(path, 'request')) !== 'late' && incoming.socket.destroyed) return
    const { status, headers, answer } = await ask(pebble, incoming, body)
    await held(path, 'answer')
    const isDirectory = path === '/dir' && front.caaIdentities.length > 0
    const bytes = isDirectory ? withIdentities(answer, front.caaIdentities) : answer
    delete headers['transfer-encoding']
    outgoing.writeHead(status, { ...headers, 'content-length': bytes.length }).end(bytes)
  }
  const front: AuthorityFront = {
    directoryUrl: `https://127.0.0.1:${(server.address() as AddressInfo).port}/dir`,
    requests: [],
    caaIdentities: [],
    use: (other) => void (pebble = other),
    hold: (step, where) => void (holding = { step, where }),
    held: () => waiting.length,
    release(how) {
      holding = undefined
      for (const resolve of waiting.splice(0)) resolve(how)
    },
    async close() {
      front.release()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
  }
  return front
}

/** Keeps the Host header: Pebble builds its URLs from it, and they are signed. */
async function ask(pebble: Pebble, incoming: IncomingMessage, body: Buffer) {
  const { port } = new URL(pebble.directoryUrl)
  const { method, url, headers } = incoming
  const sent = request({ host: '127.0.0.1', port, method, path: url, headers, ca: pebble.caPem, agent: false })
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 502, headers: response.headers, answer: await buffer(response) }
}

function withIdentities(answer: Buffer, caaIdentities: string[]): Buffer {
  const directory = JSON.parse(answer.toString()) as { meta?: object }
  return Buffer.from(JSON.stringify({ ...directory, meta: { ...directory.meta, caaIdentities } }))
}
