import type { Socket } from 'node:net'
import type { Connection } from 'mysql2/promise'
import { withBoundedSocket } from './bounded-socket.ts'
import { type MysqlLogin, openMysql, type Query, queryOn } from './mysql-session.ts'

/** Does the work over a connection of the account, all within the time. Rejects with what the driver says. */
type WithConnection = <T>(limitMs: number, work: (query: Query) => Promise<T>) => Promise<T>

interface Kept {
  socket: Socket
  connection: Connection
  /** Always the same one, by which readers know what a connection has told them before. */
  query: Query
  timer: NodeJS.Timeout
  /** When its engine was last known to answer (performance.now). */
  answeredAt: number
}

const keptMax = 4
const keptIdleMs = 10_000
/** One that was kept answers at once, or its engine hangs or is another one by now. */
const pingLimitMs = 1_000
/** One that has just answered is not asked whether it does: the steps of one operation follow each other in less. */
const freshMs = 250

/**
 * Keeps a few connections for those who come next, since to make one takes as long as all that is asked over it. Only one whose work ended
 * well is kept, and no work is begun on one that does not answer, or did not a moment ago: no work is ever done twice.
 */
export function keepMysqlConnections(login: MysqlLogin): WithConnection {
  const idle: Kept[] = []

  function keep({ socket, connection, query }: Pick<Kept, 'socket' | 'connection' | 'query'>): void {
    const timer = setTimeout(() => discard(idle.splice(idle.indexOf(kept), 1)[0]!), keptIdleMs).unref()
    const kept = { socket, connection, query, timer, answeredAt: performance.now() }
    socket.unref()
    if (idle.push(kept) > keptMax) discard(idle.shift()!)
  }

  async function takeAnswering(): Promise<Kept | undefined> {
    const kept = idle.pop()
    if (!kept) return undefined
    clearTimeout(kept.timer)
    kept.socket.ref()
    if (await isAnswering(kept)) return kept
    // The others are of the same engine.
    for (const one of [kept, ...idle.splice(0)]) discard(one)
    return undefined
  }

  return async (limitMs, work) => {
    const deadline = performance.now() + limitMs
    const kept = await takeAnswering()
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
  socket.on('error', () => {}) // Nobody waits for it any more.
  socket.destroy()
}

async function isAnswering({ connection, socket, answeredAt }: Kept): Promise<boolean> {
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
