import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { io, type Socket } from 'socket.io-client'
import { hashToken } from '../packages/server/src/features/api-tokens/token-format.policy.ts'
import { startContainers } from './containers.ts'
import { report } from './figures.ts'
import { residentBytes } from './resident.ts'
import { serve } from './serve.ts'
import { step } from './step.ts'

const pushes = 10
const secondsBetweenPushes = 0.25
const rounds = 5
const secondsOfReading = 15
const containers = 100

/**
 * So many clients of the live channel on one process, all of which follow the figures of 100 real cgroups: half of them an administrator's, who sees
 * all, half of as many other accounts. What each takes of memory, how long until a push is with all of them, how long a round of figures takes from
 * the first to the last who hears it, and what both cost those who only read.
 */
export async function benchLive(count: number): Promise<void> {
  const machine = await startContainers(containers)
  const directory = await mkdtemp(join(tmpdir(), 'panel-bench-'))
  const memoryFile = join(directory, 'memory')
  const hook = new URL('memory-hook.mjs', import.meta.url)
  const panel = await serve(undefined, {
    NODE_OPTIONS: `--expose-gc --import=${hook.href}`,
    MEMORY_FILE: memoryFile,
    LIVE_CONNECTIONS_PER_ACCOUNT: String(count),
    LIVE_HANDSHAKES_PER_MINUTE: '1000000'
  })
  const store = new pg.Client({ connectionString: panel.databaseUrl })
  await store.connect()
  const sockets: Socket[] = []
  try {
    const person = { email: 'bench@example.com', password: 'correct horse battery' }
    const registered = await fetch(`${panel.url}/api/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...person, name: 'bench', confirmPassword: person.password })
    })
    const { id: adminId } = (await registered.json()) as { id: string }
    const cookie = registered.headers.get('set-cookie')!.split(';')[0]!
    const tokens = await makeAccounts(store, Math.ceil(count / 2), machine.ids)
    const read = async (): Promise<{ p99: number; most: number }> => {
      const file = fileURLToPath(new URL('reader.ts', import.meta.url))
      const env = { ...process.env, URL: `${panel.url}/api/auth/me`, COOKIE: cookie, SECONDS: String(secondsOfReading) }
      const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', file], { env })
      return JSON.parse(stdout) as { p99: number; most: number }
    }
    let heard = 0
    /** When each socket heard of the round that goes. */
    let round: number[] = []
    const connect = async () => {
      const n = sockets.length
      // From as many networks as people come from: one address has its share of the connections alone.
      const from: object = { localAddress: `127.0.0.${2 + (n % 200)}` }
      const extraHeaders: Record<string, string> =
        n % 2 === 0 ? { cookie } : { authorization: `Bearer ${tokens[((n - 1) / 2) % tokens.length]}` }
      const socket = io(panel.url, { transports: ['websocket'], extraHeaders, forceNew: true, ...from })
      sockets.push(socket)
      socket.on('changed', () => heard++)
      socket.on('metrics:containers', () => round.push(performance.now()))
      await new Promise<void>((resolve, reject) => {
        socket.once('connect', resolve)
        socket.once('connect_error', reject)
      })
      const answer = (await socket.emitWithAck('subscribe:metrics')) as { ok: boolean }
      if (!answer.ok) throw new Error(`not subscribed: ${JSON.stringify(answer)}`)
    }
    const push = async () => {
      heard = 0
      const started = performance.now()
      const notified = { name: 'changed', data: { type: 'project', id: 'bench', projectId: 'bench' } }
      const audience = [adminId, ...tokens.keys()].map((each) => (typeof each === 'number' ? `bench-${each}` : each))
      await store.query(`select pg_notify('panel_events', payload) from unnest($1::text[]) payload`, [
        audience.map((userId) => JSON.stringify({ to: { userId }, ...notified }))
      ])
      while (heard < sockets.length) {
        if (performance.now() - started > 30_000) throw new Error(`a push reached ${heard} of ${sockets.length}`)
        await new Promise((resolve) => setImmediate(resolve))
      }
      return performance.now() - started
    }
    const roundOfFigures = async () => {
      round = []
      while (round.length < sockets.length) await sleep(20)
      return round.at(-1)! - round[0]!
    }

    const memory = async () => {
      await rm(memoryFile, { force: true })
      panel.child.kill('SIGUSR2')
      let held: string | undefined
      while (!(held = await readFile(memoryFile, 'utf8').catch(() => undefined))) await sleep(50)
      return { held: Number(held), resident: await residentBytes(panel.child.pid!) }
    }

    await connect() // What the first one loads is not of each.
    await step('warm-up', read)
    const rest = await step('reading at rest', read)
    const before = await memory()
    await step(`connecting ${count} clients`, async () => {
      for (let n = 1; n < count; n += 50) await Promise.all(Array.from({ length: Math.min(50, count - n) }, connect))
      await roundOfFigures() // One that they came into.
    })
    const figures: number[] = []
    for (let n = 0; n < rounds; n++) figures.push(await step(`round of figures ${n + 1} of ${rounds}`, roundOfFigures))
    const after = await memory()
    const beside = await step('reading beside rounds of figures', read)
    const times: number[] = []
    await step(`${pushes} pushes`, async () => {
      for (let n = 0; n < pushes; n++) times.push(await push())
    })
    const busy = await step('reading beside pushes', async () => {
      let isPushing = true
      const reading = read().finally(() => (isPushing = false))
      while (isPushing) {
        await push()
        await sleep(secondsBetweenPushes * 1_000)
      }
      return reading
    })

    const each = (bytes: number) => bytes / (count - 1) / 1024
    const held = each(after.held - before.held)
    report('clients that follow the figures', String(count))
    report('memory that each holds', `${held.toFixed(1)} kB`, { value: held / 30, aim: '<= 1x of 30 kB' })
    report('resident memory that came, of each', `${each(after.resident - before.resident).toFixed(1)} kB`)
    const longest = Math.max(...figures)
    report('a round, first to last, slowest', `${longest.toFixed(0)} ms`, {
      value: longest / 1_000,
      aim: '<= 1x of 1 s'
    })
    const slowest = Math.max(...times)
    report('a push until all have it, slowest', `${slowest.toFixed(0)} ms`, {
      value: slowest / 1_000,
      aim: '<= 1x of 1 s'
    })
    report('p99 of GET /api/auth/me at rest', `${rest.p99.toFixed(1)} ms`)
    report('p99 beside rounds of figures', `${beside.p99.toFixed(1)} ms`, {
      value: beside.p99 / rest.p99,
      aim: '<= 2x'
    })
    report('the longest beside them', `${beside.most.toFixed(0)} ms`)
    report(`p99 beside a push each ${secondsBetweenPushes} s`, `${busy.p99.toFixed(1)} ms`, {
      value: busy.p99 / rest.p99,
      aim: '<= 2x'
    })
  } finally {
    for (const socket of sockets) socket.disconnect()
    await store.end()
    await panel.stop()
    await machine.stop()
    await rm(directory, { recursive: true })
  }
}

/** Accounts with a token each, by number, among which the containers are. */
async function makeAccounts(store: pg.Client, count: number, containerIds: readonly string[]): Promise<string[]> {
  const tokens = Array.from({ length: count }, () => `panel_${randomBytes(32).toString('base64url')}`)
  await store.query(
    `insert into users (id, name, email, password_hash, role)
       select 'bench-' || n, 'bench ' || n, 'bench' || n || '@example.com', 'none', 'USER' from generate_series(0, $1::int - 1) n`,
    [count]
  )
  await store.query(
    `insert into api_tokens (id, user_id, name, token_hash, scope, expires_at)
       select 'token-' || n, 'bench-' || n - 1, 'bench', hash, 'read', now() + interval '1 day'
         from unnest($1::text[]) with ordinality as given(hash, n)`,
    [tokens.map(hashToken)]
  )
  await store.query(
    `insert into projects (id, user_id, node_id, files_node_id, name, type, container_id)
       select 'project-' || n, 'bench-' || (n - 1) % $2::int, nodes.id, nodes.id, 'project-' || n, 'NODEJS', given.id
         from nodes, unnest($1::text[]) with ordinality as given(id, n)`,
    [containerIds, count]
  )
  return tokens
}
