import type { Socket } from 'node:net'
import type { Connection, ConnectionOptions, RowDataPacket } from 'mysql2/promise'
import { withBoundedSocket } from './bounded-socket.ts'

export type MysqlLogin = Pick<
  ConnectionOptions,
  'uri' | 'host' | 'port' | 'user' | 'password' | 'database' | 'socketPath'
>

/** `?` stands for a value, escaped as a literal by the driver. */
export type Query = <Row = Record<string, unknown>>(sql: string, values?: readonly unknown[]) => Promise<Row[]>

// The modes that change the grammar of literals are off, and nobody waits for locks longer than for us.
const settings = "SET SESSION sql_mode = 'STRICT_ALL_TABLES', lock_wait_timeout = 10"

/** Connects, does the work and leaves no connection behind, all within the time. Rejects with what the driver says. */
export function withMysql<T>(login: MysqlLogin, limitMs: number, work: (query: Query) => Promise<T>): Promise<T> {
  return withBoundedSocket(limitMs, async (socket, onLogin) => {
    const connection = await openMysql(login, limitMs, socket)
    onLogin()
    const result = await work(queryOn(connection))
    await connection.end()
    return result
  })
}

/** Connects on the socket, with the settings that all of our work relies on. */
export async function openMysql(login: MysqlLogin, limitMs: number, socket: Socket): Promise<Connection> {
  const connection = await connectOn(login, limitMs, socket)
  await queryOn(connection)(settings)
  return connection
}

/** For a probe that keeps its connection: asks the server over it whether it works. */
export async function pingOn(login: MysqlLogin, limitMs: number, socket: Socket): Promise<() => Promise<unknown>> {
  const connection = await connectOn(login, limitMs, socket)
  return () => connection.ping()
}

async function connectOn(login: MysqlLogin, connectTimeout: number, socket: Socket): Promise<Connection> {
  const stream = ({ config }: { config: { host: string; port: number; socketPath?: string } }) =>
    config.socketPath === undefined ? socket.connect(config.port, config.host) : socket.connect(config.socketPath)
  // Loaded when it is first used: not every panel has a MySQL.
  const { createConnection } = await import('mysql2/promise')
  const connection = await createConnection({ ...login, stream, charset: 'utf8mb4', connectTimeout })
  connection.on('error', () => {}) // Whoever waits on the connection is told.
  return connection
}

export const queryOn =
  (connection: Connection): Query =>
  async <Row>(sql: string, values: readonly unknown[] = []) => {
    const [rows] = await connection.query<RowDataPacket[]>(sql, [...values])
    return rows as unknown as Row[]
  }

/** What the server itself says; undefined for what went wrong on the way. */
export function serverError(error: unknown): { errno: number; sqlState: string } | undefined {
  if (!(error instanceof Error) || !('sqlState' in error) || !('errno' in error)) return undefined
  return typeof error.sqlState === 'string' && error.sqlState !== ''
    ? { errno: Number(error.errno), sqlState: error.sqlState }
    : undefined
}
