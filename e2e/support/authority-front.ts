import { readFile } from 'node:fs/promises'
import { type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer, request } from 'node:https'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Pebble } from './pebble.ts'

/** Steps of an order, as the authority's addresses tell them. */
export const steps = {
  order: /^\/order-plz/,
  proof: /^\/chalZ\//,
  finalize: /^\/finalize-order\//,
  download: /^\/certZ\//
} as const

export interface AuthorityFront {
  /** Of the authority, as the panel has it: the same whichever Pebble is behind. */
  directoryUrl: string
  /** Paths asked for, oldest first. */
  requests: string[]
  /** What the directory says of itself; Pebble says nothing. */
  caaIdentities: string[]
  use(pebble: Pebble): void
  /** From now on requests of the step wait: before the authority sees them, or with its answer under way. */
  hold(step: RegExp, where: 'request' | 'answer'): void
  held(): number
  /** Lets all go on that wait; `late`: the authority also sees what somebody asked who is gone by now. */
  release(how?: 'late'): void
  close(): Promise<void>
}

/** Stands before a Pebble and passes everything on as it is: a place from which an order can be watched and stopped at each step. */
export async function startAuthorityFront(first: Pebble): Promise<AuthorityFront> {
  let pebble = first
  let holding: { step: RegExp; where: 'request' | 'answer' } | undefined
  const waiting: ((how?: 'late') => void)[] = []
  const directory = dirname(first.caFile)
  const [key, cert] = await Promise.all(['server.key', 'server.pem'].map((name) => readFile(join(directory, name))))
  const server = createServer({ key, cert }, (incoming, outgoing) => {
    outgoing.on('error', () => {}) // Who asked is gone.
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
    delete headers['transfer-encoding'] // It comes in one piece by now.
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

/** The header Host stays: Pebble makes its addresses from it, and they are signed. */
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
