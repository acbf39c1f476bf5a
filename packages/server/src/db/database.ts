import { drizzle, type NodePgDatabase, NodePgSession, NodePgTransaction } from 'drizzle-orm/node-postgres'
import { PgDialect, type PgTransactionConfig } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { leastConnections, requestConnections } from './connection-budget.ts'
import { connectionLifetimeSeconds, connectLimitMs } from './connect-limit.ts'

export type Database = NodePgDatabase & { $client: pg.Pool }

export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]

export type Queryable = NodePgDatabase | Transaction

export function openDatabase(
  connectionString: string,
  onError: (error: Error) => void,
  connections = requestConnections(leastConnections)
): Database {
  const pool = new pg.Pool({
    connectionString,
    max: connections,
    // Concurrent queries on one connection (Promise.all in a transaction) are sent without waiting for each other.
    pipeline: true,
    connectionTimeoutMillis: connectLimitMs,
    maxLifetimeSeconds: connectionLifetimeSeconds,
    statement_timeout: 30_000,
    query_timeout: 35_000,
    idle_in_transaction_session_timeout: 60_000,
    application_name: 'panel'
  })
  // The pool replaces broken connections. Without an error listener a broken one would crash the process.
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  const db = drizzle(pool)
  db.transaction = async (work, options) => {
    const client = await pool.connect()
    let isOver = false
    try {
      // Awaited: if pipelined queries ran after a refused `begin`, they would run without a transaction.
      await client.query(beginOf(options))
      try {
        const result = await work(transactionOn(client))
        const { command } = await client.query('commit')
        isOver = true
        // PostgreSQL rolls back on commit if a statement failed and the error was swallowed.
        if (command !== 'COMMIT') throw new Error('transaction rolled back: a statement had failed')
        return result
      } catch (error) {
        if (!isOver)
          isOver = await client.query('rollback').then(
            () => true,
            () => false
          )
        throw error
      }
    } finally {
      // Close the connection unless the transaction surely ended, so that neither an open transaction nor a dead
      // connection returns to the pool.
      client.release(!isOver)
    }
  }
  return db
}

const beginOf = ({ isolationLevel, accessMode, deferrable }: PgTransactionConfig = {}): string =>
  ['begin', isolationLevel && `isolation level ${isolationLevel}`, accessMode, deferrable && 'deferrable']
    .filter(Boolean)
    .join(' ')

const dialect = new PgDialect()

const transactionOn = (client: pg.PoolClient): Transaction =>
  new NodePgTransaction(dialect, new NodePgSession(client, dialect, undefined), undefined)

/** Runs independent reads on one connection: pipelined, they cost one round trip. */
export async function withConnection<T>({ $client }: Database, work: (db: Queryable) => Promise<T>): Promise<T> {
  const client = await $client.connect()
  try {
    return await work(drizzle(client))
  } finally {
    client.release()
  }
}
