import { createHmac } from 'node:crypto'
import { Agent, request as httpRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { bytesOf, upload, zeros } from '../e2e/support/transfer.ts'

/** Whose panel, account and things an attack is about. */
export interface Target {
  url: string
  cookie: string
  email: string
  projectId: string
  domainId: string
  webhookSecret: string
}

interface Call {
  method: string
  path: string
  body?: string | Buffer
  headers?: Record<string, string>
}

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
const statuses = new Map<number, number>()

function send({ url, cookie }: Target, { method, path, body, headers = {} }: Call): Promise<number> {
  return new Promise((resolve) => {
    const type =
      body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const call = httpRequest(
      `${url}/api${path}`,
      { method, agent, headers: { cookie, ...type, ...headers } },
      (response) => {
        response.resume()
        response.on('end', () => resolve(note(response.statusCode!)))
        response.on('error', () => resolve(note(0)))
      }
    )
    call.on('error', () => resolve(note(0)))
    call.end(body)
  })
}

function note(status: number): number {
  statuses.set(status, (statuses.get(status) ?? 0) + 1)
  return status
}

/** So many at once, each again as soon as it is answered. */
async function flood(width: number, action: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (;;) await action(next++)
    })
  )
}

const json = (method: string, path: string, body: object): Call => ({ method, path, body: JSON.stringify(body) })

function delivery({ projectId, webhookSecret }: Target, body: Buffer): Call {
  const signature = `sha256=${createHmac('sha256', webhookSecret).update(body).digest('hex')}`
  return {
    method: 'POST',
    path: `/webhooks/gitprovider?projectId=${projectId}`,
    body,
    headers: { 'x-gitprovider-event': 'push', 'x-hub-signature-256': signature }
  }
}

const attacks = {
  'hostile build': async (target: Target) => {
    const path = `/projects/${target.projectId}/build`
    // As many as wait for a project; the queue is filled up again all the time.
    for (;;) {
      await send(target, { method: 'POST', path })
      await sleep(500)
    }
  },
  '200 requests at once': (target: Target) =>
    flood(200, () => send(target, { method: 'GET', path: '/projects?limit=100' })),
  '200 writes at once': (target: Target) =>
    flood(200, (n) => send(target, json('POST', `/projects/${target.projectId}/env`, { key: 'FLOOD', value: `${n}` }))),
  'password hashes': (target: Target) =>
    flood(100, () => send(target, json('POST', '/auth/login', { email: target.email, password: 'of nobody at all' }))),
  'long lists': (target: Target) =>
    flood(40, (n) =>
      send(target, {
        method: 'GET',
        path: n % 2 === 0 ? `/files/${target.projectId}/list?path=many&limit=10000` : `/domains/${target.domainId}/dns`
      })
    ),
  'edits of a large zone': (target: Target) =>
    flood(10, (n) =>
      send(target, json('POST', `/domains/${target.domainId}/dns`, { type: 'A', name: `x${n}`, value: '192.0.2.1' }))
    ),
  'imports of a large zone': (target: Target) => {
    const zone = (address: string) =>
      Array.from({ length: 9_800 }, (_, n) => `host${n} 3600 IN A ${address}`).join('\n')
    const bodies = ['192.0.2.2', '192.0.2.3'].map((address) => ({ zoneContent: zone(address), strategy: 'replace' }))
    return flood(2, (n) => send(target, json('POST', `/domains/${target.domainId}/dns/import`, bodies[n % 2]!)))
  },
  'large deliveries': (target: Target) => {
    const head = `{"ref":"refs/heads/other","after":"${'a'.repeat(40)}","more":[`
    const call = delivery(target, Buffer.from(`${head}${'{"a":1},'.repeat(3_000_000)}0]}`))
    return flood(4, () => send(target, call))
  },
  'many deliveries': (target: Target) => {
    const call = delivery(target, Buffer.from(JSON.stringify({ ref: 'refs/heads/other', after: 'a'.repeat(40) })))
    return flood(100, () => send(target, call))
  },
  'large bodies': (target: Target) => {
    const content = 'x'.repeat(2_000_000)
    return flood(20, (n) =>
      send(target, json('POST', `/files/${target.projectId}/write`, { path: `written-${n % 20}`, content }))
    )
  },
  uploads: (target: Target) =>
    flood(20, async (n) => {
      const size = 20 * 1024 * 1024
      const file = { name: `uploaded-${n % 20}`, size, content: bytesOf(size, zeros) }
      const sent = await upload(target, target, target.projectId, file).catch(() => ({ status: 0 }))
      note(sent.status)
    })
} satisfies Record<string, (target: Target) => Promise<void>>

export type AttackKind = keyof typeof attacks
export const attackKinds = Object.keys(attacks) as AttackKind[]

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , kind, target] = process.argv
  process.once('SIGTERM', () => {
    console.log([...statuses].map(([status, count]) => `${count} × ${status === 0 ? 'cut off' : status}`).join(', '))
    process.exit(0)
  })
  await attacks[kind as AttackKind](JSON.parse(target!) as Target)
}
