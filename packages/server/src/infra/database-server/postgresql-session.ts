import type { Socket } from 'node:net'
import pg from 'pg'
import { withBoundedSocket } from './bounded-socket.ts'

export type PostgresqlLogin = Pick<
  pg.ClientConfig,
  'connectionString' | 'options' | 'host' | 'port' | 'user' | 'password' | 'database'
>

export type Query = <Row extends pg.QueryResultRow = pg.QueryResultRow>(
  sql: string,
  values?: readonly unknown[]
) => Promise<Row[]>

/** Connects, runs `work` and closes the connection, all within the time limit. Rejects with the driver's error. */
export function withPostgresql<T>(
  login: PostgresqlLogin,
  limitMs: number,
  work: (query: Query) => Promise<T>
): Promise<T> {
  return withBoundedSocket(limitMs, async (socket, onLogin) => {
    const client = await connectOn(login, socket)
    onLogin()
    const result = await work(async (sql, values) => (await client.query(sql, values && [...values])).rows)
    await client.end()
    return result
  })
}

export async function pingOn(login: PostgresqlLogin, socket: Socket): Promise<() => Promise<unknown>> {
  const client = await connectOn(login, socket)
  return () => client.query('SELECT 1')
}

async function connectOn(login: PostgresqlLogin, socket: Socket): Promise<pg.Client> {
  const client = new pg.Client({ ...login, stream: () => socket, application_name: 'panel' })
  client.on('error', () => {}) // The pending query rejects with it.
  await client.connect()
  return client
}

export async function readVersion(query: Query): Promise<string> {
  const [row] = await query<{ server_version: string }>('SHOW server_version')
  return `PostgreSQL ${row!.server_version.split(' ')[0]}`
}

const cannotConnectNow = '57P03'

/** State of a server that responded to a probe with an error; rethrows connection errors. */
export function evaluateProbeError(error: unknown): 'serving' | 'starting' {
  if (error instanceof pg.DatabaseError && error.code === cannotConnectNow) return 'starting'
  if (isRefusal(error)) return 'serving'
  throw error
}

/** Whether the server itself refused, as opposed to being down, starting or stopping (class 57P). */
export const isRefusal = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && !/^(57P|08)/.test(error.code ?? '08')
