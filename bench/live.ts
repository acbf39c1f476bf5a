import pg from 'pg'
import { io, type Socket } from 'socket.io-client'
import { percentile, report } from './figures.ts'
import { residentBytes } from './resident.ts'
import { serve } from './serve.ts'

const pushes = 10
const secondsOfReading = 5

/**
 * So many clients of the live channel on one process: what each takes of its memory, how long until a push is with all of them, and what
 * they cost those who only read while pushes go out all the time.
 */
export async function benchLive(count: number): Promise<void> {
  const panel = await serve(undefined, {
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
    const { id: userId } = (await registered.json()) as { id: string }
    const cookie = registered.headers.get('set-cookie')!.split(';')[0]!
    const read = async (meanwhile?: () => Promise<unknown>) => {
      const times: number[] = []
      const until = performance.now() + secondsOfReading * 1_000
      for (let started = performance.now(); started < until; started = performance.now()) {
        const answer = await fetch(`${panel.url}/api/auth/me`, { headers: { cookie } })
        await answer.arrayBuffer()
        if (!answer.ok) throw new Error(`me: ${answer.status}`)
        times.push(performance.now() - started)
        await meanwhile?.()
      }
      return percentile(times, 0.99)
    }
    let heard = 0
    const connect = async () => {
      // From as many networks as people come from: one address has its share of the connections alone.
      const from: object = { localAddress: `127.0.0.${2 + (sockets.length % 200)}` }
      const socket = io(panel.url, {
        transports: ['websocket'],
        extraHeaders: { cookie },
        forceNew: true,
        ...from
      })
      sockets.push(socket)
      socket.on('changed', () => heard++)
      await new Promise<void>((resolve, reject) => {
        socket.once('connect', resolve)
        socket.once('connect_error', reject)
      })
    }
    const push = async () => {
      heard = 0
      const started = performance.now()
      const event = { to: { userId }, name: 'changed', data: { type: 'project', id: 'bench', projectId: 'bench' } }
      await store.query("select pg_notify('panel_events', $1)", [JSON.stringify(event)])
      while (heard < sockets.length) {
        if (performance.now() - started > 30_000) throw new Error(`a push reached ${heard} of ${sockets.length}`)
        await new Promise((resolve) => setImmediate(resolve))
      }
      return performance.now() - started
    }

    await connect() // What the first one loads is not of each.
    await read()
    const restP99 = await read()
    const before = await residentBytes(panel.child.pid!)
    for (let n = 1; n < count; n += 50) await Promise.all(Array.from({ length: Math.min(50, count - n) }, connect))
    const after = await residentBytes(panel.child.pid!)
    const times: number[] = []
    for (let n = 0; n < pushes; n++) times.push(await push())
    const busyP99 = await read(push)

    const perSocket = (after - before) / (count - 1) / 1024
    report('connections to the live channel', String(count))
    report('memory of each', `${perSocket.toFixed(1)} kB`, { value: perSocket / 30, aim: '1 of 30 kB' })
    const slowest = Math.max(...times)
    report('a push until all have it, slowest', `${slowest.toFixed(0)} ms`, { value: slowest / 1_000, aim: '1 of 1 s' })
    report('p99 of GET /api/auth/me at rest', `${restP99.toFixed(1)} ms`)
    report('p99 beside the pushes', `${busyP99.toFixed(1)} ms`, { value: busyP99 / restP99, aim: '2' })
  } finally {
    for (const socket of sockets) socket.disconnect()
    await store.end()
    await panel.stop()
  }
}
