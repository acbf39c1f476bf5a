import type { Socket } from 'node:net'
import type { Connection } from 'mysql2/promise'
import { withBoundedSocket } from './bounded-socket.ts'
import { type MysqlLogin, openMysql, type Query, queryOn } from './mysql-session.ts'

type WithConnection = <T>(limitMs: number, work: (query: Query) => Promise<T>) => Promise<T>

interface Kept {
  socket: Socket
  connection: Connection
  /** Same identity per connection: readers cache what they learned about a connection under it. */
  query: Query
  timer: NodeJS.Timeout
  answeredAt: number
}

const keptMax = 4
const keptIdleMs = 10_000
/** A live connection responds at once; otherwise the engine hangs or was replaced. */
const pingLimitMs = 1_000
const freshMs = 250

/** Only connections whose work succeeded are kept, and each is pinged before reuse: no work runs twice. */
export function keepMysqlConnections(login: MysqlLogin): WithConnection {
  const idle: Kept[] = []

  function keep({ socket, connection, query }: Pick<Kept, 'socket' | 'connection' | 'query'>): void {
    const timer = setTimeout(() => discard(idle.splice(idle.indexOf(kept), 1)[0]!), keptIdleMs).unref()
    const kept = { socket, connection, query, timer, answeredAt: performance.now() }
    socket.unref()
    if (idle.push(kept) > keptMax) discard(idle.shift()!)
  }

  async function takeAlive(): Promise<Kept | undefined> {
    const kept = idle.pop()
    if (!kept) return undefined
    clearTimeout(kept.timer)
    kept.socket.ref()
    if (await isAlive(kept)) return kept
    for (const one of [kept, ...idle.splice(0)]) discard(one)
    return undefined
  }

  return async (limitMs, work) => {
    const deadline = performance.now() + limitMs
    const kept = await takeAlive()
    const leftMs = Math.max(1, Math.round(deadline - performance.now()))
    return withBoundedSocket(
      leftMs,
      async (socket, onLogin, onKept) => {
        const connection = kept?.connection ?? (await openMysql(login, leftMs, socket))
        onLogin()
        const query = kept?.query ?? queryOn(connection)
        const result = await work(query)
        keep({ socket, connection, query })
        onKept()
        return result
      },
      kept?.socket
    )
  }
}

function discard({ socket, timer }: Kept): void {
  clearTimeout(timer)
  socket.on('error', () => {})
  socket.destroy()
}

async function isAlive({ connection, socket, answeredAt }: Kept): Promise<boolean> {
  if (socket.destroyed || socket.readableEnded) return false
  if (performance.now() - answeredAt < freshMs) return true
  const timer = setTimeout(() => socket.destroy(new Error('no answer')), pingLimitMs)
  try {
    await connection.ping()
    return true
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}
