import { drizzle, type NodePgDatabase, NodePgSession, NodePgTransaction } from 'drizzle-orm/node-postgres'
import { PgDialect, type PgTransactionConfig } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { leastConnections, requestConnections } from './connection-budget.ts'

/** The store: Drizzle on a pool of `pg`. */
export type Database = NodePgDatabase & { $client: pg.Pool }

/** A running transaction. A parameter of this type says: the caller has opened one. */
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]

/** What reads need: the store itself, one connection to it or a transaction. */
export type Queryable = NodePgDatabase | Transaction

export function openDatabase(
  connectionString: string,
  onError: (error: Error) => void,
  connections = requestConnections(leastConnections)
): Database {
  const pool = new pg.Pool({
    connectionString,
    max: connections,
    // What is asked over one connection without waiting, as in a Promise.all of a transaction, goes out at once and is answered in its order.
    pipeline: true,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 30_000,
    query_timeout: 35_000,
    idle_in_transaction_session_timeout: 60_000,
    application_name: 'panel'
  })
  // A connection that breaks is replaced by the pool; without a listener, an idle one or one in a transaction would end the process.
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  const db = drizzle(pool)
  db.transaction = async (work, options) => {
    const client = await pool.connect()
    let isOver = false
    try {
      // Waited for: what went out with it would be done without a transaction where it is refused.
      await client.query(beginOf(options))
      try {
        const result = await work(transactionOn(client))
        const { command } = await client.query('commit')
        isOver = true
        // A statement had failed, and whoever asked for it has not said so.
        if (command !== 'COMMIT') throw new Error('the transaction was rolled back: a statement of it had failed')
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
      // Each outage of the store would leave the pool smaller, or a transaction open, where a connection is not closed then.
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

/** For reads that do not need each other's answers: over one connection, all of them make one way to the store and wake one of its processes. */
export async function withConnection<T>({ $client }: Database, work: (db: Queryable) => Promise<T>): Promise<T> {
  const client = await $client.connect()
  try {
    return await work(drizzle(client))
  } finally {
    client.release()
  }
}
