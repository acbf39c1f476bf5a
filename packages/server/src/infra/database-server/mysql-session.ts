import type { Socket } from 'node:net'
import type { Connection, ConnectionOptions, RowDataPacket } from 'mysql2/promise'
import { withBoundedSocket } from './bounded-socket.ts'

export type MysqlLogin = Pick<
  ConnectionOptions,
  'uri' | 'host' | 'port' | 'user' | 'password' | 'database' | 'socketPath'
>

export type Query = <Row = Record<string, unknown>>(sql: string, values?: readonly unknown[]) => Promise<Row[]>

// Modes that change the grammar of literals are off; a lock wait must not outlast our timeout.
const settings = "SET SESSION sql_mode = 'STRICT_ALL_TABLES', lock_wait_timeout = 10"

/** Connects, runs `work` and closes the connection, all within the time limit. Rejects with the driver's error. */
export function withMysql<T>(login: MysqlLogin, limitMs: number, work: (query: Query) => Promise<T>): Promise<T> {
  return withBoundedSocket(limitMs, async (socket, onLogin) => {
    const connection = await openMysql(login, limitMs, socket)
    onLogin()
    const result = await work(queryOn(connection))
    await connection.end()
    return result
  })
}

export async function openMysql(login: MysqlLogin, limitMs: number, socket: Socket): Promise<Connection> {
  const connection = await connectOn(login, limitMs, socket)
  await queryOn(connection)(settings)
  return connection
}

export async function pingOn(login: MysqlLogin, limitMs: number, socket: Socket): Promise<() => Promise<unknown>> {
  const connection = await connectOn(login, limitMs, socket)
  return () => connection.ping()
}

async function connectOn(login: MysqlLogin, connectTimeout: number, socket: Socket): Promise<Connection> {
  const stream = ({ config }: { config: { host: string; port: number; socketPath?: string } }) =>
    config.socketPath === undefined ? socket.connect(config.port, config.host) : socket.connect(config.socketPath)
  const { createConnection } = await import('mysql2/promise')
  const connection = await createConnection({ ...login, stream, charset: 'utf8mb4', connectTimeout })
  connection.on('error', () => {}) // The pending query rejects with it.
  return connection
}

export const queryOn =
  (connection: Connection): Query =>
  async <Row>(sql: string, values: readonly unknown[] = []) => {
    const [rows] = await connection.query<RowDataPacket[]>(sql, [...values])
    return rows as unknown as Row[]
  }

export function serverError(error: unknown): { errno: number; sqlState: string } | undefined {
  if (!(error instanceof Error) || !('sqlState' in error) || !('errno' in error)) return undefined
  return typeof error.sqlState === 'string' && error.sqlState !== ''
    ? { errno: Number(error.errno), sqlState: error.sqlState }
    : undefined
}
