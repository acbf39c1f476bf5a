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

/** Connects, does the work and leaves no connection behind, all within the time. Rejects with what the driver says. */
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

/** For a probe that keeps its connection: asks the server over it whether it works. */
export async function pingOn(login: PostgresqlLogin, socket: Socket): Promise<() => Promise<unknown>> {
  const client = await connectOn(login, socket)
  return () => client.query('SELECT 1')
}

async function connectOn(login: PostgresqlLogin, socket: Socket): Promise<pg.Client> {
  const client = new pg.Client({ ...login, stream: () => socket, application_name: 'panel' })
  client.on('error', () => {}) // Whoever waits on the connection is told.
  await client.connect()
  return client
}

/** "PostgreSQL 15.14". */
export async function readVersion(query: Query): Promise<string> {
  const [row] = await query<{ server_version: string }>('SHOW server_version')
  return `PostgreSQL ${row!.server_version.split(' ')[0]}`
}

const cannotConnectNow = '57P03'

/** What a probe that was answered by an error tells of the server; rethrows what is no answer of it. */
export function evaluateProbeError(error: unknown): 'serving' | 'starting' {
  if (error instanceof pg.DatabaseError && error.code === cannotConnectNow) return 'starting'
  if (isRefusal(error)) return 'serving'
  throw error
}

/** Whether the server itself refuses, rather than being away, starting or shutting down (class 57P). */
export const isRefusal = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && !/^(57P|08)/.test(error.code ?? '08')
